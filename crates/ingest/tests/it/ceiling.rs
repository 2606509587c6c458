//! An index below a memory ceiling: it keeps what fits, reports the rest, and is the same when built at once and in
//! steps.

use ingest::{
    IndexOptions, IndexReport, Strategy, check_freshness, update, update_all, update_chunks,
};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use store::sqlite::SqliteStore;
use store::{EdgeRecord, GraphStore, NodeRecord};

/// The smallest ceiling: files of more than 570 KB are not parsed, and three of these do not fit together.
const LOW: u64 = 1 << 20;

fn heavy(definitions: usize) -> String {
    let mut text = String::new();
    for i in 0..definitions {
        let _ = writeln!(text, "def f{i}(a, b):\n    return g{i}(a, b(a))\n");
    }
    text
}

fn options(root: &Path, state: &Path, ceiling: Option<u64>) -> IndexOptions {
    IndexOptions {
        memory_limit: ceiling,
        max_file_size: 16 << 20,
        ..IndexOptions::new(root, state)
    }
}

fn write(root: &Path, path: &str, text: &str) {
    fs::write(root.join(path), text).unwrap();
}

fn rows(options: &IndexOptions) -> (Vec<NodeRecord>, Vec<EdgeRecord>) {
    let store = SqliteStore::open_read_only(&options.db_path).unwrap();
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    store.for_each_node(&mut |n| nodes.push(n)).unwrap();
    store.for_each_edge(&mut |e| edges.push(e)).unwrap();
    (nodes, edges)
}

fn left_out(report: &IndexReport) -> u32 {
    let ours = report.skipped.iter().filter(|(r, _)| r.contains("ceiling"));
    ours.map(|(_, count)| count).sum()
}

#[test]
fn what_does_not_fit_is_left_out_and_said_and_the_same_at_once_and_in_steps() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "app.py", "from small import run\n\nrun()\n");
    write(root, "small.py", "def run():\n    pass\n");
    let (steps, clean) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let low = options(root, steps.path(), Some(LOW));
    let leap = tempfile::tempdir().unwrap();
    let leap = options(root, leap.path(), Some(LOW));
    update(&leap, &()).unwrap();
    assert_eq!(left_out(&update(&low, &()).unwrap()), 0);
    for (path, definitions) in [("c.py", 10_000), ("a.py", 12_500), ("b.py", 12_000)] {
        write(root, path, &heavy(definitions));
        update(&low, &()).unwrap();
    }
    write(root, "huge.py", &"x = 1  # one more line\n".repeat(40_000));
    let report = update(&low, &()).unwrap();
    assert_eq!(left_out(&report), 2, "{:?}", report.skipped);
    let said = report.warnings.iter().find(|w| w.contains("ceiling"));
    assert!(
        said.unwrap()
            .starts_with("2 files not in the graph (too large: huge.py): "),
        "{said:?}"
    );

    let at_once = IndexOptions {
        threads: 1,
        ..options(root, clean.path(), Some(LOW))
    };
    update(&at_once, &()).unwrap();
    assert_eq!(rows(&low), rows(&at_once));
    // More chunks at once than may wait to be written.
    update(&leap, &()).unwrap();
    assert_eq!(rows(&leap), rows(&at_once));
    // The heaviest files are left out, and small ones stay complete.
    let has = |path: &str| rows(&low).0.iter().any(|n| n.file_path == path);
    assert!(!has("a.py") && !has("huge.py") && has("b.py") && has("app.py"));

    // Nothing has changed since, and a check reports the same.
    let fresh = check_freshness(&low).unwrap();
    assert!(fresh.is_fresh(), "{fresh:?}");
    assert!(fresh.warnings.iter().any(|w| w.contains("2 files not in")));
    assert_eq!(update(&low, &()).unwrap().strategy, Strategy::UpToDate);

    // With more memory, the rest is added.
    let high = options(root, steps.path(), Some(8 << 30));
    assert!(!check_freshness(&high).unwrap().is_fresh());
    let report = update(&high, &()).unwrap();
    assert_eq!((left_out(&report), report.files), (0, 6));
    assert!(!report.warnings.iter().any(|w| w.contains("ceiling")));
    assert!(check_freshness(&high).unwrap().is_fresh());
}

#[test]
fn chunks_that_are_too_many_to_hold_are_written_early_and_found_all() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "app.py", &heavy(2_000));
    let words = |at: usize| -> String {
        let all = (0..30_000).map(|i| format!("chapter{at}word{i}\n"));
        all.collect()
    };
    for i in 0..5 {
        write(root, &format!("d{i}.md"), &words(i));
    }
    let (low, usual) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (low, usual) = (
        options(root, low.path(), Some(LOW)),
        options(root, usual.path(), None),
    );
    update_all(&low, &()).unwrap();
    update_all(&usual, &()).unwrap();
    let segments = |options: &IndexOptions| {
        let files = fs::read_dir(options.state_dir.join("search")).unwrap();
        let names = files.map(|f| f.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with("segment-")).count()
    };
    assert!(segments(&low) > 1, "{}", segments(&low));
    assert_eq!(segments(&usual), 1);
    let paths = |options: &IndexOptions| {
        let (index, report) = update_chunks(options, &()).unwrap();
        assert_eq!(report.updated, 0);
        (index.content_hashes(), index.chunk_count())
    };
    assert_eq!(paths(&low), paths(&usual));
    // Also in an update of all of them.
    for i in 0..5 {
        write(root, &format!("d{i}.md"), &words(i + 10));
    }
    for options in [&low, &usual] {
        update_chunks(options, &()).unwrap();
    }
    assert_eq!(paths(&low), paths(&usual));
}
