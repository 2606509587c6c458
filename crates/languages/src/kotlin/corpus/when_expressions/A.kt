package when_expressions
open class Node { fun base() = 1 }
class Leaf : Node() { fun leaf() = this } // calls :Node
class Tree : Node() { fun tree() = Leaf() } // calls :Node, :Leaf
fun make(): Node = Leaf() // calls :Leaf
fun use(n: Int) {
    val node = when (n) {
        1 -> Leaf() // calls :Leaf
        else -> Tree().tree() // calls :Tree.tree, :Tree
    }
    node.leaf() // calls :Leaf.leaf
    when (val made = make()) { // calls :make
        is Leaf -> made.leaf() // calls :Leaf.leaf
        is Tree -> made.tree() // calls :Tree.tree
        else -> made.base() // calls :Node.base
    }
}
