package destructuring
class Item { fun go() = 1 }
data class Both(val a: Item, val b: Item)
class Custom {
    operator fun component1() = Item() // calls :Item
    operator fun component2() = 2
}
fun use(both: Both, custom: Custom, pairs: List<Pair<Item, Int>>) {
    val (a, b) = both
    a.go() // calls :Item.go
    b.go() // calls :Item.go
    val (first) = custom // calls :Custom.component1 (missed)
    first.go() // calls :Item.go
    pairs.forEach { (item, _) -> item.go() } // calls :Item.go
    for ((item, n) in pairs) item.go() // calls :Item.go
}
