package top
package sub
object Use { def run(): Int = Shared.help() } // calls one.scala:Shared.help
