class Bag {
  def +=(n: Int): Bag = this
  def -(n: Int): Bag = this
}
class Holder { var bag: Bag = new Bag } // calls :Bag
object Main {
  def run(h: Holder): Unit = {
    h.bag += 1 // calls :Bag.+=
    h.bag -= 2 // calls :Bag.-
  }
}
