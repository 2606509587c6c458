package import_alias
import import_alias.lib.shared as mine
import import_alias.lib.Tool as Hammer
fun shared() = "own"
fun run() {
    mine() // calls Lib.kt:shared
    shared() // calls :shared
    Hammer().use() // calls Lib.kt:Tool.use, Lib.kt:Tool
}
