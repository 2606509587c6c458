package private_members
class A {
    private fun hidden() = 1
    fun open() = hidden() // calls :A.hidden
}
private fun hidden() = 2
fun use() = hidden() // calls :hidden
