//! Files that are removed or changed between the update of the index for a question and its answer.

#![allow(clippy::unwrap_used)]

use engine::{Engine, Progress, SearchAnswer, Settings};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use testkit::Repo;

const PROJECT: &str = "//- src/a.py
from src.b import collect_rows

def start():
    return collect_rows()
//- src/b.py
# Rows of a table.
def collect_rows():
    return []
";

/// Changes or removes a file as soon as a question has found that no file changed since the last index run.
struct Moves {
    file: PathBuf,
    /// The new text; none to remove the file.
    text: Option<&'static str>,
    /// The number of times that this may still happen.
    left: Arc<AtomicUsize>,
}

impl Progress for Moves {
    fn detail(&self, what: std::fmt::Arguments<'_>) {
        let now = what.to_string() == "no file changed since the last index run";
        if now && self.left.load(Ordering::SeqCst) > 0 {
            self.left.fetch_sub(1, Ordering::SeqCst);
            match self.text {
                Some(text) => std::fs::write(&self.file, text).unwrap(),
                None => std::fs::remove_file(&self.file).unwrap(),
            }
        }
    }
}

/// An engine with a fresh index, in whose next answer a file changes or goes.
fn moving(repo: &Repo, path: &str, text: Option<&'static str>) -> (Engine, Arc<AtomicUsize>) {
    let left = Arc::new(AtomicUsize::new(0));
    let moves = Moves {
        file: repo.file_path(path),
        text,
        left: left.clone(),
    };
    let engine = Engine::open(Settings::with_start(repo.path()), Box::new(moves)).unwrap();
    engine.index(&parse_request(json!({}))).unwrap();
    left.store(1, Ordering::SeqCst);
    (engine, left)
}

fn parse_request<T: serde::de::DeserializeOwned>(request: Value) -> T {
    serde_json::from_value(request).unwrap()
}

fn search(engine: &Engine, mode: &str) -> SearchAnswer {
    let request = json!({"query": "collect_rows", "mode": mode, "min_relevance": 0.0});
    engine.search(&parse_request(request)).unwrap()
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
                .graph_rag(&parse_request(
                    json!({"query": "collect_rows", "min_relevance": 0.1}),
                ))
                .unwrap()
        };
        // The first answer is cached. The cached answer must not be given for a changed file either.
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

/// Collects lines with the names at them, of all nodes of a chain.
fn places(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| places(item, out)),
        Value::Object(fields) => {
            if let (Some(name), Some(path)) = (fields.get("symbol_name"), fields.get("file_path")) {
                let (name, path) = (name.as_str().unwrap(), path.as_str().unwrap());
                out.push(format!("{name} {path}:{}", fields["line"]));
            }
            fields.values().for_each(|inner| places(inner, out));
        }
        _ => {}
    }
}

#[test]
fn a_chain_names_lines_of_files_as_they_are() {
    let later = "\n\n\nfrom src.b import collect_rows\n\ndef start():\n    return collect_rows()\n";
    let repo = Repo::new(PROJECT);
    let (engine, left) = moving(&repo, "src/a.py", Some(later));
    let ask = |symbol: &str| engine.call_chain(&parse_request(json!({"symbol": symbol})));
    let chain = ask("collect_rows").unwrap();
    assert_eq!(left.load(Ordering::SeqCst), 0);
    assert!(
        chain.index.fresh && chain.index.notes.is_empty(),
        "{:?}",
        chain.index
    );
    let mut found = Vec::new();
    places(&serde_json::to_value(&chain).unwrap(), &mut found);
    assert!(found.contains(&"start src/a.py:6".to_owned()), "{found:?}");
    // A caller that is gone is not listed.
    let repo = Repo::new(PROJECT);
    let (engine, _) = moving(&repo, "src/a.py", None);
    let ask = |symbol: &str| engine.call_chain(&parse_request(json!({"symbol": symbol})));
    let chain = ask("collect_rows").unwrap();
    assert!(chain.index.fresh && chain.chain.total == 0, "{chain:?}");
    // A symbol that is gone has no chain.
    let repo = Repo::new(PROJECT);
    let (engine, _) = moving(&repo, "src/b.py", None);
    let error = engine.call_chain(&parse_request(json!({"symbol": "collect_rows"})));
    assert!(error.unwrap_err().to_string().contains("not found"));
}

#[test]
fn a_chain_is_asked_again_only_where_its_own_files_changed() {
    let repo = Repo::new(PROJECT);
    let (engine, left) = moving(
        &repo,
        "src/b.py",
        Some("\n\ndef collect_rows():\n    return 1\n"),
    );
    // Only callers of `start` are named, not its callees.
    let index = engine
        .call_chain(&parse_request(json!({"symbol": "start"})))
        .unwrap()
        .index;
    assert_eq!(left.load(Ordering::SeqCst), 0);
    assert!(index.fresh && index.reindexed_files == 0, "{index:?}");
}

#[test]
fn a_file_that_was_only_touched_is_as_it_was() {
    let same = "from src.b import collect_rows\n\ndef start():\n    return collect_rows()\n";
    let repo = Repo::new(PROJECT);
    let (engine, left) = moving(&repo, "src/a.py", Some(same));
    let request = parse_request(json!({"symbol": "collect_rows"}));
    let chain = engine.call_chain(&request).unwrap();
    assert_eq!(left.load(Ordering::SeqCst), 0);
    assert!(chain.index.fresh && chain.chain.total == 1, "{chain:?}");
    assert_eq!(chain.index.reindexed_files, 0);
}

/// Changes a file during a question, and again after it was read and written.
struct Restless {
    file: PathBuf,
    gone: PathBuf,
    moves: Arc<AtomicUsize>,
    writing: AtomicBool,
}

impl Restless {
    fn to(&self, number: usize, lines: usize) {
        if self.moves.load(Ordering::SeqCst) == number {
            let text =
                "from src.b import collect_rows\n\ndef start():\n    return collect_rows()\n";
            std::fs::write(&self.file, "\n".repeat(lines) + text).unwrap();
            self.moves.fetch_add(1, Ordering::SeqCst);
        }
    }
}

impl Progress for Restless {
    fn stage(&self, name: &str, _: u64) {
        self.writing.store(name == "writing", Ordering::SeqCst);
    }

    fn advance(&self, _: u64) {
        if self.writing.load(Ordering::SeqCst) {
            self.to(2, 7);
        }
    }

    fn detail(&self, what: std::fmt::Arguments<'_>) {
        if what.to_string() == "no file changed since the last index run" {
            self.to(1, 3);
            // An update does not overlook a file that goes.
            let _ = std::fs::remove_file(&self.gone);
        }
    }
}

#[test]
fn a_file_that_changes_again_is_said() {
    let repo = Repo::new(&format!("{PROJECT}//- src/c.py\nx = 1\n"));
    let moves = Arc::new(AtomicUsize::new(0));
    let restless = Restless {
        file: repo.file_path("src/a.py"),
        gone: repo.file_path("src/c.py"),
        moves: moves.clone(),
        writing: AtomicBool::new(false),
    };
    let engine = Engine::open(Settings::with_start(repo.path()), Box::new(restless)).unwrap();
    engine.index(&parse_request(json!({}))).unwrap();
    moves.store(1, Ordering::SeqCst);
    let request = parse_request(json!({"symbol": "collect_rows"}));
    let index = engine.call_chain(&request).unwrap().index;
    assert_eq!(moves.load(Ordering::SeqCst), 3);
    let said = "changed during the question: src/a.py";
    assert_eq!(
        (index.fresh, &*index.notes),
        (false, &[said.to_owned()][..])
    );
    let index = engine.call_chain(&request).unwrap().index;
    assert!(index.fresh && index.notes.is_empty(), "{index:?}");
}

#[test]
fn an_impact_names_lines_of_files_as_they_are() {
    let later = "\n\n\nfrom src.b import collect_rows\n\ndef start():\n    return collect_rows()\n";
    for (text, expected) in [(Some(later), Some(6)), (None, None)] {
        let repo = Repo::new(PROJECT);
        let (engine, left) = moving(&repo, "src/a.py", text);
        let answer = engine
            .impact(&parse_request(json!({"symbol": "collect_rows"})))
            .unwrap();
        assert_eq!(left.load(Ordering::SeqCst), 0);
        assert!(
            answer.index.fresh && answer.index.notes.is_empty(),
            "{:?}",
            answer.index
        );
        let found = answer
            .impact
            .affected
            .iter()
            .find(|one| one.symbol == "start");
        assert_eq!(found.map(|one| one.line), expected, "{answer:?}");
    }
}
