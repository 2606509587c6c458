trait Listener { def heard(n: Int): Unit; def done(): Unit = () }
object Main {
  def make(): Listener = new Listener { // calls :Listener
    def heard(n: Int): Unit = done() // calls :Listener.done
  }
  def run(): Unit = make().heard(1) // calls :Main.make, :Listener.heard
}
