sealed trait Expr
case class Num(n: Int) extends Expr
case class Add(l: Expr, r: Expr) extends Expr
object Eval {
  def eval(e: Expr): Int = e match {
    case Num(n) => n
    case Add(l, r) => eval(l) + eval(r) // calls :Eval.eval
  }
  val three = eval(Add(Num(1), Num(2))) // calls :Eval.eval, :Add, :Num
}
