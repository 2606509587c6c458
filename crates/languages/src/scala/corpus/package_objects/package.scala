package object util {
  def clamp(n: Int): Int = n
  type Text = Label
}
