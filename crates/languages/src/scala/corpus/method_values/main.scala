object Main {
  def twice(n: Int): Int = n * 2
  def run(all: List[Int]): List[Int] = all.map(twice) // calls :Main.twice
  def half(n: Int): Double = n / 2.0
  def other(all: List[Int]) = all.map(half(_)) // calls :Main.half
}
