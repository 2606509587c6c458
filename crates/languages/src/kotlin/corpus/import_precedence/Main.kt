package import_precedence
import import_precedence.a.pick
import import_precedence.b.*
fun run() {
    pick() // calls A.kt:pick
    only() // calls Own.kt:only
}
