trait Greeter {
  def name: String
  def greet: String = "hi " + name // calls :Greeter.name
}
class Person(val name: String) extends Greeter
object Main {
  def run(): String = new Person("p").greet // calls :Person, :Greeter.greet
}
