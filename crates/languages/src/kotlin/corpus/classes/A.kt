package classes
class Counter {
    private var count = 0
    fun next(): Int { count = step(count); return count } // calls :Counter.step
    private fun step(n: Int) = n + 1
}
fun use() {
    val counter = Counter() // calls :Counter
    counter.next() // calls :Counter.next
    counter.next().toString() // calls :Counter.next
}
