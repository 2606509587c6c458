//! Looking after the file: size, export, damage.

use super::error::{At, io_error};
use super::{SqliteStore, WriterLock};
use crate::{GraphStore, StoreError};
use serde::Serialize;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A damaged database that was moved aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recovery {
    /// Where the damaged file lies now.
    pub moved_to: PathBuf,
    /// What was wrong with it.
    pub reason: String,
}

impl SqliteStore {
    /// Opens the database as its writer; a damaged one is moved aside as `<name>.corrupt-<unix time>` (with its
    /// log) and an empty one takes its place: then the second value says so and the graph must be built again.
    pub fn open_or_recover(
        path: &Path,
        wait: Duration,
    ) -> Result<(SqliteStore, Option<Recovery>), StoreError> {
        SqliteStore::open_or_recover_with(path, WriterLock::acquire(path, wait)?)
    }

    /// [`SqliteStore::open_or_recover`] with the writer's lock in hand.
    pub fn open_or_recover_with(
        path: &Path,
        lock: WriterLock,
    ) -> Result<(SqliteStore, Option<Recovery>), StoreError> {
        let (mut store, recovery) = match SqliteStore::open(path) {
            Ok(store) => (store, None),
            Err(StoreError::Damaged { reason, .. }) => {
                let moved_to = move_aside(path)?;
                let recovery = Recovery { moved_to, reason };
                (SqliteStore::open(path)?, Some(recovery))
            }
            Err(other) => return Err(other),
        };
        store._lock = Some(lock);
        Ok((store, recovery))
    }

    /// Moves the database at `path` aside, whatever state it is in, and creates an empty one. Gives that one,
    /// as its writer, and where the old one lies.
    pub fn recover(path: &Path, wait: Duration) -> Result<(SqliteStore, PathBuf), StoreError> {
        let lock = WriterLock::acquire(path, wait)?;
        let moved_to = move_aside(path)?;
        let mut store = SqliteStore::open(path)?;
        store._lock = Some(lock);
        Ok((store, moved_to))
    }

    /// Reads the whole database and checks its structure and its references.
    ///
    /// Errors: [`StoreError::Damaged`] with the first thing found.
    pub fn check_integrity(&self) -> Result<(), StoreError> {
        let look = || -> rusqlite::Result<Option<String>> {
            let said: String = self
                .connection
                .query_row("PRAGMA integrity_check(1)", [], |r| r.get(0))?;
            if said != "ok" {
                return Ok(Some(said));
            }
            let mut statement = self.connection.prepare("PRAGMA foreign_key_check")?;
            let dangling = statement.query([])?.next()?.is_some();
            Ok(dangling.then(|| "an edge leads to a node that does not exist".to_owned()))
        };
        match look().at(&self.path, "checking")? {
            None => Ok(()),
            Some(reason) => Err(StoreError::Damaged {
                path: self.path.display().to_string(),
                reason,
            }),
        }
    }

    /// Gives unused space back to the file system: bytes before and after.
    pub fn vacuum(&mut self) -> Result<(u64, u64), StoreError> {
        let before = self.stats()?.db_size_bytes;
        self.connection
            .execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")
            .at(&self.path, "compacting")?;
        Ok((before, self.stats()?.db_size_bytes))
    }

    /// Writes the graph as one JSON object `{nodes, edges}`, or one record a line (`{"node": …}`,
    /// `{"edge": …}`) where `lines` is set. The first form is what a batch import reads.
    pub fn export(&self, out: &mut dyn Write, lines: bool) -> Result<(), StoreError> {
        let mut writer = Exporter {
            out,
            lines,
            first: true,
            failed: None,
        };
        writer.raw("{\"nodes\":[");
        self.for_each_node(&mut |node| writer.record("node", &node))?;
        writer.raw("],\"edges\":[");
        writer.first = true;
        self.for_each_edge(&mut |edge| writer.record("edge", &edge))?;
        writer.raw("]}\n");
        match writer.failed {
            None => Ok(()),
            Some(reason) => Err(StoreError::Backend {
                context: "writing the export".to_owned(),
                reason,
            }),
        }
    }
}

struct Exporter<'o> {
    out: &'o mut dyn Write,
    lines: bool,
    first: bool,
    failed: Option<String>,
}

impl Exporter<'_> {
    fn raw(&mut self, text: &str) {
        if !self.lines {
            self.put(text.as_bytes());
        }
    }

    fn record(&mut self, what: &str, record: &impl Serialize) {
        let comma = if self.first { "" } else { "," };
        self.first = false;
        match serde_json::to_string(record) {
            Ok(json) if self.lines => self.put(format!("{{\"{what}\":{json}}}\n").as_bytes()),
            Ok(json) => self.put(format!("{comma}\n{json}").as_bytes()),
            Err(error) => self.failed = Some(error.to_string()),
        }
    }

    fn put(&mut self, bytes: &[u8]) {
        if self.failed.is_none() {
            self.failed = self.out.write_all(bytes).err().map(|e| e.to_string());
        }
    }
}

/// After a full build: empties the log into the database, and shrinks a file that is a quarter unused.
pub(super) fn after_full_build(store: &SqliteStore) -> Result<(), StoreError> {
    let run = || {
        let number = |sql: &str| store.connection.query_row(sql, [], |r| r.get::<_, i64>(0));
        let (unused, pages) = (
            number("PRAGMA freelist_count")?,
            number("PRAGMA page_count")?,
        );
        if unused * 4 > pages {
            store.connection.execute_batch("VACUUM")?;
        }
        store
            .connection
            .execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
    };
    match run().at(&store.path, "compacting") {
        // Readers may hold the log; the next full build or the last reader to close does it.
        Err(StoreError::Busy(_)) => Ok(()),
        other => other,
    }
}

/// Moves a database and its log to `<name>.corrupt-<unix time>`.
fn move_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let moved_to = sibling(path, &format!("corrupt-{}", unix_now()));
    std::fs::rename(path, &moved_to).map_err(|e| io_error(path, "moving aside", &e))?;
    for tail in ["-wal", "-shm"] {
        let (from, to) = (with_tail(path, tail), with_tail(&moved_to, tail));
        if from.exists() {
            std::fs::rename(&from, &to).map_err(|e| io_error(&from, "moving aside", &e))?;
        }
    }
    Ok(moved_to)
}

/// A file shorter than its header says, without a log to complete it, has lost its end.
pub(super) fn check_length(path: &Path) -> Result<(), StoreError> {
    let log = with_tail(path, "-wal");
    if log.metadata().is_ok_and(|m| m.len() > 0) {
        return Ok(());
    }
    let read = || -> std::io::Result<(u64, [u8; 100])> {
        let mut file = std::fs::File::open(path)?;
        let mut header = [0u8; 100];
        let length = file.metadata()?.len();
        if length >= 100 {
            file.read_exact(&mut header)?;
        }
        Ok((length, header))
    };
    let (length, header) = read().map_err(|e| io_error(path, "reading", &e))?;
    let page = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65_536,
        size => u64::from(size),
    };
    let pages = u32::from_be_bytes([header[28], header[29], header[30], header[31]]);
    if length < page * u64::from(pages) {
        return Err(StoreError::Damaged {
            path: path.display().to_string(),
            reason: format!(
                "the file has {length} bytes and should have {}",
                page * u64::from(pages)
            ),
        });
    }
    Ok(())
}

/// `<path>.<end>`.
pub(super) fn sibling(path: &Path, end: &str) -> PathBuf {
    with_tail(path, &format!(".{end}"))
}

fn with_tail(path: &Path, tail: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(tail);
    PathBuf::from(name)
}

pub(super) fn unix_now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_secs())
}
