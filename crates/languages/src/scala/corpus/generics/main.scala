class Box[A](val value: A) {
  def get: A = value
  def map[B](f: A => B): Box[B] = new Box(f(value)) // calls :Box
}
class Gem { def shine: Int = 1 }
object Main {
  val box = new Box(new Gem) // calls :Box, :Gem
  def a: Int = box.get.shine // calls :Box.get, :Gem.shine
  def b = box.map(g => g.shine) // calls :Box.map, :Gem.shine
  def c(b: Box[Gem]): Int = b.value.shine // calls :Gem.shine
}
