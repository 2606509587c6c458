object Syntax {
  implicit class TextOps(text: String) {
    def shout: String = text + "!"
    def times(n: Int): String = text * n
  }
}
object Main {
  import Syntax._
  val a = "a".shout // calls :Syntax.TextOps.shout
  def b(s: String): String = s.times(2).shout // calls :Syntax.TextOps.times, :Syntax.TextOps.shout
}
