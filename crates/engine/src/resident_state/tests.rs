//! Tests of a watcher that may have missed a change.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::{CallChainAnswer, Engine, Settings};
use serde_json::json;
use testkit::Repo;

const PROJECT: &str =
    "//- a.py\nfrom b import work\n\ndef start():\n    work()\n//- b.py\ndef work():\n    pass\n";

fn callers(engine: &Engine) -> CallChainAnswer {
    let request = json!({"symbol": "work", "depth": 1});
    engine
        .call_chain(&serde_json::from_value(request).unwrap())
        .unwrap()
}

/// Asks until a watcher vouches for the answer.
fn settle(engine: &Engine) {
    let since = Instant::now();
    while !callers(engine).index.watched {
        assert!(
            since.elapsed() < Duration::from_secs(20),
            "the watch never stood"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg_attr(not(unix), ignore = "hard links leave no trace there")]
#[test]
fn a_watch_that_was_not_looked_after_for_long_is_not_believed() {
    let repo = Repo::new(PROJECT);
    let outside = tempfile::tempdir().unwrap();
    let mut settings = Settings::with_start(repo.path());
    settings.long_running = true;
    let engine = Engine::open(settings, Box::new(())).unwrap();
    settle(&engine);
    // The second name is younger than the watcher, which does not know of it.
    let other = outside.path().join("a");
    std::fs::hard_link(repo.file_path("a.py"), &other).unwrap();
    let text = std::fs::read_to_string(&other).unwrap();
    std::fs::write(&other, text.replace("start", "begin")).unwrap();
    let resident = engine.workspace().resident().unwrap();
    let long_ago = Instant::now().checked_sub(LONGEST_UNCHECKED * 2).unwrap();
    resident.lock_unpoisoned().fresh.as_mut().unwrap().since = long_ago;
    let answer = serde_json::to_string(&callers(&engine)).unwrap();
    assert!(
        answer.contains("begin") && !answer.contains("start"),
        "{answer}"
    );
    assert!(matches!(
        resident.lock_unpoisoned().watcher,
        Watcher::Unusable
    ));
}
