package abstract_classes
abstract class Shape {
    abstract fun area(): Double
    fun twice() = area() + area() // calls :Shape.area
}
class Square(val side: Double) : Shape() { // calls :Shape
    override fun area() = side * side
}
fun use(shape: Shape) {
    shape.area() // calls :Shape.area
    Square(2.0).twice() // calls :Shape.twice, :Square
}
