class Row { def cells: List[Cell] = Nil }
class Cell { def text: String = ""; def isEmpty: Boolean = false }
object Main {
  def run(rows: List[Row]): List[String] =
    for {
      row <- rows
      cell <- row.cells // calls :Row.cells
      if !cell.isEmpty // calls :Cell.isEmpty
      text = cell.text // calls :Cell.text
    } yield text
}
