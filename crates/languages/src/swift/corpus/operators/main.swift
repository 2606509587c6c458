struct Vector: Equatable {
    var x = 0
    static func + (a: Vector, b: Vector) -> Vector { Vector(x: a.x + b.x) }  // calls :Vector
    static func == (a: Vector, b: Vector) -> Bool { a.x == b.x }
    static prefix func - (a: Vector) -> Vector { Vector(x: -a.x) }  // calls :Vector
    static func += (a: inout Vector, b: Vector) { a = a + b }  // calls :Vector.+
    func length() -> Int { x }
}
infix operator <~>
func <~> (a: Vector, b: Int) -> Vector { a }

func run(a: Vector, b: Vector) {
    (a + b).length()  // calls :Vector.+, :Vector.length
    let sum = a + b + a  // calls :Vector.+
    sum.length()  // calls :Vector.length
    if a == b { a.length() }  // calls :Vector.==, :Vector.length
    (-a).length()  // calls :Vector.-, :Vector.length
    var c = a
    c += b  // calls :Vector.+=
    (a <~> 3).length()  // calls :<~>, :Vector.length
    print(1 + 2)
}
