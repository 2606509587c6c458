package app
object Main {
  def run(): Int = {
    import lib.Maths._
    add(1, 2) // calls lib.scala:Maths.add
  }
  def not() = add(1, 2)
}
