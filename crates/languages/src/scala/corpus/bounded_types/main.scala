trait Pet { def name: String }
object Main {
  def show[A <: Pet](a: A): String = a.name // calls :Pet.name
  def unknown[A](a: A): String = a.toString
}
