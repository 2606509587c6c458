package fun_interfaces
class Item { fun go() = 1 }
fun interface Visitor { fun visit(item: Item): Int }
fun walk(visitor: Visitor) = visitor.visit(Item()) // calls :Visitor.visit, :Item
fun use() {
    walk { it.go() } // calls :walk, :Item.go
    walk(Visitor { item -> item.go() }) // calls :walk, :Item.go, :Visitor
}
