package suspend_functions
class Api { suspend fun load() = Item() } // calls :Item
class Item { fun go() = 1 }
suspend fun work(api: Api) {
    api.load().go() // calls :Item.go, :Api.load
    retry { api.load() }.go() // calls :Item.go, :retry, :Api.load
}
suspend fun <T> retry(block: suspend () -> T): T = block()
