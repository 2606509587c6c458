//! Imports an index from a file that another machine wrote.
//!
//! Rows first go into a database of their own, which replaces the project's index only after everything was read. For a
//! file whose content has another hash here, nothing is imported: the following update reads it. Facts and chunks are
//! also rejected if they are inconsistent, or larger than such a file can have.

use super::export::language_of;
use super::limits::{self, FileCount, Limits, RowTotals};
use super::stream::Reader;
use super::{Header, Kind};
use crate::IngestError;
use crate::adopt;
use crate::cache::{self, FactsCache, Key};
use crate::chunks;
use crate::imported::{self, IMPORTED};
use crate::pipeline::{
    IndexOptions, PASSED_OVER, PassedOver, Progress, build_thread_pool, decode_source,
};
use crate::walk::{self, FoundText, Walked};
use base::{EdgeType, Language, Site, Tier, hex};
use guard::Folder;
use rustc_hash::{FxHashMap, FxHashSet};
use search::index::{Model, PendingSegments};
use search::prepare::Prepared;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::sqlite::SqliteStore;
use store::{
    EdgeRecord, FileRecord, GraphChange, GraphStore, NodeFlags, NodeRecord, RelationRecord,
    WriterLock,
};
use syntax::FileFacts;

/// Records of files that are written together.
const FILES_AT_ONCE: usize = 10_000;
/// A size and time that no file has, so that the file is read again.
const UNKNOWN: i64 = i64::MIN;

/// Report of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    /// The commit of the index that was imported.
    pub commit: Option<String>,
    /// The repository's name on the other machine, from its `origin`.
    pub repository: Option<String>,
    /// Files of its graph.
    pub files: u64,
    /// The files that have the same content here.
    pub same: u64,
    /// Texts whose chunks and vectors were imported.
    pub texts: u64,
    /// Files with the same content whose facts or chunks are invalid or too large. The update reads them.
    pub refused: u64,
}

/// Replaces a project's index by the one in a file. An update must follow, which reads the files that differ. An
/// existing index is replaced only if `options.force`.
///
/// Errors: [`IngestError::Archive`] if the file is damaged, forged, or of another version; the project's index then
/// stays.
pub fn import(
    options: &IndexOptions,
    path: &Path,
    progress: &dyn Progress,
) -> Result<ImportReport, IngestError> {
    let mut reader = Reader::open(path)?;
    let own = Header::of_this_program()?;
    if !own.has_same_versions(&reader.header) {
        let (theirs, own) = (reader.header.version.clone(), own.version);
        return Err(reader.error(format!(
            "version {theirs} wrote it, and this is {own}: they read files differently, so export it with this version"
        )));
    }
    guard::state::create_one_private_folder(&options.state_dir)
        .map_err(|e| reader.error(e.to_string()))?;
    let lock = lock_database(options, &reader)?;
    progress.stage("looking for files", 0);
    let (walked, texts) =
        walk::walk_with_texts(&options.root, options.limits(), &chunks::is_chunked)?;
    progress.stage("importing", 0);
    let folder = TemporaryFolder::create(options)?;
    let mut work = Import {
        root: crate::open_project_root(&options.root)?,
        options,
        walked,
        texts,
        store: SqliteStore::open(&folder.0.join("graph.db"))?,
        facts_folder: folder.0.join("facts"),
        limits: Limits::new(options.memory_limit),
        change: GraphChange::default(),
        held: RowTotals::default(),
        files: BTreeMap::new(),
        file_count: FileCount::default(),
        passed: PassedOver::new(),
        passed_met: FxHashSet::default(),
        metadata: BTreeSet::new(),
        same: None,
        facts_wanted: FxHashMap::default(),
        chunks: Vec::new(),
        chunks_met: FxHashSet::default(),
        facts: Vec::new(),
        refused: 0,
        stage: Kind::Metadata,
        model: chunks::built_in_model()?,
        pending: None,
        texts_taken: 0,
    };
    guard::state::create_private_folder(&work.facts_folder)
        .map_err(|e| reader.error(e.to_string()))?;
    work.read(&mut reader)?;
    let same = work.write_files(&reader.header)?;
    let report = ImportReport {
        commit: reader.header.commit.clone(),
        repository: reader.header.repository.clone(),
        files: work.files.len() as u64,
        same: same.len() as u64,
        texts: work.texts_taken,
        refused: work.refused,
    };
    work.install(lock, &same)?;
    Ok(report)
}

/// The writer lock of the project's database, which may be replaced.
fn lock_database(options: &IndexOptions, reader: &Reader) -> Result<WriterLock, IngestError> {
    let database = &options.db_path;
    let mut lock = WriterLock::acquire_with_seal(database, options.wait)?;
    if !lock.is_trusted() {
        lock.move_untrusted_aside(database)?;
    }
    if !database.exists() {
        return Ok(lock);
    }
    if !options.force {
        return Err(reader.error("this project has an index already: --force replaces it"));
    }
    // A database that cannot be read may be replaced.
    if SqliteStore::open_read_only(database)
        .is_ok_and(|own| own.has_rows_by_hand().unwrap_or(false))
    {
        return Err(reader.error(
            "this project's index has nodes or edges that were put in by hand; `knotwork index clear` removes them",
        ));
    }
    Ok(lock)
}

/// A folder for data that is not yet the index. It is removed in the end. The caller holds the writer lock.
struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    fn create(options: &IndexOptions) -> Result<TemporaryFolder, IngestError> {
        let folder = imported::temporary_folder(&options.state_dir);
        guard::state::remove_folder_below(&options.state_dir, &folder)
            .and_then(|_| guard::state::create_private_folders_below(&options.state_dir, &folder))
            .map_err(|e| super::error(&folder, e.to_string()))?;
        Ok(TemporaryFolder(folder))
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // The next update removes what is left.
        if let Some(around) = self.0.parent() {
            let _ = guard::state::remove_folder_below(around, &self.0);
        }
    }
}

struct Import<'o> {
    root: Folder,
    options: &'o IndexOptions,
    walked: Walked,
    texts: Vec<FoundText>,
    /// The graph under construction.
    store: SqliteStore,
    /// The facts cache under construction.
    facts_folder: PathBuf,
    limits: Limits,
    change: GraphChange,
    held: RowTotals,
    files: BTreeMap<String, FileRecord>,
    file_count: FileCount,
    passed: PassedOver,
    /// Positions of the files that the archive reports as not in the graph.
    passed_met: FxHashSet<usize>,
    /// Keys of the metadata read so far.
    metadata: BTreeSet<String>,
    /// The records of files with the same content here, with the size and time that they have here.
    same: Option<Vec<FileRecord>>,
    /// Keys of facts that are still wanted, with path and size of a file that has them.
    facts_wanted: FxHashMap<Key, (String, u64)>,
    chunks: Vec<Prepared>,
    /// Positions of texts whose chunks were read: for another record, the text is not read again.
    chunks_met: FxHashSet<usize>,
    facts: Vec<(Key, Arc<FileFacts>)>,
    refused: u64,
    /// The kind of the current records.
    stage: Kind,
    model: Model,
    pending: Option<(WriterLock, PendingSegments)>,
    texts_taken: u64,
}

/// A node, in the order in which its fields are written.
#[derive(Deserialize)]
struct NodeFields {
    id: String,
    symbol: String,
    kind: String,
    file_path: String,
    line_start: Option<u32>,
    line_end: Option<u32>,
    flags: u32,
    qualified_name: Option<String>,
    signature: Option<String>,
    doc: Option<String>,
    scip_symbol: Option<String>,
}

/// An edge, in the order in which its fields are written.
#[derive(Deserialize)]
struct EdgeFields {
    id: String,
    source_id: String,
    target_id: String,
    edge_type: EdgeType,
    site: Option<Site>,
    tier: Tier,
    confidence: f64,
    file_path: Option<String>,
    line: Option<u32>,
    more_lines: Vec<u32>,
}

impl Import<'_> {
    fn read(&mut self, reader: &mut Reader) -> Result<(), IngestError> {
        let (mut waiting_bytes, mut import_source) = (0u64, String::new());
        while let Some(kind) = reader.next()? {
            if self.options.cancel.is_set() {
                return Err(IngestError::Cancelled);
            }
            if kind != Kind::Metadata && kind != self.stage {
                if (kind as u8) < self.stage as u8 {
                    return Err(reader.error("its records are in disorder"));
                }
                self.flush_rows(reader)?;
                if self.stage == Kind::File {
                    self.find_same_files()?;
                }
                self.stage = kind;
            }
            match kind {
                Kind::Chunks => waiting_bytes += self.take_chunks(reader)?,
                Kind::Facts => waiting_bytes += self.take_facts(reader)?,
                Kind::Import => self.take_import(reader, &mut import_source)?,
                other => {
                    self.take_row(other, reader)?;
                    self.flush_if_full(reader)?;
                }
            }
            if waiting_bytes > self.limits.waiting {
                waiting_bytes = 0;
                self.flush_chunks()?;
                self.flush_facts();
            }
        }
        self.flush_rows(reader)?;
        self.flush_chunks()?;
        self.flush_facts();
        Ok(())
    }

    fn take_import(&mut self, reader: &Reader, source: &mut String) -> Result<(), IngestError> {
        let fits = limits::check_row(reader.length());
        fits.map_err(|why| reader.error(why))?;
        let import: store::ImportRecord = reader.fields()?;
        // Imports of one file are numbered together.
        if import.source_id != *source {
            self.flush_if_full(reader)?;
            source.clone_from(&import.source_id);
            self.held.begin_imports();
        }
        let added = self.held.add_import(reader.length(), self.limits);
        added.map_err(|why| reader.error(why))?;
        self.change.imports.push(import);
        Ok(())
    }

    fn take_file(&mut self, reader: &Reader) -> Result<(), IngestError> {
        let added = self.file_count.add(reader.length(), self.limits);
        added.map_err(|why| reader.error(why))?;
        let file: FileRecord = reader.fields()?;
        let is_new = is_plain_path(&file.path) && !self.files.contains_key(&file.path);
        if !is_new || !limits::has_words(&file) {
            return Err(reader.error(format!("not a file of a project: {:?}", file.path)));
        }
        self.file_count.add_path(&file.path);
        self.files.insert(file.path.clone(), file);
        Ok(())
    }

    fn take_row(&mut self, kind: Kind, reader: &Reader) -> Result<(), IngestError> {
        let added = self.held.add(reader.length());
        added.map_err(|why| reader.error(why))?;
        match kind {
            Kind::Metadata => self.take_metadata(reader)?,
            Kind::File => self.take_file(reader)?,
            Kind::PassedOver => self.take_passed_over(reader)?,
            Kind::Node => {
                let node = to_node(reader.fields()?);
                self.check_path(reader, &node.file_path)?;
                self.change.nodes.push(node);
            }
            Kind::Edge => {
                let edge = to_edge(reader.fields()?);
                if let Some(path) = &edge.file_path {
                    self.check_path(reader, path)?;
                }
                if edge.tier == Tier::Manual || !(0.0..=1.0).contains(&edge.confidence) {
                    return Err(reader.error("an edge is none of the indexer's"));
                }
                self.change.edges.push(edge);
            }
            Kind::Relation => {
                let relation: RelationRecord = reader.fields()?;
                self.check_path(reader, &relation.file_path)?;
                self.change.relations.push(relation);
            }
            Kind::External => self.change.externals.push(reader.fields()?),
            Kind::Unresolved => self.change.unresolved.push(reader.fields()?),
            Kind::Mark => self.change.marks.push(reader.fields()?),
            Kind::Import | Kind::Chunks | Kind::Facts => {}
        }
        Ok(())
    }

    fn take_metadata(&mut self, reader: &Reader) -> Result<(), IngestError> {
        let (key, value): (&str, &str) = reader.borrowed_fields()?;
        let fits = self.file_count.may_have_metadata(key, value.len());
        if !fits || !self.metadata.insert(key.to_owned()) {
            return Err(reader.error(format!("unknown or too long: {key:?}")));
        }
        (self.change.metadata).push((key.to_owned(), value.to_owned()));
        Ok(())
    }

    /// A file that is not in the graph need not be read again if it is the same here.
    fn take_passed_over(&mut self, reader: &Reader) -> Result<(), IngestError> {
        let (path, hash): (String, [u8; 16]) = reader.fields()?;
        let at = self.walked.files.binary_search_by(|f| f.path.cmp(&path));
        let Some(at) = at.ok().filter(|at| self.passed_met.insert(*at)) else {
            return Ok(());
        };
        let found = &self.walked.files[at];
        if self.content_hash(&path, found.size) == Some(hash) {
            self.passed.insert(path, (found.size, found.stat));
        }
        Ok(())
    }

    fn check_path(&self, reader: &Reader, path: &str) -> Result<(), IngestError> {
        if self.files.contains_key(path) {
            return Ok(());
        }
        Err(reader.error(format!("a row of a file that it does not have: {path:?}")))
    }

    fn content_hash(&self, path: &str, size: u64) -> Option<[u8; 16]> {
        let bytes = self.root.read(path, size).ok()?;
        (bytes.len() as u64 == size).then(|| cache::content_hash(&bytes))
    }

    /// The bytes of a file, if it has that size and hash here.
    fn read_same(&self, path: &str, size: u64, hash: [u8; 16]) -> Option<Vec<u8>> {
        let bytes = self.root.read(path, size).ok()?;
        let is_same = bytes.len() as u64 == size && cache::content_hash(&bytes) == hash;
        is_same.then_some(bytes)
    }

    /// Imports the chunks of a text that is the same here, once. Returns the memory that they take.
    fn take_chunks(&mut self, reader: &Reader) -> Result<u64, IngestError> {
        let (hash, bytes): ([u8; 16], &[u8]) = reader.borrowed_fields()?;
        let damaged = || reader.error("the chunks of a file cannot be read");
        let path = Prepared::path_of_portable(bytes).ok_or_else(damaged)?;
        let at = (self.texts).binary_search_by(|f| f.path.as_str().cmp(path));
        let Some((at, found)) = at.ok().map(|at| (at, &self.texts[at])) else {
            return Ok(0);
        };
        if !self.chunks_met.insert(at) {
            return Ok(0);
        }
        let Some(content) = self.read_same(&found.path, found.size, hash) else {
            return Ok(0);
        };
        if !self
            .limits
            .may_decode_chunks(bytes.len() as u64, found.size)
        {
            self.refused += 1;
            return Ok(0);
        }
        let read = Prepared::from_portable(bytes, self.model.dimensions);
        let prepared = read.ok_or_else(damaged)?;
        if prepared.last_line() as usize > 1 + content.iter().filter(|byte| **byte == b'\n').count()
        {
            self.refused += 1;
            return Ok(0);
        }
        self.texts_taken += 1;
        let size = prepared.memory_size();
        self.chunks
            .push(prepared.with_hash(chunks::chunk_key(found)));
        Ok(size)
    }

    /// Imports the facts of a content that a file here has, once, if they are sound. Returns the memory that they take.
    fn take_facts(&mut self, reader: &Reader) -> Result<u64, IngestError> {
        let (hash, language): ([u8; 16], Language) = reader.first_fields()?;
        let key = cache::cache_key(hash, language);
        let Some((path, size)) = self.facts_wanted.remove(&key) else {
            return Ok(0);
        };
        let source = self.read_same(&path, size, hash);
        let source = source.and_then(|content| decode_source(&path, content));
        let fits = self.limits.may_decode_facts(reader.length(), size);
        let Some(source) = source.filter(|_| fits) else {
            self.refused += 1;
            return Ok(0);
        };
        let (_, mut facts): ([u8; 16], FileFacts) = reader.fields()?;
        if !facts.is_sound(&source) {
            self.refused += 1;
            return Ok(0);
        }
        facts.shrink_tables();
        let size = facts.heap_bytes();
        self.facts.push((key, Arc::new(facts)));
        Ok(size)
    }

    fn flush_if_full(&mut self, reader: &Reader) -> Result<(), IngestError> {
        if !self.held.is_full(self.limits) {
            return Ok(());
        }
        self.flush_rows(reader)
    }

    /// Writes the rows held in memory. A row that refers to a missing one is an error.
    fn flush_rows(&mut self, reader: &Reader) -> Result<(), IngestError> {
        self.held.clear();
        let change = std::mem::take(&mut self.change);
        let written = self.store.apply_change(&change);
        written.map_err(|e| reader.error(format!("its rows do not belong together: {e}")))
    }

    /// Finds which files have the same content here.
    fn find_same_files(&mut self) -> Result<(), IngestError> {
        let pool = build_thread_pool(self.options.threads)?;
        let root = &self.options.root;
        let same = pool.install(|| adopt::find_same_files(root, &self.walked, &self.files));
        for file in &same {
            if let (Some(language), Some(hash)) = (language_of(file), hex::decode(&file.hash)) {
                let key = cache::cache_key(hash, language);
                let place = (file.path.clone(), file.size);
                self.facts_wanted.insert(key, place);
            }
        }
        self.same = Some(same);
        Ok(())
    }

    /// Writes the records of files, without size and time. Returns those of files that are the same here.
    fn write_files(&mut self, header: &Header) -> Result<Vec<FileRecord>, IngestError> {
        if self.same.is_none() {
            self.find_same_files()?;
        }
        let unseen = |file: &FileRecord| FileRecord {
            stat: UNKNOWN,
            ..file.clone()
        };
        let mut files = self.files.values().map(unseen).peekable();
        while files.peek().is_some() {
            let some = files.by_ref().take(FILES_AT_ONCE);
            self.store.apply_change(&GraphChange {
                files: some.collect(),
                ..GraphChange::default()
            })?;
        }
        let commit = header.commit.as_deref().filter(|c| !c.is_empty());
        let commit = commit.unwrap_or("no commit");
        self.store.set_metadata(IMPORTED, commit)?;
        Ok(self.same.take().unwrap_or_default())
    }

    fn flush_chunks(&mut self) -> Result<(), IngestError> {
        if self.chunks.is_empty() {
            return Ok(());
        }
        if self.pending.is_none() {
            let lock = chunks::lock_chunk_index(self.options)?;
            let folder = chunks::chunk_index_dir(self.options);
            self.pending = Some((lock, PendingSegments::new(&folder, &self.model)));
        }
        let Some((_, pending)) = &mut self.pending else {
            return Ok(());
        };
        let files = std::mem::take(&mut self.chunks);
        let written = build_thread_pool(1)?.install(|| pending.write(files));
        written.map_err(|e| IngestError::Chunks(e.to_string()))
    }

    /// Adds the facts to a new cache. A failure does not matter: files without facts are read again.
    fn flush_facts(&mut self) {
        let facts = std::mem::take(&mut self.facts);
        if facts.is_empty() {
            return;
        }
        let cache = FactsCache::open(&self.facts_folder);
        let _ = cache.append_or_compact(&facts, &|_| true);
    }

    /// Replaces the project's index by the import.
    fn install(self, mut lock: WriterLock, same: &[FileRecord]) -> Result<(), IngestError> {
        let passed = serde_json::to_string(&self.passed).unwrap_or_default();
        let database = &self.options.db_path;
        // From here on, other clones get none of this index.
        imported::replace(&self.options.state_dir, &self.facts_folder)?;
        store::sqlite::remove_with_tails(database)?;
        self.store
            .copy_to(database, same, &[(PASSED_OVER, passed)], Some(&mut lock))?;
        drop(lock);
        if let Some((_lock, pending)) = self.pending {
            let committed = pending.commit(true, &[]);
            committed.map_err(|e| IngestError::Chunks(e.to_string()))?;
        }
        Ok(())
    }
}

fn to_node(fields: NodeFields) -> NodeRecord {
    NodeRecord {
        id: fields.id,
        symbol: fields.symbol,
        kind: fields.kind,
        file_path: fields.file_path,
        line_start: fields.line_start,
        line_end: fields.line_end,
        qualified_name: fields.qualified_name,
        signature: fields.signature,
        doc: fields.doc,
        // Rows that were added by hand are not exported.
        flags: NodeFlags(fields.flags & !NodeFlags::MANUAL),
        scip_symbol: fields.scip_symbol,
    }
}

fn to_edge(fields: EdgeFields) -> EdgeRecord {
    EdgeRecord {
        id: fields.id,
        source_id: fields.source_id,
        target_id: fields.target_id,
        edge_type: fields.edge_type,
        file_path: fields.file_path,
        line: fields.line,
        tier: fields.tier,
        confidence: fields.confidence,
        more_lines: fields.more_lines,
        site: fields.site,
    }
}

/// Whether a path leads below the root and is written as the walk writes it.
fn is_plain_path(path: &str) -> bool {
    let is_name = |part: &str| !part.is_empty() && part != "." && part != "..";
    path.len() <= 4_096 && !path.contains(['\0', '\\']) && path.split('/').all(is_name)
}
