package branches
open class Base { open fun go() = 1 }
class A : Base() { fun a() = this } // calls :Base
class B : Base() // calls :Base
fun use(flag: Boolean, a: A, b: B) {
    val either = if (flag) a else b
    either.go() // calls :Base.go
    val same = if (flag) a else a.a() // calls :A.a
    same.a() // calls :A.a
    val tried = try { a } catch (e: Exception) { a.a() } // calls :A.a
    tried.a() // calls :A.a
}
