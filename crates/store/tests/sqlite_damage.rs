//! Killed writers, damaged files, two processes: the store stays readable or reports the problem.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use store::{GraphChange, GraphStore, NodeFlags, SqliteStore, StoreError, WriterLock, contract};
use tempfile::TempDir;

const CHILD: &str = "KNOTWORK_TEST_DATABASE";
const FILES: usize = 6;
const PER_FILE: usize = 60;

/// Every node of a generation has its number as line.
fn generation(number: u32, files: std::ops::Range<usize>, full: bool) -> GraphChange {
    let mut change = GraphChange {
        clear_all: full,
        ..GraphChange::default()
    };
    for file in files {
        let path = format!("src/file{file}.ts");
        for symbol in 0..PER_FILE {
            let id = format!("{file}.{symbol}");
            change
                .nodes
                .push(contract::sample_node(&id, &id, &path, number));
            let next = format!("{file}.{}", (symbol + 1) % PER_FILE);
            change
                .edges
                .push(contract::sample_call(&id, &next, &path, number));
        }
        change.clear_files.push(path);
    }
    change
        .metadata
        .push(("generation".to_owned(), number.to_string()));
    change
}

/// Not a test: the process that is killed.
#[test]
fn child_writes_without_end() {
    let Ok(path) = std::env::var(CHILD) else {
        return;
    };
    let mut store = SqliteStore::open(Path::new(&path)).unwrap();
    for number in 1.. {
        store
            .apply_change(&generation(number, 0..FILES, number % 3 == 0))
            .unwrap();
    }
}

#[test]
fn a_killed_writer_leaves_the_last_committed_state() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("graph.db");
    let mut seen = std::collections::BTreeSet::new();
    for round in 0..30u64 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["child_writes_without_end", "--exact", "--nocapture"])
            .env(CHILD, &path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let started = Instant::now();
        while !path.exists() && started.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(15 + (round * 37) % 110));
        child.kill().unwrap();
        child.wait().unwrap();
        let store = SqliteStore::open(&path).unwrap();
        store.check_integrity().unwrap();
        let committed = store.metadata("generation").unwrap();
        let Some(committed) = committed.and_then(|g| g.parse::<u32>().ok()) else {
            assert_eq!(store.stats().unwrap().nodes, 0);
            continue;
        };
        let (mut nodes, mut edges) = (0, 0);
        store
            .for_each_node(&mut |n| {
                assert_eq!(
                    n.line_start,
                    Some(committed),
                    "a state between two generations"
                );
                nodes += 1;
            })
            .unwrap();
        store
            .for_each_edge(&mut |e| {
                assert_eq!(e.line, Some(committed));
                edges += 1;
            })
            .unwrap();
        assert_eq!((nodes, edges), (FILES * PER_FILE, FILES * PER_FILE));
        seen.insert(committed);
    }
    assert!(
        seen.len() > 1,
        "the writer was always killed before it wrote: {seen:?}"
    );
}

fn filled(folder: &TempDir) -> std::path::PathBuf {
    let path = folder.path().join("graph.db");
    let mut store = SqliteStore::open(&path).unwrap();
    store.apply_change(&generation(1, 0..FILES, true)).unwrap();
    drop(store);
    path
}

#[test]
fn a_damaged_database_is_moved_aside_and_said() {
    let damages: [fn(&Path); 3] = [
        |p| {
            std::fs::write(p, b"this is not a database, whatever its name says, and long enough to have a header of a hundred bytes at least").unwrap()
        },
        |p| {
            let bytes = std::fs::read(p).unwrap();
            std::fs::write(p, &bytes[..bytes.len() / 2]).unwrap();
        },
        |p| {
            let mut bytes = std::fs::read(p).unwrap();
            bytes[100..4096].fill(0xAA);
            std::fs::write(p, bytes).unwrap();
        },
    ];
    for damage in damages {
        let folder = TempDir::new().unwrap();
        let path = filled(&folder);
        damage(&path);
        let damaged = SqliteStore::open(&path).err().expect("damaged");
        assert!(matches!(damaged, StoreError::Damaged { .. }), "{damaged}");
        assert!(damaged.to_string().contains("graph.db"));
        let (store, recovery) = SqliteStore::open_or_recover(&path, Duration::ZERO).unwrap();
        let recovery = recovery.expect("it says so");
        assert!(recovery.moved_to.is_file());
        assert!(
            recovery
                .moved_to
                .to_string_lossy()
                .contains("graph.db.corrupt-")
        );
        assert_eq!(store.stats().unwrap().nodes, 0);
        store.check_integrity().unwrap();
    }
}

#[test]
fn damage_deep_in_the_file_is_found_by_the_check() {
    let folder = TempDir::new().unwrap();
    let path = filled(&folder);
    let mut bytes = std::fs::read(&path).unwrap();
    let (from, to) = (bytes.len() / 2, bytes.len() / 2 + 8192);
    bytes[from..to].fill(0x55);
    std::fs::write(&path, bytes).unwrap();
    let found = SqliteStore::open(&path).and_then(|s| s.check_integrity());
    assert!(
        matches!(found, Err(StoreError::Damaged { .. })),
        "{found:?}"
    );
}

#[test]
fn one_writer_at_a_time() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("graph.db");
    let first = SqliteStore::open_writer(&path, Duration::ZERO).unwrap();
    let second = SqliteStore::open_writer(&path, Duration::from_millis(30)).err();
    assert!(matches!(second, Some(StoreError::Busy(_))), "{second:?}");
    let reader = SqliteStore::open_read_only(&path).unwrap();
    assert_eq!(reader.stats().unwrap().nodes, 0);
    let late = std::thread::spawn({
        let path = path.clone();
        move || WriterLock::acquire(&path, Duration::from_secs(20)).is_ok()
    });
    std::thread::sleep(Duration::from_millis(30));
    drop(first);
    assert!(late.join().unwrap(), "the second waits for the first");
}

#[test]
fn readers_see_the_last_commit_while_a_writer_works() {
    let folder = TempDir::new().unwrap();
    let path = filled(&folder);
    let reader = SqliteStore::open_read_only(&path).unwrap();
    let mut writer = SqliteStore::open(&path).unwrap();
    writer.apply_change(&generation(2, 0..1, false)).unwrap();
    let lines: Vec<_> = reader
        .find_file("src/file0.ts")
        .unwrap()
        .iter()
        .map(|n| n.line_start)
        .collect();
    assert!(lines.iter().all(|l| *l == Some(2)));
    let untouched = reader.find_file("src/file1.ts").unwrap();
    assert!(untouched.iter().all(|n| n.line_start == Some(1)));
}

#[test]
fn the_export_is_what_a_batch_import_reads() {
    let folder = TempDir::new().unwrap();
    let store = SqliteStore::open(&filled(&folder)).unwrap();
    let mut json = Vec::new();
    store.export(&mut json, false).unwrap();
    let batch: store::Batch = serde_json::from_slice(&json).unwrap();
    let mut copy = SqliteStore::open(&folder.path().join("copy.db")).unwrap();
    let count = copy.batch_import(&batch).unwrap();
    assert_eq!(
        (count.nodes, count.edges),
        (FILES * PER_FILE, FILES * PER_FILE)
    );
    let (a, b) = (
        store.node("0.1").unwrap().unwrap(),
        copy.node("0.1").unwrap().unwrap(),
    );
    assert_eq!((a.symbol, a.line_start), (b.symbol, b.line_start));
    assert!(b.flags.contains(NodeFlags::MANUAL));
    let mut lines = Vec::new();
    store.export(&mut lines, true).unwrap();
    let lines = String::from_utf8(lines).unwrap();
    assert_eq!(lines.lines().count(), 2 * FILES * PER_FILE);
    assert!(
        lines
            .lines()
            .all(|l| serde_json::from_str::<serde_json::Value>(l).is_ok())
    );
}

#[test]
fn vacuum_gives_space_back() {
    let folder = TempDir::new().unwrap();
    let path = filled(&folder);
    let mut store = SqliteStore::open(&path).unwrap();
    let removal = GraphChange {
        removed_files: (0..FILES).map(|f| format!("src/file{f}.ts")).collect(),
        ..GraphChange::default()
    };
    store.apply_change(&removal).unwrap();
    let (before, after) = store.vacuum().unwrap();
    assert!(after < before, "{before} {after}");
}
