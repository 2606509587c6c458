package top
object Shared { def help(): Int = 1 }
