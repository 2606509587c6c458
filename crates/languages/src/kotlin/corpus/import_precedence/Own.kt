package import_precedence
fun pick() = "package"
fun only() = "package"
