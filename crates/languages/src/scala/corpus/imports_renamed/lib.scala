package lib
class Reader { def read(): Int = 1 }
class Writer { def write(): Int = 2 }
object Files { def open(): Reader = new Reader } // calls :Reader
