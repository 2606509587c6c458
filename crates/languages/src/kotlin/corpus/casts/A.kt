package casts
class Item { fun go() = 1 }
fun use(any: Any?) {
    (any as Item).go() // calls :Item.go
    (any as? Item)?.go() // calls :Item.go
    val item = any as? Item ?: return
    item.go() // calls :Item.go
}
