class Real { def run: Int = 1 }
object Types {
  type Alias = Real
  type Many[A] = List[A]
}
object Main {
  import Types._
  def a(x: Alias): Int = x.run // calls :Real.run
  def b(x: Many[Real]): Int = x.head.run // calls :Real.run
}
