trait Order[A] { def less(a: A, b: A): Boolean }
object Order {
  def of[A](implicit o: Order[A]): Order[A] = o
}
object Max {
  def max[A: Order](a: A, b: A): A = if (Order.of[A].less(a, b)) b else a // calls :Order.of, :Order.less
  def min[A: Order](a: A, b: A): A = if (implicitly[Order[A]].less(a, b)) a else b // calls :Order.less
}
