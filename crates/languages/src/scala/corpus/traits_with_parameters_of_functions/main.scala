class Req { def path: String = "" }
object Server {
  def route(path: String)(handler: PartialFunction[Req, String]): Int = 1
  def on(handler: Req => String): Int = 2
}
object Main {
  val a = Server.on { r => r.path } // calls :Server.on, :Req.path
  val b = Server.route("x") { case r => r.path } // calls :Server.route, :Req.path
}
