class Wrapped(val n: Box) {
  def open: Int = 1
}
class Box
object Box {
  implicit def wrap(b: Box): Wrapped = new Wrapped(b) // calls :Wrapped
}
object Main {
  def a(b: Box): Int = b.open // calls :Wrapped.open
}
