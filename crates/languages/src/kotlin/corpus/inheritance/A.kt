package inheritance
open class Base(val name: String) {
    open fun greet() = hello() // calls :Base.hello
    fun hello() = name
}
class Derived(name: String) : Base(name) { // calls :Base
    override fun greet() = super.greet() + hello() // calls :Base.greet, :Base.hello
}
fun use(base: Base, derived: Derived) {
    base.greet() // calls :Base.greet
    derived.greet() // calls :Derived.greet
    derived.hello() // calls :Base.hello
}
