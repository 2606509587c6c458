package extension_properties
class Path(val text: String)
class Name { fun show() = 1 }
val Path.name: Name
    get() = parse(this) // calls :parse
fun parse(path: Path) = Name() // calls :Name
fun use(path: Path) {
    path.name.show() // calls :Name.show
}
