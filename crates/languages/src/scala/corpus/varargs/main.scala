object Sum {
  def of(n: Int, more: Int*): Int = n
  def both(all: Seq[Int]): Int = of(1, all: _*) + of(2, 3, 4) // calls :Sum.of
}
