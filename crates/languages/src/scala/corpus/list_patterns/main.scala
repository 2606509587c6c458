class Job { def run: Int = 1 }
object Main {
  def first(jobs: List[Job]): Int = jobs match {
    case head :: tail => head.run + first(tail) + tail.head.run // calls :Job.run, :Main.first
    case Nil => 0
  }
}
