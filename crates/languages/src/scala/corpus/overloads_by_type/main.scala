class Shape
class Round extends Shape
object Draw {
  def show(s: Shape): Unit = ()
  def show(n: Int): Unit = ()
  def show(r: Round): Unit = ()
}
object Main {
  def run(): Unit = {
    Draw.show(1) // calls :Draw.show@5
    Draw.show(new Round) // calls :Draw.show@6, :Round
    Draw.show(new Shape) // calls :Draw.show@4, :Shape
  }
}
