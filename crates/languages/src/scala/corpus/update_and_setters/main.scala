class Grid {
  private var last = 0
  def apply(i: Int): Int = i
  def update(i: Int, value: Int): Unit = ()
  def size: Int = 1
  def size_=(n: Int): Unit = { last = n }
}
object Main {
  def run(g: Grid): Int = {
    g(1) = 2 // calls :Grid.update
    g.size = 3 // calls :Grid.size_=
    g(4) // calls :Grid.apply
  }
}
