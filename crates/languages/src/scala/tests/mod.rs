//! Facts and linking of Scala.

mod link;
