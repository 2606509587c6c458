package imports
import imports.lib.shared
import imports.lib.Tool
fun run() {
    shared() // calls Lib.kt:shared
    Tool().use() // calls Lib.kt:Tool.use, Lib.kt:Tool
}
