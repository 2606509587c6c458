use app_lib::run::run;

mod shared;

fn start() {}

fn main() {
    start(); // calls :start
    run(); // calls app/src/run.rs:run
    app_lib::start().put("a"); // calls app/src/lib.rs:start, crates/store-core/src/lib.rs:Store.put
    app_lib::store::disk::flush(); // calls crates/store-core/src/disk.rs:flush
    app_lib::trim("b"); // calls crates/util/src/lib.rs:trim
    shared::shared(); // calls app/src/shared.rs:shared
    util::text::trim("c"); // calls crates/util/src/lib.rs:text.trim
}
