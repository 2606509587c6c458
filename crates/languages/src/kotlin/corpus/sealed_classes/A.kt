package sealed_classes
sealed interface Result
class Good(val value: Item) : Result
class Bad(val error: Failure) : Result
class Item { fun use() = 1 }
class Failure { fun report() = 2 }
fun handle(result: Result) = when (result) {
    is Good -> result.value.use() // calls :Item.use
    is Bad -> result.error.report() // calls :Failure.report
}
