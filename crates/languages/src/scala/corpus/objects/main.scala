object Counter {
  private var count = 0
  def next(): Int = { count += 1; count }
}
object Main {
  def run(): Int = Counter.next() // calls :Counter.next
}
