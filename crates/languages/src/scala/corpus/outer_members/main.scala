class Outer {
  def help(): Int = 1
  class Inner {
    def help(n: String): Int = 2
    def run(): Int = Outer.this.help() // calls :Outer.help
    def own(): Int = help("x") // calls :Outer.Inner.help
  }
}
