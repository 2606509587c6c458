//! One update: finds the files to read, collects their facts, links them and writes the rows.

use super::budget::{Budget, LEFT_OUT, LeftOut, LightestFiles, TOO_DENSE, TOO_MANY, weight_of};
use super::memory::{Gate, check_not_cancelled, process_memory_bytes};
use super::read::{ReadOutcome, read_file, trusted_hash};
use super::write::{LinkJob, LinkingDoneSignal, WriteTarget};
use super::{
    DatabaseState, IndexOptions, IndexReport, MANIFEST_LIMITS, MOST_NAMED, PASSED_OVER, Parsed,
    PassedOver, Progress, ReadPlan, SKIPPED_FILES, Strategy, build_thread_pool, facts_cache_dir,
    manifest_limits_notice, parse_skipped_files, read_manifests, skipped_files, version_stamp,
};
use crate::cache::{FactsCache, Key, SharedCache};
use crate::chunks::ChunkUpdate;
use crate::delta::DeltaCounts;
use crate::imported::{FactsFolders, IMPORTED};
use crate::walk::{FoundFile, Walked};
use crate::{IngestError, adopt, git};
use base::facts::Unparsed;
use base::hex;
use guard::Folder;
use linker::CallCounts;
use rayon::prelude::*;
use search::prepare::Prepared;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use store::GraphStore;
use store::sqlite::SqliteStore;
use syntax::FileFacts;

pub(super) struct Run<'a> {
    pub options: &'a IndexOptions,
    pub progress: &'a dyn Progress,
    pub walked: Walked,
    pub warnings: Vec<String>,
    /// The update of the chunks, if they are updated as well.
    pub chunks: Option<ChunkUpdate<'a>>,
    /// Number of texts that have no chunks because of the memory ceiling.
    pub texts_gone: usize,
}

/// The metadata entry with the number of files that were not parsed to their ends.
pub(crate) const GAVE_UP: &str = "parse_gave_up";

/// Results of reading.
#[derive(Default)]
struct ReadResults {
    parsed: Vec<Parsed>,
    skipped: Skipped,
    /// The files whose parser returned no facts, and would not return any next time.
    unparsed: Vec<Parsed>,
    prepared: Vec<Prepared>,
    /// Number of files that were read and do not fit together with the others.
    too_many: usize,
    /// A file that could not be opened because of a shortage, and the reason.
    shortage: Option<(String, String)>,
}

/// Skipped files, with the reason.
type Skipped = BTreeMap<String, &'static str>;

impl Run<'_> {
    pub(super) fn run_update(
        &mut self,
        standing: DatabaseState,
    ) -> Result<IndexReport, IngestError> {
        let known = match standing.store() {
            Some(store) => store.indexed_files()?,
            None => BTreeMap::new(),
        };
        let manifests = read_manifests(&self.options.root, &self.walked, &mut self.warnings);
        let stamp = version_stamp(self.options, &manifests);
        let rebuild = self.options.force || standing.metadata("indexed_at")?.is_none();
        let same_stamp = standing.metadata("version_stamp")?.as_deref() == Some(stamp.as_str());
        // A new database keeps some entries of the old one.
        let ends_import = self.options.force && standing.metadata(IMPORTED)?.is_some();
        let passed = parse_skipped_files(standing.metadata(PASSED_OVER)?);
        let doubted = &self.options.doubted;
        let plan = ReadPlan::new(&self.walked, &known, &passed, doubted);
        let left_out = LeftOut::from_metadata(standing.metadata(LEFT_OUT)?);
        let ceiling = self.options.memory_limit;
        let known_left = left_out.as_ref();
        let same_ceiling =
            LeftOut::is_unchanged_for(known_left, ceiling, &self.walked, self.texts_gone);
        let unchanged = plan.suspects.is_empty() && plan.removed.is_empty();
        let same = same_stamp && same_ceiling && unchanged;
        let target = WriteTarget::new(standing, &self.options.db_path, rebuild)?;
        let target = match target {
            WriteTarget::Existing(mut store) if same => {
                self.store_commit(&mut store)?;
                self.forget_skipped_files(&mut store)?;
                if let Some(chunks) = &self.chunks {
                    chunks.finish(
                        Vec::new(),
                        &build_thread_pool(self.options.threads)?,
                        self.progress,
                    )?;
                }
                return self.report(&store, Strategy::UpToDate, 0, 0);
            }
            other => other,
        };
        let pool = build_thread_pool(self.options.threads)?;
        let known_hash = |f: &FoundFile| {
            let known = known.get(&f.path).filter(|_| !doubted.contains(&f.path));
            trusted_hash(known, f)
        };
        let root = crate::open_project_root(&self.options.root)?;
        let (cache, shared) = self.open_facts_caches(plan.suspects.len());
        let ReadResults {
            parsed,
            skipped,
            unparsed,
            prepared,
            too_many,
            shortage: _,
        } = self.read_all(&cache, &known_hash, &root)?;
        check_not_cancelled(&self.options.cancel)?;
        let is_new = |p: &&Parsed| {
            let known = known.get(&p.found.path);
            known.is_none_or(|k| k.hash != hex::encode(&p.hash))
        };
        let changed = parsed.iter().filter(is_new).count();
        let reparsed = parsed.iter().filter(|p| p.is_new && !is_new(p)).count();
        let new = new_facts(parsed.iter().chain(&unparsed));
        let live = parsed.iter().chain(&unparsed).map(Parsed::key);
        let live: BTreeSet<Key> = live.collect();
        let mut metadata = self.build_metadata(&skipped, &stamp);
        let gave_up = parsed.iter().filter(|p| p.facts.is_incomplete()).count();
        metadata.push((GAVE_UP.to_owned(), gave_up.to_string()));
        if ends_import {
            metadata.push((IMPORTED.to_owned(), String::new()));
        }
        let work = LinkJob {
            left_out: self.summarize_left_out(too_many),
            options: self.options,
            progress: self.progress,
            known: &known,
            parsed: &parsed,
        };
        // The cache is written while the database builds its indexes, because linking needs all processors. The chunks
        // are written at once, because they take memory.
        let linked = OnceLock::new();
        let linking = LinkingDoneSignal(&linked);
        let alone = Mutex::new(());
        let facts: u64 = parsed.iter().map(|p| p.facts.heap_bytes()).sum();
        let (written, saved, found) = std::thread::scope(|scope| {
            let (chunks, options) = (self.chunks.as_ref(), self.options);
            let (linked, pool) = (&linked, &pool);
            let (new, live) = (&new, &live);
            let ceiling = options.memory_limit;
            let is_tight = move |more: u64| {
                ceiling.is_some_and(|ceiling| process_memory_bytes() + more > ceiling / 2)
            };
            // Below a low ceiling the cache and the chunks are written one after the other.
            let alone = &alone;
            let wait_if_tight = move || is_tight(0).then(|| lock(alone));
            let saving = scope.spawn(move || {
                linked.wait();
                let _alone = wait_if_tight();
                pool.install(|| cache.append_or_compact(new, &|key| live.contains(key)))?;
                // If sharing a copy fails, nothing is lost.
                if let Some(shared) = shared {
                    // With `force`, the new facts replace the shared ones.
                    let count = if options.force { usize::MAX } else { new.len() };
                    let _ = shared.publish_pack(cache.path(), count);
                    let _ = adopt::register_index_location(options, &shared);
                } else if let Some(all) = options.shared_dir.as_deref() {
                    let places = SharedCache::outside_of_git(all, &options.state_dir);
                    let _ = adopt::register_index_location(options, &places);
                }
                Ok::<(), std::io::Error>(())
            });
            let finding = scope.spawn(move || {
                // Doing both at once takes more memory than one after the other. Linking takes as much as the facts again.
                if is_tight(facts) {
                    linked.wait();
                }
                let _alone = wait_if_tight();
                chunks.map(|p| p.finish(prepared, pool, &()))
            });
            let written = work.link_and_write(target, pool, manifests, metadata, linking);
            (written, saving.join(), finding.join())
        });
        let written = written?;
        match found {
            Ok(found) => found.transpose()?,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        if let Ok(Err(error)) = saved {
            let folder = self.options.state_dir.display();
            self.warnings.push(format!(
                "the facts cache in {folder} could not be written: {error}"
            ));
        }
        self.warnings.extend(written.warning);
        let strategy = if rebuild {
            Strategy::FullRebuild
        } else {
            Strategy::Incremental
        };
        let report = self.report(&written.store, strategy, changed as u32, written.removed)?;
        Ok(IndexReport {
            delta: written.delta,
            reparsed: reparsed as u32,
            ..report
        })
    }

    /// The facts cache, with the shared one as its fallback, and the shared one. `suspects` is the number of files to
    /// read.
    fn open_facts_caches(&self, suspects: usize) -> (FactsCache, Option<SharedCache>) {
        let folder = facts_cache_dir(self.options);
        let cache = if self.options.force {
            FactsCache::open(&folder).emptied()
        } else {
            FactsFolders::new(folder, &self.options.state_dir).open()
        };
        let shared = self.options.shared_dir.as_deref().and_then(|all| {
            SharedCache::for_repository(all, &self.options.root, &self.options.state_dir)
        });
        // If there are few files to read, opening the shared cache costs more than it saves.
        let beside = shared
            .as_ref()
            .filter(|_| !self.options.force)
            .filter(|_| cache.is_empty() || suspects >= 64);
        let budget = Budget::new(self.options.memory_limit);
        let cache = cache.with_fallback(beside.and_then(SharedCache::open));
        let cache = cache.with_max_unpacked_groups(budget.max_unpacked_groups());
        (cache, shared)
    }

    fn read_all(
        &self,
        cache: &FactsCache,
        known_hash: &(dyn Fn(&FoundFile) -> Option<[u8; 16]> + Sync),
        root: &Folder,
    ) -> Result<ReadResults, IngestError> {
        self.progress
            .stage("reading", self.walked.files.len() as u64);
        let mut order: Vec<(usize, &FoundFile)> = self.walked.files.iter().enumerate().collect();
        if cache.is_empty() {
            // The longest files come first, so that no thread is left with one at the end.
            order.sort_by_key(|(_, found)| std::cmp::Reverse(found.size));
        }
        let (options, chunks) = (self.options, self.chunks.as_ref());
        let waits = waits_for_workers(&self.walked.files);
        let pool = build_thread_pool(count_reading_threads(options.threads, waits))?;
        let budget = Budget::new(options.memory_limit);
        let gate = Gate::for_parsing(options.memory_limit, &options.cancel);
        let reads = Mutex::new(FileReads::new(self.walked.files.len(), budget));
        std::thread::scope(|scope| {
            let filled = chunks.map(|chunks| chunks.start_filling(scope, budget));
            let one = |(at, found): (usize, &FoundFile)| {
                if options.cancel.is_set() {
                    return;
                }
                let hash = known_hash(found);
                let admitted = gate.wait_for_room(budget.parse_cost(found.size));
                let cancel = &options.cancel;
                let read = read_file(root, found, cache, hash, chunks, cancel);
                drop(admitted);
                let (read, prepared) = match read {
                    ReadOutcome::File(file, prepared) => (ReadOutcome::File(file, None), prepared),
                    ReadOutcome::Unparsed(file, why, prepared) => {
                        (ReadOutcome::Unparsed(file, why, None), prepared)
                    }
                    other => (other, None),
                };
                if let (Some(prepared), Some(filled)) = (prepared, &filled) {
                    filled.push(*prepared);
                }
                // The evicted facts are dropped after the lock is released.
                let gone = lock(&reads).insert_and_evict(at, read, budget);
                drop(gone);
                self.progress.advance(1);
            };
            pool.install(|| order.into_par_iter().with_max_len(1).for_each(one));
            let prepared = filled.map_or(Ok(Vec::new()), |filled| filled.finish())?;
            let reads = reads.into_inner().unwrap_or_else(PoisonError::into_inner);
            let mut all = reads.into_everything(self.walked.skipped.clone(), prepared);
            // If such a file were left out, it would stay out until it changes.
            match all.shortage.take() {
                Some((path, why)) => Err(IngestError::Shortage { path, why }),
                None => Ok(all),
            }
        })
    }

    /// Files left out because of the memory ceiling. `too_many` of them were read.
    fn summarize_left_out(&self, too_many: usize) -> LeftOut {
        let by_size: u64 = self.walked.left_out.values().map(|n| u64::from(*n)).sum();
        LeftOut {
            ceiling: self.options.memory_limit.unwrap_or_default(),
            files: by_size + too_many as u64,
            texts: self.texts_gone as u64,
            by_size,
            too_large: self.walked.too_large.clone(),
            scip: false,
        }
    }

    /// Metadata of the index.
    fn build_metadata<R: AsRef<str> + serde::Serialize>(
        &self,
        skipped: &BTreeMap<String, R>,
        stamp: &str,
    ) -> Vec<(String, String)> {
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for reason in skipped.values() {
            *counts.entry(reason.as_ref()).or_default() += 1;
        }
        for (reason, files) in self.walked.left_out.iter().chain(&self.walked.unnamed) {
            *counts.entry(reason).or_default() += files;
        }
        let counts = serde_json::to_string(&counts).unwrap_or_default();
        let found = self.walked.files.iter();
        // Interrupted files are tried again.
        let is_settled = |why: &R| why.as_ref() != Unparsed::INTERRUPTED;
        let passed: PassedOver = found
            .filter(|f| skipped.get(&f.path).is_some_and(is_settled))
            .map(|f| (f.path.clone(), (f.size, f.stat)))
            .collect();
        let passed = serde_json::to_string(&passed).unwrap_or_default();
        let named: BTreeMap<_, _> = skipped.iter().take(MOST_NAMED).collect();
        let named = serde_json::to_string(&named).unwrap_or_default();
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |d| d.as_secs());
        let commit = git::head_commit(&self.options.root).unwrap_or_default();
        [
            ("indexed_at", now.to_string()),
            ("version_stamp", stamp.to_owned()),
            ("commit", commit),
            ("skipped", counts),
            (PASSED_OVER, passed),
            (SKIPPED_FILES, named),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .to_vec()
    }

    /// Removes skipped files that no longer exist from the metadata. Nothing in the graph changes.
    fn forget_skipped_files(&self, store: &mut SqliteStore) -> Result<(), IngestError> {
        let named = skipped_files(store)?;
        let found = |path: &String| {
            let files = &self.walked.files;
            files.binary_search_by(|f| f.path.cmp(path)).is_ok()
                || self.walked.skipped.contains_key(path)
        };
        // If there are more, the metadata do not name all.
        if named.len() >= MOST_NAMED || named.keys().all(found) {
            return Ok(());
        }
        let named: BTreeMap<String, String> =
            named.into_iter().filter(|(path, _)| found(path)).collect();
        let stamp = store.metadata("version_stamp")?.unwrap_or_default();
        let changed = ["skipped", PASSED_OVER, SKIPPED_FILES];
        for (key, value) in self.build_metadata(&named, &stamp) {
            if changed.contains(&key.as_str()) {
                store.set_metadata(&key, &value)?;
            }
        }
        Ok(())
    }

    fn store_commit(&self, store: &mut SqliteStore) -> Result<(), IngestError> {
        let commit = git::head_commit(&self.options.root).unwrap_or_default();
        if store.metadata("commit")?.unwrap_or_default() != commit {
            store.set_metadata("commit", &commit)?;
        }
        Ok(())
    }

    fn report(
        &mut self,
        store: &SqliteStore,
        strategy: Strategy,
        updated: u32,
        removed: u32,
    ) -> Result<IndexReport, IngestError> {
        let files = store.indexed_files()?;
        let (nodes, edges) = store.node_and_edge_counts()?;
        let mut calls = CallCounts::default();
        let mut languages = BTreeMap::new();
        for file in files.values() {
            calls.total += u64::from(file.calls);
            calls.resolved += u64::from(file.calls_resolved);
            calls.external += u64::from(file.calls_external);
            *languages.entry(file.language.clone()).or_default() += 1;
        }
        calls.unresolved = calls.total - calls.resolved - calls.external;
        calls.given_up = super::calls_given_up(store)?;
        let skipped = store.metadata("skipped")?.unwrap_or_default();
        let left_out = LeftOut::from_metadata(store.metadata(LEFT_OUT)?);
        self.warnings.extend(left_out.map(|l| l.notice()));
        self.warnings
            .extend(manifest_limits_notice(store.metadata(MANIFEST_LIMITS)?));
        Ok(IndexReport {
            strategy,
            files: files.len() as u32,
            files_updated: updated,
            files_removed: removed,
            skipped: serde_json::from_str(&skipped).unwrap_or_default(),
            nodes,
            edges,
            calls,
            commit: store.metadata("commit")?.filter(|c| !c.is_empty()),
            languages,
            lines: files.values().map(|f| u64::from(f.lines)).sum(),
            bytes: files.values().map(|f| f.size).sum(),
            text_only: BTreeMap::new(),
            files_given_up: store
                .metadata(GAVE_UP)?
                .and_then(|n| n.parse().ok())
                .unwrap_or_default(),
            files_with_errors: files.values().filter(|f| f.syntax_errors > 0).count() as u32,
            scip: store
                .metadata("scip")?
                .and_then(|s| serde_json::from_str(&s).ok()),
            duration_ms: 0,
            taken_from: None,
            warnings: std::mem::take(&mut self.warnings),
            delta: DeltaCounts::default(),
            reparsed: 0,
        })
    }
}

/// Whether much of the source is parsed by workers, for which reading threads wait.
fn waits_for_workers(files: &[FoundFile]) -> bool {
    let isolated = files.iter().filter(|file| file.language.is_isolated());
    let isolated: u64 = isolated.map(|file| file.size).sum();
    let all: u64 = files.iter().map(|f| f.size).sum();
    isolated > all / 4
}

/// Number of reading threads; 0 means as many as the machine has cores. If threads wait for workers, there are half as
/// many more.
fn count_reading_threads(threads: usize, waits: bool) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = if threads == 0 { cores() } else { threads };
    if threads == 1 || !waits {
        threads
    } else {
        threads + threads / 2
    }
}

/// Results of reading, by position of the file.
struct FileReads {
    reads: Vec<Option<ReadOutcome>>,
    heaviest: LightestFiles,
    too_many: usize,
}

impl FileReads {
    fn new(files: usize, budget: Budget) -> FileReads {
        FileReads {
            reads: (0..files).map(|_| None).collect(),
            heaviest: LightestFiles::new(budget.facts_bytes()),
            too_many: 0,
        }
    }

    /// Adds the result of a file; returns the evicted results.
    fn insert_and_evict(
        &mut self,
        at: usize,
        read: ReadOutcome,
        budget: Budget,
    ) -> Vec<ReadOutcome> {
        if let ReadOutcome::File(file, _) = &read
            && !budget.can_link(&file.facts)
        {
            self.too_many += 1;
            let instead = ReadOutcome::Skipped(file.found.path.clone(), TOO_DENSE);
            self.reads[at] = Some(instead);
            return vec![read];
        }
        let weight = match &read {
            ReadOutcome::File(file, _) if budget.is_limited() => {
                budget.facts_cost(&file.found.path, weight_of(&file.facts))
            }
            _ => 0,
        };
        self.reads[at] = Some(read);
        if weight == 0 {
            return Vec::new();
        }
        let gone = self.heaviest.add_and_evict(weight, at);
        self.too_many += gone.len();
        let mut dropped = Vec::with_capacity(gone.len());
        for at in gone {
            if let Some(ReadOutcome::File(file, _)) = &self.reads[at] {
                let instead = ReadOutcome::Skipped(file.found.path.clone(), TOO_MANY);
                dropped.extend(self.reads[at].replace(instead));
            }
        }
        dropped
    }

    fn into_everything(self, skipped: Skipped, prepared: Vec<Prepared>) -> ReadResults {
        let mut all = ReadResults {
            skipped,
            prepared,
            too_many: self.too_many,
            ..ReadResults::default()
        };
        for one in self.reads.into_iter().flatten() {
            match one {
                ReadOutcome::File(file, _) => all.parsed.push(*file),
                ReadOutcome::Skipped(path, reason) => {
                    all.skipped.insert(path, reason);
                }
                ReadOutcome::Unparsed(file, why, _) => {
                    all.skipped.insert(file.found.path.clone(), why.as_str());
                    if why.is_lasting() {
                        all.unparsed.push(*file);
                    }
                }
                ReadOutcome::Shortage(path, why) => {
                    all.shortage.get_or_insert((path, why));
                }
                ReadOutcome::Gone(path) => {
                    all.skipped.insert(path, super::UNREADABLE);
                }
            }
        }
        all
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Facts that the cache does not have yet.
fn new_facts<'p>(parsed: impl Iterator<Item = &'p Parsed>) -> Vec<(Key, Arc<FileFacts>)> {
    let new = parsed.filter(|p| p.is_new);
    new.map(|p| (p.key(), p.facts.clone())).collect()
}
