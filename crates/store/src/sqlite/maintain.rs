//! Maintenance of the database file: size, export, damage.

use super::error::{SqlContext, io_error};
use super::{SqliteStore, WriterLock};
use crate::{GraphStore, StoreError};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Endings of the files of a database: its own, and those that SQLite keeps beside it.
pub(crate) const TAILS: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// Number of databases that were moved aside and are kept, newest first.
const KEPT: usize = 3;

/// A damaged database that was moved aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recovery {
    /// New path of the damaged file.
    pub moved_to: PathBuf,
    /// Description of the damage.
    pub reason: String,
    /// Whether the file may contain rows that people added: these cannot be built again.
    pub may_hold_rows_by_hand: bool,
}

impl std::fmt::Display for Recovery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}; it was moved to {} and is rebuilt",
            self.reason,
            self.moved_to.display()
        )?;
        if self.may_hold_rows_by_hand {
            f.write_str("; data that was written by hand may still be read from there")
        } else {
            Ok(())
        }
    }
}

impl SqliteStore {
    /// Opens the database for writing. A damaged one is moved aside as `<name>.corrupt-<unix time>` (with its log) and
    /// replaced by an empty one; the second value then says so, and the graph must be built again.
    pub fn open_or_recover(
        path: &Path,
        wait: Duration,
    ) -> Result<(SqliteStore, Option<Recovery>), StoreError> {
        SqliteStore::open_or_recover_with(path, WriterLock::acquire_with_seal(path, wait)?)
    }

    /// [`SqliteStore::open_or_recover`] for a caller that holds the writer lock.
    pub fn open_or_recover_with(
        path: &Path,
        mut lock: WriterLock,
    ) -> Result<(SqliteStore, Option<Recovery>), StoreError> {
        lock.create_and_register(path)?;
        let (mut store, recovery) = match SqliteStore::open(path) {
            Ok(store) => (store, None),
            // A schema that cannot be upgraded is not damage.
            Err(error @ (StoreError::Damaged { .. } | StoreError::Irregular { .. })) => {
                let recovery = move_aside(path, error.to_string())?;
                lock.reset_seal();
                lock.create_and_register(path)?;
                (SqliteStore::open(path)?, Some(recovery))
            }
            Err(other) => return Err(other),
        };
        store.hold_writer_lock(Some(lock))?;
        Ok((store, recovery))
    }

    /// Moves the database at `path` aside, whatever its state, for the given `reason`. No database is left there.
    pub fn move_database_aside(
        path: &Path,
        wait: Duration,
        reason: String,
    ) -> Result<Recovery, StoreError> {
        let _lock = WriterLock::acquire_with_seal(path, wait)?;
        move_aside(path, reason)
    }

    /// Reads the whole database and checks its structure and its references.
    ///
    /// Errors: [`StoreError::Damaged`] with the first problem found.
    pub fn check_integrity(&self) -> Result<(), StoreError> {
        let look = || -> rusqlite::Result<Option<String>> {
            let report: String =
                self.connection
                    .query_row("PRAGMA integrity_check(1)", [], |r| r.get(0))?;
            if report != "ok" {
                return Ok(Some(report));
            }
            let mut statement = self.connection.prepare("PRAGMA foreign_key_check")?;
            let dangling = statement.query([])?.next()?.is_some();
            Ok(dangling.then(|| "an edge leads to a node that does not exist".to_owned()))
        };
        match look().with_path(&self.path, "checking")? {
            None => Ok(()),
            Some(reason) => Err(StoreError::Damaged {
                path: self.path.display().to_string(),
                reason,
            }),
        }
    }

    /// Returns unused space to the file system. The result is the bytes before and after.
    pub fn vacuum(&mut self) -> Result<(u64, u64), StoreError> {
        let before = self.stats()?.db_size_bytes;
        self.connection
            .execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")
            .with_path(&self.path, "compacting")?;
        Ok((before, self.stats()?.db_size_bytes))
    }

    /// Writes the graph as one JSON object `{nodes, edges}` or, if `lines` is set, as one record per line
    /// (`{"node": …}`, `{"edge": …}`). A batch import reads the first form.
    pub fn export(&self, out: &mut dyn Write, lines: bool) -> Result<(), StoreError> {
        let mut writer = Exporter {
            out,
            lines,
            first: true,
            failed: None,
        };
        writer.write_unless_lines("{\"nodes\":[");
        self.for_each_node(&mut |node| writer.write_record("node", &node))?;
        writer.write_unless_lines("],\"edges\":[");
        writer.first = true;
        self.for_each_edge(&mut |edge| writer.write_record("edge", &edge))?;
        writer.write_unless_lines("]}\n");
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
    fn write_unless_lines(&mut self, text: &str) {
        if !self.lines {
            self.write_bytes(text.as_bytes());
        }
    }

    fn write_record(&mut self, what: &str, record: &impl Serialize) {
        let comma = if self.first { "" } else { "," };
        self.first = false;
        match serde_json::to_string(record) {
            Ok(json) if self.lines => {
                self.write_bytes(format!("{{\"{what}\":{json}}}\n").as_bytes())
            }
            Ok(json) => self.write_bytes(format!("{comma}\n{json}").as_bytes()),
            Err(error) => self.failed = Some(error.to_string()),
        }
    }

    fn write_bytes(&mut self, bytes: &[u8]) {
        if self.failed.is_none() {
            self.failed = self.out.write_all(bytes).err().map(|e| e.to_string());
        }
    }
}

/// Cleans up after a full build: writes the log into the database, and shrinks the file if a quarter of it is unused.
pub(super) fn checkpoint_and_shrink(store: &SqliteStore) -> Result<(), StoreError> {
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
    match run().with_path(&store.path, "compacting") {
        // Readers may hold the log. The next full build, or the last reader to close, then does this.
        Err(StoreError::Busy(_)) => Ok(()),
        other => other,
    }
}

/// Moves a database and its log to `<name>.corrupt-<unix time>`.
pub(super) fn move_aside(path: &Path, reason: String) -> Result<Recovery, StoreError> {
    let may_hold_rows_by_hand = match SqliteStore::open_read_only(path) {
        Ok(store) => store.has_rows_by_hand().unwrap_or(true),
        // The content is unknown.
        Err(error) => !matches!(error, StoreError::Irregular { .. }),
    };
    let moved_to = free_backup_path(path);
    rename_with_tails(path, &moved_to)?;
    remove_oldest_backups(path);
    Ok(Recovery {
        moved_to,
        reason,
        may_hold_rows_by_hand,
    })
}

/// A free path for what is moved aside: `<name>.corrupt-<unix time>`, with a number where that is taken.
pub(super) fn free_backup_path(path: &Path) -> PathBuf {
    let now = format!("corrupt-{}", unix_now());
    let more = (1..).map(|n| path_with_extension(path, &format!("{now}.{n}")));
    let names = std::iter::once(path_with_extension(path, &now)).chain(more);
    let is_free = |name: &PathBuf| name.symlink_metadata().is_err();
    let free = names.take(1_000).find(is_free);
    free.unwrap_or_else(|| path_with_extension(path, &now))
}

/// Renames a database with the files that SQLite keeps beside it. A link is renamed itself.
pub(crate) fn rename_with_tails(path: &Path, new: &Path) -> Result<(), StoreError> {
    for tail in TAILS {
        let (from, to) = (append_to_path(path, tail), append_to_path(new, tail));
        if from.symlink_metadata().is_ok() {
            platform::file::replace(&from, &to).map_err(|e| io_error(&from, "moving aside", &e))?;
        }
    }
    Ok(())
}

/// Removes a database with the files that SQLite keeps beside it. The caller holds its writer lock. Returns whether
/// there was one.
pub fn remove_with_tails(path: &Path) -> Result<bool, StoreError> {
    let mut was_there = false;
    for tail in TAILS {
        let file = append_to_path(path, tail);
        match std::fs::remove_file(&file) {
            Ok(()) => was_there |= tail.is_empty(),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
            Err(e) => return Err(io_error(&file, "removing", &e)),
        }
    }
    Ok(was_there)
}

/// Removes the oldest files that were moved aside, so that a disk that damages files repeatedly does not fill up.
fn remove_oldest_backups(path: &Path) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return;
    };
    let start = format!("{}.corrupt-", name.to_string_lossy());
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(rest) = name.strip_prefix(&start) else {
            continue;
        };
        let Some((time, number)) = parse_backup_suffix(rest) else {
            continue;
        };
        found.push((time, number, entry.path()));
    }
    found.sort();
    found.truncate(found.len().saturating_sub(KEPT));
    for (_, _, oldest) in found {
        for tail in TAILS {
            // A backup that cannot be removed only costs disk space.
            let _ = std::fs::remove_file(append_to_path(&oldest, tail));
        }
    }
}

/// `<unix time>` or `<unix time>.<number>`.
fn parse_backup_suffix(text: &str) -> Option<(u64, u64)> {
    match text.split_once('.') {
        Some((time, number)) => Some((time.parse().ok()?, number.parse().ok()?)),
        None => Some((text.parse().ok()?, 0)),
    }
}

/// `<path>.<end>`.
pub(super) fn path_with_extension(path: &Path, end: &str) -> PathBuf {
    append_to_path(path, &format!(".{end}"))
}

pub(crate) fn append_to_path(path: &Path, tail: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(tail);
    PathBuf::from(name)
}

pub(super) fn unix_now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_secs())
}
