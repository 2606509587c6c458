package function_references
class Item { fun go() = 1 }
fun make(): Item = Item() // calls :Item
fun take(f: (Item) -> Int) = f(make()) // calls :make
fun size(item: Item) = item.go() // calls :Item.go
fun use(items: List<Item>) {
    take(::size) // calls :take
    take(Item::go) // calls :take
    items.map(::size)
}
