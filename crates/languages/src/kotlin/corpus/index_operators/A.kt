package index_operators
class Item { fun go() = 1 }
class Table {
    operator fun get(row: Int, column: Int) = Item() // calls :Item
    operator fun set(row: Int, column: Int, item: Item) {}
}
fun use(table: Table) {
    table[1, 2].go() // calls :Item.go, :Table.get
    table[1, 2] = Item() // calls :Table.set, :Item
}
