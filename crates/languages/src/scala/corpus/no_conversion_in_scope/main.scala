object Syntax {
  implicit class TextOps(text: String) {
    def shout: String = text
  }
}
object Main {
  def a(s: String) = s.shout
}
