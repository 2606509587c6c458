package overloads_by_lambda
fun each(block: (Int) -> Unit) = 1
fun each(block: (Int, Int) -> Unit) = 2
fun each(text: String) = 3
fun use() {
    each { a -> println(a) } // calls :each@2
    each { a, b -> println(a + b) } // calls :each@3
    each("x") // calls :each@4
}
