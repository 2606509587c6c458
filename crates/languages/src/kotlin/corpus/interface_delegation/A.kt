package interface_delegation
interface Store { fun save(): Int; fun load(): Int }
class Memory : Store {
    override fun save() = 1
    override fun load() = 2
}
class Logged(private val inner: Store) : Store by inner {
    override fun save() = inner.save() // calls :Store.save
}
fun use(logged: Logged) {
    logged.save() // calls :Logged.save
    logged.load() // calls :Store.load
}
