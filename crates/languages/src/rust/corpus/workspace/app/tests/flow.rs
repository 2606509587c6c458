use app_lib::{Store, start};
use store::open;

fn check(store: &Store) {
    store.clone().put("a"); // calls crates/store-core/src/lib.rs:Store.put
}

#[test]
fn flow() {
    check(&start()); // calls :check, app/src/lib.rs:start
    check(&open("b")); // calls :check, crates/store-core/src/lib.rs:open
}
