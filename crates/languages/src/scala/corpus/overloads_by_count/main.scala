object Log {
  def write(text: String): Unit = write(text, 1) // calls :Log.write@3
  def write(text: String, level: Int): Unit = ()
}
object Main {
  def run(): Unit = Log.write("a") // calls :Log.write@2
}
