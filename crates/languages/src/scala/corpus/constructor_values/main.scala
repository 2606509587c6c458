class Tool { def use(): Int = 1 }
class Worker(tool: Tool, val spare: Tool) {
  def work(): Int = tool.use() // calls :Tool.use
}
object Main {
  def run(w: Worker): Int = w.spare.use() // calls :Tool.use
}
