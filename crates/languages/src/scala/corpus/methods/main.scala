class Bell {
  def ring(): Int = strike(2) // calls :Bell.strike
  def strike(times: Int): Int = times + 1
}
object Main {
  def main(): Int = new Bell().ring() // calls :Bell, :Bell.ring
}
