class Item { def price: Int = 1 }
object Cart {
  def total(start: Int)(f: Item => Int): Int = f(new Item) // calls :Item
  def each[A](all: List[A])(f: A => Int): Int = 0
}
object Main {
  val a = Cart.total(0)(i => i.price) // calls :Cart.total, :Item.price
  val b = Cart.total(0) { _.price } // calls :Cart.total, :Item.price
  def c(items: List[Item]) = Cart.each(items)(_.price) // calls :Cart.each, :Item.price
}
