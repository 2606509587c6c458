use crate::start;

pub fn run() {
    start().put("a"); // calls app/src/lib.rs:start, crates/store-core/src/lib.rs:Store.put
    store::open("b").close(); // calls crates/store-core/src/lib.rs:open, crates/store-core/src/disk.rs:Store.close
    ::util::shared(); // calls crates/util/src/lib.rs:shared
    crate::shared(); // calls app/src/lib.rs:shared
}
