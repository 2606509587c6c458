class Word { def size: Int = 1 }
object Words {
  def unapplySeq(text: String): Option[Seq[Word]] = None
}
object Main {
  def run(s: String): Int = s match {
    case Words(first, _) => first.size // calls :Words.unapplySeq, :Word.size
    case _ => 0
  }
}
