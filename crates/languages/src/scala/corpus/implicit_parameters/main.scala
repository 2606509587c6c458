class Context { def name: String = "c" }
object Run {
  def work(n: Int)(implicit ctx: Context): String = ctx.name // calls :Context.name
  def twice(n: Int)(implicit ctx: Context): String = work(n) + work(n)(ctx) // calls :Run.work
}
