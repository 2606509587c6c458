import scala.concurrent.Future
import scala.util.{Failure, Success, Try}
class Reply { def body: String = "" }
object Main {
  def ask(): Future[Reply] = Future.successful(new Reply) // calls :Reply
  def run() = ask().map(r => r.body) // calls :Main.ask, :Reply.body
  def safe(): String = Try(new Reply) match { // calls :Reply
    case Success(r) => r.body // calls :Reply.body
    case Failure(e) => e.getMessage
  }
}
