//! The `knotwork` command.
fn main() {}
