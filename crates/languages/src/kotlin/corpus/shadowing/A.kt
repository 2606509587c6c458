package shadowing
class A { fun go() = 1 }
class B { fun go() = 2 }
fun use(x: A) {
    x.go() // calls :A.go
    run {
        val x = B() // calls :B
        x.go() // calls :B.go
    }
    x.go() // calls :A.go
}
