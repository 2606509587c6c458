package nothing_guessed
class A { fun unique() = 1 }
fun use(any: Any, f: (Int) -> Any) {
    any.hashCode()
    f(1).toString()
}
