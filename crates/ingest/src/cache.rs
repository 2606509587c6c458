//! The facts cache: one append-only pack of compressed facts, keyed by content hash.
//!
//! A record is `key (16 bytes) | length (u32) | checksum (8 bytes) | size (u32) | zstd of postcard`. Reading stops at the first
//! damaged record, so a pack cut short by a crash loses its tail and nothing else.

use base::Language;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use syntax::FileFacts;
use zstd::bulk::{Compressor, Decompressor};

const MAGIC: &[u8; 8] = b"KWFACTS2";
const HEADER: usize = 12;
const RECORD: usize = 28;
/// Of zstd: the fastest that is not one of the negative ones.
const LEVEL: i32 = 1;
/// Facts of one file larger than this are not believed.
const MAX_FACTS: usize = 512 << 20;

/// The key of a file's facts: what they depend on.
pub type Key = [u8; 16];

/// The hash of a file's bytes.
pub fn content_hash(bytes: &[u8]) -> [u8; 16] {
    let mut out = [0u8; 16];
    out.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
    out
}

/// The key for content read as a language: the same bytes may be read as two.
pub fn key(hash: [u8; 16], language: Language) -> Key {
    let mut key = hash;
    key[15] = key[15].wrapping_add(language as u8);
    key
}

/// An open pack.
pub struct FactsCache {
    path: PathBuf,
    /// Where each record's payload lies: offset and length.
    index: FxHashMap<Key, (u64, u32, u64)>,
    bytes: Vec<u8>,
}

impl FactsCache {
    /// Opens the pack in `folder`; one that is missing, damaged or of another version counts as empty.
    pub fn open(folder: &Path) -> FactsCache {
        let path = folder.join("facts.pack");
        let bytes = fs::read(&path).unwrap_or_default();
        let mut cache = FactsCache {
            path,
            index: FxHashMap::default(),
            bytes,
        };
        cache.scan();
        cache
    }

    /// A cache without records that is written nowhere.
    pub fn empty() -> FactsCache {
        FactsCache {
            path: PathBuf::new(),
            index: FxHashMap::default(),
            bytes: Vec::new(),
        }
    }

    fn scan(&mut self) {
        let version = syntax::FACTS_VERSION.to_le_bytes();
        if self.bytes.len() < HEADER
            || &self.bytes[..8] != MAGIC
            || self.bytes[8..HEADER] != version
        {
            self.bytes.clear();
            return;
        }
        let mut at = HEADER;
        while let Some(head) = self.bytes.get(at..at + RECORD) {
            let mut key = [0u8; 16];
            key.copy_from_slice(&head[..16]);
            let length = u32::from_le_bytes([head[16], head[17], head[18], head[19]]);
            let mut sum = [0u8; 8];
            sum.copy_from_slice(&head[20..28]);
            let start = at + RECORD;
            if self.bytes.len() < start + length as usize {
                break;
            }
            self.index
                .insert(key, (start as u64, length, u64::from_le_bytes(sum)));
            at = start + length as usize;
        }
        self.bytes.truncate(at);
    }

    /// The facts under that key.
    pub fn get(&self, key: &Key) -> Option<FileFacts> {
        let (start, length, sum) = *self.index.get(key)?;
        let payload = self
            .bytes
            .get(start as usize..start as usize + length as usize)?;
        if checksum(payload) != sum {
            return None;
        }
        unpack(payload)
    }

    /// Number of records.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// Adds records, and drops what `live` does not name when that is most of the pack. A cache
    /// that cannot be written is no loss, so the error is for a warning only.
    pub fn store(&mut self, new: &[(Key, Vec<u8>)], live: &dyn Fn(&Key) -> bool) -> io::Result<()> {
        let alive = self.index.keys().filter(|k| live(k)).count();
        if self.bytes.is_empty() || alive * 2 < self.index.len() {
            return self.rewrite(new, live);
        }
        if new.is_empty() {
            return Ok(());
        }
        let mut file = OpenOptions::new().write(true).read(true).open(&self.path)?;
        // What lies behind the last good record is garbage of a write that was cut short.
        file.set_len(self.bytes.len() as u64)?;
        file.seek(SeekFrom::End(0))?;
        let mut out = io::BufWriter::new(file);
        for (key, payload) in new {
            write_record(&mut out, key, payload)?;
        }
        out.flush()
    }

    fn rewrite(&mut self, new: &[(Key, Vec<u8>)], live: &dyn Fn(&Key) -> bool) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let partial = self
            .path
            .with_extension(format!("tmp-{}", std::process::id()));
        let written = self.write_whole(&partial, new, live);
        match written {
            Ok(()) => fs::rename(&partial, &self.path),
            Err(error) => {
                let _ = fs::remove_file(&partial);
                Err(error)
            }
        }
    }

    fn write_whole(
        &self,
        to: &Path,
        new: &[(Key, Vec<u8>)],
        live: &dyn Fn(&Key) -> bool,
    ) -> io::Result<()> {
        let mut out = io::BufWriter::new(File::create(to)?);
        out.write_all(MAGIC)?;
        out.write_all(&syntax::FACTS_VERSION.to_le_bytes())?;
        let mut kept: Vec<_> = self.index.iter().filter(|(k, _)| live(k)).collect();
        kept.sort_unstable();
        for (key, (start, length, _)) in kept {
            let payload = &self.bytes[*start as usize..*start as usize + *length as usize];
            write_record(&mut out, key, payload)?;
        }
        for (key, payload) in new {
            write_record(&mut out, key, payload)?;
        }
        out.flush()
    }
}

fn write_record(out: &mut impl Write, key: &Key, payload: &[u8]) -> io::Result<()> {
    out.write_all(key)?;
    out.write_all(&(payload.len() as u32).to_le_bytes())?;
    out.write_all(&checksum(payload).to_le_bytes())?;
    out.write_all(payload)
}

fn checksum(payload: &[u8]) -> u64 {
    let mut out = [0u8; 8];
    out.copy_from_slice(&blake3::hash(payload).as_bytes()[..8]);
    u64::from_le_bytes(out)
}

thread_local! {
    // A context is a megabyte of tables; one serves all files of a thread.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = RefCell::new(Compressor::new(LEVEL).ok());
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = RefCell::new(Decompressor::new().ok());
}

/// Facts as a record's payload.
pub fn pack(facts: &FileFacts) -> Option<Vec<u8>> {
    let plain = postcard::to_stdvec(facts).ok()?;
    COMPRESSOR.with_borrow_mut(|compressor| {
        let mut packed = (plain.len() as u32).to_le_bytes().to_vec();
        packed.extend(compressor.as_mut()?.compress(&plain).ok()?);
        Some(packed)
    })
}

fn unpack(payload: &[u8]) -> Option<FileFacts> {
    let (size, packed) = payload.split_first_chunk::<4>()?;
    let size = u32::from_le_bytes(*size) as usize;
    if size > MAX_FACTS {
        return None;
    }
    let plain = DECOMPRESSOR.with_borrow_mut(|d| d.as_mut()?.decompress(packed, size).ok())?;
    postcard::from_bytes(&plain).ok()
}

/// Reads a whole file, at most `limit` bytes of it; more is an error.
pub fn read_bounded(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let mut bytes = Vec::with_capacity(file.metadata()?.len().min(limit) as usize + 1);
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            "grew while it was read",
        ));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(text: &str) -> (Key, Vec<u8>) {
        let facts = syntax::extract(Language::Python, text);
        let key = key(content_hash(text.as_bytes()), Language::Python);
        (key, pack(&facts).unwrap())
    }

    #[test]
    fn what_is_stored_comes_back_and_a_torn_tail_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (record("a = 1\n"), record("def f(): pass\n"));
        FactsCache::open(folder.path())
            .store(std::slice::from_ref(&one), &|_| true)
            .unwrap();
        FactsCache::open(folder.path())
            .store(std::slice::from_ref(&two), &|_| true)
            .unwrap();
        let cache = FactsCache::open(folder.path());
        assert_eq!(
            cache.get(&two.0),
            Some(syntax::extract(Language::Python, "def f(): pass\n"))
        );
        let path = folder.path().join("facts.pack");
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 3]).unwrap();
        let mut cache = FactsCache::open(folder.path());
        assert!(cache.get(&one.0).is_some() && cache.get(&two.0).is_none());
        cache.store(std::slice::from_ref(&two), &|_| true).unwrap();
        assert!(FactsCache::open(folder.path()).get(&two.0).is_some());
    }

    #[test]
    fn damage_is_noticed_and_garbage_is_collected() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (record("a = 1\n"), record("b = 2\n"));
        FactsCache::open(folder.path())
            .store(&[one.clone(), two.clone()], &|_| true)
            .unwrap();
        let path = folder.path().join("facts.pack");
        let mut bytes = fs::read(&path).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 0xFF;
        fs::write(&path, &bytes).unwrap();
        let mut cache = FactsCache::open(folder.path());
        assert!(cache.get(&two.0).is_none() && cache.get(&one.0).is_some());
        cache.store(&[], &|_| false).unwrap();
        assert!(FactsCache::open(folder.path()).is_empty());
    }
}
