package lib
class Reader:
  def read(): Int = 1
object Files:
  def open(): Reader = Reader() // calls :Reader
