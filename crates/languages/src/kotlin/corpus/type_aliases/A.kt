package type_aliases
class Item { fun go() = 1 }
typealias Thing = Item
typealias Things = List<Item>
typealias Action = Item.() -> Int
fun act(action: Action) = Item().action() // calls :Item
fun use(things: Things, thing: Thing) {
    thing.go() // calls :Item.go
    things.first().go() // calls :Item.go
    Thing().go() // calls :Item.go, :Item
    act { go() } // calls :act, :Item.go
}
