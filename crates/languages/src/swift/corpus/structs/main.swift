struct Point {
    var x: Int
    var y = 0
    func moved(by other: Point) -> Point { Point(x: x + other.x, y: y + other.y) }  // calls :Point
    mutating func move() { self = moved(by: self) }  // calls :Point.moved
    static func origin() -> Point { Point(x: 0) }  // calls :Point
}

func run() {
    var p = Point(x: 1, y: 2)  // calls :Point
    p.move()  // calls :Point.move
    p = Point.origin().moved(by: p)  // calls :Point.origin, :Point.moved
}
