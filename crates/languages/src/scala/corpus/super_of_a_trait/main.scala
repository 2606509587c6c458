trait A { def f: Int = 1 }
trait B { def f: Int = 2 }
class C extends A with B {
  override def f: Int = super[A].f + super[B].f // calls :A.f, :B.f (missed)
}
