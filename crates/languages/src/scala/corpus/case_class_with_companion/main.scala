case class Name(text: String)
object Name {
  def parse(text: String): Name = Name(text.trim) // calls :Name@1
}
object Main {
  val n = Name.parse(" a ").text // calls :Name.parse
  val m = Name("b") // calls :Name@1
}
