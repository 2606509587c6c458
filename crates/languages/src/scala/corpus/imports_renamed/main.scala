package app
import lib.{Reader => In, Writer, Files => F}
import lib.Files.{open => start}
object Main {
  def run(in: In, out: Writer): Int = in.read() + out.write() // calls lib.scala:Reader.read, lib.scala:Writer.write
  def go(): Int = F.open().read() + start().read() // calls lib.scala:Files.open, lib.scala:Reader.read
}
