class Engine(power: Int) {
  def this() = this(1) // calls :Engine@1
  def this(text: String) = this(text.length) // calls :Engine@1
}
class Car(p: Int) extends Engine(p) { // calls :Engine@1
  val spare = new Engine() // calls :Engine.this@2
  val named = new Engine("a") // calls :Engine.this@3
}
