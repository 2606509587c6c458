package loops
class Item { fun go() = true }
class Items { operator fun iterator() = It() } // calls :It
class It {
    operator fun hasNext() = false
    operator fun next() = Item() // calls :Item
}
fun use(items: Items, list: List<Item>) {
    for (i in 0 until 3) list[i].go() // calls :Item.go
    while (list.first().go()) list.last().go() // calls :Item.go
    for ((i, item) in list.withIndex()) item.go() // calls :Item.go
    list.forEachIndexed { i, item -> item.go() } // calls :Item.go
}
