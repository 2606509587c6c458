package nested_classes
class Outer(val n: Int) {
    class Nested { fun go() = 1 }
    inner class Inner { fun go() = own() } // calls :Outer.own
    fun own() = n
    fun make() = Inner().go() + Nested().go() // calls :Outer.Inner.go, :Outer.Inner, :Outer.Nested.go, :Outer.Nested
}
fun use(outer: Outer) {
    Outer.Nested().go() // calls :Outer.Nested.go, :Outer.Nested
    outer.Inner().go() // calls :Outer.Inner.go, :Outer.Inner
    outer.make() // calls :Outer.make
}
