mod common;

use common::setup;

#[test]
fn flow() {
    setup().pop(); // calls tests/common/mod.rs:setup, src/lib.rs:Stack.pop
    testing::parse("b").count(); // calls src/parse.rs:parse, src/parse.rs:Parser.count
}
