package invoke
class Handler {
    operator fun invoke(n: Int) = Item() // calls :Item
}
class Item { fun go() = 1 }
class Holder(val handler: Handler)
object Runner { operator fun invoke() = Item() } // calls :Item
class Made private constructor() {
    companion object { 
        operator fun invoke(n: Int): Item { return Item() } // calls :Item
    }
}
fun use(handler: Handler, holder: Holder) {
    handler(1).go() // calls :Item.go, :Handler.invoke
    holder.handler(2).go() // calls :Item.go, :Handler.invoke
    Runner().go() // calls :Item.go, :Runner.invoke
    Made(3).go() // calls :Item.go, :Made.Companion.invoke
}
