package util
class Label { def show(): Int = clamp(1) } // calls package.scala:util.clamp
