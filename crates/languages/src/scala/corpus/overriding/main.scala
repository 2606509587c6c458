abstract class Task { def run(): Int; def twice(): Int = run() + run() } // calls :Task.run
class Sleep extends Task { def run(): Int = 1 }
object Main {
  def a(t: Task): Int = t.run() // calls :Task.run
  def b(s: Sleep): Int = s.run() + s.twice() // calls :Sleep.run, :Task.twice
}
