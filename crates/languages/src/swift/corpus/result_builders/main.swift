@resultBuilder
struct ListBuilder { static func buildBlock(_ parts: Row...) -> [Row] { parts } }
struct Row { init(_ text: String) {}; func bold() -> Row { self } }
struct Table {
    init(@ListBuilder _ rows: () -> [Row]) {}
    func show() {}
}
func row() -> Row { Row("x") }  // calls :Row.init

func run() {
    Table {  // calls :Table.init
        Row("a").bold()  // calls :Row.init, :Row.bold
        row()  // calls :row
    }.show()  // calls :Table.show
}
