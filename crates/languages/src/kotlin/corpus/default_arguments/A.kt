package default_arguments
fun compute(n: Int, step: Int = base()) = n + step // calls :base
fun base() = 1
open class A { open fun go(n: Int = base()) = n } // calls :base
class B : A() { override fun go(n: Int) = n } // calls :A
fun use(b: B) {
    compute(1) // calls :compute
    compute(1, 2) // calls :compute
    b.go() // calls :B.go
}
