package elvis
class Item { fun go() = this }
fun find(): Item? = null
fun use(): Item {
    val item = find() ?: Item() // calls :find, :Item
    item.go() // calls :Item.go
    val other = find() ?: return item.go() // calls :find, :Item.go
    return other.go() // calls :Item.go
}
