object Main {
  def unless(test: => Boolean)(body: => Int): Int = if (test) 0 else body
  def check: Boolean = true
  def run(): Int = unless(check) { work() } // calls :Main.unless, :Main.check, :Main.work
  def work(): Int = 1
}
