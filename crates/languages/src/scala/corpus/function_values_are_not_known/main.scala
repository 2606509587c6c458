object Main {
  def apply2(f: Int => Int): Int = f(1)
  def run(): Int = apply2(x => x + 1) // calls :Main.apply2
}
