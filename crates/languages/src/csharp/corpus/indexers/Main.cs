using System.Collections.Generic;

class Cell
{
    public void Clear() {}
}

class Row
{
    public Cell this[int index] { get { return Make(); } set { Check(value); } } // calls :Row.Make, :Row.Check
    public Row this[string name] => this;
    Cell Make() { return new Cell(); } // calls :Cell
    void Check(Cell cell) { cell.Clear(); } // calls :Cell.Clear
}

class Main
{
    void Run(Row row, Dictionary<string, List<Row>> map, IReadOnlyList<Row> list)
    {
        row[0].Clear(); // calls :Cell.Clear
        row["a"][1].Clear(); // calls :Cell.Clear
        map["a"][0][1].Clear(); // calls :Cell.Clear
        list[0][1].Clear(); // calls :Cell.Clear
        row[2] = new Cell(); // calls :Cell
    }
}
