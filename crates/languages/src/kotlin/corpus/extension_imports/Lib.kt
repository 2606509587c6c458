package extension_imports.lib
class Plant
fun Plant.grow() = 1
fun Plant.water() = 2
