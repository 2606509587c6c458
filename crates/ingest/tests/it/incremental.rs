//! After any sequence of edits, an updated index equals, row for row, a clean build of the same files.
//!
//! `INCREMENTAL_SEQUENCES` is the number of sequences, `INCREMENTAL_SEED` the first one.

use crate::common::sequence::sequence;

fn number(name: &str, default: u64) -> u64 {
    let given = std::env::var(name).ok().and_then(|n| n.parse().ok());
    given.unwrap_or(default)
}

#[test]
fn an_updated_index_equals_a_clean_build_after_every_edit() {
    let first = number("INCREMENTAL_SEED", 1);
    let (mut short, mut beside) = (0, 0);
    for seed in first..first + number("INCREMENTAL_SEQUENCES", 24) {
        match sequence(seed) {
            Ok(done) => {
                short += done.short;
                beside += done.beside;
            }
            Err(found) => panic!("{found}"),
        }
    }
    assert!(short > 0, "every update linked all files");
    assert!(
        beside > 0,
        "no update linked only those others that mention what came or went"
    );
}
