package import_members
import import_members.Registry.register
import import_members.Color.RED
import import_members.Outer.Inner
fun run() {
    register("x") // calls Lib.kt:Registry.register
    RED.shade() // calls Lib.kt:Color.shade
    Inner().go() // calls Lib.kt:Outer.Inner.go, Lib.kt:Outer.Inner
}
