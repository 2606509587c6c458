package scope_functions
class Item { fun go() = this; fun other() = Other() } // calls :Other
class Other { fun end() = 1 }
fun use(item: Item, maybe: Item?) {
    item.let { it.other() }.end() // calls :Other.end, :Item.other
    item.run { other() }.end() // calls :Other.end, :Item.other
    with(item) { other() }.end() // calls :Other.end, :Item.other
    item.apply { go() }.go() // calls :Item.go
    item.also { it.go() }.go() // calls :Item.go
    maybe?.let { x -> x.go() } // calls :Item.go
    item.takeIf { it.go() == it }?.go() // calls :Item.go
}
