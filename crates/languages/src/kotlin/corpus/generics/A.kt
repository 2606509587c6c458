package generics
class Item { fun go() = 1 }
class Box<T>(val value: T) {
    fun get(): T = value
    fun <R> map(f: (T) -> R): Box<R> = Box(f(value)) // calls :Box
}
class Key { fun item() = Item() } // calls :Item
fun <T> first(a: T, b: T): T = a
fun <T : Item> bounded(t: T) = t.go() // calls :Item.go
fun use(item: Item, key: Key) {
    Box(item).get().go() // calls :Item.go, :Box.get, :Box
    Box(key).map { it.item() }.get().go() // calls :Item.go, :Box.get, :Box.map, :Box, :Key.item
    Box<Item>(item).value.go() // calls :Item.go, :Box
    first(item, item).go() // calls :Item.go, :first
    bounded(item) // calls :bounded
}
