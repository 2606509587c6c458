package local_functions
fun outer(n: Int): Int {
    fun helper(x: Int): Int = if (x == 0) 0 else helper(x - 1) // calls :outer.helper
    class Local { fun go() = helper(1) } // calls :outer.helper
    return helper(n) + Local().go() // calls :outer.helper, :outer.Local.go, :outer.Local
}
fun helper(x: Int) = x
fun use() = helper(1) // calls :helper
