//! A question that nobody waits for ends at its next step, and leaves nothing half done.

#![allow(clippy::unwrap_used)]

use engine::{Cancel, Engine, EngineError, Progress, Settings};
use serde_json::{Value, json};
use testkit::Repo;

const PROJECT: &str = "//- src/a.py
from src.b import work

def start():
    work()
//- src/b.py
def work():
    pass
";

/// Cancels the question when a stage begins.
struct Leaves {
    at: &'static str,
    cancel: Cancel,
}

impl Progress for Leaves {
    fn stage(&self, name: &str, _total: u64) {
        if name == self.at {
            self.cancel.set();
        }
    }
}

fn asked<T>(answer: Result<T, EngineError>) -> Result<(), String> {
    answer.map(|_| ()).map_err(|error| error.to_string())
}

fn parse_request<T: serde::de::DeserializeOwned>(request: Value) -> T {
    serde_json::from_value(request).unwrap()
}

/// Questions of every kind that bring the index up to date first.
fn ask(engine: &Engine, which: usize) -> Option<Result<(), String>> {
    let answered = match which {
        0 => asked(engine.search(&parse_request(json!({"query": "work"})))),
        1 => asked(engine.call_chain(&parse_request(json!({"symbol": "work"})))),
        2 => asked(engine.impact(&parse_request(json!({"symbol": "work"})))),
        3 => asked(engine.arch_check(&parse_request(json!({})))),
        4 => asked(engine.hotspots(&parse_request(json!({})))),
        5 => asked(engine.bug_locate(&parse_request(json!({"error": "work fails"})))),
        6 => asked(engine.graph_rag(&parse_request(json!({"query": "work"})))),
        7 => asked(engine.pattern(&parse_request(json!({"action": "learn"})))),
        8 => asked(engine.ast_delta(&parse_request(json!({})))),
        9 => asked(engine.index(&parse_request(json!({})))),
        _ => return None,
    };
    Some(answered)
}

#[test]
fn what_is_wanted_no_more_ends_while_the_index_is_built() {
    for at in ["reading", "linking", "reading for search"] {
        for which in 0.. {
            let repo = Repo::new(PROJECT);
            let cancel = Cancel::default();
            let leaves = Leaves {
                at,
                cancel: cancel.clone(),
            };
            let engine = Engine::open(Settings::with_start(repo.path()), Box::new(leaves)).unwrap();
            let Some(answered) = ask(&engine.with_cancel(&cancel), which) else {
                assert!(which > 1);
                break;
            };
            match (cancel.is_set(), answered) {
                (true, Err(said)) => assert!(said.contains("cancelled"), "{at} {which}: {said}"),
                // The question ended before that stage.
                (false, answered) => assert!(answered.is_ok() && at == "reading for search"),
                (true, Ok(())) => panic!("{at} {which}: answered nobody"),
            }
            let again = ask(&engine, which).unwrap();
            assert_eq!(again, Ok(()), "{at} {which}: who stays is answered");
        }
    }
}

#[test]
fn nothing_is_begun_for_who_has_gone() {
    let repo = Repo::new(PROJECT);
    let engine = Engine::open(Settings::with_start(repo.path()), Box::new(())).unwrap();
    let cancel = Cancel::default();
    cancel.set();
    let mut count = 0;
    while let Some(answered) = ask(&engine.with_cancel(&cancel), count) {
        let said = answered.unwrap_err();
        assert!(said.contains("cancelled"), "{count}: {said}");
        count += 1;
    }
    assert!(count > 5);
    assert!(!repo.file_path(".devbooks/graph.db").exists());
}
