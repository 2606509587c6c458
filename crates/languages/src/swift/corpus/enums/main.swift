enum Shape {
    case circle(radius: Int)
    case square(Int)
    case empty
    func area() -> Int {
        switch self {
        case .circle(let radius): return round(radius)  // calls :Shape.round
        case let .square(side): return side
        case .empty: return 0
        }
    }
    func round(_ x: Int) -> Int { x }
    static func unit() -> Shape { .square(1) }  // calls :Shape.square
}

func use(_ shape: Shape) {}

func run() {
    let shape = Shape.circle(radius: 2)  // calls :Shape.circle
    shape.area()  // calls :Shape.area
    let other: Shape = .square(3)  // calls :Shape.square
    other.area()  // calls :Shape.area
    use(.circle(radius: 1))  // calls :use, :Shape.circle
    use(.unit())  // calls :use, :Shape.unit
    use(.empty)  // calls :use
    Shape.unit().area()  // calls :Shape.unit, :Shape.area
}
