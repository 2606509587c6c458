package top_level
fun helper(x: Int): Int = x + 1
fun twice(x: Int) = helper(helper(x)) // calls :helper
fun main() {
    println(twice(2)) // calls :twice
}
