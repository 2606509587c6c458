class Key { def id: Int = 1 }
object Main {
  def pair: (Key, String) = (new Key, "") // calls :Key
  def run(): Int = {
    val (key, name) = pair // calls :Main.pair
    key.id + pair._1.id // calls :Key.id, :Main.pair
  }
}
