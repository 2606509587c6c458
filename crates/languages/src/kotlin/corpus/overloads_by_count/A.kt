package overloads_by_count
fun f() = 1
fun f(a: Int) = 2
fun f(a: Int, b: Int) = 3
fun use() {
    f() // calls :f@2
    f(1) // calls :f@3
    f(1, 2) // calls :f@4
}
