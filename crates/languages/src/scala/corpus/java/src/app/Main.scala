package app
import lib.Counter
object Main {
  def run(): Int = Counter.create().next(1) // calls src/lib/Counter.java:Counter.create, src/lib/Counter.java:Counter.next
  def make(): Counter = new Counter() // calls src/lib/Counter.java:Counter
}
