//! A cache of texts about files, for programs around this one: by file and query, on two levels. An entry is valid while the
//! file's time and content are unchanged. It counts only with this user's seal.
//!
//! The second level is one JSON file for each entry, which other programs may read. The first is a copy of its text.

use crate::EngineError;
use crate::ops::clock::now_seconds;
use guard::seal;
use guard::state;
use platform::RealPath;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The version of an entry's format. An entry of another version counts as missing.
const SCHEMA_VERSION: &str = "1.0.0";
/// A file changed less than this long ago may still be in the middle of a write.
const SETTLED: Duration = Duration::from_secs(1);
/// The folders of the two levels.
const FIRST: &str = "l1";
const SECOND: &str = "l2";
/// The share of entries that is removed at the limit, the least recently used first.
const EVICTED: f64 = 0.2;
/// Bytes that a file takes beyond its content.
const BLOCK: u64 = 4_096;
/// The most bytes of an entry.
const LARGEST: u64 = 64 << 20;
/// The most bytes of memory that an entry takes beyond its text once it is decoded.
const MOST_VALUES: usize = 64 << 10;
/// The name of the field with an entry's seal, and the purpose that the seal names.
const SEAL: (&str, &str) = ("mark", "file cache entry");

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

/// The outcome of a lookup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CacheOutcome {
    /// Found; 1 or 2 is the level.
    Hit(u8, String),
    /// Not found, with the reason.
    Miss(&'static str),
    /// Not looked up, with the reason.
    Skipped(&'static str),
}

/// Counts and sizes of the second level.
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
    /// A cache of at most `max_size_mb` in a folder of this user; evictions are logged to `log`, if one is given.
    pub fn new(folder: PathBuf, max_size_mb: u64, log: Option<PathBuf>) -> FileCache {
        FileCache {
            folder,
            most: max_size_mb.saturating_mul(1 << 20),
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
        let blob = content_hash(file)?;
        let first = first_level(file, query, &stamp, &blob);
        if let Some(text) = self.read_first(&first) {
            return Ok(CacheOutcome::Hit(1, text));
        }
        let name = second_level(file, query, &stamp, &blob);
        let Some(folder) = self.existing(SECOND) else {
            return Ok(CacheOutcome::Miss("there is no entry"));
        };
        let path = folder.join(&name);
        let Ok(bytes) = state::read_own_file(&path, LARGEST) else {
            return Ok(CacheOutcome::Miss("there is no entry"));
        };
        if !seal::is_own_object(SEAL, name.as_bytes(), &bytes) {
            return Ok(CacheOutcome::Miss("the entry is not this user's"));
        }
        let Some(mut entry) = decode(&bytes) else {
            return Ok(CacheOutcome::Miss("the entry is damaged"));
        };
        if entry.schema_version != SCHEMA_VERSION {
            return Ok(CacheOutcome::Miss("the entry has another schema version"));
        }
        if entry.mtime != stamp.mtime || entry.blob_hash != blob {
            return Ok(CacheOutcome::Miss("the file has changed"));
        }
        entry.accessed_at = now_seconds();
        // The time of use only decides the order of eviction.
        let _ = write_entry(&path, &name, &entry);
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
        let name = second_level(file, query, &stamp, &blob);
        let path = self.folder.join(SECOND).join(&name);
        let fail = |e: &dyn std::fmt::Display| {
            EngineError::runtime_failure(format!("cannot write {}: {e}", path.display()))
        };
        self.create_folder(SECOND).map_err(|e| fail(&e))?;
        self.evict(value.len() as u64);
        let first = first_level(file, query, &stamp, &blob);
        let entry = Entry {
            schema_version: SCHEMA_VERSION.to_owned(),
            key: key(&[&name_of(file), &stamp.mtime.to_string(), &blob, query]),
            file_path: name_of(file),
            mtime: stamp.mtime,
            blob_hash: blob,
            query_hash: key(&[query]),
            value: value.to_owned(),
            created_at: now_seconds(),
            accessed_at: now_seconds(),
        };
        write_entry(&path, &name, &entry).map_err(|e| fail(&e))?;
        if stamp.is_settled {
            let _ = self.write_first(&first, value);
        }
        Ok(())
    }

    /// Empties the first level.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn clear_first(&self) -> Result<(), EngineError> {
        let removed = state::remove_folder_below(&self.folder, &self.folder.join(FIRST));
        removed.map(|_| ()).map_err(|e| {
            EngineError::runtime_failure(format!("cannot remove the first level: {e}"))
        })
    }

    /// Counts and sizes of the second level.
    pub fn stats(&self) -> FileCacheStats {
        let entries = self.entries();
        let bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
        FileCacheStats {
            total_entries: entries.len(),
            size_mb: (bytes as f64 / f64::from(1 << 20) * 1_000.0).round() / 1_000.0,
            max_size_mb: self.most >> 20,
        }
    }

    /// The folder of a level, if it exists, belongs to this user and is no link.
    fn existing(&self, level: &str) -> Option<PathBuf> {
        let path = self.folder.join(level);
        let is_own = state::is_own_path_below(&self.folder, &path);
        is_own.is_ok_and(|is_own| is_own).then_some(path)
    }

    fn create_folder(&self, level: &str) -> Result<PathBuf, state::StateError> {
        let path = self.folder.join(level);
        state::create_private_folders_below(&self.folder, &path)?;
        Ok(path)
    }

    fn read_first(&self, name: &str) -> Option<String> {
        let path = self.existing(FIRST)?.join(name);
        let bytes = seal::read_sealed(&path, &first_kind(name), LARGEST)?;
        String::from_utf8(bytes).ok()
    }

    fn write_first(&self, name: &str, value: &str) -> std::io::Result<()> {
        let folder = self.create_folder(FIRST).map_err(std::io::Error::other)?;
        seal::write_sealed(&folder.join(name), &first_kind(name), value.as_bytes())
    }

    /// The entries, the least recently used first.
    fn entries(&self) -> Vec<StoredEntry> {
        let all = self.existing(SECOND).and_then(|l2| fs::read_dir(l2).ok());
        let all = all.into_iter().flatten().flatten();
        let entry = |entry: fs::DirEntry| {
            let meta = entry.metadata().ok()?;
            let path = entry.path();
            let is_entry = path.extension().is_some_and(|e| e == "json");
            let used = meta.modified().ok()?;
            is_entry.then_some(StoredEntry {
                path,
                bytes: meta.len(),
                used,
            })
        };
        let mut all: Vec<_> = all.filter_map(entry).collect();
        all.sort_by(|a, b| a.used.cmp(&b.used).then_with(|| a.path.cmp(&b.path)));
        all
    }

    /// Removes the least recently used fifth of the entries if `more` bytes would not fit.
    fn evict(&self, more: u64) {
        let entries = self.entries();
        let bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
        // An entry takes whole blocks of the file system, and has fields besides the text.
        let blocks = (entries.len() as u64 + 2) * BLOCK;
        if bytes.saturating_add(more).saturating_add(blocks) <= self.most {
            return;
        }
        let count = ((entries.len() as f64 * EVICTED).ceil() as usize).max(1);
        let gone = entries.into_iter().take(count);
        let mut lines = String::new();
        for entry in gone {
            let _ = fs::remove_file(&entry.path);
            lines += &format!("{} evicted {}\n", now_seconds(), entry.path.display());
        }
        if let Some(log) = &self.log {
            append_to_log(log, &lines);
        }
    }
}

/// An entry of the second level, as a file.
struct StoredEntry {
    path: PathBuf,
    bytes: u64,
    /// When it was last used.
    used: SystemTime,
}

/// Adds lines to a log that the user named. A log that is a link, a pipe or another user's is left alone.
pub fn append_to_log(log: &Path, lines: &str) {
    let mut options = state::private_file_options();
    let options = options.create(true).append(true);
    // A log that cannot be written is no reason to fail.
    if let Ok(mut file) = state::open_own_file(log, options) {
        let _ = std::io::Write::write_all(&mut file, lines.as_bytes());
    }
}

fn first_level(file: &Path, query: &str, stamp: &Stamp, blob: &str) -> String {
    let (nanos, size) = (stamp.nanos.to_string(), stamp.size.to_string());
    key(&[&name_of(file), &nanos, &size, blob, query])
}

/// The purpose that the seal of a first-level text names.
fn first_kind(name: &str) -> String {
    format!("file cache text {name}")
}

fn second_level(file: &Path, query: &str, stamp: &Stamp, blob: &str) -> String {
    let key = key(&[&name_of(file), &stamp.mtime.to_string(), blob, query]);
    format!("{key}.json")
}

fn write_entry(path: &Path, name: &str, entry: &Entry) -> std::io::Result<()> {
    let text = serde_json::to_vec(entry).map_err(std::io::Error::other)?;
    let sealed = seal::seal_object(SEAL, name.as_bytes(), &text);
    state::replace_file(path, &sealed.unwrap_or(text))
}

fn decode(bytes: &[u8]) -> Option<Entry> {
    let is_small = base::json::decoded_size(bytes) <= bytes.len() + MOST_VALUES;
    is_small.then(|| serde_json::from_slice(bytes).ok())?
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

/// The file's canonical path, so that one file has one name.
fn name_of(file: &Path) -> String {
    let whole = file.real_path().unwrap_or_else(|_| file.to_path_buf());
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
        let repo = Repo::new("//- a.txt\nx\n");
        let file = repo.file_path("a.txt");
        state::create_private_folder(&repo.file_path("cache")).unwrap();
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
        let entry = cache.entries()[0].path.clone();
        for StoredEntry { path, .. } in cache.entries() {
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
        state::create_private_folder(&repo.file_path("cache")).unwrap();
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
