trait Needs { def part: Int }
class Has { def part: Int = 1 }
class Joined extends Has with Needs {
  def use: Int = part // calls :Has.part
}
