case class Event(n: Int) { def fire(): Int = n }
object Main {
  def all(events: List[Event]): List[Int] = events.collect { case e if e.n > 1 => e.fire() } // calls :Event.fire
  def pairs(m: Map[String, Event]): Iterable[Int] = m.map { case (k, e) => e.fire() } // calls :Event.fire
}
