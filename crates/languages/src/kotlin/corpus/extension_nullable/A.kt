package extension_nullable
class Box { fun size() = 1 }
fun Box?.sizeOrZero() = this?.size() ?: 0 // calls :Box.size
fun use(box: Box?) {
    box.sizeOrZero() // calls :sizeOrZero
    box?.size() // calls :Box.size
    box!!.size() // calls :Box.size
}
