class Chain(val size: Int) {
  def +:(n: Int): Chain = new Chain(n + size) // calls :Chain
  def ::(n: Int): Chain = this
}
object Use {
  def make(c: Chain): Chain = 1 +: (2 :: c) // calls :Chain.+:, :Chain.::
}
