package lazy_properties
class Service { fun call() = 1 }
fun make() = Service() // calls :Service
class Holder {
    val service by lazy { make() } // calls :make
    val typed: Service by lazy { Service() } // calls :Service
    fun use() = service.call() + typed.call() // calls :Service.call
}
