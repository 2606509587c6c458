class Animal { def sound(): String = "" }
class Dog extends Animal {
  override def sound(): String = super.sound() + bark // calls :Animal.sound, :Dog.bark
  def bark: String = "w"
}
