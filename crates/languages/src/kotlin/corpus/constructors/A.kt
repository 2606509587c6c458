package constructors
class Point(val x: Int, val y: Int) {
    constructor(both: Int) : this(both, both) // calls :Point
    constructor(text: String) : this(text.length) // calls :Point.constructor@3
    fun sum() = x + y
}
fun use() {
    Point(1, 2).sum() // calls :Point.sum, :Point
    Point(3).sum() // calls :Point.sum, :Point.constructor@3
    Point("four").sum() // calls :Point.sum, :Point.constructor@4
}
