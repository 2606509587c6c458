package lambdas
class Item { fun go() = this }
fun apply(item: Item, block: (Item) -> Item): Item = block(item)
fun use(item: Item) {
    apply(item) { it.go() }.go() // calls :Item.go, :apply
    apply(item, { x -> x.go() }) // calls :apply, :Item.go
    val f: (Item) -> Item = { it.go() } // calls :Item.go
    f(item).go() // calls :Item.go
}
