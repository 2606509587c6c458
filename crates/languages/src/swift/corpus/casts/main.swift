class Shape { func draw() {} }
class Circle: Shape { func roll() {} }
struct Square { func turn() {} }

func run(_ shape: Shape, _ any: Any) {
    (shape as? Circle)?.roll()  // calls :Circle.roll
    (shape as! Circle).roll()  // calls :Circle.roll
    if let circle = shape as? Circle { circle.roll(); circle.draw() }  // calls :Circle.roll, :Shape.draw
    if shape is Circle { shape.draw() }  // calls :Shape.draw
    switch any {
    case let square as Square: square.turn()  // calls :Square.turn
    case is Circle: break
    case let circle as Circle where circle.next(): circle.roll()  // calls :Circle.next, :Circle.roll
    default: break
    }
    if case let square as Square = any { square.turn() }  // calls :Square.turn
}
extension Circle { func next() -> Bool { true } }
