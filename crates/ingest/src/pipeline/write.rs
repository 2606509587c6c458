//! Turns facts into rows of the store: links and writes at the same time.
//!
//! Files are processed in order of their keys, some dozens at a time: linked on all threads, then passed on in order. A
//! thread of its own writes the rows into a new database. An existing database gets only the files whose rows changed,
//! in one transaction.

use super::budget::{Budget, LeftOut};
use super::memory::{Admitted, Gate, check_not_cancelled};
use super::read::to_file_record;
use super::{
    CALLS_GIVEN_UP, Cancel, DatabaseState, FILE_USERS, IndexOptions, MANIFEST_LIMITS, Parsed,
    Progress,
};
use crate::IngestError;
use crate::delta::{DeltaCounts, FileState};
use crate::emit::{self, FileNodes, FileRows};
use crate::scip::Overlay;
use base::FileKey;
use linker::{FileId, Langs, Manifest, Repo};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, OnceLock, mpsc};
use store::sqlite::{SqliteBuild, SqliteStore};
use store::{FileGraph, FileRecord, GraphChange, GraphStore, StoreError, WriterLock};

/// Number of files that are linked before their rows are passed on.
const AT_ONCE: usize = 64;
/// Most files whose rows wait for the writer.
const WAITING: usize = 256;

/// Bytes of a path that are already counted with its row.
const USUAL_PATH: usize = 128;

/// The database that the rows are written to.
pub(super) enum WriteTarget {
    /// The changed rows go into the existing database.
    Existing(Box<SqliteStore>),
    /// A new database gets the rows, and replaces the old one, if there is one.
    New(
        Box<SqliteBuild>,
        Option<Box<SqliteStore>>,
        Option<WriterLock>,
    ),
}

impl WriteTarget {
    pub(super) fn new(
        standing: DatabaseState,
        path: &Path,
        rebuild: bool,
    ) -> Result<WriteTarget, StoreError> {
        match standing {
            DatabaseState::There(store) if !rebuild => Ok(WriteTarget::Existing(store)),
            DatabaseState::There(store) => {
                let build = SqliteBuild::start(path)?;
                Ok(WriteTarget::New(Box::new(build), Some(store), None))
            }
            DatabaseState::Missing(lock) => {
                let build = SqliteBuild::start(path)?;
                Ok(WriteTarget::New(Box::new(build), None, Some(lock)))
            }
        }
    }
}

/// Approximate memory of a file's rows, in bytes.
fn estimate_size(graph: &FileGraph) -> u64 {
    let texts = graph.nodes.iter().map(|node| {
        let doc = node.doc.as_ref().map_or(0, |doc| doc.len());
        // Most paths are short; these are part of the fixed cost.
        let path = node.file_path.len().saturating_sub(USUAL_PATH);
        node.signature.as_ref().map_or(0, |text| text.len()) + doc + path
    });
    let fixed = graph.nodes.len() * 320 + graph.edges.len() * 128;
    let few = (graph.relations.len() + graph.externals.len() + graph.imports.len()) * 128;
    let unresolved = graph.unresolved.iter();
    let unresolved = unresolved.map(|calls| 96 + calls.name.len() + 8 * calls.lines.len());
    let marks = graph.marks.iter();
    let marks = marks.map(|m| 128 + m.name.len() + m.detail.len() + 8 * m.lines.len());
    let unresolved = unresolved.chain(marks);
    let paths = graph.relations.iter();
    let paths = paths.map(|relation| relation.file_path.len().saturating_sub(USUAL_PATH));
    (fixed + few + texts.sum::<usize>() + unresolved.sum::<usize>() + paths.sum::<usize>()) as u64
}

/// Result of writing.
pub(super) struct WriteResult {
    pub store: SqliteStore,
    /// Files that were removed.
    pub removed: u32,
    /// Warning for the user.
    pub warning: Option<String>,
    /// Counts of changed definitions.
    pub delta: DeltaCounts,
}

/// A new database with every file, not yet in place of the old one.
struct NewDatabase {
    build: SqliteBuild,
    files: Vec<FileRecord>,
    users: CrossFileTotals,
}

/// Result of writing the changes.
enum WriteOutcome {
    /// The changes are written. With the number of removed files.
    Made(Box<SqliteStore>, usize),
    /// The changes exceed the limit of memory: everything goes into a new database.
    TooMuch(Box<SqliteStore>),
}

/// The facts of all files with the tables that linking needs.
pub(crate) struct LinkInputs {
    pub repo: Repo,
    pub langs: Langs,
    pub keys: Vec<FileKey>,
}

impl LinkInputs {
    pub(crate) fn new(
        parsed: &[Parsed],
        manifests: Vec<Manifest>,
        pool: &rayon::ThreadPool,
        cancel: &Cancel,
    ) -> Result<LinkInputs, IngestError> {
        let files = parsed
            .iter()
            .map(|p| (Arc::from(p.found.path.as_str()), p.facts.clone()));
        let mut repo = pool.install(|| Repo::new(files.collect(), manifests));
        repo.cancel = cancel.clone();
        let langs = pool.install(|| languages::tables(&repo));
        if cancel.is_set() {
            return Err(IngestError::Cancelled);
        }
        let keys = emit::assign_file_keys(parsed.iter().map(|p| p.found.path.as_str()));
        Ok(LinkInputs { repo, langs, keys })
    }
}

/// Signals, when dropped, that linking is done, so that waiting work can begin.
pub(super) struct LinkingDoneSignal<'a>(pub &'a OnceLock<()>);

impl Drop for LinkingDoneSignal<'_> {
    fn drop(&mut self) {
        self.0.get_or_init(|| ());
    }
}

/// Facts to link.
pub(super) struct LinkJob<'a> {
    pub options: &'a IndexOptions,
    pub progress: &'a dyn Progress,
    pub known: &'a BTreeMap<String, FileRecord>,
    pub parsed: &'a [Parsed],
    /// Files left out because of the memory ceiling.
    pub left_out: LeftOut,
}

/// Totals over all files.
#[derive(Default)]
struct CrossFileTotals {
    /// For each file, the number of other files with an edge into it: its centrality.
    of: FxHashMap<FileKey, u32>,
    /// Number of call sites for which the search was given up, by file, without zeros.
    given_up: BTreeMap<String, u64>,
}

impl CrossFileTotals {
    fn add_file(&mut self, path: &str, rows: &FileRows) {
        if rows.calls.given_up > 0 {
            self.given_up.insert(path.to_owned(), rows.calls.given_up);
        }
        let graph = &rows.graph;
        let Some(own) = graph.edges.first().map(|e| e.source.file()) else {
            return;
        };
        let used: FxHashSet<FileKey> = graph.edges.iter().map(|e| e.target.file()).collect();
        for file in used.into_iter().filter(|f| *f != own) {
            *self.of.entry(file).or_default() += 1;
        }
    }

    /// The metadata entries: paths with their numbers, if there are any.
    fn to_metadata(&self, parsed: &[Parsed], keys: &[FileKey]) -> [(String, String); 2] {
        let counted: BTreeMap<&str, u32> = parsed
            .iter()
            .zip(keys)
            .filter_map(|(p, key)| Some((p.found.path.as_str(), *self.of.get(key)?)))
            .collect();
        let text = serde_json::to_string(&counted).unwrap_or_default();
        let given_up = serde_json::to_string(&self.given_up).unwrap_or_default();
        [
            (FILE_USERS.to_owned(), text),
            (CALLS_GIVEN_UP.to_owned(), given_up),
        ]
    }
}

/// Inputs for the rows of each file.
struct RowInputs<'a> {
    repo: &'a Repo,
    langs: &'a Langs,
    keys: &'a [FileKey],
    nodes: &'a [FileNodes],
    overlay: &'a Overlay,
}

/// The state of one change of a database, apart from the files.
struct ChangeState<'c, 'l> {
    metadata: Vec<(String, String)>,
    linking: &'c mut Option<LinkingDoneSignal<'l>>,
    delta: &'c mut DeltaCounts,
}

impl LinkJob<'_> {
    /// Links all files and writes the outcome.
    pub(super) fn link_and_write(
        &self,
        target: WriteTarget,
        pool: &rayon::ThreadPool,
        manifests: Vec<Manifest>,
        mut metadata: Vec<(String, String)>,
        linking: LinkingDoneSignal<'_>,
    ) -> Result<WriteResult, IngestError> {
        self.progress.stage("linking", self.parsed.len() as u64);
        let cancel = &self.options.cancel;
        let LinkInputs { repo, langs, keys } =
            LinkInputs::new(self.parsed, manifests, pool, cancel)?;
        let nodes: Vec<FileNodes> = pool.install(|| {
            let files = self.parsed.par_iter().zip(&keys);
            files
                .map(|(p, key)| emit::assign_nodes(*key, &p.facts))
                .collect()
        });
        let scip_path = self.options.scip_path.as_deref();
        let most = Budget::new(self.options.memory_limit).scip_bytes();
        let overlay = pool
            .install(|| Overlay::load(scip_path, &self.options.root, (self.parsed, &nodes), most));
        let left_out = LeftOut {
            scip: overlay.is_too_large,
            ..self.left_out.clone()
        };
        metadata.push(left_out.to_metadata_entry());
        let limits = langs.limits();
        let limits = if limits.is_empty() {
            String::new()
        } else {
            serde_json::to_string(&limits).unwrap_or_default()
        };
        metadata.push((MANIFEST_LIMITS.to_owned(), limits));
        let report = overlay.report.as_ref().map(serde_json::to_string);
        let report = report.and_then(Result::ok).unwrap_or_default();
        metadata.push(("scip".to_owned(), report));
        let material = RowInputs {
            repo: &repo,
            langs: &langs,
            keys: &keys,
            nodes: &nodes,
            overlay: &overlay,
        };
        let mut delta = DeltaCounts::default();
        let mut linking = Some(linking);
        let (build, old, lock) = match target {
            WriteTarget::Existing(store) => {
                let state = ChangeState {
                    metadata: metadata.clone(),
                    linking: &mut linking,
                    delta: &mut delta,
                };
                match self.write_changes(store, pool, &material, state)? {
                    WriteOutcome::Made(store, removed) => {
                        return Ok(WriteResult {
                            store: *store,
                            removed: removed as u32,
                            warning: overlay.warning(),
                            delta,
                        });
                    }
                    WriteOutcome::TooMuch(store) => {
                        let build = SqliteBuild::start(&self.options.db_path)?;
                        (Box::new(build), Some(store), None)
                    }
                }
            }
            WriteTarget::New(build, old, lock) => (build, old, lock),
        };
        let NewDatabase {
            build,
            files,
            users,
        } = self.write_new_database(*build, pool, &material, linking)?;
        metadata.extend(users.to_metadata(self.parsed, &keys));
        let warning = overlay.warning();
        // The indexes of the database take memory, and nothing is linked any more.
        drop((repo, langs, nodes, overlay));
        self.progress.stage("writing", 0);
        let removed = self.removed_paths().count();
        let old = old.map(|o| *o);
        let before = old
            .as_ref()
            .map_or(Ok((0, 0)), SqliteStore::node_and_edge_counts)?
            .0;
        let store = build.finish_and_replace(old, lock, &files, &metadata)?;
        let after = store.node_and_edge_counts()?.0;
        delta.added = after.saturating_sub(before);
        delta.removed = before.saturating_sub(after);
        Ok(WriteResult {
            store,
            removed: removed as u32,
            warning,
            delta,
        })
    }

    /// Writes every file into a new database.
    fn write_new_database(
        &self,
        mut build: SqliteBuild,
        pool: &rayon::ThreadPool,
        material: &RowInputs<'_>,
        linking: Option<LinkingDoneSignal<'_>>,
    ) -> Result<NewDatabase, IngestError> {
        let mut files = Vec::with_capacity(self.parsed.len());
        let mut users = CrossFileTotals::default();
        let (send, receive) = mpsc::sync_channel::<(FileGraph, Admitted<'_>)>(WAITING);
        let ceiling = self.options.memory_limit;
        let budget = Budget::new(ceiling);
        // Rows wait for the writer, and the linking threads wait for rows to be written.
        let gate = Gate::new(ceiling, budget.pending_row_bytes(), &self.options.cancel);
        let (linked, written) = std::thread::scope(|scope| {
            let writer = scope.spawn(move || {
                for (graph, _waited) in receive {
                    build.add_file(&graph)?;
                }
                Ok::<_, StoreError>(build)
            });
            let linked = self.link_each_file(pool, material, |record, rows| {
                users.add_file(&record.path, &rows);
                files.push(record);
                let admitted = gate.wait_for_room(estimate_size(&rows.graph));
                // It fails only if the writer has stopped. Its error is returned below.
                send.send((rows.graph, admitted)).is_ok()
            });
            drop((send, linking));
            (linked, writer.join())
        });
        let build = match written {
            Ok(build) => build?,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        linked?;
        Ok(NewDatabase {
            build,
            files,
            users,
        })
    }

    /// Writes the changes into the existing database.
    fn write_changes(
        &self,
        mut store: Box<SqliteStore>,
        pool: &rayon::ThreadPool,
        material: &RowInputs<'_>,
        state: ChangeState<'_, '_>,
    ) -> Result<WriteOutcome, IngestError> {
        let ChangeState {
            metadata,
            linking,
            delta,
        } = state;
        let mut change = GraphChange {
            removed_files: self.removed_paths().cloned().collect(),
            metadata,
            ..GraphChange::default()
        };
        let mut users = CrossFileTotals::default();
        let mut files: Vec<(String, FileState)> = Vec::new();
        // Rows are held until all are complete; a new database gets them one by one.
        let (mut change_bytes, most) = (0, Budget::new(self.options.memory_limit).change_bytes());
        self.link_each_file(pool, material, |record, rows| {
            users.add_file(&record.path, &rows);
            let before = self.known.get(&record.path);
            if before.is_none_or(|b| b.hash != record.hash) {
                files.push((
                    record.path.clone(),
                    FileState::from_graph(&rows.graph, &|_| ""),
                ));
            }
            if before.is_none_or(|b| b.output_hash != record.output_hash) {
                change.clear_files.push(record.path.clone());
                change_bytes += estimate_size(&rows.graph);
                change.add_file(rows.graph);
            }
            if before != Some(&record) {
                change.files.push(record);
            }
            change_bytes <= most
        })?;
        if change_bytes > most {
            return Ok(WriteOutcome::TooMuch(store));
        }
        drop(linking.take());
        for (path, after) in files {
            delta.add(FileState::from_store(&store, &path)?.count_changes(after));
        }
        for path in &change.removed_files {
            delta.add(FileState::from_store(&store, path)?.count_all_removed());
        }
        let users = users.to_metadata(self.parsed, material.keys);
        change.metadata.extend(users);
        let rows = (change.nodes.len() + change.edges.len()) as u64;
        self.progress.stage("writing", rows);
        store.apply_change(&change)?;
        self.progress.advance(rows);
        Ok(WriteOutcome::Made(store, change.removed_files.len()))
    }

    /// Paths in the index whose files were removed.
    fn removed_paths(&self) -> impl Iterator<Item = &String> {
        let there: BTreeSet<&str> = self.parsed.iter().map(|p| p.found.path.as_str()).collect();
        self.known
            .keys()
            .filter(move |p| !there.contains(p.as_str()))
    }

    /// Links each file and passes record and rows to `take`, in order of the files' keys; ends early if `take` returns
    /// false.
    fn link_each_file(
        &self,
        pool: &rayon::ThreadPool,
        material: &RowInputs<'_>,
        mut take: impl FnMut(FileRecord, FileRows) -> bool,
    ) -> Result<(), IngestError> {
        let mut order: Vec<usize> = (0..self.parsed.len()).collect();
        order.sort_unstable_by_key(|at| material.keys[*at]);
        let mut rest = order.as_slice();
        let mut left = rest.len();
        while left > 0 {
            let some;
            (some, rest) = rest.split_at(self.batch_size(rest));
            left = rest.len();
            let rows: Vec<(FileRecord, FileRows)> = pool.install(|| {
                let linked = some.par_iter().map(|at| self.link(material, *at));
                linked.collect()
            });
            check_not_cancelled(&self.options.cancel)?;
            self.progress.advance(some.len() as u64);
            for (record, rows) in rows {
                if !take(record, rows) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Number of files that are linked before their rows are passed on: some dozens, or fewer if they are large.
    fn batch_size(&self, files: &[usize]) -> usize {
        let budget = Budget::new(self.options.memory_limit);
        let most = files.len().min(AT_ONCE);
        if !budget.is_limited() {
            return most;
        }
        let mut sum = 0;
        let weights = files.iter().take(most);
        let fits = weights.take_while(|at| {
            // Rows take about as much memory as their facts.
            let file = &self.parsed[**at];
            let paths = file.facts.defs.len() * file.found.path.len().saturating_sub(USUAL_PATH);
            sum += file.facts.heap_bytes() + paths as u64;
            sum <= budget.pending_row_bytes()
        });
        fits.count().max(1)
    }

    fn link(&self, material: &RowInputs<'_>, at: usize) -> (FileRecord, FileRows) {
        let file = &self.parsed[at];
        let (path, facts) = (&file.found.path, &file.facts);
        let id = FileId(at as u32);
        let covered = material.overlay.covered_positions(path);
        let linked = linker::link_file_but(material.repo, material.langs, id, &|line, column| {
            covered.is_some_and(|c| c.contains(&(line.saturating_sub(1), column)))
        });
        let mut rows = emit::build_file_rows(material.repo, &material.nodes, id, &linked);
        material
            .overlay
            .add_to_rows(path, facts, &material.nodes[at], &mut rows);
        let hash = rows.number_and_hash(material.keys[at]);
        let mut record = to_file_record(file, &rows.calls, hash);
        if material.overlay.covers_file(path) {
            record.source = "scip".to_owned();
        }
        (record, rows)
    }
}
