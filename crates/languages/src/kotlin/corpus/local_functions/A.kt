package local_functions
fun outer(n: Int): Int {
    fun helper(x: Int): Int = if (x == 0) 0 else helper(x - 1)
    class Local { fun go() = helper(1) }
    return helper(n) + Local().go()
}
fun helper(x: Int) = x
fun use() = helper(1) // calls :helper
