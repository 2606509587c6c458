package lib
object Maths { def add(a: Int, b: Int): Int = a }
