trait Show[A] {
  def show(a: A): String
}
object Show {
  def apply[A](using s: Show[A]): Show[A] = s
}
given intShow: Show[Int] with {
  def show(a: Int): String = a.toString
}
object Main {
  def run(n: Int)(using s: Show[Int]): String = s.show(n) // calls :Show.show
  def direct: String = intShow.show(3) // calls :intShow.show
  def summoned: String = Show[Int].show(2) // calls :Show.apply, :Show.show
  def other: String = summon[Show[Int]].show(1) // calls :Show.show
}
