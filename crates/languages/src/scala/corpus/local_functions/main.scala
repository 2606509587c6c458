object Main {
  def run(n: Int): Int = {
    def helper(m: Int): Int = if (m == 0) 0 else helper(m - 1) // calls :Main.run.helper
    helper(n) // calls :Main.run.helper
  }
}
