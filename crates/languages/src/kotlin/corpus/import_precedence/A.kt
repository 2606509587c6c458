package import_precedence.a
fun pick() = "imported"
