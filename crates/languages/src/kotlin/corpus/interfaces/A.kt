package interfaces
interface Named {
    val name: String
    fun show() = describe() // calls :Named.describe
    fun describe(): String
}
class User(override val name: String) : Named {
    override fun describe() = name
}
fun use(named: Named) {
    named.show() // calls :Named.show
    named.describe() // calls :Named.describe
    User("a").show() // calls :Named.show, :User
    User("b").describe() // calls :User.describe, :User
}
