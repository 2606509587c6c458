package annotations
annotation class Marked(val name: String)
@Marked("a") // calls :Marked
class A {
    @Marked("b") fun go() = 1 // calls :Marked
}
fun use(a: A) = a.go() // calls :A.go
