package generic_inheritance
class Item { fun go() = 1 }
abstract class Repo<T> {
    abstract fun find(): T
    fun all(): List<T> = listOf(find()) // calls :Repo.find
}
class Items : Repo<Item>() { // calls :Repo
    override fun find() = Item() // calls :Item
}
fun use(items: Items, repo: Repo<Item>) {
    items.find().go() // calls :Item.go, :Items.find
    items.all().first().go() // calls :Item.go, :Repo.all
    repo.find().go() // calls :Item.go, :Repo.find
}
