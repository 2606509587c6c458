//! Small segments of files that change one after the other are merged beside updates.

#![allow(clippy::unwrap_used)]

use engine::{Engine, Settings};
use serde_json::json;
use std::fmt::Write;
use std::time::{Duration, Instant};
use testkit::Repo;

const FILES: usize = 100;

/// More edits than there may be segments for long.
const EDITS: usize = 14;

fn segments(repo: &Repo) -> usize {
    let entries = std::fs::read_dir(repo.file_path(".devbooks/search")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name());
    let is_segment = |name: &std::ffi::OsString| name.to_string_lossy().starts_with("segment-");
    names.filter(is_segment).count()
}

#[test]
fn segments_are_merged_after_updates_and_nothing_is_lost() {
    let text = (0..FILES).fold(String::new(), |mut text, i| {
        let _ = writeln!(text, "//- src/m{i}.py\ndef first_{i}():\n    return {i}");
        text
    });
    let repo = Repo::new(&text);
    let settings = Settings {
        long_running: true,
        ..Settings::with_start(repo.path())
    };
    let engine = Engine::open(settings, Box::new(())).unwrap();
    engine
        .index(&serde_json::from_value(json!({})).unwrap())
        .unwrap();
    for i in 0..EDITS {
        let path = format!("src/m{i}.py");
        let text = format!("def second_{i}():\n    return \"marmalade {i}\"\n");
        std::fs::write(repo.file_path(&path), text).unwrap();
        let delta = json!({"file": path});
        let answer = engine
            .ast_delta(&serde_json::from_value(delta).unwrap())
            .unwrap();
        assert_eq!(answer.files_updated, 1, "{answer:?}");
    }
    let since = Instant::now();
    while segments(&repo) > 8 {
        assert!(
            since.elapsed() < Duration::from_secs(20),
            "{} segments",
            segments(&repo)
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    let search =
        json!({"query": "marmalade", "mode": "keyword", "limit": 50, "min_relevance": 0.0});
    let found = engine
        .search(&serde_json::from_value(search).unwrap())
        .unwrap();
    let files: std::collections::BTreeSet<_> = found.results.iter().map(|r| &r.file_path).collect();
    assert_eq!(files.len(), EDITS, "{found:?}");
    assert!(found.index.fresh);
}
