//! Facts and linking of Scala.
