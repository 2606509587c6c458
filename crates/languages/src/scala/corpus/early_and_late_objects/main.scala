object Registry {
  case object First { def id: Int = 1 }
  object Deep { object Deeper { def go(): Int = First.id } } // calls :Registry.First.id
}
object Main { def run(): Int = Registry.Deep.Deeper.go() } // calls :Registry.Deep.Deeper.go
