package companions
class Token private constructor(val text: String) {
    companion object {
        fun of(text: String) = Token(clean(text)) // calls :Token, :Token.Companion.clean
        private fun clean(text: String) = text
    }
    fun copy() = of(text) // calls :Token.Companion.of
}
class Named {
    companion object Factory {
        fun make() = Named() // calls :Named
    }
}
fun use() {
    Token.of("a").copy() // calls :Token.copy, :Token.Companion.of
    Named.make() // calls :Named.Factory.make
    Named.Factory.make() // calls :Named.Factory.make
}
