class Api { def call(): Int = 1; class Inner { def go: Int = 2 } }
object Main {
  def run(api: Api): Int = {
    import api._
    call() // calls :Api.call
  }
}
