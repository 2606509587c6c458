class Parser[A](val value: A) {
  def map[B](f: A => B): Parser[B] = new Parser(f(value)) // calls :Parser
  def flatMap[B](f: A => Parser[B]): Parser[B] = f(value)
  def foreach(f: A => Unit): Unit = f(value)
}
class Token { def kind: Int = 1 }
object Main {
  def token: Parser[Token] = new Parser(new Token) // calls :Parser, :Token
  def run: Parser[Int] = for {
    a <- token // calls :Main.token, :Parser.flatMap
    b <- token // calls :Main.token, :Parser.map
  } yield a.kind + b.kind // calls :Token.kind
  def each(): Unit = for (t <- token) t.kind // calls :Main.token, :Parser.foreach, :Token.kind
}
