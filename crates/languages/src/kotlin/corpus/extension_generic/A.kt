package extension_generic
class Item { fun go() = 1 }
fun <T> T.tap(block: (T) -> Unit): T { block(this); return this }
fun <T> List<T>.second(): T = this[1]
fun <T : Any> T?.orFail(): T = this ?: fail() // calls :fail
fun fail(): Nothing = throw IllegalStateException()
fun use(item: Item, items: List<Item>, maybe: Item?) {
    item.tap { it.go() }.go() // calls :Item.go, :tap
    items.second().go() // calls :Item.go, :second
    maybe.orFail().go() // calls :Item.go, :orFail
}
