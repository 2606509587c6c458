package init_blocks
fun check(n: Int) = n > 0
class Guarded(n: Int) {
    val safe = check(n) // calls :check
    val doubled: Int
    init {
        doubled = double(n) // calls :Guarded.double
    }
    private fun double(n: Int) = n * 2
}
