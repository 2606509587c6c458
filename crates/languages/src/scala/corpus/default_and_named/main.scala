object Mail {
  def send(to: String, subject: String = title("x"), copies: Int = 1): Unit = () // calls :Mail.title
  def title(t: String): String = t
  def sendAll(): Unit = send(copies = 2, to = "me") // calls :Mail.send
}
