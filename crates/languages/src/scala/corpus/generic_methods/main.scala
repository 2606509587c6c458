class Seed { def grow: Int = 1 }
object Tools {
  def same[A](a: A): A = a
  def first[A](all: List[A]): A = all.head
}
object Main {
  def a: Int = Tools.same(new Seed).grow // calls :Tools.same, :Seed, :Seed.grow
  def b(all: List[Seed]): Int = Tools.first(all).grow // calls :Tools.first, :Seed.grow
}
