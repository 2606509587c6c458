class Cell
{
    public void Clear() {}
    public int Value() { return 1; }
}

class Main
{
    private readonly Cell[] cells = new Cell[4];
    private readonly Cell[,] grid = new Cell[2, 2];

    void Run(Cell[][] rows, params Cell[] rest)
    {
        cells[0].Clear(); // calls :Cell.Clear
        rows[0][1].Clear(); // calls :Cell.Clear
        rest[0].Clear(); // calls :Cell.Clear
        foreach (var cell in cells) cell.Clear(); // calls :Cell.Clear
        foreach (var row in rows)
        {
            foreach (var cell in row) cell.Clear(); // calls :Cell.Clear
        }
        var made = new[] { new Cell(), new Cell() }; // calls :Cell
        made[1].Clear(); // calls :Cell.Clear
        Cell[] written = { new Cell() }; // calls :Cell
        written[0].Clear(); // calls :Cell.Clear
        Take(cells.Length); // calls :Main.Take@30
        Take(cells[0].Value() + 1); // calls :Main.Take@30, :Cell.Value
    }

    void Take(int count) {}
    void Take(string text) {}
}
