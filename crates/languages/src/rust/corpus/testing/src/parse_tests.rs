use super::parse;

fn setup() -> usize {
    parse("a").count() // calls src/parse.rs:parse, src/parse.rs:Parser.count
}

#[test]
fn counts() {
    assert_eq!(setup(), 1); // calls :setup
}
