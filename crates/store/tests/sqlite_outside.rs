//! Other programs that read or lock the database while this process has it open.

#![allow(clippy::print_stdout)]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use store::{GraphChange, GraphStore, SqliteStore, StoreError, contract};
use tempfile::TempDir;

const DATABASE: &str = "KNOTWORK_TEST_OUTSIDE";
const DOING: &str = "KNOTWORK_TEST_OUTSIDE_SQL";

/// Not a test: the other program. It holds its statement's locks until its standard input ends.
#[test]
fn child_reads_or_locks() {
    let (Ok(path), Ok(sql)) = (std::env::var(DATABASE), std::env::var(DOING)) else {
        return;
    };
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.execute_batch(&sql).unwrap();
    println!("ready");
    let _ = std::io::stdin().read_line(&mut String::new());
}

/// The other program and its output, which must stay open, or the program fails.
struct Other {
    child: Child,
    _said: BufReader<ChildStdout>,
}

impl Other {
    fn end(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }
}

fn outside(path: &Path, sql: &str) -> Other {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["child_reads_or_locks", "--exact", "--nocapture"])
        .env(DATABASE, path)
        .env(DOING, sql)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("ready") {
        line.clear();
        let read = said.read_line(&mut line).unwrap();
        assert!(read > 0, "the other program failed");
    }
    Other { child, _said: said }
}

/// Opens, reads and closes the database, as a look with any tool does.
fn look(path: &Path) {
    outside(path, "SELECT count(*) FROM nodes").end();
}

fn edit(number: u32) -> GraphChange {
    let node = contract::sample_node("a", "a", "a.py", number);
    GraphChange {
        clear_files: vec!["a.py".to_owned()],
        nodes: vec![node],
        ..GraphChange::default()
    }
}

fn line(store: &SqliteStore) -> Option<u32> {
    store.node("a").unwrap().and_then(|node| node.line_start)
}

/// The steps of a long-running process around an update, in the order that once lost its locks: a database is opened
/// for writing while others are open and there is no log yet.
#[test]
fn an_ordinary_reader_breaks_nothing() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("graph.db");
    SqliteStore::open(&path)
        .unwrap()
        .apply_change(&edit(0))
        .unwrap();
    let sentinel = SqliteStore::open_read_only(&path).unwrap();
    let idle = SqliteStore::open_read_only(&path).unwrap();
    assert_eq!((line(&sentinel), line(&idle)), (Some(0), Some(0)));
    let mut resident = SqliteStore::open(&path).unwrap();
    for number in 1..20 {
        SqliteStore::migration_state(&path).unwrap();
        look(&path);
        resident.apply_change(&edit(number)).unwrap();
        SqliteStore::open(&path).unwrap().checkpoint().unwrap();
        look(&path);
        for store in [&sentinel, &idle, &resident] {
            assert_eq!(line(store), Some(number));
        }
        let late = SqliteStore::open_read_only(&path).unwrap();
        assert_eq!(line(&late), Some(number));
    }
    resident.check_integrity().unwrap();
}

/// Whether this process holds a lock on the file, as reported by the system.
///
/// The kernel hands `/proc/locks` out in pieces. A line is missed when another process takes or
/// releases a lock between two pieces, so one reading without the line proves nothing.
#[cfg(target_os = "linux")]
fn is_locked(path: &Path) -> bool {
    (0..50).any(|attempt| {
        if attempt > 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
        is_lock_listed(path)
    })
}

/// Whether one reading of `/proc/locks` lists a lock of this process on the file.
#[cfg(target_os = "linux")]
fn is_lock_listed(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let inode = path.metadata().unwrap().ino();
    let locks = std::fs::read_to_string("/proc/locks").unwrap_or_default();
    let own = std::process::id().to_string();
    locks.lines().any(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_file = |w: &&&str| w.rsplit(':').next() == Some(&inode.to_string());
        words.get(1) == Some(&"POSIX")
            && words.contains(&&*own)
            && words.iter().any(|w| is_file(&w))
    })
}

/// A connection that has read keeps its lock, whatever else this process does with the database.
#[cfg(target_os = "linux")]
#[test]
fn no_operation_releases_the_locks_of_open_connections() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("graph.db");
    drop(SqliteStore::open(&path).unwrap());
    let reader = SqliteStore::open_read_only(&path).unwrap();
    assert_eq!(reader.stats().unwrap().nodes, 0);
    if !is_locked(&path) {
        // The system does not show locks here.
        return;
    }
    let operations: [(&str, &dyn Fn()); 8] = [
        ("state", &|| {
            drop(SqliteStore::migration_state(&path).unwrap())
        }),
        ("migrate", &|| drop(SqliteStore::migrate(&path).unwrap())),
        ("open", &|| drop(SqliteStore::open(&path).unwrap())),
        ("init", &|| {
            drop(SqliteStore::open_or_create(&path).unwrap())
        }),
        ("read", &|| {
            drop(SqliteStore::open_read_only(&path).unwrap())
        }),
        ("writer", &|| {
            let wait = Duration::from_secs(5);
            drop(SqliteStore::open_writer(&path, wait).unwrap());
            drop(SqliteStore::open_or_recover(&path, wait).unwrap());
        }),
        ("query", &|| {
            drop(reader.query("SELECT 1", &[], Default::default()).unwrap());
        }),
        ("copy", &|| {
            reader
                .copy_to(&folder.path().join("copy.db"), &[], &[], None)
                .unwrap();
        }),
    ];
    for (what, run) in operations {
        run();
        assert!(is_locked(&path), "{what}");
    }
}

/// Only SQLite opens a database's file: closing any other descriptor would release the locks.
#[test]
fn the_sources_open_no_database_by_themselves() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in [here.join("src/sqlite"), here.join("../solution/src/store")] {
        for entry in folder.read_dir().unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            // These open lock files beside the database, and pages of one that is being replaced.
            if ["lock.rs", "files.rs", "pages.rs"].contains(&&*name) {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for word in [
                "File::",
                "OpenOptions",
                "fs::read(",
                "read_to_string(",
                "fs::copy",
                "state::open",
            ] {
                assert!(!text.contains(word), "{}: {word}", path.display());
            }
        }
    }
}

#[test]
fn a_lock_of_another_program_is_waited_for_and_then_told() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("graph.db");
    let mut store = SqliteStore::open(&path).unwrap();
    store.apply_change(&edit(1)).unwrap();
    let other = outside(&path, "BEGIN EXCLUSIVE");
    // Readers do not wait for it.
    assert_eq!(line(&store), Some(1));
    assert_eq!(line(&SqliteStore::open_read_only(&path).unwrap()), Some(1));
    let since = Instant::now();
    let told = store.apply_change(&edit(2));
    assert!(matches!(told, Err(StoreError::Busy(_))), "{told:?}");
    assert!(since.elapsed() < Duration::from_secs(60));
    let late = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        other.end();
    });
    store.apply_change(&edit(3)).unwrap();
    late.join().unwrap();
    assert_eq!(line(&store), Some(3));
}

#[test]
fn a_database_that_another_program_keeps_to_itself_is_busy_and_then_there() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("graph.db");
    SqliteStore::open(&path)
        .unwrap()
        .apply_change(&edit(1))
        .unwrap();
    let alone = "PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE";
    let other = outside(&path, alone);
    let since = Instant::now();
    let read = SqliteStore::open_read_only(&path).and_then(|store| store.stats());
    assert!(matches!(read, Err(StoreError::Busy(_))), "{read:?}");
    // A question asks three times before it gives up.
    assert!(since.elapsed() < Duration::from_secs(4), "{read:?}");
    #[cfg(target_os = "linux")]
    if std::fs::read_to_string("/proc/locks").is_ok_and(|locks| !locks.is_empty()) {
        let told = read.unwrap_err().to_string();
        assert!(
            told.contains(&format!("(process {})", other.child.id())),
            "{told}"
        );
    }
    other.end();
    assert_eq!(line(&SqliteStore::open_read_only(&path).unwrap()), Some(1));
}

#[test]
fn a_long_reader_stops_no_writer_and_its_log_is_taken_over_afterwards() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("graph.db");
    let mut store = SqliteStore::open(&path).unwrap();
    store.apply_change(&edit(0)).unwrap();
    let other = outside(&path, "BEGIN; SELECT count(*) FROM nodes");
    for number in 1..300 {
        store.apply_change(&edit(number)).unwrap();
    }
    let grown = store::sqlite::log_size(&path);
    assert!(grown > 0);
    other.end();
    for number in 300..310 {
        store.apply_change(&edit(number)).unwrap();
        store.checkpoint().unwrap();
    }
    assert!(store::sqlite::log_size(&path) <= grown.max(4 << 20));
    assert_eq!(line(&store), Some(309));
}

#[cfg(unix)]
#[test]
fn files_are_for_their_owner_alone_and_links_are_not_followed() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("new/graph.db");
    let mut store = SqliteStore::open_writer(&path, Duration::ZERO).unwrap();
    store.apply_change(&edit(1)).unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    for tail in ["", "-wal", "-shm", ".lock"] {
        let file = format!("{}{tail}", path.display());
        assert_eq!(mode(Path::new(&file)), 0o600, "{tail}");
    }
    drop(store);
    // A file that was created with rights for others loses them.
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    drop(SqliteStore::open_read_only(&path).unwrap());
    assert_eq!(mode(&path), 0o600);

    // Another database behind a link stays as it is, and the link is moved aside.
    let other = folder.path().join("other.db");
    let theirs = rusqlite::Connection::open(&other).unwrap();
    theirs.execute_batch("CREATE TABLE t (a)").unwrap();
    drop(theirs);
    let before = std::fs::read(&other).unwrap();
    let link = folder.path().join("new/link.db");
    symlink(&other, &link).unwrap();
    for opened in [SqliteStore::open(&link), SqliteStore::open_read_only(&link)] {
        let error = opened.err().expect("refused");
        assert!(matches!(error, StoreError::Irregular { .. }), "{error}");
    }
    let (_, moved) = SqliteStore::open_or_recover(&link, Duration::ZERO).unwrap();
    assert!(moved.unwrap().reason.contains("a symbolic link"));
    assert!(!link.symlink_metadata().unwrap().is_symlink());
    assert_eq!(std::fs::read(&other).unwrap(), before);

    // The same holds for its log, and for a pipe.
    let log = folder.path().join("new/graph.db-wal");
    let _ = std::fs::remove_file(&log);
    symlink(&other, &log).unwrap();
    assert!(SqliteStore::open(&path).is_err());
    std::fs::remove_file(&log).unwrap();
    let pipe = folder.path().join("new/pipe.db");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    assert!(SqliteStore::open_read_only(&pipe).is_err());
    assert!(SqliteStore::open(&pipe).is_err());
}
