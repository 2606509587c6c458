//! The indexing pipeline: changed files, their facts, linking, one transaction.

mod budget;
mod memory;
mod read;
mod run;
mod write;

use base::Cancel;
pub(crate) use budget::{Budget, LEFT_OUT, weight_of};
pub use budget::{LeftOut, piece_bytes};
pub(crate) use memory::Gate;
pub use memory::process_memory_bytes as memory_in_use;
pub(crate) use write::LinkInputs;

use crate::cache::{self, FactsCache};
use crate::chunks::{self, ChunkUpdate};
use crate::delta::DeltaCounts;
use crate::scip::ScipReport;
use crate::text::{self, Decoded};
use crate::walk::{FoundFile, FoundText, Walked};
use crate::{IngestError, adopt, imported, walk};
use base::Language;
use guard::list::Stamp;
use linker::{CallCounts, Manifest, Repo};
use rayon::prelude::*;
pub(crate) use read::{ReadOutcome, decode_source, read_file, to_file_record, to_parsed};
pub(crate) use run::GAVE_UP as PARSE_GAVE_UP;
use run::Run;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::sqlite::SqliteStore;
use store::{FileRecord, GraphStore, StoreError, WriterLock};
use syntax::FileFacts;

/// Version of linking; raised whenever it makes other rows from the same facts.
pub(crate) const LINK_VERSION: u32 = 22;
pub(crate) const NO_SOURCES: &str = "there is no file in a language that is read here (TypeScript, JavaScript, Python, Go, \
                          Rust, Java), or all of them are ignored";
/// The entry of the store's metadata with the number of files that use each file, by path, as JSON.
pub const FILE_USERS: &str = "file_users";
/// The entry of the store's metadata with the number of call sites in each file for which the search was given up, by path,
/// as JSON.
pub(crate) const CALLS_GIVEN_UP: &str = "calls_given_up";
/// The entry with the parts of manifests that a limit leaves out, as a JSON list of lines; empty if there are none.
pub(crate) const MANIFEST_LIMITS: &str = "manifest_limits";
/// Why a file that could not be opened or read is skipped.
pub const UNREADABLE: &str = "could not be read";
/// Syntax trees can nest deeply.
pub(crate) const STACK: usize = base::stack::DEEP_STACK;

/// Options of indexing.
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
    /// Larger source files are skipped. Bytes.
    pub max_file_size: u64,
    /// Worker threads; 0 means as many as there are processors.
    pub threads: usize,
    /// Memory ceiling of the process in bytes. It is kept by waiting, by writing early, and by leaving out files that
    /// do not fit.
    pub memory_limit: Option<u64>,
    /// Rebuild everything.
    pub force: bool,
    /// Time to wait for another process that is indexing.
    pub wait: Duration,
    /// Folder of the facts cache [default: `ast-cache` in the state folder].
    pub facts_dir: Option<PathBuf>,
    /// The user's folder for the cache that worktrees and clones of one repository share; `None` to share nothing.
    pub shared_dir: Option<PathBuf>,
    /// Files whose content is compared even if size and time are unchanged.
    pub doubted: Vec<String>,
    /// Set by a caller to cancel: the work ends after the current file, and the old state stays.
    pub cancel: Cancel,
}

/// Largest source file that is read by default. Generated and minified files are recognized by their content, not by their
/// size.
const MAX_SOURCE: u64 = 16 << 20;

impl IndexOptions {
    /// The usual options for a project.
    pub fn new(root: &Path, state_dir: &Path) -> IndexOptions {
        IndexOptions {
            root: root.to_path_buf(),
            state_dir: state_dir.to_path_buf(),
            db_path: state_dir.join("graph.db"),
            scip_path: None,
            max_file_size: MAX_SOURCE,
            threads: 0,
            memory_limit: None,
            force: false,
            wait: Duration::from_secs(30),
            facts_dir: None,
            shared_dir: None,
            doubted: Vec::new(),
            cancel: Cancel::default(),
        }
    }

    /// Limits of the walk.
    pub(crate) fn limits(&self) -> walk::Limits {
        walk::Limits::new(self.max_file_size, self.memory_limit)
    }
}

/// Receives reports on progress. Called from several threads.
pub trait Progress: Sync {
    /// A stage begins that has `total` steps.
    fn stage(&self, _name: &str, _total: u64) {}
    /// Reports that many more steps as done.
    fn advance(&self, _by: u64) {}
    /// Reports a problem that the user should know of.
    fn warning(&self, _line: std::fmt::Arguments<'_>) {}
    /// Reports a line for debugging.
    fn detail(&self, _line: std::fmt::Arguments<'_>) {}
}

impl Progress for () {}

/// Strategy of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Strategy {
    /// Everything was rebuilt.
    FullRebuild,
    /// Only changed files were read, and only changed rows were written.
    Incremental,
    /// No file had changed.
    UpToDate,
}

/// Report of an update.
#[derive(Debug, Clone, Serialize)]
pub struct IndexReport {
    /// Strategy.
    pub strategy: Strategy,
    /// Files in the index.
    pub files: u32,
    /// Files read again.
    pub files_updated: u32,
    /// Files that were removed.
    pub files_removed: u32,
    /// Files skipped, by reason.
    pub skipped: BTreeMap<String, u32>,
    /// Nodes in the graph.
    pub nodes: u64,
    /// Edges in the graph.
    pub edges: u64,
    /// Call sites by outcome.
    pub calls: CallCounts,
    /// The commit that is checked out.
    pub commit: Option<String>,
    /// Files by language.
    pub languages: BTreeMap<String, u32>,
    /// Lines of source.
    pub lines: u64,
    /// Bytes of source.
    pub bytes: u64,
    /// Number of files that are only searched as text because their language has no grammar, by language. Set only if
    /// chunks were updated as well.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub text_only: BTreeMap<String, u32>,
    /// Files with syntax errors.
    pub files_with_errors: u32,
    /// The part of these files of which only the beginning was parsed, or nothing, because the rest would have taken
    /// far too long.
    pub files_given_up: u32,
    /// Report on the SCIP index, if one was read (now or by an earlier update).
    pub scip: Option<ScipReport>,
    /// Duration.
    pub duration_ms: u64,
    /// The root of the worktree or clone whose index was copied first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken_from: Option<String>,
    /// Failures that did not stop the update, as messages.
    pub warnings: Vec<String>,
    /// Counts of changed definitions.
    #[serde(skip)]
    pub delta: DeltaCounts,
    /// Files that were parsed again without a change, because the cache lacked their facts.
    #[serde(skip)]
    pub reparsed: u32,
}

/// A file's facts, with its metadata from the walk and the read.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The file as the walk found it.
    pub found: FoundFile,
    /// Hash of the bytes.
    pub hash: [u8; 16],
    /// File role.
    pub role: &'static str,
    /// Its facts.
    pub facts: Arc<FileFacts>,
    /// Whether its facts are new to the cache.
    pub(crate) is_new: bool,
}

impl Parsed {
    /// The key of its facts in the cache.
    pub(crate) fn key(&self) -> cache::Key {
        cache::cache_key(self.hash, self.found.language)
    }
}

/// Updates the index: builds it if there is none, and otherwise reads the changed files again. Afterwards the graph
/// equals, row for row, the result of a full build.
///
/// Errors: [`StoreError::Busy`] if another process is indexing for longer than `options.wait`.
pub fn update(options: &IndexOptions, progress: &dyn Progress) -> Result<IndexReport, IngestError> {
    update_index(options, progress, false)
}

/// Like [`update`], and brings the chunks up to date as well: each file is read once for both.
pub fn update_all(
    options: &IndexOptions,
    progress: &dyn Progress,
) -> Result<IndexReport, IngestError> {
    update_index(options, progress, true)
}

fn update_index(
    options: &IndexOptions,
    progress: &dyn Progress,
    with_chunks: bool,
) -> Result<IndexReport, IngestError> {
    let started = Instant::now();
    let mut warnings = Vec::new();
    guard::state::create_one_private_folder(&options.state_dir).map_err(|e| {
        StoreError::Backend {
            context: format!("creating {}", options.state_dir.display()),
            reason: e.to_string(),
        }
    })?;
    write_gitignore(&options.state_dir);
    let standing = DatabaseState::open(options, progress, &mut warnings)?;
    imported::remove_remains(&options.state_dir);
    if options.force {
        imported::forget_imported(&options.state_dir, &options.db_path)?;
    }
    progress.stage("looking for files", 0);
    let keep = |path: &str| with_chunks && chunks::is_chunked(path);
    let (mut walked, mut texts) = walk::walk_with_texts(&options.root, options.limits(), &keep)?;
    let texts_gone =
        Budget::new(options.memory_limit).drop_what_cannot_fit(&mut walked, &mut texts);
    warnings.extend(walked.problems.iter().cloned());
    if walked.files.is_empty() && walked.left_out.is_empty() && walked.unnamed.is_empty() {
        warnings.push(NO_SOURCES.to_owned());
    }
    let (standing, taken_from) =
        standing.or_copy_of_other_worktree(options, &walked, progress, &mut warnings)?;
    let text_only = count_text_only(&texts);
    let chunks = if with_chunks {
        Some(ChunkUpdate::new(options, texts)?)
    } else {
        None
    };
    let mut run = Run {
        options,
        progress,
        walked,
        warnings,
        chunks,
        texts_gone,
    };
    let mut report = run.run_update(standing)?;
    report.duration_ms = started.elapsed().as_millis() as u64;
    report.text_only = text_only;
    report.taken_from = taken_from.map(|root| root.display().to_string());
    Ok(report)
}

/// Files in languages without a grammar, by language.
fn count_text_only(texts: &[FoundText]) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    let languages = texts
        .iter()
        .filter_map(|text| search::plain::language_without_grammar(&text.path));
    for language in languages {
        *counts.entry(language.to_owned()).or_default() += 1;
    }
    counts
}

/// Folder of the facts cache.
pub(crate) fn facts_cache_dir(options: &IndexOptions) -> PathBuf {
    let moved = options.facts_dir.clone();
    moved.unwrap_or_else(|| options.state_dir.join("ast-cache"))
}

/// The database before an update. The writer lock is held in either case.
enum DatabaseState {
    There(Box<SqliteStore>),
    Missing(WriterLock),
}

impl DatabaseState {
    fn open(
        options: &IndexOptions,
        progress: &dyn Progress,
        warnings: &mut Vec<String>,
    ) -> Result<DatabaseState, StoreError> {
        let mut lock = WriterLock::acquire_with_seal(&options.db_path, options.wait)?;
        if !lock.is_trusted() {
            let aside = lock.move_untrusted_aside(&options.db_path)?;
            let note = untrusted_index_warning(&options.db_path, &aside);
            progress.warning(format_args!("{note}"));
            warnings.push(note);
        }
        if !options.db_path.exists() {
            return Ok(DatabaseState::Missing(lock));
        }
        let (store, moved) = SqliteStore::open_or_recover_with(&options.db_path, lock)?;
        if let Some(moved) = moved {
            progress.warning(format_args!("{moved}"));
            warnings.push(moved.to_string());
        }
        Ok(DatabaseState::There(Box::new(store)))
    }

    /// This state. If there is no database yet, the database of another worktree is copied, and its root returned.
    fn or_copy_of_other_worktree(
        self,
        options: &IndexOptions,
        walked: &Walked,
        progress: &dyn Progress,
        warnings: &mut Vec<String>,
    ) -> Result<(DatabaseState, Option<PathBuf>), StoreError> {
        if let DatabaseState::There(_) = &self {
            return Ok((self, None));
        }
        let Some(root) = adopt::adopt_graph(options, walked) else {
            return Ok((self, None));
        };
        drop(self);
        Ok((
            DatabaseState::open(options, progress, warnings)?,
            Some(root),
        ))
    }

    fn store(&self) -> Option<&SqliteStore> {
        match self {
            DatabaseState::There(store) => Some(store),
            DatabaseState::Missing(_) => None,
        }
    }

    fn metadata(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.store().map_or(Ok(None), |s| s.metadata(key))
    }
}

fn untrusted_index_warning(database: &Path, aside: &Path) -> String {
    format!(
        "the index in {} was not written by this user on this machine, or was changed or damaged since. It is not trusted and is \
         rebuilt (the old one is kept as {}; `knotwork index --trust-index` trusts an index as it is). What was put into it by \
         hand, and stored virtual edges, are in the old one only",
        database.display(),
        aside.display()
    )
}

/// Keeps `.devbooks` out of git.
fn write_gitignore(state_dir: &Path) {
    // Without this file, only git status is longer.
    let _ = guard::state::create_file_if_absent(&state_dir.join(".gitignore"), b"*\n");
}

/// Size and time of files that were read and then skipped (binary, minified).
pub(crate) type PassedOver = BTreeMap<String, (u64, i64)>;

/// The entry of the store's metadata for [`PassedOver`], as JSON.
pub(crate) const PASSED_OVER: &str = "passed_over";

/// The entry of the store's metadata for files that are not in the graph, with the reason of each, as JSON.
pub(crate) const SKIPPED_FILES: &str = "skipped_files";
/// Most files that it names: the first ones by path.
const MOST_NAMED: usize = 1_000;

/// Files of a known language that are not in the graph, by path, with the reason.
///
/// # Errors
/// A database that cannot be read.
pub fn skipped_files(
    store: &(impl GraphStore + ?Sized),
) -> Result<BTreeMap<String, String>, IngestError> {
    let stored = store.metadata(SKIPPED_FILES)?.unwrap_or_default();
    Ok(serde_json::from_str(&stored).unwrap_or_default())
}

pub(crate) fn parse_skipped_files(metadata: Option<String>) -> PassedOver {
    serde_json::from_str(&metadata.unwrap_or_default()).unwrap_or_default()
}

/// Files to read.
struct ReadPlan {
    /// New files, and files with another size or time.
    suspects: Vec<FoundFile>,
    /// Paths in the index whose files were removed.
    removed: Vec<String>,
}

impl ReadPlan {
    fn new(
        walked: &Walked,
        known: &BTreeMap<String, FileRecord>,
        passed: &PassedOver,
        doubted: &[String],
    ) -> ReadPlan {
        let same = |f: &FoundFile| {
            let indexed = known.get(&f.path).map(|k| (k.size, k.stat));
            let seen = indexed.or_else(|| passed.get(&f.path).copied());
            seen == Some((f.size, f.stat))
        };
        let differs = |f: &&FoundFile| !same(f) || doubted.contains(&f.path);
        let suspects = walked.files.iter().filter(differs).cloned().collect();
        let there: BTreeSet<&str> = walked.files.iter().map(|f| f.path.as_str()).collect();
        let removed = known
            .keys()
            .filter(|p| !there.contains(p.as_str()))
            .cloned()
            .collect();
        ReadPlan { suspects, removed }
    }
}

/// A hash of everything that the rows depend on besides the files: versions and manifests.
pub(crate) fn version_stamp(options: &IndexOptions, manifests: &[Manifest]) -> String {
    let mut hasher = blake3::Hasher::new();
    for manifest in manifests {
        hasher.update(manifest.path.as_bytes());
        hasher.update(&[0]);
        hasher.update(blake3::hash(manifest.text.as_bytes()).as_bytes());
    }
    let manifests = &hasher.finalize().to_hex()[..16];
    format!(
        "{{\"facts\":{},\"link\":{LINK_VERSION},\"manifests\":\"{manifests}\",\"max_file_size\":{},\"scip\":\"{}\"}}",
        languages::FACTS_VERSION,
        options.max_file_size,
        scip_stamp(options)
    )
}

/// Size and stamp of the SCIP index; empty if there is none.
fn scip_stamp(options: &IndexOptions) -> String {
    let path = options.scip_path.as_deref();
    let Some(found) = path.and_then(|p| std::fs::metadata(p).ok()) else {
        return String::new();
    };
    format!("{}@{:016x}", found.len(), Stamp::from_metadata(&found).stat)
}

pub(crate) fn build_thread_pool(threads: usize) -> Result<rayon::ThreadPool, IngestError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .thread_name(|i| format!("index-{i}"))
        .build()
        .map_err(|e| IngestError::Threads(e.to_string()))
}

pub(crate) fn read_manifests(
    root: &Path,
    walked: &Walked,
    warnings: &mut Vec<String>,
) -> Vec<Manifest> {
    let mut manifests = Vec::new();
    let folder = match crate::open_project_root(root) {
        Ok(folder) => folder,
        Err(error) => {
            warnings.push(error.to_string());
            return manifests;
        }
    };
    for found in &walked.manifests {
        let read = folder.read(&found.path, found.size.max(1 << 16));
        match read.map(text::decode) {
            Ok(Decoded::Text(text)) => {
                manifests.push(Manifest {
                    path: found.path.as_str().into(),
                    text: text.into(),
                });
            }
            Ok(Decoded::Not(reason)) => warnings.push(format!("{}: {reason}", found.path)),
            Err(error) => warnings.push(format!("{}: {}", found.path, error.reason())),
        }
    }
    manifests
}

/// The notice for people if a limit cut manifests.
pub(crate) fn manifest_limits_notice(metadata: Option<String>) -> Option<String> {
    let limits: Vec<String> = serde_json::from_str(&metadata?).ok()?;
    let (first, rest) = limits.split_first()?;
    let more = match rest.len() {
        0 => String::new(),
        n => format!(" (and {n} more)"),
    };
    Some(format!(
        "manifests were cut by a limit, so linking may be incomplete: {first}{more}"
    ))
}

/// Number of call sites of an index for which the search was given up.
pub fn calls_given_up(store: &SqliteStore) -> Result<u64, StoreError> {
    let counts = given_up_by_file(store)?;
    Ok(counts.values().sum())
}

/// Number of call sites of an index for which the search was given up, by file.
///
/// # Errors
/// A database that cannot be read.
pub fn given_up_by_file(store: &SqliteStore) -> Result<BTreeMap<String, u64>, StoreError> {
    let counts = store.metadata(CALLS_GIVEN_UP)?.unwrap_or_default();
    Ok(serde_json::from_str(&counts).unwrap_or_default())
}

/// Reads and parses a whole repository without a store, for the evaluation.
pub fn load_repo(
    root: &Path,
    max_file_size: u64,
    keep: &(dyn Fn(&str, Language) -> bool + Sync),
) -> Result<Repo, IngestError> {
    let walked = walk::walk_project(root, max_file_size)?;
    let manifests = read_manifests(root, &walked, &mut Vec::new());
    let empty = FactsCache::empty();
    let pool = build_thread_pool(0)?;
    let folder = crate::open_project_root(root)?;
    let files: Vec<(Arc<str>, Arc<FileFacts>)> = pool.install(|| {
        walked
            .files
            .par_iter()
            .filter(|f| keep(&f.path, f.language))
            .filter_map(|found| {
                match read_file(&folder, found, &empty, None, None, &Cancel::default()) {
                    ReadOutcome::File(file, _) => {
                        Some((Arc::from(file.found.path.as_str()), file.facts))
                    }
                    _ => None,
                }
            })
            .collect()
    });
    Ok(Repo::new(files, manifests))
}

/// Links on a pool whose threads have deep stacks.
pub fn link_repo(repo: &Repo) -> Result<Vec<linker::LinkedFile>, IngestError> {
    Ok(build_thread_pool(0)?.install(|| linker::link(repo, &languages::tables(repo), &|| {})))
}
