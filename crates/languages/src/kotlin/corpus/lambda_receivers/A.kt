package lambda_receivers
class Html {
    fun body(block: Body.() -> Unit) { Body().block() } // calls :Body
}
class Body {
    fun p(text: String) = text
    fun div(block: Body.() -> Unit) { block() }
}
fun html(block: Html.() -> Unit): Html { val h = Html(); h.block(); return h } // calls :Html
fun use() {
    html { // calls :html
        body { // calls :Html.body
            p("a") // calls :Body.p
            div { // calls :Body.div
                p("b") // calls :Body.p
                this.p("c") // calls :Body.p
            }
        }
    }
}
