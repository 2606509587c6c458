//! A small table of texts by key, least recently used first out. It belongs to programs around this one and lies in a database of
//! its own; the graph never goes through it.

use crate::StoreError;
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The share of entries that is removed at once.
const EVICTED: f64 = 0.2;

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

/// What the cache holds and how often it answered.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SubgraphCacheStats {
    /// The number of entries.
    pub total_entries: u64,
    /// The most entries.
    pub max_entries: u64,
    /// Questions that were answered.
    pub hits: u64,
    /// Questions that were not.
    pub misses: u64,
    /// The share of the former, 0–1.
    pub hit_rate: f64,
}

/// The cache.
#[derive(Debug)]
pub struct SubgraphCache {
    connection: Connection,
    path: PathBuf,
    most: u64,
}

impl SubgraphCache {
    /// Opens the cache, or creates it.
    ///
    /// # Errors
    /// If the file cannot be opened as a database.
    pub fn open(path: &Path, most: u64) -> Result<SubgraphCache, StoreError> {
        let connection = Connection::open(path).map_err(|e| backend(path, &e))?;
        let cache = SubgraphCache {
            connection,
            path: path.to_path_buf(),
            most: most.max(1),
        };
        let prepared = cache
            .connection
            .busy_timeout(Duration::from_secs(5))
            .and_then(|()| {
                cache
                    .connection
                    .query_row("PRAGMA journal_mode=WAL", [], |_| Ok(()))
            })
            .and_then(|()| cache.connection.execute_batch(SCHEMA));
        prepared.map_err(|e| backend(path, &e))?;
        Ok(cache)
    }

    /// Stores a text. Where the cache is full, the least recently used fifth goes; returns the keys that went.
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

    /// The text of a key; its use is recorded.
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

    /// What the cache holds and how often it answered.
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
        let mut cache = SubgraphCache::open(&folder.path().join("c.db"), 3).unwrap();
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
        let mut cache = SubgraphCache::open(&folder.path().join("c.db"), 10).unwrap();
        for time in 0..10 {
            cache.set(&format!("k{time}"), "v", time).unwrap();
        }
        assert_eq!(cache.set("new", "v", 20).unwrap(), ["k0", "k1"]);
        assert_eq!(cache.stats().unwrap().total_entries, 9);
    }
}
