package ops
object Lists {
  extension [A](xs: List[A])
    def second: A = xs.tail.head
}
