package extension_companion
class Thing {
    companion object
    fun go() = 1
}
fun Thing.Companion.make() = Thing() // calls :Thing
fun use() {
    Thing.make().go() // calls :Thing.go, :make
}
