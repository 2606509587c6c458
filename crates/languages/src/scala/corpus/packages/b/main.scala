package b
import a.Shop
object Main {
  def run(): Int = new Shop().sell(new a.model.Order) // calls a/shop.scala:Shop, a/shop.scala:Shop.sell, a/model.scala:Order
}
