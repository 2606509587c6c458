package object_literals
interface Listener { fun on(n: Int): Int }
fun register(l: Listener) = l.on(1) // calls :Listener.on
fun helper() = 1
fun use() {
    register(object : Listener { // calls :register
        override fun on(n: Int) = helper() + again() // calls :helper, :use.again
        private fun again() = 2
    })
}
