package varargs
fun all(vararg items: Item) = items.first().go() // calls :Item.go
fun all(first: Item) = first.go() // calls :Item.go
class Item { fun go() = 1 }
fun use(item: Item, many: Array<Item>) {
    all(item) // calls :all@3
    all(item, item) // calls :all@2
    all(*many) // calls :all@2
}
