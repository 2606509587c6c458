package main
import ops.Lists.*
class Page { def text: String = "" }
object Main {
  def run(pages: List[Page]): String = pages.second.text // calls ops.scala:Lists.second, :Page.text
}
