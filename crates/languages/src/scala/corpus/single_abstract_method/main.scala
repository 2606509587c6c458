class Page { def size: Int = 1 }
trait Visitor { def visit(p: Page): Int }
object Main {
  def walk(v: Visitor): Int = v.visit(new Page) // calls :Visitor.visit, :Page
  def run(): Int = walk(p => p.size) // calls :Main.walk, :Page.size
}
