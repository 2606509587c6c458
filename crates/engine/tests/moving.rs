//! Files that go or change after the index was brought up to date for a question, and before it is answered.

#![allow(clippy::unwrap_used)]

use engine::{Engine, Progress, SearchAnswer, Settings};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use testkit::Repo;

const PROJECT: &str = "== src/a.py
from src.b import collect_rows

def start():
    return collect_rows()
== src/b.py
# Rows of a table.
def collect_rows():
    return []
";

/// Does something to a file as soon as a question has found that every file is as it was indexed.
struct Moves {
    file: PathBuf,
    /// The new text; none where the file goes.
    text: Option<&'static str>,
    /// How often it still may.
    left: Arc<AtomicUsize>,
}

impl Progress for Moves {
    fn detail(&self, what: std::fmt::Arguments<'_>) {
        let now = what.to_string() == "every file is as it was indexed";
        if now && self.left.load(Ordering::SeqCst) > 0 {
            self.left.fetch_sub(1, Ordering::SeqCst);
            match self.text {
                Some(text) => std::fs::write(&self.file, text).unwrap(),
                None => std::fs::remove_file(&self.file).unwrap(),
            }
        }
    }
}

/// An engine on an index that is up to date, under whose next answer a file moves.
fn moving(repo: &Repo, path: &str, text: Option<&'static str>) -> (Engine, Arc<AtomicUsize>) {
    let left = Arc::new(AtomicUsize::new(0));
    let moves = Moves {
        file: repo.file(path),
        text,
        left: left.clone(),
    };
    let engine = Engine::open(Settings::at(repo.path()), Box::new(moves)).unwrap();
    engine.index(&of(json!({}))).unwrap();
    left.store(1, Ordering::SeqCst);
    (engine, left)
}

fn of<T: serde::de::DeserializeOwned>(request: Value) -> T {
    serde_json::from_value(request).unwrap()
}

fn search(engine: &Engine, mode: &str) -> SearchAnswer {
    let request = json!({"query": "collect_rows", "mode": mode, "min_relevance": 0.0});
    engine.search(&of(request)).unwrap()
}

fn paths(answer: &SearchAnswer) -> Vec<&str> {
    answer
        .results
        .iter()
        .map(|r| r.file_path.as_str())
        .collect()
}

#[test]
fn no_line_is_named_of_a_file_that_went_while_the_answer_was_made() {
    for mode in ["symbol", "keyword", "hybrid"] {
        let repo = Repo::new(PROJECT);
        let (engine, left) = moving(&repo, "src/b.py", None);
        let answer = search(&engine, mode);
        assert_eq!(
            left.load(Ordering::SeqCst),
            0,
            "{mode}: the file did not move"
        );
        assert!(!paths(&answer).contains(&"src/b.py"), "{mode}: {answer:?}");
        assert!(answer.results.iter().all(|r| r.snippet.is_some()), "{mode}");
        assert!(answer.index.fresh, "{mode}: it was not asked again");
    }
}

#[test]
fn lines_of_a_file_that_changed_while_the_answer_was_made_are_its_new_ones() {
    for mode in ["symbol", "keyword", "hybrid"] {
        let repo = Repo::new(PROJECT);
        let (engine, _) = moving(
            &repo,
            "src/b.py",
            Some("# One.\n# Two.\n\n\ndef collect_rows():\n    return 1\n"),
        );
        let answer = search(&engine, mode);
        let found = answer.results.iter().find(|r| r.file_path == "src/b.py");
        let found = found.unwrap_or_else(|| panic!("{mode}: {answer:?}"));
        assert!(
            (found.line_start..=found.line_end).contains(&5),
            "{mode}: {found:?}"
        );
        assert!(
            found.line_end >= 5 && answer.index.fresh,
            "{mode}: {found:?}"
        );
    }
}

#[test]
fn no_fragment_is_of_a_file_that_moved() {
    for (text, expected) in [
        (None, None),
        (
            Some("# New.\n\n\ndef collect_rows():\n    return [1]\n"),
            Some("return [1]"),
        ),
    ] {
        let repo = Repo::new(PROJECT);
        let (engine, left) = moving(&repo, "src/b.py", text);
        let ask = || {
            engine
                .graph_rag(&of(json!({"query": "collect_rows", "min_relevance": 0.1})))
                .unwrap()
        };
        // The first answer is kept; what is kept must not be given of what has moved either.
        left.store(0, Ordering::SeqCst);
        let kept = ask();
        assert!(
            kept.candidates.iter().any(|c| c.file_path == "src/b.py"),
            "{kept:?}"
        );
        left.store(1, Ordering::SeqCst);
        let answer = ask();
        assert_eq!(left.load(Ordering::SeqCst), 0);
        assert!(answer.index.fresh, "{:?}", answer.index);
        let found: Vec<_> = answer
            .candidates
            .iter()
            .filter(|c| c.file_path == "src/b.py")
            .collect();
        assert_eq!(found.is_empty(), expected.is_none(), "{answer:?}");
        assert!(
            found
                .iter()
                .all(|c| c.snippet.contains(expected.unwrap_or_default())),
            "{found:?}"
        );
        assert!(
            answer.candidates.iter().all(|c| !c.snippet.is_empty()),
            "{answer:?}"
        );
    }
}

#[test]
fn a_chain_says_which_of_its_files_are_gone() {
    let repo = Repo::new(PROJECT);
    let (engine, left) = moving(&repo, "src/b.py", None);
    let ask = |symbol: &str| engine.call_chain(&of(json!({"symbol": symbol}))).unwrap();
    let index = ask("collect_rows").index;
    let said = "gone while the question was answered: src/b.py";
    assert_eq!(
        (index.fresh, &*index.notes),
        (false, &[said.to_owned()][..])
    );
    std::fs::write(repo.file("src/b.py"), "def collect_rows():\n    pass\n").unwrap();
    engine.index(&of(json!({}))).unwrap();
    left.store(1, Ordering::SeqCst);
    // Only what calls `start` is named, not what it calls.
    let index = ask("start").index;
    assert_eq!(left.load(Ordering::SeqCst), 0);
    assert!(index.fresh && index.notes.is_empty(), "{index:?}");
}

#[test]
fn an_impact_says_which_of_its_files_are_gone() {
    let repo = Repo::new(PROJECT);
    let (engine, _) = moving(&repo, "src/a.py", None);
    let ask = || {
        engine
            .impact(&of(json!({"symbol": "collect_rows"})))
            .unwrap()
    };
    let first = ask();
    assert_eq!(first.impact.affected[0].file_path, "src/a.py");
    let said = "gone while the question was answered: src/a.py";
    assert_eq!(
        (first.index.fresh, &*first.index.notes),
        (false, &[said.to_owned()][..])
    );
    let second = ask();
    assert!(second.index.fresh && second.impact.affected.is_empty());
}
