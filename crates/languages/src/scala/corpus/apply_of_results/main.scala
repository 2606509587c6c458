class Table { def apply(i: Int): Cell = new Cell } // calls :Cell
class Cell { def text: String = "" }
class Sheet { def table: Table = new Table } // calls :Table
object Main {
  def run(s: Sheet): String = s.table(3).text // calls :Sheet.table, :Table.apply, :Cell.text
}
