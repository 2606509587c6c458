package objects
object Config {
    val value = load() // calls :Config.load
    private fun load() = "x"
    fun get() = value
}
fun use() {
    Config.get() // calls :Config.get
    val config = Config
    config.get() // calls :Config.get
}
