package company.tools
object Hammer { def hit(): Int = 1 }
