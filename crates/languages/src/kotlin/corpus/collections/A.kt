package collections
class Item { fun key() = "k"; fun go() = this }
fun use(items: List<Item>, map: Map<String, Item>) {
    items.map { it.go() }.filter { it.key() == "k" }.first().go() // calls :Item.go, :Item.key
    items.associateBy { it.key() }.values.first().go() // calls :Item.go, :Item.key
    items.groupBy { it.key() }.forEach { (_, group) -> group.first().go() } // calls :Item.key, :Item.go
    map["a"]?.go() // calls :Item.go
    map.getValue("a").go() // calls :Item.go
    for ((_, value) in map) value.go() // calls :Item.go
    for (item in items) item.go() // calls :Item.go
    items[0].go() // calls :Item.go
    mutableListOf(Item()).first().go() // calls :Item.go, :Item
    items.zip(items).forEach { (a, b) -> a.go(); b.key() } // calls :Item.go, :Item.key
    items.sortedBy { it.key() }.last().go() // calls :Item.go, :Item.key
    items.maxByOrNull { it.key() }?.go() // calls :Item.key, :Item.go
    sequenceOf(Item()).map { it.go() }.toList().first().go() // calls :Item.go, :Item
}
