object Syntax {
  implicit class Ctx(sc: StringContext) {
    def query(args: Any*): Int = 1
  }
}
object Main {
  import Syntax._
  def name: String = ""
  def run(): String = s"hello ${name} $name" // calls :Main.name
  def ask(id: Int): Int = query"select $id" // calls :Syntax.Ctx.query
}
