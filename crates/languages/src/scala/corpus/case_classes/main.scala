case class Point(x: Int, y: Int) {
  def moved(dx: Int): Point = copy(x = x + dx) // calls :Point
}
object Main {
  val p = Point(1, 2) // calls :Point
  val q = p.moved(3).moved(4) // calls :Point.moved
  def sum: Int = q match {
    case Point(a, b) => a + b
  }
}
