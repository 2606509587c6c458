class Lamp:
  def on: Int =
    val n = watt // calls :Lamp.watt
    n + watt // calls :Lamp.watt
  def watt: Int = 40
object Main:
  def run(l: Lamp): Int =
    if l.on > 1 then l.watt // calls :Lamp.on, :Lamp.watt
    else
      l.on // calls :Lamp.on
