//! The facts cache: one append-only pack of facts, keyed by content hash, many files together in a group.
//!
//! A group is `files (u32) | length (u32) | checksum (16 bytes) | keys (16 bytes each) | payload`. Reading stops at the
//! first incomplete group, so a pack that lost its end in a crash keeps everything before it. Only this user can make
//! the checksum: facts that came with a repository are not used.

mod columns;
mod decode;
mod encode;
mod group;
mod lend;
mod shared;

use base::Language;
use group::{MIN_FILES, decode_group, encode_groups};
pub(crate) use lend::EvictedFacts;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
pub use shared::known_indexes;
pub(crate) use shared::{IndexLocation, SharedCache, copy_pack};
use std::collections::VecDeque;
use std::fs;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use store::private;
use syntax::FileFacts;

const MAGIC: &[u8; 8] = b"KWFACTS4";
const HEADER: usize = 12;
/// Bytes of a group before its keys.
const GROUP: usize = 4 + 4 + SUM;
const SUM: usize = 16;
const KEY: usize = 16;
/// With more small groups than this at the end of a pack, they are merged.
const MANY: usize = 24;

/// Lines of source that approximately fill a group.
const LINES: usize = 25_000;

/// The file's name.
pub(crate) const PACK: &str = "facts.pack";
/// Age at which files of a process that was killed during a write are removed.
const ORPHAN: Duration = Duration::from_secs(600);
/// Facts of content that no longer exists are dropped when the pack reaches this age or this size.
const OLD: Duration = Duration::from_secs(30 * 86_400);
const LARGE: usize = 50 << 20;

/// The key of a file's facts: a hash of everything that they depend on.
pub type Key = [u8; KEY];

/// The hash of a file's bytes.
pub fn content_hash(bytes: &[u8]) -> [u8; 16] {
    let mut out = [0u8; 16];
    out.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
    out
}

/// The key for content read as a language; the same bytes may be read as two languages.
pub fn cache_key(hash: [u8; 16], language: Language) -> Key {
    let mut key = hash;
    key[15] = key[15].wrapping_add(language as u8);
    key
}

/// An open pack.
pub struct FactsCache {
    path: PathBuf,
    /// The group of each file, and its position in the group.
    index: FxHashMap<Key, (u32, u32)>,
    groups: Vec<Group>,
    bytes: Vec<u8>,
    /// A fallback cache for facts that this one lacks.
    beside: Option<Box<FactsCache>>,
    /// Imported facts, used only if both others lack them. They are never copied to another cache.
    imported: Option<Box<FactsCache>>,
    /// Most groups that are kept unpacked, and those groups, oldest first. `None`: all are kept.
    most_kept: Option<usize>,
    kept: Mutex<VecDeque<u32>>,
}

struct Group {
    /// Start, in bytes.
    start: usize,
    keys: Range<usize>,
    payload: Range<usize>,
    checksum: [u8; SUM],
    /// Decoded facts; `None` until one is needed, and after they were released.
    facts: Mutex<Option<Vec<Arc<FileFacts>>>>,
}

impl Group {
    fn file_count(&self) -> usize {
        self.keys.len() / KEY
    }
}

impl FactsCache {
    /// Opens the pack in `folder`; a pack that is missing, damaged or of another version counts as empty.
    pub fn open(folder: &Path) -> FactsCache {
        let path = folder.join(PACK);
        let bytes = read_pack(&path).unwrap_or_default();
        let mut cache = FactsCache {
            path,
            bytes,
            ..FactsCache::empty()
        };
        cache.build_index();
        cache
    }

    /// An empty cache that is not written to disk.
    pub fn empty() -> FactsCache {
        FactsCache {
            path: PathBuf::new(),
            index: FxHashMap::default(),
            groups: Vec::new(),
            bytes: Vec::new(),
            beside: None,
            imported: None,
            most_kept: None,
            kept: Mutex::default(),
        }
    }

    /// Keeps at most `groups` groups unpacked, to save memory.
    pub(crate) fn with_max_unpacked_groups(mut self, groups: Option<usize>) -> FactsCache {
        self.most_kept = groups;
        let limit = |cache: Box<FactsCache>| Box::new(cache.with_max_unpacked_groups(groups));
        self.beside = self.beside.map(limit);
        self.imported = self.imported.map(limit);
        self
    }

    /// Uses `other` for facts that this cache lacks.
    pub(crate) fn with_fallback(self, other: Option<FactsCache>) -> FactsCache {
        FactsCache {
            beside: other.map(Box::new),
            ..self
        }
    }

    /// Uses `imported` for facts that both this cache and its fallback lack. They are not added to this cache.
    pub(crate) fn with_imported(self, imported: Option<FactsCache>) -> FactsCache {
        FactsCache {
            imported: imported.map(Box::new),
            ..self
        }
    }

    /// The same pack without its content: the next write replaces everything.
    pub(crate) fn emptied(self) -> FactsCache {
        FactsCache {
            path: self.path,
            ..FactsCache::empty()
        }
    }

    /// Whether facts under that key need not be added to this cache.
    pub(crate) fn contains_key(&self, key: &Key) -> bool {
        let has = |cache: &Option<Box<FactsCache>>| {
            (cache.as_ref()).is_some_and(|cache| cache.index.contains_key(key))
        };
        // Facts of the fallback are preferred to imported ones.
        self.index.contains_key(key) || (has(&self.imported) && !has(&self.beside))
    }

    /// Path of the pack.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn build_index(&mut self) {
        let version = languages::FACTS_VERSION.to_le_bytes();
        if self.bytes.len() < HEADER
            || &self.bytes[..8] != MAGIC
            || self.bytes[8..HEADER] != version
        {
            self.bytes.clear();
            return;
        }
        let mut at = HEADER;
        while let Some(group) = parse_group_header(&self.bytes, at) {
            let number = self.groups.len() as u32;
            let keys = self.bytes[group.keys.clone()].as_chunks::<KEY>().0;
            let places = keys.iter().zip(0..).map(|(key, at)| (*key, (number, at)));
            self.index.extend(places);
            at = group.payload.end;
            self.groups.push(group);
        }
        self.bytes.truncate(at);
    }

    /// The facts under that key.
    pub fn get(&self, key: &Key) -> Option<Arc<FileFacts>> {
        let Some((group, at)) = self.index.get(key).copied() else {
            let beside = self.beside.as_ref().and_then(|beside| beside.get(key));
            return beside.or_else(|| self.imported.as_ref()?.get(key));
        };
        let (number, group) = (group, self.groups.get(group as usize)?);
        let mut slot = lock(&group.facts);
        if slot.is_some() {
            return slot.as_ref()?.get(at as usize).cloned();
        }
        let facts = slot
            .insert(self.decode_verified_group(group))
            .get(at as usize)
            .cloned();
        drop(slot);
        self.evict_oldest_group(number);
        facts
    }

    /// Releases the group that was unpacked first, if too many are kept.
    fn evict_oldest_group(&self, added: u32) {
        let Some(most) = self.most_kept else { return };
        let mut kept = lock(&self.kept);
        kept.push_back(added);
        let oldest = (kept.len() > most).then(|| kept.pop_front()).flatten();
        drop(kept);
        if let Some(group) = oldest.and_then(|number| self.groups.get(number as usize)) {
            lock(&group.facts).take();
        }
    }

    /// The facts of a group; empty if it is damaged.
    fn decode_verified_group(&self, group: &Group) -> Vec<Arc<FileFacts>> {
        let whole = &self.bytes[group.keys.start..group.payload.end];
        if checksum(whole) != group.checksum {
            return Vec::new();
        }
        decode_group(&self.bytes[group.payload.clone()], group.file_count()).unwrap_or_default()
    }

    /// Whether all groups have valid checksums.
    pub(crate) fn verify_checksums(&self) -> bool {
        let sum = |g: &Group| checksum(&self.bytes[g.keys.start..g.payload.end]);
        let own = self.groups.iter().all(|group| sum(group) == group.checksum);
        own && (self.imported.as_ref()).is_none_or(|imported| imported.verify_checksums())
    }

    /// Number of files.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether it has no files.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// Adds facts. If most facts of the pack are not in `live`, those are dropped. The program works without a cache,
    /// so the error is only for a warning.
    pub fn append_or_compact(
        &self,
        new: &[(Key, Arc<FileFacts>)],
        live: &dyn Fn(&Key) -> bool,
    ) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            // A pack is not written through a link.
            guard::state::create_private_folders(folder).map_err(io::Error::other)?;
        }
        let written: usize = self.groups.iter().map(Group::file_count).sum();
        let alive = self.index.keys().filter(|k| live(k)).count();
        let is_due = self.bytes.len() > LARGE || self.age() > OLD;
        if self.bytes.is_empty() || alive * 2 < written || is_due && alive < written {
            return self.rewrite(new, live);
        }
        if new.is_empty() {
            return Ok(());
        }
        let small = |g: &&Group| g.file_count() < MIN_FILES;
        let tail = self.groups.iter().rev().take_while(small).count();
        let keep = if tail >= MANY {
            self.groups.len() - tail
        } else {
            self.groups.len()
        };
        let mut all = self.live_facts_in(keep..self.groups.len(), live);
        all.extend_from_slice(new);
        let end = self.groups.get(keep).map_or(self.bytes.len(), |g| g.start);
        let mut file = private::open_or_create(&self.path)?;
        // Bytes after the last valid group are left from an interrupted write.
        file.set_len(end as u64)?;
        file.seek(SeekFrom::End(0))?;
        let mut out = io::BufWriter::new(file);
        write_groups(&mut out, &all)?;
        out.flush()
    }

    /// The time since the pack was written as a whole.
    fn age(&self) -> Duration {
        let made = fs::metadata(&self.path).and_then(|m| m.created());
        made.ok().and_then(|t| t.elapsed().ok()).unwrap_or_default()
    }

    /// The live facts of these groups; each file only from the group that the index names for it.
    fn live_facts_in(
        &self,
        groups: Range<usize>,
        live: &dyn Fn(&Key) -> bool,
    ) -> Vec<(Key, Arc<FileFacts>)> {
        let mut all = Vec::new();
        for number in groups {
            let keys = self.bytes[self.groups[number].keys.clone()]
                .as_chunks::<KEY>()
                .0;
            for (key, at) in keys.iter().zip(0..) {
                let is_read = self.index.get(key) == Some(&(number as u32, at));
                if let (true, Some(facts)) = (is_read && live(key), self.get(key)) {
                    all.push((*key, facts));
                }
            }
        }
        all
    }

    fn rewrite(
        &self,
        new: &[(Key, Arc<FileFacts>)],
        live: &dyn Fn(&Key) -> bool,
    ) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            remove_partial_files(folder);
        }
        let mut all = self.live_facts_in(0..self.groups.len(), live);
        all.extend_from_slice(new);
        write_atomically(&self.path, |partial| write_pack(partial, &all))
    }
}

fn read_pack(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    private::open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a file beside `target`, and renames it once it is complete.
pub(crate) fn write_atomically(
    target: &Path,
    write: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    let partial = target.with_extension(format!("tmp-{}", std::process::id()));
    let written = write(&partial).and_then(|()| platform::file::replace(&partial, target));
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written
}

/// Removes incomplete files of killed processes.
fn remove_partial_files(folder: &Path) {
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        let partial = file
            .file_name()
            .to_str()
            .is_some_and(|n| n.contains(".tmp-"));
        let written = file.metadata().and_then(|m| m.modified());
        let age = written.ok().and_then(|t| t.elapsed().ok());
        if partial && age.is_some_and(|age| age > ORPHAN) {
            let _ = fs::remove_file(file.path());
        }
    }
}

/// The group that begins at that byte; `None` if it is incomplete.
fn parse_group_header(bytes: &[u8], start: usize) -> Option<Group> {
    let (head, _) = bytes.get(start..)?.split_first_chunk::<GROUP>()?;
    let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let keys = start + GROUP;
    let payload = keys.checked_add((word(0) as usize).checked_mul(KEY)?)?;
    let end = payload.checked_add(word(4) as usize)?;
    let checksum = *head[8..].first_chunk()?;
    (end <= bytes.len()).then(|| Group {
        start,
        keys: keys..payload,
        payload: payload..end,
        checksum,
        facts: Mutex::default(),
    })
}

fn write_pack(to: &Path, all: &[(Key, Arc<FileFacts>)]) -> io::Result<()> {
    let mut out = io::BufWriter::new(private::create_or_truncate(to)?);
    out.write_all(MAGIC)?;
    out.write_all(&languages::FACTS_VERSION.to_le_bytes())?;
    write_groups(&mut out, all)?;
    out.flush()
}

fn write_groups(out: &mut impl Write, all: &[(Key, Arc<FileFacts>)]) -> io::Result<()> {
    let pack = |part| -> Packed<'_> {
        let files: &[(Key, Arc<FileFacts>)] = part;
        (
            part,
            encode_groups(files.iter().map(|(_, facts)| facts.as_ref())),
        )
    };
    let packed: Vec<Packed<'_>> = match split_for_threads(all)[..] {
        [one] => vec![pack(one)],
        ref parts => parts.par_iter().map(|part| pack(part)).collect(),
    };
    for (mut part, payloads) in packed {
        for (files, payload) in payloads? {
            let group;
            (group, part) = part.split_at(files);
            let mut body: Vec<u8> = group.iter().flat_map(|f| f.0).collect();
            body.extend_from_slice(&payload);
            out.write_all(&(files as u32).to_le_bytes())?;
            out.write_all(&(payload.len() as u32).to_le_bytes())?;
            out.write_all(&checksum(&body))?;
            out.write_all(&body)?;
        }
    }
    Ok(())
}

/// Files in order, and the groups that they become.
type Packed<'f> = (
    &'f [(Key, Arc<FileFacts>)],
    io::Result<Vec<(usize, Vec<u8>)>>,
);

/// Splits the files into parts that fill at least about a group each; at most two parts for each thread.
fn split_for_threads(all: &[(Key, Arc<FileFacts>)]) -> Vec<&[(Key, Arc<FileFacts>)]> {
    let lines: usize = all.iter().map(|(_, facts)| facts.lines as usize).sum();
    let most = 2 * rayon::current_num_threads();
    let least = lines.div_ceil((lines / LINES).clamp(1, most)).max(1);
    let (mut found, mut from, mut filled) = (Vec::new(), 0, 0);
    for (at, (_, facts)) in (1..).zip(all) {
        filled += facts.lines as usize;
        if filled >= least || at == all.len() {
            found.push(&all[from..at]);
            (from, filled) = (at, 0);
        }
    }
    found
}

fn checksum(bytes: &[u8]) -> [u8; SUM] {
    let kind = format!("facts {}", languages::FACTS_VERSION);
    let mut out = [0; SUM];
    out.copy_from_slice(&guard::seal::keyed_checksum(&kind, bytes)[..SUM]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(text: &str) -> (Key, Arc<FileFacts>) {
        let facts = languages::extract(Language::Python, text);
        let key = cache_key(content_hash(text.as_bytes()), Language::Python);
        (key, Arc::new(facts))
    }

    fn store(folder: &Path, new: &[(Key, Arc<FileFacts>)]) {
        FactsCache::open(folder)
            .append_or_compact(new, &|_| true)
            .unwrap();
    }

    #[test]
    fn what_is_stored_comes_back_and_a_torn_tail_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (record("a = 1\n"), record("def f(): pass\n"));
        store(folder.path(), std::slice::from_ref(&one));
        store(folder.path(), std::slice::from_ref(&two));
        let cache = FactsCache::open(folder.path());
        assert_eq!(cache.get(&two.0), Some(two.1.clone()));
        let path = folder.path().join("facts.pack");
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 3]).unwrap();
        let cache = FactsCache::open(folder.path());
        assert!(cache.get(&one.0).is_some() && cache.get(&two.0).is_none());
        cache
            .append_or_compact(std::slice::from_ref(&two), &|_| true)
            .unwrap();
        assert!(FactsCache::open(folder.path()).get(&two.0).is_some());
    }

    #[test]
    fn damage_is_noticed_and_garbage_is_collected() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (record("a = 1\n"), record("b = 2\n"));
        store(folder.path(), &[one.clone(), two.clone()]);
        let path = folder.path().join("facts.pack");
        let mut bytes = fs::read(&path).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 0xFF;
        fs::write(&path, &bytes).unwrap();
        let cache = FactsCache::open(folder.path());
        assert!(cache.get(&two.0).is_none());
        cache.append_or_compact(&[], &|_| false).unwrap();
        assert!(FactsCache::open(folder.path()).is_empty());
        store(folder.path(), &[one.clone(), two.clone()]);
        let only_one = |key: &Key| *key == one.0;
        let more = [record("c = 3\n"), record("d = 4\n")];
        let cache = FactsCache::open(folder.path());
        cache
            .append_or_compact(&more, &|key| more.iter().any(|m| m.0 == *key))
            .unwrap();
        let cache = FactsCache::open(folder.path());
        assert!(cache.len() == 2 && !cache.index.keys().any(only_one));
    }

    #[test]
    fn parts_keep_the_order_and_leave_nothing_out() {
        let all: Vec<_> = (0..40)
            .map(|i| record(&format!("x = {i}\n").repeat(1 + 97 * i)))
            .collect();
        for some in [&all[..], &all[..1], &all[..0]] {
            let lines = |part: &[(Key, Arc<FileFacts>)]| -> usize {
                part.iter().map(|(_, facts)| facts.lines as usize).sum()
            };
            let parts = split_for_threads(some);
            let keys: Vec<Key> = parts.iter().flat_map(|p| p.iter().map(|f| f.0)).collect();
            assert_eq!(keys, some.iter().map(|f| f.0).collect::<Vec<_>>());
            assert!(parts.iter().rev().skip(1).all(|part| lines(part) >= LINES));
        }
        assert!(split_for_threads(&all).len() > 1);
    }

    #[test]
    fn many_small_additions_become_one() {
        let folder = tempfile::tempdir().unwrap();
        let all: Vec<_> = (0..MANY + 3)
            .map(|i| record(&format!("def f{i}(x): return x.g{i}()\n")))
            .collect();
        all.iter()
            .for_each(|one| store(folder.path(), std::slice::from_ref(one)));
        let cache = FactsCache::open(folder.path());
        assert!(cache.groups.len() < MANY, "{}", cache.groups.len());
        assert!(
            all.iter()
                .all(|(key, facts)| cache.get(key).as_ref() == Some(facts))
        );
    }
}
