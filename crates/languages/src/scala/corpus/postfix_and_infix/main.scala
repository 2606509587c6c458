class Pen {
  def draw(n: Int): Pen = this
  def up: Pen = this
  def +(other: Pen): Pen = other
}
object Desk {
  def use(a: Pen, b: Pen): Pen = (a draw 1) + b // calls :Pen.draw, :Pen.+
  def lift(a: Pen): Pen = a.up draw 3 // calls :Pen.up, :Pen.draw
}
