sealed trait Node
class Leaf extends Node { def value: Int = 1 }
class Branch extends Node { def left: Node = this; def depth: Int = 2 }
object Main {
  def run(n: Node): Int = n match {
    case l: Leaf => l.value // calls :Leaf.value
    case b: Branch if b.depth > 1 => run(b.left) // calls :Branch.depth, :Main.run, :Branch.left
    case _ => 0
  }
}
