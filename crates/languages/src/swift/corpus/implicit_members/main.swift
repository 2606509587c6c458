struct Color {
    static let red = Color()  // calls :Color.init@6
    static func mix(_ a: Color, _ b: Color) -> Color { a }
    var lighter: Color { self }
    func shade() -> Color { self }
    init() {}
    init(white: Int) {}
}
func paint(_ color: Color?, _ others: [Color] = []) {}
func pick(_ flag: Bool) -> Color { flag ? .mix(.red, .red) : .init(white: 1) }  // calls :Color.mix, :Color.init@7

func run() {
    paint(.red)  // calls :paint
    paint(.mix(.red, .init()))  // calls :paint, :Color.mix, :Color.init@6
    paint(.init(white: 3), [.mix(.red, .red), .red])  // calls :paint, :Color.init@7, :Color.mix
    let color: Color = .red.shade()  // calls :Color.shade
    var other = color
    other = .mix(color, .red)  // calls :Color.mix
    let all: [Color] = [.init(), .red]  // calls :Color.init@6
    let closure: () -> Color = { .mix(.red, .red) }  // calls :Color.mix
    _ = closure
    _ = all
    _ = other
}
