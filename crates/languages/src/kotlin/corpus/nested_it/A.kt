package nested_it
class A { fun a() = B() } // calls :B
class B { fun b() = 1 }
fun run(block: () -> Unit) = block()
fun use(list: List<A>) {
    list.forEach { it.a().let { it.b() } } // calls :A.a, :B.b
    list.forEach { run { it.a() } } // calls :run, :A.a
}
