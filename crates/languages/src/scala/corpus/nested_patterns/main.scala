case class Engine(power: Int) { def start(): Int = power }
case class Car(engine: Engine, next: Option[Car])
object Main {
  def run(c: Car): Int = c match {
    case Car(e, Some(Car(f @ Engine(_), _))) => e.start() + f.start() // calls :Engine.start
    case Car(e, None) => e.start() // calls :Engine.start
    case _ => 0
  }
}
