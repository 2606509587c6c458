package qualified_super
interface A { fun go() = 1 }
interface B { fun go() = 2 }
class Both : A, B {
    override fun go() = super<A>.go() + super<B>.go() // calls :A.go, :B.go
}
