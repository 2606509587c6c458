package strings
class Name { fun text() = "x" }
fun label(n: Int) = "n"
fun use(name: Name) {
    println("a ${name.text()} and ${label(1)}") // calls :Name.text, :label
    val raw = """
        ${name.text()} // calls :Name.text
    """.trimIndent()
    raw.length
}
