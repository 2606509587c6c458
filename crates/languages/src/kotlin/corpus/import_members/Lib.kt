package import_members
object Registry { fun register(name: String) = name }
enum class Color { RED, GREEN; fun shade() = name }
class Outer { class Inner { fun go() = 1 } }
