package app
import util._
object Main {
  def run(t: Text): Int = clamp(2) + t.show() // calls package.scala:util.clamp, label.scala:Label.show
}
