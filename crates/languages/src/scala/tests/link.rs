//! Links of small programs.

use crate::fixture::check;

#[test]
fn members_objects_and_chains_are_followed() {
    check(
        r#"
//- a.scala
package p
class A(val n: Int) {
  def next: A = new A(n + 1)
  def add(x: Int): A = next.add(x)
}
object A {
  def apply(): A = new A(0)
}
//- b.scala
package q
import p._
object Main {
  def run(): Unit = {
    val a = A()
    a.next.add(2).next
    List(a, a).map(_.next).foreach(x => x.add(1))
  }
}
"#,
        r#""#,
    );
}
