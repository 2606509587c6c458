package a
class Shop {
  def sell(o: model.Order): Int = o.total // calls a/model.scala:Order.total
}
