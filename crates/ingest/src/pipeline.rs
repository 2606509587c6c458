//! The indexing pipeline: what changed, facts of it, linking, one transaction.

use crate::cache::{self, FactsCache, Key};
use crate::emit::{self, FileRows};
use crate::link::{self, CallCounts, Langs, Manifest, Repo};
use crate::scip::{Overlay, ScipReport};
use crate::text::{self, Decoded};
use crate::walk::{FoundFile, Walked};
use crate::{IngestError, git, walk};
use base::Language;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use store::sqlite::SqliteStore;
use store::{FileRecord, GraphChange, GraphStore, StoreError};
use syntax::FileFacts;

/// Goes up whenever linking gives other rows for the same facts.
const LINK_VERSION: u32 = 2;
pub(crate) const NO_SOURCES: &str = "there is no file in a language that is read here (TypeScript, JavaScript, Python, Go, \
                          Rust, Java), or all of them are ignored";
/// Syntax trees can nest deeply.
const STACK: usize = 64 << 20;
/// A file changed this shortly before it was indexed may change again within one tick of the clock.
const RACY_NS: i64 = 2_000_000_000;
/// Memory that indexing takes: a base and a multiple of the source.
const MEMORY_BASE: u64 = 64 << 20;
const MEMORY_PER_BYTE: u64 = 12;

/// What to index, and how.
#[derive(Debug, Clone)]
pub struct IndexOptions {
    /// The project's root.
    pub root: PathBuf,
    /// `.devbooks`.
    pub state_dir: PathBuf,
    /// The database.
    pub db_path: PathBuf,
    /// A SCIP index to import.
    pub scip_path: Option<PathBuf>,
    /// Larger files are passed over. Bytes.
    pub max_file_size: u64,
    /// Worker threads; 0 means as many as there are processors.
    pub threads: usize,
    /// Refuse to start where the estimated need is above this. Bytes.
    pub memory_limit: Option<u64>,
    /// Build everything anew.
    pub force: bool,
    /// How long to wait for another process that is indexing.
    pub wait: Duration,
}

impl IndexOptions {
    /// The usual options for a project.
    pub fn new(root: &Path, state_dir: &Path) -> IndexOptions {
        IndexOptions {
            root: root.to_path_buf(),
            state_dir: state_dir.to_path_buf(),
            db_path: state_dir.join("graph.db"),
            scip_path: None,
            max_file_size: 1 << 20,
            threads: 0,
            memory_limit: None,
            force: false,
            wait: Duration::from_secs(30),
        }
    }
}

/// Hears how far the work has come. Called from several threads.
pub trait Progress: Sync {
    /// A stage begins that has `total` steps.
    fn stage(&self, _name: &str, _total: u64) {}
    /// That many more steps are done.
    fn advance(&self, _by: u64) {}
    /// What is of interest to who looks for a fault.
    fn detail(&self, _line: std::fmt::Arguments<'_>) {}
}

impl Progress for () {}

/// How an update was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Strategy {
    /// Everything was built anew.
    FullRebuild,
    /// Only what changed was read, only rows that changed were written.
    Incremental,
    /// Nothing had changed.
    UpToDate,
}

/// What an update did.
#[derive(Debug, Clone, Serialize)]
pub struct IndexReport {
    /// How it was done.
    pub strategy: Strategy,
    /// Files in the index.
    pub files: u32,
    /// Files read again.
    pub files_updated: u32,
    /// Files that are gone.
    pub files_removed: u32,
    /// Files passed over, by reason.
    pub skipped: BTreeMap<String, u32>,
    /// Nodes in the graph.
    pub nodes: u64,
    /// Edges in the graph.
    pub edges: u64,
    /// Call sites by what became of them.
    pub calls: CallCounts,
    /// The commit that is checked out.
    pub commit: Option<String>,
    /// Files by language.
    pub languages: BTreeMap<String, u32>,
    /// Lines of source.
    pub lines: u64,
    /// Bytes of source.
    pub bytes: u64,
    /// Files with syntax errors.
    pub files_with_errors: u32,
    /// What came of a SCIP index, where one was read (now or by an earlier update).
    pub scip: Option<ScipReport>,
    /// How long it took.
    pub duration_ms: u64,
    /// What could not be done.
    pub warnings: Vec<String>,
}

/// A file's facts with what the walk and the read told of it.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// What the walk found.
    pub found: FoundFile,
    /// Hash of the bytes.
    pub hash: [u8; 16],
    /// What part it plays.
    pub boundary: &'static str,
    /// Its facts.
    pub facts: Arc<FileFacts>,
    /// The packed facts, where they are new to the cache.
    packed: Option<Vec<u8>>,
}

enum Read {
    File(Box<Parsed>),
    Skipped(String, &'static str),
    Gone(String),
}

/// Brings the index up to date: builds it where there is none, and otherwise reads again what
/// changed. Afterwards the graph is, row for row, what a full build would give.
///
/// Errors: [`StoreError::Busy`] where another process is indexing for longer than `options.wait`.
pub fn update(options: &IndexOptions, progress: &dyn Progress) -> Result<IndexReport, IngestError> {
    let started = Instant::now();
    let mut warnings = Vec::new();
    std::fs::create_dir_all(&options.state_dir).map_err(|e| StoreError::Backend {
        context: format!("creating {}", options.state_dir.display()),
        reason: e.to_string(),
    })?;
    ignore_itself(&options.state_dir);
    let (mut store, moved) = SqliteStore::open_or_recover(&options.db_path, options.wait)?;
    if let Some(moved) = moved {
        warnings.push(format!(
            "the database was damaged; it was moved to {} and is built anew",
            moved.moved_to.display()
        ));
    }
    progress.stage("looking for files", 0);
    let walked = walk::walk(&options.root, options.max_file_size)?;
    warnings.extend(walked.problems.iter().cloned());
    if walked.files.is_empty() {
        warnings.push(NO_SOURCES.to_owned());
    }
    let mut run = Run {
        options,
        progress,
        walked,
        warnings,
    };
    let mut report = run.bring_up_to_date(&mut store)?;
    report.duration_ms = started.elapsed().as_millis() as u64;
    Ok(report)
}

/// `.devbooks` stays out of git.
fn ignore_itself(state_dir: &Path) {
    let path = state_dir.join(".gitignore");
    if !path.exists() {
        // Without it everything works; git status is just longer.
        let _ = std::fs::write(path, "*\n");
    }
}

/// Size and time of the files that were read and then passed over (binary, minified).
pub(crate) type PassedOver = BTreeMap<String, (u64, i64)>;

pub(crate) fn passed_over(store: &SqliteStore) -> Result<PassedOver, StoreError> {
    let text = store.metadata("passed_over")?.unwrap_or_default();
    Ok(serde_json::from_str(&text).unwrap_or_default())
}

/// What has to be read.
struct Plan {
    /// New files, and files whose size or time differ.
    suspects: Vec<FoundFile>,
    /// Paths in the index that are gone.
    removed: Vec<String>,
}

impl Plan {
    fn new(walked: &Walked, known: &BTreeMap<String, FileRecord>, passed: &PassedOver) -> Plan {
        let same = |f: &FoundFile| {
            let indexed = known.get(&f.path).map(|k| (k.size, k.mtime_ns));
            let seen = indexed.or_else(|| passed.get(&f.path).copied());
            seen == Some((f.size, f.mtime_ns))
        };
        let suspects = walked.files.iter().filter(|f| !same(f)).cloned().collect();
        let there: BTreeSet<&str> = walked.files.iter().map(|f| f.path.as_str()).collect();
        let removed = known
            .keys()
            .filter(|p| !there.contains(p.as_str()))
            .cloned()
            .collect();
        Plan { suspects, removed }
    }
}

struct Run<'a> {
    options: &'a IndexOptions,
    progress: &'a dyn Progress,
    walked: Walked,
    warnings: Vec<String>,
}

impl Run<'_> {
    fn bring_up_to_date(&mut self, store: &mut SqliteStore) -> Result<IndexReport, IngestError> {
        let known = store.files()?;
        let manifests = self.read_manifests();
        let stamp = stamp(self.options, &manifests);
        let built = store.metadata("indexed_at")?.is_some();
        let rebuild = self.options.force || !built;
        let same_stamp = store.metadata("version_stamp")?.as_deref() == Some(stamp.as_str());
        let plan = Plan::new(&self.walked, &known, &passed_over(store)?);
        if !rebuild && same_stamp && plan.suspects.is_empty() && plan.removed.is_empty() {
            self.note_commit(store)?;
            return self.report(store, Strategy::UpToDate, 0, 0);
        }
        self.check_memory()?;
        let pool = pool(self.options.threads)?;
        let known_hash = |f: &FoundFile| fresh_hash(known.get(&f.path), f);
        let mut cache = FactsCache::open(&self.options.state_dir.join("ast-cache"));
        let (parsed, skipped) = pool.install(|| self.read_all(&cache, &known_hash));
        self.save_cache(&mut cache, &parsed);
        drop(cache);
        let changed = parsed
            .iter()
            .filter(|p| {
                known
                    .get(&p.found.path)
                    .is_none_or(|k| k.hash != hex(&p.hash))
            })
            .count();
        let change = pool.install(|| self.link(&parsed, manifests, &known, rebuild));
        let removed = change.removed_files.len();
        self.write(store, change, &skipped, &stamp)?;
        let strategy = if rebuild {
            Strategy::FullRebuild
        } else {
            Strategy::Incremental
        };
        self.report(store, strategy, changed as u32, removed as u32)
    }

    fn read_manifests(&mut self) -> Vec<Manifest> {
        read_manifests(&self.options.root, &self.walked, &mut self.warnings)
    }

    fn check_memory(&self) -> Result<(), IngestError> {
        let Some(limit) = self.options.memory_limit else {
            return Ok(());
        };
        let bytes: u64 = self.walked.files.iter().map(|f| f.size).sum();
        let needed = MEMORY_BASE + bytes * MEMORY_PER_BYTE;
        if needed > limit {
            return Err(IngestError::Memory {
                needed: needed >> 20,
                limit: limit >> 20,
            });
        }
        Ok(())
    }

    fn read_all(
        &self,
        cache: &FactsCache,
        known_hash: &(dyn Fn(&FoundFile) -> Option<[u8; 16]> + Sync),
    ) -> (Vec<Parsed>, BTreeMap<String, &'static str>) {
        self.progress
            .stage("reading", self.walked.files.len() as u64);
        let read: Vec<Read> = self
            .walked
            .files
            .par_iter()
            .map(|found| {
                let read = read_file(&self.options.root, found, cache, known_hash(found));
                self.progress.advance(1);
                read
            })
            .collect();
        let mut parsed = Vec::with_capacity(read.len());
        let mut skipped = self.walked.skipped.clone();
        for one in read {
            match one {
                Read::File(file) => parsed.push(*file),
                Read::Skipped(path, reason) => {
                    skipped.insert(path, reason);
                }
                Read::Gone(path) => {
                    skipped.insert(path, "could not be read");
                }
            }
        }
        (parsed, skipped)
    }

    fn save_cache(&mut self, cache: &mut FactsCache, parsed: &[Parsed]) {
        let live: BTreeSet<Key> = parsed
            .iter()
            .map(|p| cache::key(p.hash, p.found.language))
            .collect();
        let new: Vec<(Key, Vec<u8>)> = parsed
            .iter()
            .filter_map(|p| Some((cache::key(p.hash, p.found.language), p.packed.clone()?)))
            .collect();
        if let Err(error) = cache.store(&new, &|key| live.contains(key)) {
            let folder = self.options.state_dir.display();
            self.warnings.push(format!(
                "the facts cache in {folder} could not be written: {error}"
            ));
        }
    }

    fn link(
        &mut self,
        parsed: &[Parsed],
        manifests: Vec<Manifest>,
        known: &BTreeMap<String, FileRecord>,
        rebuild: bool,
    ) -> GraphChange {
        self.progress.stage("linking", parsed.len() as u64);
        let files = parsed
            .iter()
            .map(|p| (Arc::from(p.found.path.as_str()), p.facts.clone()));
        let repo = Repo::new(files.collect(), manifests);
        let langs = Langs::new(&repo);
        let linked = link::link(&repo, &langs, &|| self.progress.advance(1));
        let nodes: Vec<emit::FileNodes> = repo
            .files()
            .collect::<Vec<_>>()
            .par_iter()
            .map(|(_, file)| emit::file_nodes(&file.path, &file.facts))
            .collect();
        let ids: Vec<link::FileId> = repo.files().map(|(id, _)| id).collect();
        let scip_path = self.options.scip_path.as_deref();
        let overlay = Overlay::load(scip_path, &self.options.root, parsed, &nodes);
        let rows: Vec<(FileRows, String)> = ids
            .par_iter()
            .map(|id| {
                let at = id.0 as usize;
                let (path, facts) = (&parsed[at].found.path, &parsed[at].facts);
                let linked = overlay.silence(path, facts, &linked[at]);
                let mut rows = emit::file_rows(&repo, &nodes, *id, &linked);
                overlay.add(path, facts, &nodes[at], &mut rows);
                let hash = rows.hash();
                (rows, hash)
            })
            .collect();
        let mut change = collect(parsed, rows, known, rebuild, &overlay);
        let report = overlay.report.as_ref().map(serde_json::to_string);
        let report = report.and_then(Result::ok).unwrap_or_default();
        change.metadata.push(("scip".to_owned(), report));
        self.warnings.extend(overlay.warning());
        change
    }

    fn write(
        &mut self,
        store: &mut SqliteStore,
        mut change: GraphChange,
        skipped: &BTreeMap<String, &'static str>,
        stamp: &str,
    ) -> Result<(), IngestError> {
        let rows = change.nodes.len() + change.edges.len();
        self.progress.stage("writing", rows as u64);
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for reason in skipped.values() {
            *counts.entry(reason).or_default() += 1;
        }
        let counts = serde_json::to_string(&counts).unwrap_or_default();
        let found = self.walked.files.iter();
        let passed: PassedOver = found
            .filter(|f| skipped.contains_key(&f.path))
            .map(|f| (f.path.clone(), (f.size, f.mtime_ns)))
            .collect();
        let passed = serde_json::to_string(&passed).unwrap_or_default();
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |d| d.as_secs());
        change.metadata.extend([
            ("indexed_at".to_owned(), now.to_string()),
            ("version_stamp".to_owned(), stamp.to_owned()),
            (
                "commit".to_owned(),
                git::head_commit(&self.options.root).unwrap_or_default(),
            ),
            ("skipped".to_owned(), counts),
            ("passed_over".to_owned(), passed),
        ]);
        store.apply(&change)?;
        self.progress.advance(rows as u64);
        Ok(())
    }

    fn note_commit(&self, store: &mut SqliteStore) -> Result<(), IngestError> {
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
        let files = store.files()?;
        let (nodes, edges) = store.counts()?;
        let mut calls = CallCounts::default();
        let mut languages = BTreeMap::new();
        for file in files.values() {
            calls.total += u64::from(file.calls);
            calls.resolved += u64::from(file.calls_resolved);
            calls.external += u64::from(file.calls_external);
            *languages.entry(file.language.clone()).or_default() += 1;
        }
        calls.unresolved = calls.total - calls.resolved - calls.external;
        let skipped = store.metadata("skipped")?.unwrap_or_default();
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
            files_with_errors: files.values().filter(|f| f.syntax_errors > 0).count() as u32,
            scip: store
                .metadata("scip")?
                .and_then(|s| serde_json::from_str(&s).ok()),
            duration_ms: 0,
            warnings: std::mem::take(&mut self.warnings),
        })
    }
}

/// Says what the rows depend on besides the files: versions and manifests.
pub(crate) fn stamp(options: &IndexOptions, manifests: &[Manifest]) -> String {
    let mut hasher = blake3::Hasher::new();
    for manifest in manifests {
        hasher.update(manifest.path.as_bytes());
        hasher.update(&[0]);
        hasher.update(blake3::hash(manifest.text.as_bytes()).as_bytes());
    }
    let manifests = &hasher.finalize().to_hex()[..16];
    format!(
        "{{\"facts\":{},\"link\":{LINK_VERSION},\"manifests\":\"{manifests}\",\"max_file_size\":{},\"scip\":\"{}\"}}",
        syntax::FACTS_VERSION,
        options.max_file_size,
        scip_stamp(options)
    )
}

/// Size and time of the SCIP index; empty where there is none.
fn scip_stamp(options: &IndexOptions) -> String {
    let path = options.scip_path.as_deref();
    let Some(found) = path.and_then(|p| std::fs::metadata(p).ok()) else {
        return String::new();
    };
    let since = found
        .modified()
        .ok()
        .and_then(|t| t.duration_since(UNIX_EPOCH).ok());
    format!("{}@{}", found.len(), since.unwrap_or_default().as_nanos())
}

fn pool(threads: usize) -> Result<rayon::ThreadPool, IngestError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .thread_name(|i| format!("index-{i}"))
        .build()
        .map_err(|e| IngestError::Threads(e.to_string()))
}

/// The hash that the index knows for a file, where size and time still agree and the time is
/// old enough to be believed.
fn fresh_hash(known: Option<&FileRecord>, found: &FoundFile) -> Option<[u8; 16]> {
    let known = known?;
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_nanos() as i64);
    let settled = now - found.mtime_ns > RACY_NS;
    if !settled || known.size != found.size || known.mtime_ns != found.mtime_ns {
        return None;
    }
    unhex(&known.hash)
}

fn read_file(root: &Path, found: &FoundFile, cache: &FactsCache, hash: Option<[u8; 16]>) -> Read {
    if let Some(hash) = hash
        && let Some(facts) = cache.get(&cache::key(hash, found.language))
    {
        let boundary = text::boundary(&found.path, facts.generated);
        return Read::File(Box::new(Parsed {
            found: found.clone(),
            hash,
            boundary,
            facts: Arc::new(facts),
            packed: None,
        }));
    }
    let bytes = match cache::read_bounded(&root.join(&found.path), found.size.max(1 << 16)) {
        Ok(bytes) => bytes,
        Err(_) => return Read::Gone(found.path.clone()),
    };
    let hash = cache::content_hash(&bytes);
    let key = cache::key(hash, found.language);
    let found = FoundFile {
        size: bytes.len() as u64,
        ..found.clone()
    };
    let (facts, packed) = match cache.get(&key) {
        Some(facts) => (facts, None),
        None => {
            let text = match text::decode(bytes) {
                Decoded::Text(text) => text,
                Decoded::Not(reason) => return Read::Skipped(found.path, reason),
            };
            if text::is_minified(&text) {
                return Read::Skipped(found.path, "minified");
            }
            let facts = syntax::extract(found.language, &text);
            let packed = cache::pack(&facts);
            (facts, packed)
        }
    };
    let boundary = text::boundary(&found.path, facts.generated);
    Read::File(Box::new(Parsed {
        found,
        hash,
        boundary,
        facts: Arc::new(facts),
        packed,
    }))
}

pub(crate) fn read_manifests(
    root: &Path,
    walked: &Walked,
    warnings: &mut Vec<String>,
) -> Vec<Manifest> {
    let mut manifests = Vec::new();
    for found in &walked.manifests {
        let read = cache::read_bounded(&root.join(&found.path), found.size.max(1 << 16));
        match read.map(text::decode) {
            Ok(Decoded::Text(text)) => {
                manifests.push(Manifest {
                    path: found.path.as_str().into(),
                    text: text.into(),
                });
            }
            Ok(Decoded::Not(reason)) => warnings.push(format!("{}: {reason}", found.path)),
            Err(error) => warnings.push(format!("{}: {error}", found.path)),
        }
    }
    manifests
}

/// Gathers the rows of the files whose rows changed.
fn collect(
    parsed: &[Parsed],
    rows: Vec<(FileRows, String)>,
    known: &BTreeMap<String, FileRecord>,
    rebuild: bool,
    overlay: &Overlay,
) -> GraphChange {
    let there: BTreeSet<&str> = parsed.iter().map(|p| p.found.path.as_str()).collect();
    let removed = known.keys().filter(|p| !there.contains(p.as_str()));
    let mut change = GraphChange {
        clear_all: rebuild,
        removed_files: removed.cloned().collect(),
        ..GraphChange::default()
    };
    for (file, (rows, output_hash)) in parsed.iter().zip(rows) {
        let mut record = record(file, &rows.calls, output_hash);
        if overlay.covers(&record.path) {
            record.source = "scip".to_owned();
        }
        let before = known.get(&record.path);
        if rebuild || before.is_none_or(|b| b.output_hash != record.output_hash) {
            change.clear_files.push(record.path.clone());
            change.nodes.extend(rows.nodes);
            change.edges.extend(rows.edges);
            change.relations.extend(rows.relations);
            change.externals.extend(rows.externals);
        }
        if rebuild || before != Some(&record) {
            change.files.push(record);
        }
    }
    change
}

fn record(file: &Parsed, calls: &CallCounts, output_hash: String) -> FileRecord {
    FileRecord {
        path: file.found.path.clone(),
        language: file.found.language.as_str().to_owned(),
        hash: hex(&file.hash),
        size: file.found.size,
        mtime_ns: file.found.mtime_ns,
        lines: file.facts.lines,
        boundary: file.boundary.to_owned(),
        source: "syntax".to_owned(),
        syntax_errors: file.facts.syntax_errors,
        calls: calls.total as u32,
        calls_resolved: calls.resolved as u32,
        calls_external: calls.external as u32,
        output_hash,
    }
}

fn hex(hash: &[u8; 16]) -> String {
    hash.iter().map(|b| format!("{b:02x}")).collect()
}

fn unhex(text: &str) -> Option<[u8; 16]> {
    let mut out = [0u8; 16];
    if text.len() != 32 {
        return None;
    }
    for (i, slot) in out.iter_mut().enumerate() {
        *slot = u8::from_str_radix(text.get(2 * i..2 * i + 2)?, 16).ok()?;
    }
    Some(out)
}

/// Reads and parses a whole repository without a store: what the evaluation links.
pub fn load_repo(
    root: &Path,
    max_file_size: u64,
    keep: &(dyn Fn(&str, Language) -> bool + Sync),
) -> Result<Repo, IngestError> {
    let walked = walk::walk(root, max_file_size)?;
    let manifests = read_manifests(root, &walked, &mut Vec::new());
    let empty = FactsCache::empty();
    let pool = pool(0)?;
    let files: Vec<(Arc<str>, Arc<FileFacts>)> = pool.install(|| {
        walked
            .files
            .par_iter()
            .filter(|f| keep(&f.path, f.language))
            .filter_map(|found| match read_file(root, found, &empty, None) {
                Read::File(file) => Some((Arc::from(file.found.path.as_str()), file.facts)),
                _ => None,
            })
            .collect()
    });
    Ok(Repo::new(files, manifests))
}

/// Links on a pool whose threads have deep stacks.
pub fn link_repo(repo: &Repo) -> Result<Vec<link::LinkedFile>, IngestError> {
    let langs = Langs::new(repo);
    Ok(pool(0)?.install(|| link::link(repo, &langs, &|| {})))
}
