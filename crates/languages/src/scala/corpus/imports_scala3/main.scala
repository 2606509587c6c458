package app
import lib.{Reader as In, *}
object Main:
  def run(in: In): Int = in.read() + Files.open().read() // calls lib.scala:Reader.read, lib.scala:Files.open
