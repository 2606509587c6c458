class Base { private def hidden: Int = 1; def shown: Int = hidden } // calls :Base.hidden
object Outer {
  def hidden: Int = 2
  class Sub extends Base {
    def go: Int = hidden // calls :Outer.hidden
  }
}
