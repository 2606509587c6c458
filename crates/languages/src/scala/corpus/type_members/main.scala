trait Machine {
  type Part <: Bolt
  def part: Part
  def turn: Int = part.turn // calls :Machine.part, :Bolt.turn
}
class Bolt { def turn: Int = 1 }
