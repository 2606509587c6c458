//! The chunk index beside the graph. Files that changed on disk are read again, whatever the state of the graph.
//!
//! It records size and time of each file itself. Questions about the graph therefore need not wait for it, and a
//! process that is killed between both updates loses nothing.

use crate::cache::{self, FactsCache};
use crate::pipeline::{Budget, Gate, IndexOptions, Progress, build_thread_pool, facts_cache_dir};
use crate::text::{self, Decoded};
use crate::walk::{self, FoundText, Stamp};
use crate::{IngestError, adopt, imported, search_doc};
use base::Language;
use guard::Folder;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use search::embed::{CodeModel, Embedder};
use search::index::{self, Index, IndexError, Merge, Model, PendingSegments};
use search::plain;
use search::prepare::{Prepared, prepare};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};
use store::{StoreError, WriterLock};
use syntax::FileFacts;

/// Version of the chunks; raised whenever the same file produces other chunks.
pub(crate) const CHUNKS_VERSION: u32 = 8;

/// The folder of the index of chunks.
pub fn chunk_index_dir(options: &IndexOptions) -> PathBuf {
    options.state_dir.join("search")
}

/// The built-in model, which makes the vectors of the chunks.
pub(crate) fn built_in_model() -> Result<Model, IngestError> {
    let model = CodeModel::get().map_err(|e| IngestError::Chunks(e.to_string()))?;
    Ok(Model::from_embedder(model))
}

/// The writer lock of the chunks. It may create the state folder, but not the folder around it.
pub(crate) fn lock_chunk_index(options: &IndexOptions) -> Result<WriterLock, IngestError> {
    guard::state::create_one_private_folder(&options.state_dir).map_err(|e| {
        StoreError::Backend {
            context: format!("creating {}", options.state_dir.display()),
            reason: e.to_string(),
        }
    })?;
    Ok(WriterLock::acquire(
        &chunk_index_dir(options).join("index"),
        options.wait,
    )?)
}

/// Report of an update of the chunks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChunksReport {
    /// Files read.
    pub updated: usize,
    /// Files removed.
    pub removed: usize,
    /// Why everything was read again, if there was an index.
    pub rebuilt: Option<String>,
}

/// Difference between disk and index.
struct Difference {
    changed: Vec<(FoundText, u64)>,
    removed: Vec<String>,
}

/// Updates the chunks and opens them.
///
/// Errors: [`store::StoreError::Busy`] if another process writes the index for longer than `options.wait`.
pub fn update_chunks(
    options: &IndexOptions,
    progress: &dyn Progress,
) -> Result<(Index, ChunksReport), IngestError> {
    let mut found = walk::texts_within(&options.root, options.limits(), &is_chunked)?;
    let _ = Budget::new(options.memory_limit).drop_texts_that_cannot_fit(&mut found);
    update_chunks_for(options, found, progress)
}

/// As [`update_chunks`], after a walk that has just found these texts: [`crate::Freshness::texts`].
pub fn update_chunks_for(
    options: &IndexOptions,
    found: Vec<FoundText>,
    progress: &dyn Progress,
) -> Result<(Index, ChunksReport), IngestError> {
    let (work, index) = ChunkUpdate::open_with_index(options, found)?;
    if work.is_up_to_date()
        && let Some(index) = index
    {
        return Ok((index, ChunksReport::default()));
    }
    let report = work.finish(Vec::new(), &build_thread_pool(options.threads)?, progress)?;
    let index = Index::open(&work.folder).map_err(|e| IngestError::Chunks(e.to_string()))?;
    Ok((index, report))
}

/// A file that was just read: its stamp before the read, its text, and its facts.
pub(crate) struct ReadFile {
    pub(crate) path: String,
    pub(crate) stamp: Stamp,
    pub(crate) text: String,
    pub(crate) facts: Arc<FileFacts>,
}

impl ReadFile {
    fn prepare(&self, model: &dyn Embedder) -> Option<Prepared> {
        let mut document = search_doc::file_doc(&self.path, &self.text, &self.facts);
        document.hash = chunk_key_of_stamp(self.stamp);
        prepare(&document, Some(model)).ok()
    }
}

/// Seals chunks and vectors that the user chose to trust.
pub fn trust_existing_indexes(options: &IndexOptions) -> Result<(), IngestError> {
    let own = (chunk_index_dir(options), "index");
    let provided = (crate::embeddings_folder(options), "embeddings");
    for (folder, lock) in [own, provided] {
        if !folder.is_dir() {
            continue;
        }
        let _lock = WriterLock::acquire(&folder.join(lock), options.wait)?;
        let place = match lock {
            "index" => folder,
            _ => folder.join("index"),
        };
        match index::reseal(&place) {
            // An index that cannot be read is built anew.
            Ok(()) | Err(IndexError::Missing(_) | IndexError::Unusable { .. }) => {}
            Err(error) => return Err(IngestError::Chunks(error.to_string())),
        }
    }
    Ok(())
}

/// Merges segments of the chunks if there are many, while others may be added.
pub(crate) fn merge_chunks(options: &IndexOptions) -> Result<(), IngestError> {
    let folder = chunk_index_dir(options);
    let to_error = |e: IndexError| IngestError::Chunks(e.to_string());
    // One thread is enough for background work.
    build_thread_pool(1)?.install(|| {
        let most = Budget::new(options.memory_limit).merge_segment_bytes();
        let Some(merge) = Merge::prepare_with_limit(&folder, most).map_err(to_error)? else {
            return Ok(());
        };
        let _lock = lock_chunk_index(options)?;
        merge.install(&folder).map(|_| ()).map_err(to_error)
    })
}

/// Updates the chunks of single files in an existing index; without one, updates all. Returns whether they should be
/// merged afterwards.
pub(crate) fn update_chunks_of_files(
    options: &IndexOptions,
    paths: &[String],
    fresh: &[ReadFile],
) -> Result<bool, IngestError> {
    let folder = chunk_index_dir(options);
    let model = CodeModel::get().map_err(|e| IngestError::Chunks(e.to_string()))?;
    let _lock = lock_chunk_index(options)?;
    let opened = Index::open_tables(&folder).ok();
    let opened = opened.filter(|_| !imported::wants_new_chunks(&options.state_dir));
    let Some(index) = opened.filter(|index| *index.model() == Model::from_embedder(model)) else {
        drop(_lock);
        return update_chunks(options, &()).map(|_| false);
    };
    let root = crate::open_project_root(&options.root)?;
    let (mut changed, mut gone) = (Vec::new(), Vec::new());
    let known = |path: &String| fresh.iter().find(|f| f.path == *path);
    for path in paths.iter().filter(|p| is_chunked(p)) {
        if let Some(fresh) = known(path) {
            if index.content_hash(path) != Some(chunk_key_of_stamp(fresh.stamp)) {
                match fresh.prepare(model) {
                    Some(prepared) => changed.push(prepared),
                    None => gone.push(path.clone()),
                }
            }
            continue;
        }
        let stamp = walk::file_stamp(&options.root.join(path));
        let stamp = stamp.filter(|(size, _)| *size <= options.limits().size_for(path));
        // The watch also tells of ignored files in folders that are not ignored.
        let is_walked =
            || index.content_hash(path).is_some() || walk::is_walked(&options.root, path);
        let Some((size, stat)) = stamp.filter(|_| is_walked()) else {
            gone.push(path.clone());
            continue;
        };
        let found = FoundText {
            path: path.clone(),
            size,
            stat,
        };
        let key = chunk_key(&found);
        if index.content_hash(path) == Some(key) {
            continue;
        }
        let source = ChunkSource {
            root: &root,
            found: &found,
            key,
            parses: Budget::new(options.memory_limit).can_parse(found.size),
        };
        match read_and_prepare_file(&source, &|_, _| None, model) {
            Some(prepared) => changed.push(prepared),
            None => gone.push(path.clone()),
        }
    }
    gone.retain(|path| index.content_hash(path).is_some());
    if changed.is_empty() && gone.is_empty() {
        return Ok(false);
    }
    // The next update needs the same data.
    index.keep_loaded();
    let most = Budget::new(options.memory_limit).merge_segment_bytes();
    index::append_with_limit(&index, &folder, changed, &gone, most)
        .map_err(|e| IngestError::Chunks(e.to_string()))
}

/// Whether chunks are made of the file at that path.
pub(crate) fn is_chunked(path: &str) -> bool {
    plain::language_of(path).is_some()
}

/// An update of the chunks in preparation.
pub(crate) struct ChunkUpdate<'o> {
    options: &'o IndexOptions,
    folder: PathBuf,
    model: &'static CodeModel,
    /// Texts on disk.
    found: Vec<FoundText>,
    /// Paths in the index, with their keys. `None` if no usable index exists.
    known: Option<BTreeMap<String, u64>>,
    /// Why the existing index cannot be used, if there is one.
    unusable: Option<String>,
    /// Whether nothing of the existing index is kept.
    anew: bool,
    /// Segments that had to be written before all files were read.
    spilled: Mutex<Option<(WriterLock, PendingSegments)>>,
}

/// Collects chunks while files are read, and writes some if they take too much memory.
pub(crate) struct ChunkCollector<'s> {
    most: u64,
    held: Mutex<(Vec<Prepared>, u64)>,
    batches: SyncSender<Vec<Prepared>>,
    writer: ScopedJoinHandle<'s, Result<(), IngestError>>,
}

impl ChunkCollector<'_> {
    /// Adds the chunks of a file. Waits for a write if too many chunks are waiting.
    pub(crate) fn push(&self, prepared: Prepared) {
        let mut pending = lock(&self.held);
        if self.most < u64::MAX {
            pending.1 += prepared.memory_size();
        }
        pending.0.push(prepared);
        if pending.1 > self.most {
            let full = std::mem::take(&mut *pending).0;
            drop(pending);
            // It fails only if the writer has stopped. Its error is returned at the end.
            let _ = self.batches.send(full);
        }
    }

    /// Returns the chunks that were not written yet.
    pub(crate) fn finish(self) -> Result<Vec<Prepared>, IngestError> {
        drop(self.batches);
        match self.writer.join() {
            Ok(written) => written?,
            Err(panic) => std::panic::resume_unwind(panic),
        }
        let pending = self.held.into_inner();
        Ok(pending.unwrap_or_else(PoisonError::into_inner).0)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn chunks_error(error: IndexError) -> IngestError {
    IngestError::Chunks(error.to_string())
}

impl<'o> ChunkUpdate<'o> {
    pub(crate) fn new(
        options: &'o IndexOptions,
        found: Vec<FoundText>,
    ) -> Result<ChunkUpdate<'o>, IngestError> {
        ChunkUpdate::open_with_index(options, found).map(|(chunks, _)| chunks)
    }

    /// Prepares the update and opens the existing index.
    fn open_with_index(
        options: &'o IndexOptions,
        found: Vec<FoundText>,
    ) -> Result<(ChunkUpdate<'o>, Option<Index>), IngestError> {
        let folder = chunk_index_dir(options);
        let model = CodeModel::get().map_err(|e| IngestError::Chunks(e.to_string()))?;
        let anew = imported::wants_new_chunks(&options.state_dir);
        let mut opened = if anew {
            Err(Some(
                "what was imported is not believed any more".to_owned(),
            ))
        } else {
            check_usable(Index::open(&folder), model)?
        };
        if !anew
            && opened.is_err()
            && adopt::adopt_chunks(options, &found, &Model::from_embedder(model))
        {
            opened = check_usable(Index::open(&folder), model)?;
        }
        let (index, unusable) = match opened {
            Ok(index) => (Some(index), None),
            Err(why) => (None, why),
        };
        let chunks = ChunkUpdate {
            options,
            folder,
            model,
            found,
            known: index.as_ref().map(Index::content_hashes),
            unusable,
            anew,
            spilled: Mutex::default(),
        };
        Ok((chunks, index))
    }

    /// Collects chunks while files are read.
    pub(crate) fn start_filling<'s>(
        &'s self,
        scope: &'s Scope<'s, '_>,
        budget: Budget,
    ) -> ChunkCollector<'s> {
        let (full, batches) = mpsc::sync_channel::<Vec<Prepared>>(0);
        let writer = scope.spawn(move || {
            for batch in batches {
                self.spill_to_disk(batch)?;
            }
            Ok(())
        });
        ChunkCollector {
            most: budget.pending_chunk_bytes(),
            held: Mutex::default(),
            batches: full,
            writer,
        }
    }

    /// Writes chunks before all are complete. From then on no other process writes the index.
    fn spill_to_disk(&self, files: Vec<Prepared>) -> Result<(), IngestError> {
        let mut spilled = lock(&self.spilled);
        if spilled.is_none() {
            let index_lock = lock_chunk_index(self.options)?;
            *spilled = Some((
                index_lock,
                PendingSegments::new(&self.folder, &Model::from_embedder(self.model)),
            ));
        }
        let Some((_, spill)) = spilled.as_mut() else {
            return Ok(());
        };
        // The writing thread is not one of the reading threads, which wait for it.
        build_thread_pool(1)?
            .install(|| spill.write(files))
            .map_err(chunks_error)
    }

    /// The chunks of a file that was read for the graph, if the update needs them.
    pub(crate) fn prepare(&self, path: &str, text: &str, facts: &FileFacts) -> Option<Prepared> {
        let at = self
            .found
            .binary_search_by(|f| f.path.as_str().cmp(path))
            .ok()?;
        let found = &self.found[at];
        let key = chunk_key(found);
        let is_known = self.known.as_ref().and_then(|k| k.get(path)) == Some(&key);
        if is_known || found.size != text.len() as u64 {
            return None;
        }
        let mut document = search_doc::file_doc(path, text, facts);
        document.hash = key;
        prepare(&document, Some(self.model)).ok()
    }

    fn is_up_to_date(&self) -> bool {
        self.known.is_some() && diff_files(self.known.as_ref(), &self.found).is_empty()
    }

    /// Reads the changed files, unless they are among `ready`, and writes the index.
    pub(crate) fn finish(
        &self,
        ready: Vec<Prepared>,
        pool: &rayon::ThreadPool,
        progress: &dyn Progress,
    ) -> Result<ChunksReport, IngestError> {
        if self.is_up_to_date() {
            return Ok(ChunksReport::default());
        }
        let (_lock, spilled) = match lock(&self.spilled).take() {
            Some((held, spilled)) => (held, Some(spilled)),
            None => (lock_chunk_index(self.options)?, None),
        };
        // Another process may have updated it meanwhile.
        let known = if self.anew {
            None
        } else {
            open_if_usable(&self.folder, self.model)?.map(|index| index.content_hashes())
        };
        let mut now = diff_files(known.as_ref(), &self.found);
        if known.is_some() && now.is_empty() && spilled.is_none() {
            return Ok(ChunksReport::default());
        }
        let report = ChunksReport {
            updated: now.changed.len(),
            removed: now.removed.len(),
            rebuilt: match known {
                Some(_) => None,
                None => self.unusable.clone(),
            },
        };
        let mut ready: FxHashMap<(String, u64), Prepared> = ready
            .into_iter()
            .map(|one| ((one.path().to_owned(), one.hash()), one))
            .collect();
        let written = match &spilled {
            Some(spilled) => spilled.paths().map_err(chunks_error)?.into_iter().collect(),
            None => FxHashSet::default(),
        };
        let mut prepared = Vec::new();
        now.changed.retain(|(found, key)| {
            let file = (found.path.clone(), *key);
            let one = ready.remove(&file);
            let is_left = one.is_none() && !written.contains(&file);
            prepared.extend(one);
            is_left
        });
        drop((ready, written));
        let spilled = spilled.unwrap_or_else(|| {
            PendingSegments::new(&self.folder, &Model::from_embedder(self.model))
        });
        let mut work = PendingChunks {
            spilled,
            weight: prepared.iter().map(Prepared::memory_size).sum(),
            prepared,
            removed: now.removed,
        };
        self.read_and_prepare(&now.changed, &mut work, pool, progress)?;
        self.write_index(work, known.is_none(), pool)?;
        if self.anew {
            imported::note_new_chunks(&self.options.state_dir)?;
        }
        Ok(report)
    }

    fn write_index(
        &self,
        mut work: PendingChunks,
        is_new: bool,
        pool: &rayon::ThreadPool,
    ) -> Result<(), IngestError> {
        let model = Model::from_embedder(self.model);
        let budget = Budget::new(self.options.memory_limit);
        let written = pool.install(|| match (work.spilled.is_empty(), is_new) {
            (true, true) => index::build(&self.folder, &model, work.prepared),
            (true, false) => {
                let (folder, removed) = (&self.folder, &work.removed);
                index::commit_with_limit(
                    folder,
                    &model,
                    work.prepared,
                    removed,
                    budget.merge_segment_bytes(),
                )
            }
            (false, is_new) => {
                work.spilled.write(work.prepared)?;
                work.spilled.commit(is_new, &work.removed)
            }
        });
        written.map(|_| ()).map_err(chunks_error)
    }

    /// Reads files, some at a time, so that chunks are written when they take too much memory.
    fn read_and_prepare(
        &self,
        files: &[(FoundText, u64)],
        work: &mut PendingChunks,
        pool: &rayon::ThreadPool,
        progress: &dyn Progress,
    ) -> Result<(), IngestError> {
        progress.stage("reading for search", files.len() as u64);
        // If the root is gone, so are the files.
        let root = Folder::open(&self.options.root).ok();
        let options = self.options;
        let budget = Budget::new(options.memory_limit);
        let cache = LazyLock::new(|| {
            FactsCache::open(&facts_cache_dir(options))
                .with_max_unpacked_groups(budget.max_unpacked_groups())
        });
        let (ceiling, cancel) = (options.memory_limit, &options.cancel);
        // The graph is linked at the same time.
        let gate = Gate::new(ceiling, budget.parsing_bytes() / 4, cancel);
        let one = |(found, key): &(FoundText, u64)| {
            if options.cancel.is_set() {
                return Err(found.path.clone());
            }
            let Some(root) = root.as_ref() else {
                return Err(found.path.clone());
            };
            let source = ChunkSource {
                root,
                found,
                key: *key,
                parses: budget.can_parse(found.size) && walk::may_be_source(&found.path),
            };
            let _in = gate.wait_for_room(if source.parses {
                budget.parse_cost(found.size)
            } else {
                found.size.saturating_mul(PLAIN)
            });
            let facts = |hash, language| cache.get(&cache::cache_key(hash, language));
            let prepared = read_and_prepare_file(&source, &facts, self.model);
            progress.advance(1);
            prepared.ok_or_else(|| found.path.clone())
        };
        for some in split_by_budget(files, budget) {
            let read: Vec<_> = pool.install(|| some.par_iter().map(one).collect());
            // A file that was not read because of a cancel still exists.
            if options.cancel.is_set() {
                return Err(IngestError::Cancelled);
            }
            for one in read {
                match one {
                    Ok(file) => work.push(file),
                    Err(path) => work.removed.push(path),
                }
            }
            if work.weight > budget.pending_chunk_bytes() {
                work.weight = 0;
                let full = std::mem::take(&mut work.prepared);
                pool.install(|| work.spilled.write(full))
                    .map_err(chunks_error)?;
            }
        }
        Ok(())
    }
}

/// Memory of a text that is not parsed, in bytes for each byte of it.
const PLAIN: u64 = 8;

/// State of an update of the chunks.
struct PendingChunks {
    spilled: PendingSegments,
    prepared: Vec<Prepared>,
    weight: u64,
    removed: Vec<String>,
}

impl PendingChunks {
    fn push(&mut self, file: Prepared) {
        self.weight += file.memory_size();
        self.prepared.push(file);
    }
}

/// Splits files into runs that together are no larger than the budget.
fn split_by_budget(files: &[(FoundText, u64)], budget: Budget) -> Vec<&[(FoundText, u64)]> {
    let (mut all, mut from, mut bytes) = (Vec::new(), 0, 0u64);
    let most = budget.pending_chunk_bytes() / 4;
    for (at, (found, _)) in (1..).zip(files) {
        // The chunks of a text take a few times its size.
        bytes = bytes.saturating_add(found.size + 2_000);
        if bytes > most || at == files.len() {
            all.push(&files[from..at]);
            (from, bytes) = (at, 0);
        }
    }
    all
}

/// The index; `None` if no usable one exists.
fn open_if_usable(folder: &Path, model: &CodeModel) -> Result<Option<Index>, IngestError> {
    Ok(check_usable(Index::open(folder), model)?.ok())
}

/// The index, or the reason why an existing one cannot be used. No reason is given if there is no index, or if its
/// model differs.
fn check_usable(
    opened: Result<Index, IndexError>,
    model: &CodeModel,
) -> Result<Result<Index, Option<String>>, IngestError> {
    match opened {
        Ok(index) if *index.model() == Model::from_embedder(model) => Ok(Ok(index)),
        Ok(_) | Err(IndexError::Missing { .. }) => Ok(Err(None)),
        // An index that cannot be read (a link, a pipe) is replaced like a damaged one.
        Err(error @ (IndexError::Unusable { .. } | IndexError::Io { .. })) => {
            Ok(Err(Some(error.to_string())))
        }
        Err(other) => Err(IngestError::Chunks(other.to_string())),
    }
}

impl Difference {
    fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.removed.is_empty()
    }
}

/// Compares files with the index. Files without chunks (data, binary files) are in no index. There are few and they are
/// small, so they are checked each time.
fn diff_files(known: Option<&BTreeMap<String, u64>>, found: &[FoundText]) -> Difference {
    let none = BTreeMap::new();
    let known = known.unwrap_or(&none);
    let changed = found
        .iter()
        .map(|f| (f, chunk_key(f)))
        .filter(|(f, key)| known.get(&f.path) != Some(key))
        .map(|(f, key)| (f.clone(), key))
        .collect();
    let there = |path: &String| found.binary_search_by(|f| f.path.cmp(path)).is_ok();
    let removed = known.keys().filter(|p| !there(p)).cloned().collect();
    Difference { changed, removed }
}

/// Whether the chunks of a file belong to that size and time of change; also true if it has no chunks.
pub fn are_chunks_current(index: &Index, path: &str, stamp: Stamp) -> bool {
    let known = index.content_hash(path);
    known.is_none_or(|known| known == chunk_key_of_stamp(stamp))
}

pub(crate) fn chunk_key(found: &FoundText) -> u64 {
    chunk_key_of_stamp((found.size, found.stat))
}

/// A key that changes with the file's stamp, and with the versions of chunks and facts.
pub(crate) fn chunk_key_of_stamp((size, stat): Stamp) -> u64 {
    base::fingerprint(&[
        &size.to_le_bytes(),
        &stat.to_le_bytes(),
        &CHUNKS_VERSION.to_le_bytes(),
        &languages::FACTS_VERSION.to_le_bytes(),
    ])
}

/// A file from which chunks are made.
struct ChunkSource<'a> {
    root: &'a Folder,
    found: &'a FoundText,
    key: u64,
    /// Whether it may be parsed; otherwise its chunks are ranges of lines.
    parses: bool,
}

/// Reads a file. A file without chunks gets an empty entry, so that it is not read again.
fn read_and_prepare_file(
    source: &ChunkSource<'_>,
    known: &dyn Fn([u8; 16], Language) -> Option<Arc<FileFacts>>,
    model: &dyn Embedder,
) -> Option<Prepared> {
    let ChunkSource { root, found, .. } = source;
    let bytes = root.read(&found.path, found.size.max(1 << 16)).ok()?;
    let hash = cache::content_hash(&bytes);
    let text = match text::decode_masked(&found.path, bytes) {
        Decoded::Text(text) if !text::is_minified(&found.path, &text) => text,
        _ => String::new(),
    };
    let language = Language::of_file(&found.path, text.as_bytes()).filter(|_| source.parses);
    let facts = language.map(|language| {
        let cached = known(hash, language);
        cached.unwrap_or_else(|| Arc::new(languages::extract(language, &text)))
    });
    let mut document = match &facts {
        Some(facts) => search_doc::file_doc(&found.path, &text, facts),
        None => {
            search_doc::plain_file_doc(&found.path, &text).unwrap_or_else(|| search::doc::FileDoc {
                path: &found.path,
                ..search::doc::FileDoc::default()
            })
        }
    };
    document.hash = source.key;
    prepare(&document, Some(model)).ok()
}
