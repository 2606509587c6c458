package assign_operators
class Bag {
    operator fun plusAssign(n: Int) {}
    fun size() = 1
}
class Total(val n: Int) {
    operator fun plus(n: Int) = Total(this.n + n) // calls :Total
}
fun use(bag: Bag) {
    bag += 1 // calls :Bag.plusAssign
    var total = Total(1) // calls :Total
    total += 2 // calls :Total.plus
    bag.size() // calls :Bag.size
}
