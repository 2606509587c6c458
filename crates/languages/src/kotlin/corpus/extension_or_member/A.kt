package extension_or_member
class Box { fun open() = 1 }
fun Box.open() = "never"
fun Box.open(n: Int) = n
fun use(box: Box) {
    box.open() // calls :Box.open
    box.open(2) // calls :open@4
}
