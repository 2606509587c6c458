package delegated_properties
import kotlin.reflect.KProperty
class Item { fun go() = 1 }
class Delegate {
    operator fun getValue(owner: Any?, property: KProperty<*>): Item = Item() // calls :Item
}
class Holder {
    val item by Delegate() // calls :Delegate, :Delegate.getValue (missed)
    fun use() = item.go() // calls :Item.go
}
