//! Linking of Kotlin.

use crate::fixture::check;

#[test]
fn functions_of_files_and_packages_are_called() {
    check(
        r#"
//- a/A.kt
package a
import b.far
import b.other as mine
import c.*
fun near() = 1
fun main() {
    near()
    far()
    mine()
    starred()
    same()
    println("x")
    missing()
}
//- a/Same.kt
package a
fun same() {}
//- b/B.kt
package b
fun far() {}
fun other() {}
//- c/C.kt
package c
fun starred() {}
"#,
        "
a/A.kt:7 near -> a/A.kt:near@5 [scoped]
a/A.kt:8 far -> b/B.kt:far@2 [scoped]
a/A.kt:9 mine -> b/B.kt:other@3 [scoped]
a/A.kt:10 starred -> c/C.kt:starred@2 [scoped]
a/A.kt:11 same -> a/Same.kt:same@2 [scoped]
a/A.kt:12 println -> ext kotlin.println
a/A.kt:13 missing -> ? unknown name
",
    );
}

#[test]
fn members_extensions_and_companions_are_called() {
    check(
        r#"
//- a/A.kt
package a
open class Base { open fun base() {} }
class A(val name: String) : Base() {
    constructor() : this("x")
    fun own(): A { base(); return this }
    companion object {
        fun make(): A = A()
    }
}
object Single { fun only() {} }
fun A.ext() { own() }
fun <T : Base> T.general(): T = this
fun use(a: A) {
    a.own().ext()
    a.general().own()
    A.make().base()
    A("n").own()
    Single.only()
    a.name.trim()
    val b = a.own()
    b.missing()
}
"#,
        "
a/A.kt:3 (…) -> a/A.kt:Base@2 [scoped]
a/A.kt:4 (…) -> a/A.kt:A@3 [scoped]
a/A.kt:5 base -> a/A.kt:Base.base@2 [scoped]
a/A.kt:7 A -> a/A.kt:A.constructor@4 [scoped]
a/A.kt:11 own -> a/A.kt:A.own@5 [scoped]
a/A.kt:14 own -> a/A.kt:A.own@5 [typed]
a/A.kt:14 ext -> a/A.kt:ext@11 [typed]
a/A.kt:15 general -> a/A.kt:general@12 [typed]
a/A.kt:15 own -> a/A.kt:A.own@5 [typed]
a/A.kt:16 make -> a/A.kt:A.Companion.make@7 [typed]
a/A.kt:16 base -> a/A.kt:Base.base@2 [typed]
a/A.kt:17 A -> a/A.kt:A@3 [scoped]
a/A.kt:17 own -> a/A.kt:A.own@5 [typed]
a/A.kt:18 only -> a/A.kt:Single.only@10 [typed]
a/A.kt:19 trim -> ext kotlin.String.trim
a/A.kt:20 own -> a/A.kt:A.own@5 [typed]
a/A.kt:21 missing -> ? no such member
",
    );
}

#[test]
fn lambdas_have_receivers_and_parameters() {
    check(
        r#"
//- a/A.kt
package a
class Route { fun get(path: String, body: Call.() -> Unit) {} }
class Call { fun respond(text: String) {} }
class Item { fun go(): Item = this }
fun routing(build: Route.() -> Unit) {}
fun each(items: List<Item>) {
    routing {
        get("/") { respond("x") }
    }
    items.map { it.go() }.filter { x -> x.go() == x }.first().go()
    items.firstOrNull()?.let { it.go() }
    items.forEach { item -> item.run { go() } }
    with(items[0]) { go() }
    val made = items.associateBy { it.go() }
    for ((key, value) in made) { key.go(); value.go() }
    items.first().apply { go() }.also { it.go() }
}
"#,
        "
a/A.kt:7 routing -> a/A.kt:routing@5 [scoped]
a/A.kt:8 get -> a/A.kt:Route.get@2 [scoped]
a/A.kt:8 respond -> a/A.kt:Call.respond@3 [scoped]
a/A.kt:10 map -> ext kotlin.List.map
a/A.kt:10 go -> a/A.kt:Item.go@4 [typed]
a/A.kt:10 filter -> ext kotlin.List.filter
a/A.kt:10 go -> a/A.kt:Item.go@4 [typed]
a/A.kt:10 first -> ext kotlin.List.first
a/A.kt:10 go -> a/A.kt:Item.go@4 [typed]
a/A.kt:11 firstOrNull -> ext kotlin.List.firstOrNull
a/A.kt:11 let -> ext kotlin.Any.let
a/A.kt:11 go -> a/A.kt:Item.go@4 [typed]
a/A.kt:12 forEach -> ext kotlin.List.forEach
a/A.kt:12 run -> ext kotlin.Any.run
a/A.kt:12 go -> a/A.kt:Item.go@4 [scoped]
a/A.kt:13 with -> ext kotlin.with
a/A.kt:13 go -> a/A.kt:Item.go@4 [scoped]
a/A.kt:14 associateBy -> ext kotlin.List.associateBy
a/A.kt:14 go -> a/A.kt:Item.go@4 [typed]
a/A.kt:15 go -> a/A.kt:Item.go@4 [typed]
a/A.kt:15 go -> a/A.kt:Item.go@4 [typed]
a/A.kt:16 first -> ext kotlin.List.first
a/A.kt:16 apply -> ext kotlin.Any.apply
a/A.kt:16 go -> a/A.kt:Item.go@4 [scoped]
a/A.kt:16 also -> ext kotlin.Any.also
a/A.kt:16 go -> a/A.kt:Item.go@4 [typed]
",
    );
}

#[test]
fn smart_casts_give_types() {
    check(
        r#"
//- a/A.kt
package a
open class Shape
class Circle : Shape() { fun round() {} }
class Square : Shape() { fun flat() {} }
fun use(shape: Shape, any: Any?) {
    if (shape is Circle) shape.round() else shape.hashCode()
    when (shape) {
        is Circle -> shape.round()
        is Square -> shape.flat()
    }
    if (any is Square && any.hashCode() > 1) any.flat()
    if (any !is Circle) return
    any.round()
    val s = shape as? Square ?: return
    s.flat()
    (shape as Square).flat()
}
"#,
        "
a/A.kt:3 (…) -> a/A.kt:Shape@2 [scoped]
a/A.kt:4 (…) -> a/A.kt:Shape@2 [scoped]
a/A.kt:6 round -> a/A.kt:Circle.round@3 [typed]
a/A.kt:6 hashCode -> ext kotlin.Any.hashCode
a/A.kt:8 round -> a/A.kt:Circle.round@3 [typed]
a/A.kt:9 flat -> a/A.kt:Square.flat@4 [typed]
a/A.kt:11 hashCode -> ext kotlin.Any.hashCode
a/A.kt:11 flat -> a/A.kt:Square.flat@4 [typed]
a/A.kt:13 round -> a/A.kt:Circle.round@3 [typed]
a/A.kt:15 flat -> a/A.kt:Square.flat@4 [typed]
a/A.kt:16 flat -> a/A.kt:Square.flat@4 [typed]
",
    );
}

#[test]
fn operators_invoke_and_delegates_are_calls() {
    check(
        r#"
//- a/A.kt
package a
class V(val x: Int) {
    operator fun plus(o: V): V = V(x + o.x)
    operator fun get(i: Int): V = this
    operator fun invoke(t: String): V = this
    infix fun dot(o: V): Int = 1
    fun go() {}
}
class Holder {
    val v by lazy { V(1) }
    val made: V get() = V(2)
}
fun use(a: V, h: Holder) {
    (a + a).go()
    a[1].go()
    a("x").go()
    a dot a
    h.v.go()
    h.made.go()
}
"#,
        "
a/A.kt:3 V -> a/A.kt:V@2 [scoped]
a/A.kt:10 lazy -> ext kotlin.lazy
a/A.kt:10 V -> a/A.kt:V@2 [scoped]
a/A.kt:11 V -> a/A.kt:V@2 [scoped]
a/A.kt:14 plus -> a/A.kt:V.plus@3 [typed]
a/A.kt:14 go -> a/A.kt:V.go@7 [typed]
a/A.kt:15 get -> a/A.kt:V.get@4 [typed]
a/A.kt:15 go -> a/A.kt:V.go@7 [typed]
a/A.kt:16 a -> a/A.kt:V.invoke@5 [scoped]
a/A.kt:16 go -> a/A.kt:V.go@7 [typed]
a/A.kt:17 dot -> a/A.kt:V.dot@6 [typed]
a/A.kt:18 go -> a/A.kt:V.go@7 [typed]
a/A.kt:19 go -> a/A.kt:V.go@7 [typed]
",
    );
}

#[test]
fn java_and_kotlin_call_each_other() {
    check(
        r#"
//- a/J.java
package a;
public class J {
    public static J make() { return new J(); }
    public J self(String s) { return this; }
}
//- a/K.kt
package a
class K : J() {
    fun use(): J = self("x")
}
fun go(k: K) {
    J.make().self("y")
    k.self("z")
    J().self("")
}
"#,
        "
a/J.java:3 (…) -> a/J.java:J@2 [scoped]
a/K.kt:2 (…) -> a/J.java:J@2 [scoped]
a/K.kt:3 self -> a/J.java:J.self@4 [scoped]
a/K.kt:6 make -> a/J.java:J.make@3 [scoped]
a/K.kt:6 self -> a/J.java:J.self@4 [typed]
a/K.kt:7 self -> a/J.java:J.self@4 [typed]
a/K.kt:8 J -> a/J.java:J@2 [scoped]
a/K.kt:8 self -> a/J.java:J.self@4 [typed]
",
    );
}
