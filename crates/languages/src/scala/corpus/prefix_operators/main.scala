class Vec2(val x: Int) {
  def unary_- : Vec2 = new Vec2(0 - x) // calls :Vec2
  def unary_! : Boolean = x == 0
}
object Use {
  def flip(v: Vec2): Boolean = {
    val w = -v // calls :Vec2.unary_-
    !w // calls :Vec2.unary_!
  }
}
