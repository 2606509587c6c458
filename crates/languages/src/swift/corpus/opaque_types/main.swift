protocol Shape { func draw() }
struct Circle: Shape { func draw() {} }
func makeShape() -> some Shape { Circle() }  // calls :Circle
var shared: some Shape { Circle() }  // calls :Circle
func pick(_ shape: any Shape) -> any Shape { shape }
func both(_ value: Shape & Named) { value.draw(); value.name() }  // calls :Shape.draw, :Named.name
protocol Named { func name() }

func run() {
    makeShape().draw()  // calls :makeShape, :Shape.draw
    shared.draw()  // calls :Shape.draw
    pick(Circle()).draw()  // calls :pick, :Circle, :Shape.draw
}
