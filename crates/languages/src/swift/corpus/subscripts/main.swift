struct Cell { func fill() {} }
struct Grid {
    var cells: [Cell] = []
    subscript(row: Int, column: Int) -> Cell { get { cells[row] } set { cells[row] = newValue } }
    subscript(name name: String) -> Cell? { nil }
    static subscript(key: Int) -> Grid { Grid() }  // calls :Grid
}

func run() {
    var grid = Grid()  // calls :Grid
    grid[1, 2].fill()  // calls :Grid.subscript@4, :Cell.fill
    grid[name: "a"]?.fill()  // calls :Grid.subscript@5, :Cell.fill
    grid[0, 0] = Cell()  // calls :Grid.subscript@4, :Cell
    Grid[3][1, 1].fill()  // calls :Grid.subscript@6, :Grid.subscript@4, :Cell.fill
}
