trait Repo[A] { def find(id: Int): A; def all: List[A] = Nil }
class User { def mail: String = "" }
class Users extends Repo[User] { def find(id: Int): User = new User } // calls :User
object Main {
  def run(u: Users): String = u.all.head.mail + u.find(1).mail // calls :Repo.all, :Users.find, :User.mail
}
