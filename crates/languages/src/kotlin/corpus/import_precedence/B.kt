package import_precedence.b
fun pick() = "starred"
fun only() = "starred"
