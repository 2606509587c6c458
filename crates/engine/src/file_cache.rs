//! A cache of texts about files, for programs around this one: by file and query, on two levels. An entry holds as long as the
//! file's time and content are as they were.
//!
//! The second level is one JSON file for each entry, which other programs may read. The first is a copy without the fields, so
//! that it is read at once; it is checked by the file's time and size alone.

use crate::EngineError;
use guard::state::{create_private_folders, replace_file};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The version of an entry. Another one counts as missing.
const SCHEMA_VERSION: &str = "1.0.0";
/// A file that changed so recently may still be written.
const SETTLED: Duration = Duration::from_secs(1);
/// The share of entries that is removed at the limit, the least recently used first.
const EVICTED: f64 = 0.2;
/// Bytes that a file takes beyond its content.
const BLOCK: u64 = 4_096;
/// The most bytes of an entry.
const LARGEST: u64 = 64 << 20;

/// An entry of the second level.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Entry {
    schema_version: String,
    key: String,
    file_path: String,
    mtime: u64,
    blob_hash: String,
    query_hash: String,
    value: String,
    created_at: u64,
    accessed_at: u64,
}

/// What became of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CacheOutcome {
    /// Found; 1 or 2 is the level.
    Hit(u8, String),
    /// Not found, with the reason.
    Miss(&'static str),
    /// Not looked for, with the reason.
    Skipped(&'static str),
}

/// What the cache holds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FileCacheStats {
    /// Entries of the second level.
    pub total_entries: usize,
    /// Their size.
    pub size_mb: f64,
    /// The most megabytes.
    pub max_size_mb: u64,
}

/// A cache in a folder.
#[derive(Debug, Clone)]
pub struct FileCache {
    folder: PathBuf,
    most: u64,
    log: Option<PathBuf>,
}

/// A file's state.
struct Stamp {
    mtime: u64,
    nanos: u128,
    size: u64,
    is_settled: bool,
}

impl FileCache {
    /// A cache of at most `max_size_mb`; evictions are logged to `log`, if one is given.
    pub fn new(folder: PathBuf, max_size_mb: u64, log: Option<PathBuf>) -> FileCache {
        FileCache {
            folder,
            most: max_size_mb << 20,
            log,
        }
    }

    /// The text for a query about a file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn get(&self, file: &Path, query: &str) -> Result<CacheOutcome, EngineError> {
        let stamp = stamp_of(file)?;
        if !stamp.is_settled {
            return Ok(CacheOutcome::Skipped("the file may still be written"));
        }
        let first = self.first_level(file, query, &stamp);
        if let Ok(text) = fs::read_to_string(&first) {
            return Ok(CacheOutcome::Hit(1, text));
        }
        let blob = content_hash(file)?;
        let path = self.second_level(file, query, &stamp, &blob);
        let read = guard::read_user_file(&path, LARGEST);
        let Ok(bytes) = read else {
            return Ok(CacheOutcome::Miss("there is no entry"));
        };
        let Ok(mut entry) = serde_json::from_slice::<Entry>(&bytes) else {
            return Ok(CacheOutcome::Miss("the entry is damaged"));
        };
        if entry.schema_version != SCHEMA_VERSION {
            return Ok(CacheOutcome::Miss("the entry has another schema version"));
        }
        if entry.mtime != stamp.mtime || entry.blob_hash != blob {
            return Ok(CacheOutcome::Miss("the file has changed"));
        }
        entry.accessed_at = now();
        // Only the order of eviction depends on it.
        let _ = write_entry(&path, &entry);
        let _ = self.write_first(&first, &entry.value);
        Ok(CacheOutcome::Hit(2, entry.value))
    }

    /// Stores a text for a query about a file.
    ///
    /// # Errors
    /// If the file cannot be read, or the cache not be written.
    pub fn set(&self, file: &Path, query: &str, value: &str) -> Result<(), EngineError> {
        let stamp = stamp_of(file)?;
        let blob = content_hash(file)?;
        let path = self.second_level(file, query, &stamp, &blob);
        let fail = |e: &dyn std::fmt::Display| {
            EngineError::runtime_failure(format!("cannot write {}: {e}", path.display()))
        };
        create_private_folders(&self.folder.join("l2")).map_err(|e| fail(&e))?;
        self.evict(value.len() as u64);
        let entry = Entry {
            schema_version: SCHEMA_VERSION.to_owned(),
            key: key(&[&name_of(file), &stamp.mtime.to_string(), &blob, query]),
            file_path: name_of(file),
            mtime: stamp.mtime,
            blob_hash: blob,
            query_hash: key(&[query]),
            value: value.to_owned(),
            created_at: now(),
            accessed_at: now(),
        };
        write_entry(&path, &entry).map_err(|e| fail(&e))?;
        if stamp.is_settled {
            let _ = self.write_first(&self.first_level(file, query, &stamp), value);
        }
        Ok(())
    }

    /// Empties the first level.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn clear_first(&self) -> Result<(), EngineError> {
        match fs::remove_dir_all(self.folder.join("l1")) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(
                EngineError::runtime_failure(format!("cannot remove the first level: {e}")),
            ),
            _ => Ok(()),
        }
    }

    /// What the second level holds.
    pub fn stats(&self) -> FileCacheStats {
        let entries = self.entries();
        let bytes: u64 = entries.iter().map(|(_, size, _)| size).sum();
        FileCacheStats {
            total_entries: entries.len(),
            size_mb: (bytes as f64 / f64::from(1 << 20) * 1_000.0).round() / 1_000.0,
            max_size_mb: self.most >> 20,
        }
    }

    fn first_level(&self, file: &Path, query: &str, stamp: &Stamp) -> PathBuf {
        let parts = [
            &name_of(file),
            &stamp.nanos.to_string(),
            &stamp.size.to_string(),
            query,
        ];
        self.folder.join("l1").join(key(&parts))
    }

    fn second_level(&self, file: &Path, query: &str, stamp: &Stamp, blob: &str) -> PathBuf {
        let key = key(&[&name_of(file), &stamp.mtime.to_string(), blob, query]);
        self.folder.join("l2").join(format!("{key}.json"))
    }

    fn write_first(&self, path: &Path, value: &str) -> std::io::Result<()> {
        create_private_folders(&self.folder.join("l1")).map_err(std::io::Error::other)?;
        replace_file(path, value.as_bytes())
    }

    /// Entries with their size and the time of their last use, the least recently used first.
    fn entries(&self) -> Vec<(PathBuf, u64, SystemTime)> {
        let all = fs::read_dir(self.folder.join("l2"));
        let all = all.into_iter().flatten().flatten();
        let entry = |entry: fs::DirEntry| {
            let meta = entry.metadata().ok()?;
            let path = entry.path();
            let is_entry = path.extension().is_some_and(|e| e == "json");
            is_entry.then_some((path, meta.len(), meta.modified().ok()?))
        };
        let mut all: Vec<_> = all.filter_map(entry).collect();
        all.sort_by(|a, b| a.2.cmp(&b.2).then_with(|| a.0.cmp(&b.0)));
        all
    }

    /// Removes the least recently used fifth where so many bytes more do not fit.
    fn evict(&self, more: u64) {
        let entries = self.entries();
        let bytes: u64 = entries.iter().map(|(_, size, _)| size).sum();
        // An entry takes whole blocks of the file system, and has fields besides the text.
        if bytes + more + (entries.len() as u64 + 2) * BLOCK <= self.most {
            return;
        }
        let count = ((entries.len() as f64 * EVICTED).ceil() as usize).max(1);
        let gone = entries.into_iter().take(count);
        let mut lines = String::new();
        for (path, ..) in gone {
            let _ = fs::remove_file(&path);
            lines += &format!("{} evicted {}\n", now(), path.display());
        }
        if let Some(log) = &self.log {
            let file = fs::OpenOptions::new().create(true).append(true).open(log);
            let _ = file.and_then(|mut f| std::io::Write::write_all(&mut f, lines.as_bytes()));
        }
    }
}

fn write_entry(path: &Path, entry: &Entry) -> std::io::Result<()> {
    let text = serde_json::to_string(entry).map_err(std::io::Error::other)?;
    replace_file(path, text.as_bytes())
}

fn stamp_of(file: &Path) -> Result<Stamp, EngineError> {
    let meta = fs::metadata(file)
        .map_err(|e| EngineError::bad_arguments(format!("cannot read {}: {e}", file.display())))?;
    let modified = meta.modified().unwrap_or(UNIX_EPOCH);
    let since = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
    let age = SystemTime::now().duration_since(modified);
    Ok(Stamp {
        mtime: since.as_secs(),
        nanos: since.as_nanos(),
        size: meta.len(),
        is_settled: age.is_ok_and(|age| age >= SETTLED),
    })
}

/// The file's place on disk, so that one file has one name.
fn name_of(file: &Path) -> String {
    let whole = file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
    whole.display().to_string()
}

fn content_hash(file: &Path) -> Result<String, EngineError> {
    let bytes = guard::read_user_file(file, LARGEST)
        .map_err(|e| EngineError::bad_arguments(format!("cannot read {}: {e}", file.display())))?;
    let first = base::fingerprint(&[b"blob", &bytes]);
    let second = base::fingerprint(&[&bytes, b"blob"]);
    Ok(format!("{first:016x}{second:016x}"))
}

fn key(parts: &[&str]) -> String {
    let bytes: Vec<&[u8]> = parts.iter().map(|part| part.as_bytes()).collect();
    let first = base::fingerprint(&bytes);
    let reversed: Vec<&[u8]> = bytes.into_iter().rev().collect();
    format!("{first:016x}{:016x}", base::fingerprint(&reversed))
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map(|s| s.as_secs()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Repo;

    fn settle(path: &Path, seconds: u64) {
        let file = fs::File::options().write(true).open(path).unwrap();
        let time = SystemTime::now() - Duration::from_secs(seconds);
        file.set_modified(time).unwrap();
    }

    #[test]
    fn an_entry_holds_as_long_as_the_file_is_the_same() {
        let repo = Repo::new("== a.txt\nx\n");
        let file = repo.file_path("a.txt");
        let cache = FileCache::new(repo.file_path("cache"), 50, None);
        assert!(matches!(
            cache.get(&file, "q").unwrap(),
            CacheOutcome::Skipped(_)
        ));
        settle(&file, 100);
        assert!(matches!(
            cache.get(&file, "q").unwrap(),
            CacheOutcome::Miss(_)
        ));
        cache.set(&file, "q", "value").unwrap();
        let hit = |level| CacheOutcome::Hit(level, "value".to_owned());
        assert_eq!(cache.get(&file, "q").unwrap(), hit(1));
        cache.clear_first().unwrap();
        assert_eq!(cache.get(&file, "q").unwrap(), hit(2));
        assert_eq!(cache.get(&file, "q").unwrap(), hit(1));
        assert!(matches!(
            cache.get(&file, "other").unwrap(),
            CacheOutcome::Miss(_)
        ));
        // The same time and size, another content.
        let modified = file.metadata().unwrap().modified().unwrap();
        repo.write("a.txt", "y\n");
        let open = fs::File::options().write(true).open(&file).unwrap();
        open.set_modified(modified).unwrap();
        cache.clear_first().unwrap();
        assert!(matches!(
            cache.get(&file, "q").unwrap(),
            CacheOutcome::Miss(_)
        ));
        // Another version of the entry.
        cache.set(&file, "q", "value").unwrap();
        cache.clear_first().unwrap();
        let entry = cache.entries()[0].0.clone();
        for (path, ..) in cache.entries() {
            let text = fs::read_to_string(&path).unwrap();
            fs::write(&path, text.replace("1.0.0", "0.0.1")).unwrap();
        }
        assert!(entry.exists());
        assert_eq!(
            cache.get(&file, "q").unwrap(),
            CacheOutcome::Miss("the entry has another schema version")
        );
    }

    #[test]
    fn the_oldest_fifth_goes_at_the_limit() {
        let repo = Repo::new("");
        let log = repo.file_path("evictions.log");
        let cache = FileCache::new(repo.file_path("cache"), 1, Some(log.clone()));
        let value = "v".repeat(200_000);
        for n in 0..12 {
            let name = format!("f{n}.txt");
            repo.write(&name, &name);
            cache.set(&repo.file_path(&name), "q", &value).unwrap();
        }
        let stats = cache.stats();
        assert!(
            stats.size_mb <= 1.3 && stats.total_entries < 12,
            "{stats:?}"
        );
        assert!(fs::read_to_string(&log).unwrap().contains("evicted"));
    }
}
