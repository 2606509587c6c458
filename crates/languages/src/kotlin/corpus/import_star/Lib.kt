package import_star.lib
class Thing(val n: Int) { fun go() = n }
fun starred() = 1
fun own() = "hidden by the package"
