package import_star
import import_star.lib.*
fun own() = 1
fun run() {
    starred() // calls Lib.kt:starred
    own() // calls :own
    Thing(1).go() // calls Lib.kt:Thing.go, Lib.kt:Thing
}
