class Names {
  def item: Int = 1
  def run(item: String): Int = item.length
  def other(): Int = {
    val item = 3
    item + this.item // calls :Names.item
  }
}
