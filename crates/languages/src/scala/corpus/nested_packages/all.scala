package outer {
  object Tools { def cut(): Int = 1 }
  package inner {
    object Use { def run(): Int = Tools.cut() } // calls :Tools.cut
  }
}
package other {
  object Use { def run(): Int = outer.inner.Use.run() } // calls :Use.run@4
}
