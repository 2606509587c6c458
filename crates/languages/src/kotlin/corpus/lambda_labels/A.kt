package lambda_labels
class Outer { fun name() = "outer" }
class Inner { fun name() = "inner" }
fun outer(block: Outer.() -> Unit) = Outer().block() // calls :Outer
fun inner(block: Inner.() -> Unit) = Inner().block() // calls :Inner
fun use() {
    outer { // calls :outer
        inner { // calls :inner
            name() // calls :Inner.name
            this@outer.name() // calls :Outer.name
        }
    }
    outer one@{ // calls :outer
        inner { // calls :inner
            this@one.name() // calls :Outer.name
        }
    }
}
