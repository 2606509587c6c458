package company
package app
import tools.Hammer
object Main { def run(): Int = Hammer.hit() } // calls a.scala:Hammer.hit
