package callable_properties
class Item { fun go() = 1 }
class Button(val onClick: (Item) -> Item) {
    fun press() = onClick(Item()).go() // calls :Item.go, :Item
}
fun use(button: Button) {
    button.onClick(Item()).go() // calls :Item.go, :Item
    button.onClick.invoke(Item()).go() // calls :Item.go, :Item
}
