package companion_inherited
open class Base {
    companion object {
        fun shared() = 1
    }
}
class Derived : Base() { // calls :Base
    fun use() = shared() // calls :Base.Companion.shared
}
