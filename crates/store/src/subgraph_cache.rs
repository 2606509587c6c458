//! A small cache of texts by key, from which the least recently used are removed first. It is for other programs and
//! has a database of its own; the graph never uses it.
//!
//! A database that a repository ships could contain any text, and its triggers would run with every question. It is
//! therefore used only with this user's seal, and only if its schema is exactly ours. Only one process at a time has it
//! open. When it closes it, SQLite moves the write-ahead log into the database, because the seal covers one file.

use crate::StoreError;
use crate::sqlite::{TAILS, WriterLock, append_to_path, connect, rename_with_tails};
use guard::seal;
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The share of entries that are removed at once.
const EVICTED: f64 = 0.2;

/// The longest wait for another process.
const PATIENCE: Duration = Duration::from_secs(5);

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS subgraph_cache (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  access_time INTEGER NOT NULL,
  created_time INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS idx_subgraph_cache_access ON subgraph_cache(access_time);
CREATE TABLE IF NOT EXISTS cache_stats (name TEXT PRIMARY KEY, count INTEGER NOT NULL);
";

/// Size and use of the cache.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SubgraphCacheStats {
    /// The number of entries.
    pub total_entries: u64,
    /// The limit of entries.
    pub max_entries: u64,
    /// Questions that were answered.
    pub hits: u64,
    /// Questions that were not.
    pub misses: u64,
    /// Hits as a share of all questions, 0–1.
    pub hit_rate: f64,
}

/// The cache.
#[derive(Debug)]
pub struct SubgraphCache {
    connection: Connection,
    path: PathBuf,
    most: u64,
    /// Declared after the connection, which must be closed first.
    _sealer: Sealer,
    _lock: WriterLock,
}

/// Seals the database once its connection is closed.
#[derive(Debug)]
struct Sealer(PathBuf);

impl Drop for Sealer {
    fn drop(&mut self) {
        // Without a seal, the next process creates the cache anew.
        let _ = seal::write_seal_beside(&self.0);
    }
}

impl SubgraphCache {
    /// Opens the cache, or creates it. A file that is not this user's is moved aside as `<name>.untrusted`. If the user
    /// named the file, it is refused instead and stays as it is.
    ///
    /// # Errors
    /// If the file cannot be opened as a database, another process has it, or it is named and not this user's.
    pub fn open(path: &Path, most: u64, is_named: bool) -> Result<SubgraphCache, StoreError> {
        let lock = WriterLock::acquire(path, PATIENCE)?;
        if !is_as_it_was_left(path) {
            move_aside(path, is_named)?;
        }
        let connection = match open_checked(path)? {
            Some(connection) => connection,
            None => {
                move_aside(path, is_named)?;
                open_checked(path)?.ok_or_else(|| untrusted_error(path))?
            }
        };
        Ok(SubgraphCache {
            connection,
            path: path.to_path_buf(),
            most: most.max(1),
            _sealer: Sealer(path.to_path_buf()),
            _lock: lock,
        })
    }

    /// Stores a text. If the cache is full, the least recently used fifth is removed; returns the removed keys.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn set(&mut self, key: &str, value: &str, now: u64) -> Result<Vec<String>, StoreError> {
        self.write(|connection, most| {
            let known: Option<i64> = connection
                .query_row("SELECT 1 FROM subgraph_cache WHERE key = ?1", [key], |r| {
                    r.get(0)
                })
                .optional()?;
            let count: i64 =
                connection.query_row("SELECT count(*) FROM subgraph_cache", [], |r| r.get(0))?;
            let mut gone = Vec::new();
            if known.is_none() && count as u64 >= most {
                let share = (count as f64 * EVICTED).floor().max(1.0) as u64;
                let surplus = share.max(count as u64 + 1 - most);
                let mut statement = connection.prepare(
                    "DELETE FROM subgraph_cache WHERE key IN (SELECT key FROM subgraph_cache ORDER BY access_time, created_time, rowid LIMIT ?1) RETURNING key",
                )?;
                let keys = statement.query_map([surplus as i64], |row| row.get(0))?;
                gone = keys.collect::<rusqlite::Result<_>>()?;
            }
            connection.execute(
                "INSERT INTO subgraph_cache (key, value, access_time, created_time) VALUES (?1, ?2, ?3, ?3)
                 ON CONFLICT(key) DO UPDATE SET value = excluded.value, access_time = excluded.access_time",
                params![key, value, now as i64],
            )?;
            Ok(gone)
        })
    }

    /// The text of a key; records its use.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn get(&mut self, key: &str, now: u64) -> Result<Option<String>, StoreError> {
        self.write(|connection, _| {
            let found: Option<String> = connection
                .query_row(
                    "UPDATE subgraph_cache SET access_time = ?2 WHERE key = ?1 RETURNING value",
                    params![key, now as i64],
                    |row| row.get(0),
                )
                .optional()?;
            let name = if found.is_some() { "hits" } else { "misses" };
            connection.execute(
                "INSERT INTO cache_stats VALUES (?1, 1) ON CONFLICT(name) DO UPDATE SET count = count + 1",
                [name],
            )?;
            Ok(found)
        })
    }

    /// Removes a key, or all of them.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn remove(&mut self, key: Option<&str>) -> Result<usize, StoreError> {
        self.write(|connection, _| match key {
            Some(key) => connection.execute("DELETE FROM subgraph_cache WHERE key = ?1", [key]),
            None => connection.execute("DELETE FROM subgraph_cache", []),
        })
    }

    /// Size and use of the cache.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn stats(&self) -> Result<SubgraphCacheStats, StoreError> {
        let read = || -> rusqlite::Result<(i64, i64, i64)> {
            let count = |sql: &str| -> rusqlite::Result<i64> {
                let found = self.connection.query_row(sql, [], |r| r.get(0)).optional();
                found.map(Option::unwrap_or_default)
            };
            Ok((
                count("SELECT count(*) FROM subgraph_cache")?,
                count("SELECT count FROM cache_stats WHERE name = 'hits'")?,
                count("SELECT count FROM cache_stats WHERE name = 'misses'")?,
            ))
        };
        let (entries, hits, misses) = read().map_err(|e| backend(&self.path, &e))?;
        let rate = hits as f64 / (hits + misses).max(1) as f64;
        Ok(SubgraphCacheStats {
            total_entries: entries as u64,
            max_entries: self.most,
            hits: hits as u64,
            misses: misses as u64,
            hit_rate: (rate * 1e4).round() / 1e4,
        })
    }

    fn write<T>(
        &mut self,
        change: impl FnOnce(&Connection, u64) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let done = || {
            let transaction = self
                .connection
                .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            let value = change(&transaction, self.most)?;
            transaction.commit()?;
            Ok(value)
        };
        done().map_err(|e: rusqlite::Error| backend(&self.path, &e))
    }
}

/// Whether there is no file, or it is in the state in which this user's programs left it.
fn is_as_it_was_left(path: &Path) -> bool {
    let is_there = |tail: &&str| append_to_path(path, tail).symlink_metadata().is_ok();
    // SQLite leaves no other file beside a closed database.
    let has_more = TAILS.iter().filter(|tail| !tail.is_empty()).any(is_there);
    !has_more && (path.symlink_metadata().is_err() || seal::has_valid_seal(path))
}

/// Moves a database that is not ours aside; an error if the user named it.
fn move_aside(path: &Path, is_named: bool) -> Result<(), StoreError> {
    if is_named {
        return Err(untrusted_error(path));
    }
    let aside = append_to_path(path, ".untrusted");
    for tail in TAILS {
        let _ = std::fs::remove_file(append_to_path(&aside, tail));
    }
    rename_with_tails(path, &aside)
}

/// The connection; `None` if the schema is not ours.
fn open_checked(path: &Path) -> Result<Option<Connection>, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let connection = connect(path, flags)?;
    let prepare = || {
        connection.execute_batch("PRAGMA trusted_schema=OFF;")?;
        let found = statements(&connection)?;
        let ours = Connection::open_in_memory()?;
        ours.execute_batch(SCHEMA)?;
        if !found.is_empty() && found != statements(&ours)? {
            return Ok(false);
        }
        connection.query_row("PRAGMA journal_mode=WAL", [], |_| Ok(()))?;
        connection.execute_batch(SCHEMA)?;
        Ok(true)
    };
    let is_ours = prepare().map_err(|e: rusqlite::Error| backend(path, &e))?;
    Ok(is_ours.then_some(connection))
}

/// Everything in a schema: tables, indexes, views and triggers, with the statements that made them.
fn statements(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(
        "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '') FROM sqlite_master ORDER BY 1",
    )?;
    let rows = statement.query_map([], |row| row.get(0))?;
    rows.collect()
}

fn untrusted_error(path: &Path) -> StoreError {
    StoreError::Backend {
        context: path.display().to_string(),
        reason: "was not written by this user on this machine; remove it, or name another file"
            .to_owned(),
    }
}

fn backend(path: &Path, error: &rusqlite::Error) -> StoreError {
    StoreError::Backend {
        context: path.display().to_string(),
        reason: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let mut cache = SubgraphCache::open(&folder.path().join("c.db"), 3, false).unwrap();
        for (time, key) in ["k1", "k2", "k3"].into_iter().enumerate() {
            assert!(cache.set(key, "v", time as u64).unwrap().is_empty());
        }
        assert_eq!(cache.get("k1", 10).unwrap().as_deref(), Some("v"));
        assert_eq!(cache.set("k4", "v", 11).unwrap(), ["k2"]);
        assert_eq!(cache.get("k2", 12).unwrap(), None);
        let stats = cache.stats().unwrap();
        assert_eq!((stats.total_entries, stats.hits, stats.misses), (3, 1, 1));
        assert_eq!(stats.hit_rate, 0.5);
        assert_eq!(cache.remove(Some("k4")).unwrap(), 1);
        assert_eq!(cache.remove(None).unwrap(), 2);
    }

    #[test]
    fn a_fifth_goes_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut cache = SubgraphCache::open(&folder.path().join("c.db"), 10, false).unwrap();
        for time in 0..10 {
            cache.set(&format!("k{time}"), "v", time).unwrap();
        }
        assert_eq!(cache.set("new", "v", 20).unwrap(), ["k0", "k1"]);
        assert_eq!(cache.stats().unwrap().total_entries, 9);
    }

    #[test]
    fn a_schema_of_others_is_put_aside_or_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.db");
        let trigger = "CREATE TRIGGER t AFTER UPDATE ON subgraph_cache BEGIN SELECT 1; END;";
        let computed = "CREATE TABLE cache_stats (name TEXT PRIMARY KEY, count INTEGER AS (length(zeroblob(9))));";
        for (more, first) in [(trigger, true), (computed, false)] {
            let made = Connection::open(&path).unwrap();
            let (before, after) = if first {
                (SCHEMA, more)
            } else {
                (more, SCHEMA)
            };
            made.execute_batch(before).unwrap();
            made.execute_batch(after).unwrap();
            drop(made);
            let refused = SubgraphCache::open(&path, 3, true).unwrap_err();
            assert!(refused.to_string().contains("was not written"), "{refused}");
            let mut cache = SubgraphCache::open(&path, 3, false).unwrap();
            cache.set("k", "v", 1).unwrap();
            drop(cache);
            assert!(folder.path().join("c.db.untrusted").is_file());
            let mut again = SubgraphCache::open(&path, 3, true).unwrap();
            assert_eq!(again.get("k", 2).unwrap().as_deref(), Some("v"));
            drop(again);
            std::fs::remove_file(&path).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_and_logs_beside_it_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (path, victim) = (folder.path().join("c.db"), folder.path().join("victim.db"));
        let made = Connection::open(&victim).unwrap();
        made.execute_batch("CREATE TABLE mine (x)").unwrap();
        drop(made);
        let before = std::fs::read(&victim).unwrap();
        std::os::unix::fs::symlink(&victim, &path).unwrap();
        assert!(SubgraphCache::open(&path, 3, false).is_err());
        assert_eq!(std::fs::read(&victim).unwrap(), before);
        std::fs::remove_file(&path).unwrap();
        std::fs::write(folder.path().join("c.db-journal"), "x").unwrap();
        drop(SubgraphCache::open(&path, 3, false).unwrap());
        assert!(folder.path().join("c.db.untrusted-journal").is_file());
    }
}
