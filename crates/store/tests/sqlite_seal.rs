//! A database is trusted in the state in which this user's programs left it, and after each of their own operations.
//!
//! This is a program of its own, because the key is set once for a process.

#![allow(clippy::unwrap_used)]

use guard::seal::{self, Key, TrustPolicy};
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::sqlite::{FileState, is_untrusted, log_size};
use store::{GraphStore, NodeRecord, SqliteBuild, SqliteStore, StoreError, WriterLock};

const WAIT: Duration = Duration::from_secs(5);

struct SealedFolder {
    folder: tempfile::TempDir,
}

impl SealedFolder {
    fn new() -> SealedFolder {
        seal::install_policy(TrustPolicy {
            key: Key::random().unwrap(),
            named: vec![PathBuf::from("/named.db")],
            everything: false,
        });
        let folder = tempfile::tempdir().unwrap();
        let place = SealedFolder { folder };
        let mut store = SqliteStore::open_writer(&place.database(), WAIT).unwrap();
        store.put_node(&node("first")).unwrap();
        drop(store);
        place
    }

    fn database(&self) -> PathBuf {
        self.folder.path().join("graph.db")
    }

    /// Whether a reader trusts it and finds that node.
    fn finds(&self, id: &str) -> bool {
        let store = SqliteStore::open_read_only(&self.database()).unwrap();
        store.node(id).unwrap().is_some()
    }

    fn is_refused(&self) -> bool {
        let database = self.database();
        let refused = |opened: Result<SqliteStore, StoreError>| {
            matches!(opened.err(), Some(StoreError::Unvouched(_)))
        };
        let lock = WriterLock::acquire_with_seal(&database, WAIT).unwrap();
        let believed = lock.is_trusted();
        drop(lock);
        let all = [
            is_untrusted(&database),
            refused(SqliteStore::open_read_only(&database)),
            refused(SqliteStore::open(&database)),
            refused(SqliteStore::open_writer(&database, WAIT)),
            !believed,
        ];
        assert!(all.iter().all(|one| *one == all[0]), "{all:?}");
        all[0]
    }
}

fn node(id: &str) -> NodeRecord {
    NodeRecord {
        id: id.to_owned(),
        symbol: id.to_owned(),
        kind: "function".to_owned(),
        file_path: "a.py".to_owned(),
        ..NodeRecord::default()
    }
}

/// A change by another program.
fn foreign(database: &Path, sql: &str) {
    let connection = rusqlite::Connection::open(database).unwrap();
    connection.execute_batch(sql).unwrap();
}

#[test]
fn what_we_wrote_is_believed_after_everything_that_we_do() {
    let place = SealedFolder::new();
    let database = place.database();
    assert!(place.finds("first") && !place.is_refused());
    let mut store = SqliteStore::open_writer(&database, WAIT).unwrap();
    // During a write, others read the last state.
    store.put_node(&node("second")).unwrap();
    assert!(place.finds("second"));
    store.vacuum().unwrap();
    assert!(place.finds("second"));
    drop(store);
    assert!(place.finds("second") && !place.is_refused());
    // A connection that stays open and takes the lock for each change, like that of a daemon.
    let mut store = SqliteStore::open(&database).unwrap();
    store.tune_for_small_writes(1_000).unwrap();
    for n in 0..4 {
        let lock = WriterLock::acquire_with_seal(&database, WAIT).unwrap();
        assert!(lock.is_trusted());
        store.put_node(&node(&format!("n{n}"))).unwrap();
        drop(lock);
        assert!(log_size(&database) > 0);
        assert!(place.finds(&format!("n{n}")) && !place.is_refused());
        if n == 2 {
            store.checkpoint().unwrap();
            assert!(!place.is_refused());
        }
    }
    // It closes without a checkpoint of the log, since it holds no lock.
    let before = FileState::capture(&database);
    drop(store);
    assert_eq!(FileState::capture(&database), before);
    assert!(place.finds("n3") && !place.is_refused());
    SqliteStore::open(&database)
        .unwrap()
        .checkpoint_truncate()
        .unwrap();
    assert_eq!(log_size(&database), 0);
    assert!(place.finds("n3") && !place.is_refused());
    // Another program that only reads changes nothing.
    foreign(&database, "SELECT count(*) FROM nodes");
    assert!(place.finds("n3") && !place.is_refused());
    // Built anew, with and without a reader that holds the old one.
    for held in [false, true] {
        let reader = held.then(|| SqliteStore::open_read_only(&database).unwrap());
        if let Some(reader) = &reader {
            reader.begin_read_snapshot().unwrap();
        }
        let old = SqliteStore::open_writer(&database, WAIT).unwrap();
        let build = SqliteBuild::start(&database).unwrap();
        drop(build.finish_and_replace(Some(old), None, &[], &[]).unwrap());
        assert!(!place.is_refused(), "held: {held}");
    }
    std::fs::rename(
        place.folder.path(),
        place.folder.path().with_extension("moved"),
    )
    .unwrap();
    let moved = place.folder.path().with_extension("moved").join("graph.db");
    assert!(!is_untrusted(&moved));
    std::fs::rename(moved.parent().unwrap(), place.folder.path()).unwrap();
    assert!(!place.is_refused());
}

#[test]
fn what_another_program_wrote_is_not() {
    let place = SealedFolder::new();
    foreign(&place.database(), "DELETE FROM nodes");
    assert!(place.is_refused());
    // It stays untrusted, whoever holds the lock meanwhile.
    assert!(place.is_refused());
    let mut lock = WriterLock::acquire_with_seal(&place.database(), WAIT).unwrap();
    let aside = lock.move_untrusted_aside(&place.database()).unwrap();
    assert!(aside.is_file() && !place.database().exists());
    drop(SqliteStore::open(&place.database()).unwrap());
    drop(lock);
    assert!(!place.is_refused() && !place.finds("first"));
}

#[test]
fn a_copy_is_not_even_with_its_note() {
    let place = SealedFolder::new();
    let copy = SealedFolder::new();
    for name in ["graph.db", "graph.db.seal"] {
        let to = copy.folder.path().join(name);
        std::fs::remove_file(&to).unwrap();
        let done = std::process::Command::new("cp")
            .arg("-a")
            .args([&place.folder.path().join(name), &to])
            .status();
        assert!(done.unwrap().success());
    }
    assert!(copy.is_refused());
    // Nor is one that was written over the existing file.
    let other = SealedFolder::new();
    let bytes = std::fs::read(place.database()).unwrap();
    std::thread::sleep(Duration::from_millis(20));
    std::fs::write(other.database(), bytes).unwrap();
    assert!(other.is_refused());
    let note = other.folder.path().join("graph.db.seal");
    let new = SealedFolder::new();
    std::fs::remove_file(new.folder.path().join("graph.db.seal")).unwrap();
    assert!(new.is_refused());
    std::fs::copy(note, new.folder.path().join("graph.db.seal")).unwrap();
    assert!(new.is_refused());
}

#[test]
fn logs_and_journals_that_were_put_there_are_not_taken_over() {
    for tail in ["-wal", "-journal"] {
        let place = SealedFolder::new();
        let mut name = place.database().into_os_string();
        name.push(tail);
        let beside = PathBuf::from(name);
        let _ = std::fs::remove_file(&beside);
        std::fs::write(&beside, [7; 4_000]).unwrap();
        assert!(place.is_refused(), "{tail}");
        std::fs::remove_file(&beside).unwrap();
        assert!(!place.is_refused(), "{tail}");
        std::os::unix::fs::symlink("/dev/zero", &beside).unwrap();
        assert!(is_untrusted(&place.database()), "{tail}");
    }
}

#[test]
fn a_writer_that_was_killed_leaves_what_is_believed() {
    let place = SealedFolder::new();
    let database = place.database();
    let note = place.folder.path().join("graph.db.seal");
    let lock = WriterLock::acquire_with_seal(&database, WAIT).unwrap();
    let while_writing = std::fs::read(&note).unwrap();
    drop(lock);
    let mut store = SqliteStore::open_writer(&database, WAIT).unwrap();
    store.put_node(&node("second")).unwrap();
    drop(store);
    // As if the writer had been killed before it wrote the final seal.
    std::fs::write(&note, &while_writing).unwrap();
    // Afterwards it is again recognized by more than its identity, unless another process has the lock: a process that
    // another test is starting has a copy of it for a moment.
    for _ in 0..1_000 {
        assert!(place.finds("second"));
        if std::fs::read(&note).unwrap() != while_writing {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_ne!(std::fs::read(&note).unwrap(), while_writing);
    foreign(&database, "DELETE FROM nodes");
    assert!(place.is_refused());
    // For another file, such a note is worthless.
    let other = SealedFolder::new();
    std::fs::write(other.folder.path().join("graph.db.seal"), &while_writing).unwrap();
    assert!(other.is_refused());
}

#[test]
fn what_the_user_named_is_theirs() {
    SealedFolder::new();
    assert!(!seal::is_sealed_path(Path::new("/named.db")));
    assert!(!is_untrusted(Path::new("/named.db")));
}

#[test]
fn no_journal_lies_beside_a_database_that_is_made_or_replaced() {
    use std::collections::BTreeSet;
    use std::sync::atomic::{AtomicBool, Ordering};
    let folder = SealedFolder::new().folder;
    let journals: Vec<PathBuf> = (0..40)
        .map(|n| folder.path().join(format!("{n}.db-journal")))
        .collect();
    let done = AtomicBool::new(false);
    let seen = std::thread::scope(|scope| {
        let looking = scope.spawn(|| {
            let mut seen = BTreeSet::new();
            while !done.load(Ordering::Relaxed) {
                let there = |journal: &&PathBuf| journal.metadata().is_ok_and(|m| m.len() > 0);
                seen.extend(journals.iter().find(there).cloned());
            }
            seen
        });
        for number in 0..journals.len() {
            let database = folder.path().join(format!("{number}.db"));
            drop(SqliteStore::open_writer(&database, WAIT).unwrap());
            let old = SqliteStore::open_writer(&database, WAIT).unwrap();
            let build = SqliteBuild::start(&database).unwrap();
            drop(build.finish_and_replace(Some(old), None, &[], &[]).unwrap());
        }
        done.store(true, Ordering::Relaxed);
        looking.join().unwrap()
    });
    // A process that is killed while one is there leaves an untrusted database.
    assert_eq!(seen, BTreeSet::<PathBuf>::new());
}
