import some.library.Client
object Main {
  def close(): Int = 1
  def run(c: Client) = { c.close(); c.open().run(); missing.run() }
}
