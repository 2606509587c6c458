package exceptions
class Failure(message: String) : RuntimeException(message) { fun report() = 1 }
fun risky(): Int = throw Failure("x") // calls :Failure
fun use() {
    try {
        risky() // calls :risky
    } catch (e: Failure) {
        e.report() // calls :Failure.report
    } finally {
        done() // calls :done
    }
}
fun done() = Unit
