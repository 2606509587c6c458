class Person { def age: Int = 1; def friends: List[Person] = Nil }
object Main {
  def run(all: List[Person]): Int = {
    val older = all.filter(p => p.age > 2) // calls :Person.age
    older.flatMap(_.friends).map(x => x.age).sum // calls :Person.friends, :Person.age
  }
  def sorted(all: Seq[Person]) = all.sortBy(_.age).head.age // calls :Person.age
  def folded(all: Seq[Person]) = all.foldLeft(0)((sum, p) => sum + p.age) // calls :Person.age
}
