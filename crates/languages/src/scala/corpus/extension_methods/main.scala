case class Circle(r: Double)
extension (c: Circle)
  def area: Double = c.r * c.r
  def scaled(f: Double): Circle = Circle(c.r * f) // calls :Circle
object Main {
  def run(c: Circle): Double = c.scaled(2.0).area // calls :scaled, :area
}
