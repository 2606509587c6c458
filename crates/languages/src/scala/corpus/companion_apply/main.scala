class Money(val cents: Int)
object Money {
  def apply(cents: Int): Money = new Money(cents) // calls :Money@1
  def zero: Money = Money(0) // calls :Money.apply
}
object Main {
  val a = Money(3).cents // calls :Money.apply
  val b = Money.apply(4) // calls :Money.apply
  val c = Money.zero.cents // calls :Money.zero
}
