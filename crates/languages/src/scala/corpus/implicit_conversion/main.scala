class Meters(val n: Int) {
  def half: Meters = new Meters(n / 2) // calls :Meters
}
object Meters {
  implicit def fromInt(n: Int): Meters = new Meters(n) // calls :Meters@1
}
object Main {
  import Meters._
  def a(n: Int): Meters = n.half // calls :Meters.half
}
