package this_calls
class Builder {
    fun a() = this
    fun b() = apply { a() } // calls :Builder.a
    fun c() = this.a().b() // calls :Builder.b, :Builder.a
}
fun build(block: Builder.() -> Builder) = Builder().block().c() // calls :Builder.c, :Builder
fun use() = build { a().b() } // calls :build, :Builder.b, :Builder.a
