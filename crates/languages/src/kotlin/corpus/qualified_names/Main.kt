package qualified_names
fun run() {
    qualified_names.lib.deep() // calls Lib.kt:deep
    qualified_names.lib.Box(1).open() // calls Lib.kt:Box.open, Lib.kt:Box
    val box: qualified_names.lib.Box = qualified_names.lib.Box(2) // calls Lib.kt:Box
    box.open() // calls Lib.kt:Box.open
}
