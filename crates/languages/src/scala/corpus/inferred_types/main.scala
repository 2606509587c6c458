class Leaf { def green: Int = 1 }
class Tree {
  val leaf = new Leaf // calls :Leaf
  def pick = leaf
  def first = pick.green // calls :Tree.pick, :Leaf.green
  lazy val cached = pick // calls :Tree.pick
  def last = cached.green // calls :Leaf.green
}
