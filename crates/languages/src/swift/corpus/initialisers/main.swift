struct Size {
    let width: Int
    init(_ width: Int) { self.width = width }
    init(width: Int) { self.init(width) }  // calls :Size.init@3
    init?(text: String) {
        guard let number = Int(text) else { return nil }
        self.init(number)  // calls :Size.init@3
    }
    func area() -> Int { width }
}

func run() {
    _ = Size(1)  // calls :Size.init@3
    let size = Size(width: 2)  // calls :Size.init@4
    size.area()  // calls :Size.area
    Size(text: "3")?.area()  // calls :Size.init@5, :Size.area
    if let parsed = Size(text: "4") { parsed.area() }  // calls :Size.init@5, :Size.area
    let made = Size.init(width: 5)  // calls :Size.init@4
    made.area()  // calls :Size.area
}
