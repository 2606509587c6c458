class User { def id: Int = 1 }
class Fault { def code: Int = 2 }
object Main {
  def find(n: Int): Either[Fault, User] = Right(new User) // calls :User
  def run(o: Option[User]): Int = o match {
    case Some(u) => u.id // calls :User.id
    case None => find(1) match { // calls :Main.find
      case Left(f) => f.code // calls :Fault.code
      case Right(u) => u.id // calls :User.id
    }
  }
  def both = find(2).map(_.id) // calls :Main.find, :User.id
}
