package inner_this
class Outer {
    fun name() = "outer"
    inner class Inner {
        fun name() = "inner"
        fun both() = this@Outer.name() + this.name() + name() // calls :Outer.name, :Outer.Inner.name
    }
}
