package qualified_names.lib
class Box(val n: Int) { fun open() = n }
fun deep() = 1
