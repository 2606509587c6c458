object Main {
  def a(n: Int) = if (n == 0) null else b(n) // calls :Main.b
  def b(n: Int) = a(n - 1) // calls :Main.a
  def run() = a(1).foo // calls :Main.a
}
