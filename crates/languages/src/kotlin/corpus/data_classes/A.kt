package data_classes
data class Pair2(val left: Item, val right: Item)
class Item { fun go() = this }
fun use(pair: Pair2) {
    val (a, b) = pair
    a.go() // calls :Item.go
    b.go() // calls :Item.go
    pair.copy(left = b).left.go() // calls :Item.go
    pair.component2().go() // calls :Item.go
}
