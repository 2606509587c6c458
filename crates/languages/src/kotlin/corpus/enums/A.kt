package enums
enum class Level(val rank: Int) {
    LOW(1) { // calls :Level
        override fun label() = plain() // calls :Level.plain
    },
    HIGH(2); // calls :Level
    open fun label() = name
    fun plain() = rank.toString()
}
fun use(level: Level) {
    level.label() // calls :Level.label
    Level.LOW.label() // calls :Level.label
    Level.valueOf("HIGH").plain() // calls :Level.plain
    Level.values().first().plain() // calls :Level.plain
    Level.entries.map { it.label() } // calls :Level.label
}
