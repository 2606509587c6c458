object Ids:
  opaque type Id = Int
  def make(n: Int): Id = n
  extension (id: Id)
    def next: Id = make(1) // calls :Ids.make
object Main:
  import Ids.*
  def run(): Id = make(1).next // calls :Ids.make, :Ids.next
