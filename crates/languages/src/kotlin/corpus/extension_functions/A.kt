package extension_functions
class Text(val s: String) { fun own() = s }
fun Text.shout() = own() // calls :Text.own
fun Text.twice() = shout() + this.shout() // calls :shout
fun String.wrap() = Text(this) // calls :Text
fun Int.double() = this * 2
fun use(text: Text) {
    text.shout() // calls :shout
    "x".wrap().twice() // calls :twice, :wrap
    3.double().double() // calls :double
}
