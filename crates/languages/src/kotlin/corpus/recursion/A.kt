package recursion
fun even(n: Int): Boolean = if (n == 0) true else odd(n - 1) // calls :odd
fun odd(n: Int): Boolean = if (n == 0) false else even(n - 1) // calls :even
class Tree(val left: Tree?) { fun depth(): Int = 1 + (left?.depth() ?: 0) } // calls :Tree.depth
