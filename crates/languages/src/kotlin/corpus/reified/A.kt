package reified
class Item { fun go() = 1 }
inline fun <reified T> make(): T = throw IllegalStateException()
inline fun <reified T> List<*>.only(): List<T> = filterIsInstance<T>()
fun use(list: List<Any>) {
    make<Item>().go() // calls :Item.go, :make
    list.only<Item>().first().go() // calls :Item.go, :only
    list.filterIsInstance<Item>().first().go() // calls :Item.go
}
