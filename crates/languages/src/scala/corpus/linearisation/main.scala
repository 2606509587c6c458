trait Base { def id: Int = 1 }
trait Left extends Base { override def id: Int = super.id + 1 } // calls :Base.id
trait Right extends Base { override def id: Int = super.id + 2 } // calls :Base.id
class Both extends Base with Left with Right
class Swapped extends Base with Right with Left
object Main {
  def a: Int = new Both().id // calls :Both, :Right.id
  def b: Int = new Swapped().id // calls :Swapped, :Left.id
}
