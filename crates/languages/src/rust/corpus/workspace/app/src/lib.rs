pub mod run;

pub use store::{self, Store, open};
pub use util::*;

pub fn start() -> Store {
    trim("a"); // calls crates/util/src/lib.rs:trim
    open("b").put("c").clone() // calls crates/store-core/src/lib.rs:open, crates/store-core/src/lib.rs:Store.put
}

pub fn shared() {}
