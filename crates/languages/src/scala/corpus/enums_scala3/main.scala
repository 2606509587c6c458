enum Color(val rgb: Int):
  case Red extends Color(1) // calls :Color
  case Mix(a: Int) extends Color(a) // calls :Color
  def shade: Int = rgb
object Main:
  def run(): Int = Color.Red.shade + Color.Mix(3).shade // calls :Color.shade, :Color.Mix
  def part(c: Color): Int = c match
    case Color.Mix(a) => a
    case _ => c.shade // calls :Color.shade
