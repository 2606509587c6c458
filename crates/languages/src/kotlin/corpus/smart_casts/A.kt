package smart_casts
open class Shape
class Circle : Shape() { fun round() = 1 } // calls :Shape
class Square : Shape() { fun flat() = 2 } // calls :Shape
fun use(shape: Shape, any: Any) {
    if (shape is Circle) shape.round() // calls :Circle.round
    if (shape !is Square) return
    shape.flat() // calls :Square.flat
    if (any is Circle && any.round() > 0) any.round() // calls :Circle.round
    if (any !is Circle || any.round() > 1) return // calls :Circle.round
    any.round() // calls :Circle.round
}
