object Even {
  def unapply(n: Int): Option[Int] = if (n % 2 == 0) Some(n / 2) else None
}
class Wheel { def spin: Int = 1 }
object AsWheel {
  def unapply(text: String): Option[Wheel] = Some(new Wheel) // calls :Wheel
}
object Main {
  def run(n: Int, s: String): Int = n match {
    case Even(half) => half // calls :Even.unapply
    case _ => s match {
      case AsWheel(w) => w.spin // calls :AsWheel.unapply, :Wheel.spin
      case _ => 0
    }
  }
}
