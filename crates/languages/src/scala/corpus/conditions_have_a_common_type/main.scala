trait Shape { def area: Int }
class Square extends Shape { def area: Int = 1 }
class Disc extends Shape { def area: Int = 2 }
object Main {
  def run(b: Boolean): Int = {
    val shape = if (b) new Square else new Disc // calls :Square, :Disc
    shape.area // calls :Shape.area
  }
  def lists: Int = List(new Square, new Disc).head.area // calls :Square, :Disc, :Shape.area
}
