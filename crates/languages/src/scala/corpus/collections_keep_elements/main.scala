class Task { def run(): Int = 1; def name: String = "" }
object Main {
  def a(tasks: Seq[Task]): Int = tasks.headOption.map(_.run()).getOrElse(0) // calls :Task.run
  def b(tasks: Map[String, Task]): Int = tasks("x").run() // calls :Task.run
  def c(tasks: Map[String, Task]): Int = tasks.get("x").fold(0)(t => t.run()) // calls :Task.run
  def d(tasks: Vector[Task]) = tasks.groupBy(_.name).values.flatten.head.run() // calls :Task.name, :Task.run
  def e(tasks: Array[Task]): Int = tasks(0).run() // calls :Task.run
  def f(tasks: Set[Task]): Iterator[Int] = tasks.iterator.map(_.run()) // calls :Task.run
  def g(tasks: List[Task]) = tasks.zipWithIndex.map { case (t, i) => t.run() + i } // calls :Task.run
}
