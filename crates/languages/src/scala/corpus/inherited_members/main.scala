class Root { def top: Int = 1; protected def inner(n: Int): Int = n }
class Middle extends Root
class Leaf extends Middle {
  def go: Int = inner(top) // calls :Root.inner, :Root.top
}
