//! After any sequence of edits an updated index holds, row for row, what a clean build of the same files holds.
//!
//! `INCREMENTAL_SEQUENCES` is the number of sequences, `INCREMENTAL_SEED` the first one.

#[path = "common/state.rs"]
mod state;

use ingest::{DeltaAsk, IndexOptions, Residence, Way, delta, update_all};
use std::sync::atomic::{AtomicUsize, Ordering};
use testkit::edits::{Edits, write_all};

/// Edits of one sequence.
const STEPS: usize = 6;

fn number(name: &str, default: u64) -> u64 {
    let given = std::env::var(name).ok().and_then(|n| n.parse().ok());
    given.unwrap_or(default)
}

/// Updates that linked only the files that changed.
static SHORT: AtomicUsize = AtomicUsize::new(0);

/// The first difference in a sequence of edits, if there is one. Sequences take turns in how updates are made: by a
/// process that starts anew, by one that stays, and by one that hears which files changed.
fn sequence(seed: u64) -> Option<String> {
    let residence = Residence::default();
    let stays = seed % 4 != 0;
    let hears = seed % 4 > 1;
    let project = tempfile::tempdir().expect("a folder");
    let root = project.path();
    let mut edits = Edits::new(seed);
    write_all(root, edits.tree());
    let mut ours = IndexOptions::new(root, &root.join(".devbooks"));
    ours.threads = 2;
    update_all(&ours, &()).expect("the first build");
    let mut said = Vec::new();
    for step in 0..STEPS {
        let edit = edits.step();
        said.push(edit.what.clone());
        edit.apply(root);
        let paths: Vec<String> = edit.changes.iter().map(|(path, _)| path.clone()).collect();
        let ask = DeltaAsk {
            paths: &paths,
            only_these: hears,
            passages: true,
        };
        if !stays {
            residence.clear();
        }
        let done = delta(&ours, &residence, ask, &());
        if done.as_ref().is_ok_and(|d| d.way == Way::Files) {
            SHORT.fetch_add(1, Ordering::Relaxed);
        }
        let clean = tempfile::tempdir().expect("a folder");
        let mut theirs = IndexOptions::new(root, clean.path());
        theirs.threads = 2;
        update_all(&theirs, &()).expect("a clean build");
        let found = match done {
            Err(error) => Some(error.to_string()),
            Ok(_) => {
                let graph =
                    state::difference(&state::graph(&ours.db_path), &state::graph(&theirs.db_path));
                graph.or_else(|| {
                    state::difference(&state::passages(&ours), &state::passages(&theirs))
                })
            }
        };
        if let Some(found) = found {
            return Some(format!(
                "seed {seed}, step {step}, after {said:#?}:\n{found}"
            ));
        }
    }
    None
}

#[test]
fn an_updated_index_equals_a_clean_build_after_every_edit() {
    let first = number("INCREMENTAL_SEED", 1);
    for seed in first..first + number("INCREMENTAL_SEQUENCES", 24) {
        if let Some(found) = sequence(seed) {
            panic!("{found}");
        }
    }
    let short = SHORT.load(Ordering::Relaxed);
    println!("{short} updates linked only the files that changed");
    assert!(short > 0);
}
