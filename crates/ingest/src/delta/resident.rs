//! The state kept between updates: facts, tables and an open database, all for one state of the index.

use super::cell::{ChunkUpdateScope, update_chunks_after};
use super::count::{DeltaCounts, FileState};
use super::edges_to_removed;
use crate::cache::{self, EvictedFacts, FactsCache, Key};
use crate::chunks::ReadFile;
use crate::emit::{self, FileNodes, NodeLookup};
use crate::imported::FactsFolders;
use crate::pipeline::{
    Budget, CALLS_GIVEN_UP, FILE_USERS, IndexOptions, LEFT_OUT, LeftOut, LinkInputs, PARSE_GAVE_UP,
    PASSED_OVER, Parsed, PassedOver, ReadOutcome, build_thread_pool, decode_source,
    facts_cache_dir, given_up_by_file, parse_skipped_files, read_file, read_manifests,
    to_file_record, to_parsed, version_stamp, weight_of,
};
use crate::walk::{self, FoundFile, Walked, file_id};
use crate::{IngestError, git};
use base::stack::on_deep_stack;
use base::{FileKey, Language, hex};
use guard::Folder;
use guard::list::Stamp;
use linker::definition_changes::{self, DefinitionDelta, FileDelta};
use linker::exposed::ExposedChanges;
use linker::surface::{IndexRemap, Surface};
use linker::{FactsSource, FileId, Langs, Repo, SharedTime};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};
use store::sqlite::SqliteStore;
use store::{FileGraph, FileRecord, GraphChange, GraphStore, StoreError, WriterLock};
use syntax::FileFacts;

/// The most changed files; with more, everything is linked again.
const MOST_SUSPECTS: usize = 256;
/// Pages of the database's log beyond which an update takes them over itself.
const LOG_PAGES: u32 = 16_000;
/// Bytes of the log from which on it is taken over in idle time.
const LONG_LOG: u64 = 8 << 20;
/// Most facts that wait to be written to the cache: adding to it means reading it, which takes time in proportion to
/// the repository.
const MOST_UNSAVED: usize = 256;

/// The part of an index that linking a file needs, in memory.
pub(crate) struct Resident {
    store: SqliteStore,
    /// Identity of the database file, and the version of its data.
    database: (u64, u64),
    version: i64,
    stamp: String,
    /// The threads; `None` while idle, since threads keep the memory that they freed.
    pool: Option<Arc<rayon::ThreadPool>>,
    files: Vec<FileMeta>,
    /// Source of the facts while they are evicted.
    lender: Option<Arc<EvictedFacts>>,
    records: Vec<FileRecord>,
    repo: Repo,
    langs: Langs,
    keys: Vec<FileKey>,
    by_key: FxHashMap<FileKey, u32>,
    nodes: Vec<OnceLock<FileNodes>>,
    /// The number of users of each file that others use.
    users: BTreeMap<String, u32>,
    /// Whether these numbers differ from those in the store.
    users_changed: bool,
    gave_up: u64,
    /// Call sites for which the search was given up, by file.
    given_up: BTreeMap<String, u64>,
    /// Memory of all files.
    weight: u64,
    unsaved: Vec<(Key, Arc<FileFacts>)>,
    facts_folders: FactsFolders,
}

/// Metadata of a file, beside its facts.
#[derive(Debug, Clone)]
struct FileMeta {
    found: FoundFile,
    hash: [u8; 16],
    role: &'static str,
}

impl FileMeta {
    fn from_parsed(file: &Parsed) -> FileMeta {
        FileMeta {
            found: file.found.clone(),
            hash: file.hash,
            role: file.role,
        }
    }

    fn facts_key(&self) -> Key {
        cache::cache_key(self.hash, self.found.language)
    }

    /// The file with its facts.
    fn to_parsed(&self, facts: Arc<FileFacts>) -> Parsed {
        Parsed {
            role: self.role,
            ..to_parsed(self.found.clone(), self.hash, facts)
        }
    }
}

/// A file that changed.
struct ChangedFile {
    at: usize,
    file: Parsed,
    /// How indexes moved; `None` if the content is unchanged.
    moved: Option<IndexRemap>,
    /// Definitions that were added or removed.
    exposed: Option<ExposedChanges>,
}

/// Result of an update of single files.
#[derive(Debug, Default)]
pub(crate) struct UpdateOutcome {
    /// Files with changed content.
    pub updated: Vec<String>,
    /// Number of files that were linked.
    pub linked: u32,
    pub counts: DeltaCounts,
    /// The commit that is checked out.
    pub commit: Option<String>,
    /// Failures that did not stop the update, as messages.
    pub warnings: Vec<String>,
    /// Whether chunks should be merged afterwards, or the database's log taken over.
    pub needs_maintenance: bool,
}

struct LazyNodes<'r> {
    repo: &'r Repo,
    keys: &'r [FileKey],
    nodes: &'r [OnceLock<FileNodes>],
}

impl NodeLookup for LazyNodes<'_> {
    fn nodes_of_file(&self, file: FileId) -> &FileNodes {
        let at = file.0 as usize;
        self.nodes[at].get_or_init(|| emit::assign_nodes(self.keys[at], self.repo.facts(file)))
    }
}

impl Resident {
    /// Loads the index that `options` name, with the paths of files that have changed since. `None` if more than the
    /// text of files changed, if other files would see the change, or if the index includes a SCIP index, whose data on
    /// one file depend on others.
    pub(crate) fn load(
        options: &IndexOptions,
    ) -> Result<Option<(Resident, Vec<String>)>, IngestError> {
        let path = &options.db_path;
        let Some(database) = file_id(path) else {
            return Ok(None);
        };
        // The holder of the writer lock upgrades an older schema. An upgrade without the lock would break the seal of
        // the database.
        if SqliteStore::migration_state(path).is_ok_and(|state| state.needs_migration()) {
            return Ok(None);
        }
        let mut store = match SqliteStore::open(path) {
            Ok(store) => store,
            // A full build moves it aside.
            Err(StoreError::Damaged { .. } | StoreError::Unvouched(_)) => return Ok(None),
            Err(other) => return Err(other.into()),
        };
        store.tune_for_small_writes(LOG_PAGES)?;
        let version = store.data_version()?;
        let has_scip = options.scip_path.as_deref().is_some_and(Path::exists);
        if has_scip || store.metadata("indexed_at")?.is_none() {
            return Ok(None);
        }
        // A single change may reverse the choice of files that are left out.
        if LeftOut::from_metadata(store.metadata(LEFT_OUT)?).is_some() {
            return Ok(None);
        }
        let budget = Budget::new(options.memory_limit);
        let Some(walked) = walk_within_budget(options)? else {
            return Ok(None);
        };
        let manifests = read_manifests(&options.root, &walked, &mut Vec::new());
        let stamp = version_stamp(options, &manifests);
        if store.metadata("version_stamp")?.as_deref() != Some(stamp.as_str()) {
            return Ok(None);
        }
        let known = store.indexed_files()?;
        let passed = parse_skipped_files(store.metadata(PASSED_OVER)?);
        let Some((found, suspects)) = match_walk_to_records(&walked, &known, &passed) else {
            return Ok(None);
        };
        let cache = FactsFolders::new(facts_cache_dir(options), &options.state_dir)
            .open()
            .with_max_unpacked_groups(budget.max_unpacked_groups());
        let pool = build_thread_pool(options.threads)?;
        if suspects.len() > MOST_SUSPECTS
            || !pool.install(|| can_update_incrementally(options, &cache, &suspects))
        {
            return Ok(None);
        }
        let folder = crate::open_project_root(&options.root)?;
        let read = |(found, record): &(FoundFile, &FileRecord)| match read_file(
            &folder,
            found,
            &cache,
            hex::decode(&record.hash),
            None,
            &options.cancel,
        ) {
            ReadOutcome::File(file, _) if hex::encode(&file.hash) == record.hash => Some(*file),
            _ => None,
        };
        let files: Option<Vec<Parsed>> = pool.install(|| found.par_iter().map(read).collect());
        let Some(files) = files else { return Ok(None) };
        let weights = files.iter();
        let weight = weights
            .map(|f| budget.facts_cost(&f.found.path, weight_of(&f.facts)))
            .sum();
        if weight > budget.facts_bytes() {
            return Ok(None);
        }
        let unsaved = files.iter().filter(|f| f.is_new);
        let unsaved = unsaved.map(|f| (f.key(), f.facts.clone())).collect();
        drop(cache);
        let suspects = suspects.into_iter().map(|(found, _)| found.path).collect();
        let ground = LinkInputs::new(&files, manifests, &pool, &options.cancel)?;
        ground.repo.build_name_index();
        let users = store.metadata(FILE_USERS)?.unwrap_or_default();
        let gave_up = store.metadata(PARSE_GAVE_UP)?;
        let given_up = given_up_by_file(&store)?;
        let resident = Resident {
            database,
            given_up,
            version,
            stamp,
            nodes: files.iter().map(|_| OnceLock::new()).collect(),
            by_key: ground.keys.iter().copied().zip(0..).collect(),
            records: known.into_values().collect(),
            files: files.iter().map(FileMeta::from_parsed).collect(),
            lender: None,
            repo: ground.repo,
            langs: ground.langs,
            keys: ground.keys,
            users: serde_json::from_str(&users).unwrap_or_default(),
            users_changed: false,
            gave_up: gave_up.and_then(|n| n.parse().ok()).unwrap_or_default(),
            weight,
            unsaved,
            facts_folders: FactsFolders::new(facts_cache_dir(options), &options.state_dir),
            pool: Some(Arc::new(pool)),
            store,
        };
        let unchanged = resident.store.data_version()? == version;
        Ok(unchanged.then_some((resident, suspects)))
    }

    /// Updates single files. `None` if linking these files is not enough; then nothing was written, and this object
    /// must not be used again.
    pub(crate) fn update(
        &mut self,
        options: &IndexOptions,
        paths: &[String],
        chunks: ChunkUpdateScope,
    ) -> Result<Option<UpdateOutcome>, IngestError> {
        // Only the pool's threads have deep stacks.
        let pool = match &self.pool {
            Some(pool) => pool.clone(),
            None => Arc::new(build_thread_pool(options.threads)?),
        };
        self.pool = Some(pool.clone());
        pool.install(|| self.update_locked(options, paths, chunks))
    }

    fn update_locked(
        &mut self,
        options: &IndexOptions,
        paths: &[String],
        chunks: ChunkUpdateScope,
    ) -> Result<Option<UpdateOutcome>, IngestError> {
        let lock = WriterLock::acquire_with_seal(&options.db_path, options.wait)?;
        if !lock.is_trusted() {
            return Ok(None);
        }
        // A SCIP index that was added meanwhile takes precedence.
        if options.scip_path.as_deref().is_some_and(Path::exists) {
            return Ok(None);
        }
        if file_id(&options.db_path) != Some(self.database)
            || self.store.data_version()? != self.version
        {
            return Ok(None);
        }
        self.repo.cancel = options.cancel.clone();
        self.repo.time = SharedTime::default();
        let (mut changed, mut fresh) = (Vec::new(), Vec::new());
        for path in paths {
            match self.inspect_file(options, path) {
                Inspection::Same => {}
                Inspection::Changed(one, read) => {
                    changed.push(*one);
                    fresh.push(read);
                }
                Inspection::Other => return Ok(None),
            }
        }
        // If the graph needs a full update, that finds the chunks already updated.
        if options.cancel.is_set() {
            return Err(IngestError::Cancelled);
        }
        let (done, chunks_updated) = rayon::join(
            || self.update_graph(options, changed),
            || match chunks {
                ChunkUpdateScope::Nothing => Ok(false),
                _ => update_chunks_after(options, paths, &fresh, chunks),
            },
        );
        let Some(mut done) = done? else {
            return Ok(None);
        };
        match chunks_updated {
            Ok(due) => done.needs_maintenance |= due,
            Err(error) => done
                .warnings
                .push(format!("the next search updates the search index: {error}")),
        }
        Ok(Some(done))
    }

    /// Updates the graph after files changed.
    fn update_graph(
        &mut self,
        options: &IndexOptions,
        mut changed: Vec<ChangedFile>,
    ) -> Result<Option<UpdateOutcome>, IngestError> {
        let before: Vec<Parsed> = changed.iter().map(|c| self.parsed_file(c.at)).collect();
        let Some(delta) = self.apply_new_facts(&mut changed) else {
            return Ok(None);
        };
        if !self.has_no_dangling_edges(&changed, &before, &delta)? {
            return Ok(None);
        }
        self.write_changes(options, changed, &before, &delta)
    }

    /// Walks the project to find the files that changed since they were read. `None` if files were added or removed, or
    /// if something changed that all files depend on.
    pub(crate) fn find_changed_files(
        &self,
        options: &IndexOptions,
    ) -> Result<Option<Vec<String>>, IngestError> {
        let Some(walked) = walk_within_budget(options)? else {
            return Ok(None);
        };
        let manifests = read_manifests(&options.root, &walked, &mut Vec::new());
        if version_stamp(options, &manifests) != self.stamp {
            return Ok(None);
        }
        let known = self
            .records
            .iter()
            .map(|r| (r.path.clone(), r.clone()))
            .collect();
        let passed = parse_skipped_files(self.store.metadata(PASSED_OVER)?);
        let found = match_walk_to_records(&walked, &known, &passed);
        Ok(found.map(|(_, suspects)| suspects.into_iter().map(|(f, _)| f.path).collect()))
    }

    /// Reads a file, and compares its surface.
    fn inspect_file(&self, options: &IndexOptions, path: &str) -> Inspection {
        let at = self
            .files
            .binary_search_by(|f| f.found.path.as_str().cmp(path));
        let is_manifest = walk::is_manifest(path);
        let (Ok(at), false) = (at, is_manifest) else {
            let is_there = || walk::file_stamp(&options.root.join(path)).is_some();
            let is_source = || match Language::from_path(path) {
                Some(_) => is_there(),
                None => is_script(options, path),
            };
            let matters = is_manifest || is_source();
            return if matters {
                Inspection::Other
            } else {
                Inspection::Same
            };
        };
        let known = &self.files[at];
        let old_facts = || self.repo.file(FileId(at as u32)).facts.get();
        let whole = options.root.join(path).symlink_metadata().ok();
        let Some(stamp) = whole
            .map(|found| Stamp::from_metadata(&found))
            .filter(Stamp::is_file)
        else {
            return Inspection::Other;
        };
        let (size, stat) = (stamp.size, stamp.stat);
        let budget = Budget::new(options.memory_limit);
        if size > options.max_file_size || !budget.can_parse(size) {
            return Inspection::Other;
        }
        let read = Folder::open(&options.root).and_then(|f| f.read(path, size.max(1 << 16)));
        let Ok(bytes) = read else {
            return Inspection::Other;
        };
        let found = FoundFile {
            size: bytes.len() as u64,
            mtime_ns: stamp.mtime_ns,
            touched_ns: stamp.touched_ns,
            stat,
            ..known.found.clone()
        };
        if Language::of_file(path, &bytes) != Some(found.language) {
            return Inspection::Other;
        }
        let hash = cache::content_hash(&bytes);
        if hash == known.hash && (found.size, stat) == (known.found.size, known.found.stat) {
            return Inspection::Same;
        }
        let Some(text) = decode_source(path, bytes) else {
            return Inspection::Other;
        };
        let read = |text: String, facts: &Arc<FileFacts>| ReadFile {
            path: path.to_owned(),
            stamp: (size, stat),
            text,
            facts: facts.clone(),
        };
        if hash == known.hash {
            let file = FileMeta {
                found,
                ..known.clone()
            };
            let same = ChangedFile {
                at,
                file: file.to_parsed(old_facts().clone()),
                moved: None,
                exposed: None,
            };
            return Inspection::Changed(Box::new(same), read(text, old_facts()));
        }
        let facts = Arc::new(on_deep_stack(|| {
            languages::extract_unless(found.language, &text, &|| options.cancel.is_set())
        }));
        // A skipped file has no rows.
        if facts.unparsed.is_some() {
            return Inspection::Other;
        }
        let old = weight_of(old_facts());
        let grown = weight_of(&facts).saturating_sub(old);
        if !budget.can_link(&facts) || self.weight.saturating_add(grown) > budget.facts_bytes() {
            return Inspection::Other;
        }
        let file = to_parsed(found, hash, facts);
        let (old, new) = (
            Surface::from_facts(old_facts()),
            Surface::from_facts(&file.facts),
        );
        let (moved, exposed) = match old.remap_to(&new) {
            Some(moved) if self.keeps_node_ids(at, &file, (&old, &new)) => (moved, None),
            Some(_) => return Inspection::Other,
            None => match ExposedChanges::diff(old_facts(), &file.facts) {
                Some(mut exposed)
                    if self.keeps_node_ids(at, &file, exposed.surfaces_before_and_after()) =>
                {
                    (std::mem::take(&mut exposed.moved), Some(exposed))
                }
                _ => return Inspection::Other,
            },
        };
        let fresh = read(text, &file.facts);
        let changed = ChangedFile {
            at,
            file,
            moved: Some(moved),
            exposed,
        };
        Inspection::Changed(Box::new(changed), fresh)
    }

    /// Whether every definition that others may refer to keeps its node id. Ids that collide move to the next free one.
    fn keeps_node_ids(&self, at: usize, file: &Parsed, (old, new): (&Surface, &Surface)) -> bool {
        let before = emit::assign_nodes(self.keys[at], self.repo.facts(FileId(at as u32)));
        let after = emit::assign_nodes(self.keys[at], &file.facts);
        let mut both = old.defs().iter().zip(new.defs());
        both.all(|(old, new)| before.of_def[old.index()] == after.of_def[new.index()])
    }

    /// Replaces the old facts by the new ones. `None` if the tables would differ from those of a full build, or if
    /// others may see the added and removed definitions.
    fn apply_new_facts(&mut self, changed: &mut [ChangedFile]) -> Option<DefinitionDelta> {
        let mut moves = Vec::new();
        for one in changed.iter_mut() {
            if let Some(moved) = one.moved.take() {
                let id = FileId(one.at as u32);
                let new = one.file.facts.clone();
                self.weight += weight_of(&new);
                self.weight -= weight_of(self.repo.facts(id)).min(self.weight);
                self.repo.replace_facts(id, new);
                self.nodes[one.at] = OnceLock::new();
                moves.push((id, moved));
            }
            self.files[one.at] = FileMeta::from_parsed(&one.file);
        }
        let novelties = changed.iter().map(|one| FileDelta {
            file: FileId(one.at as u32),
            exposed: one.exposed.as_ref(),
        });
        let novelties: Vec<FileDelta<'_>> = novelties.collect();
        let (langs, repo) = (&mut self.langs, &self.repo);
        let delta = definition_changes::collect_definition_delta(repo, &novelties)?;
        let changes = linker::lang::DefinitionChanges {
            fresh: &delta.fresh,
            names: &delta.names,
            files: &delta.files,
            imports: &delta.imports,
        };
        langs.follow(repo, &moves, &changes).then_some(delta)
    }

    /// Whether only files that are linked again have edges to removed definitions.
    fn has_no_dangling_edges(
        &self,
        changed: &[ChangedFile],
        before: &[Parsed],
        delta: &DefinitionDelta,
    ) -> Result<bool, StoreError> {
        let again = delta.files.iter().map(|id| id.0 as usize);
        let again = again.chain(changed.iter().map(|one| one.at));
        let again = again.map(|at| self.files[at].found.path.as_str()).collect();
        for (one, before) in changed.iter().zip(before) {
            if one.exposed.is_some() {
                let key = self.keys[one.at];
                let nodes = [&before.facts, &one.file.facts].map(|f| emit::assign_nodes(key, f));
                if !edges_to_removed::only_from_files(&self.store, &nodes[0], &nodes[1], &again)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn write_changes(
        &mut self,
        options: &IndexOptions,
        changed: Vec<ChangedFile>,
        before: &[Parsed],
        delta: &DefinitionDelta,
    ) -> Result<Option<UpdateOutcome>, IngestError> {
        let mut done = UpdateOutcome::default();
        let mut change = GraphChange::default();
        self.link_dependent_files(&changed, delta, &mut change, &mut done)?;
        for (one, before) in changed.iter().zip(before) {
            let path = &one.file.found.path;
            if one.file.hash == before.hash {
                let mut record = self.records[one.at].clone();
                record.stat = one.file.found.stat;
                change.files.push(record);
                continue;
            }
            let (record, graph) = self.link_file(one.at);
            let old = FileState::from_store(&self.store, path)?;
            let new = self.file_state(&graph);
            self.count_users(path, &old, &new);
            done.counts.add(old.count_changes(new));
            if record.output_hash != self.records[one.at].output_hash {
                change.clear_files.push(path.clone());
                change.add_file(graph);
            }
            self.gave_up += u64::from(one.file.facts.is_incomplete());
            let gave_up = u64::from(before.facts.is_incomplete());
            self.gave_up = self.gave_up.saturating_sub(gave_up);
            change.files.push(record);
            self.unsaved.push((one.file.key(), one.file.facts.clone()));
            done.updated.push(path.clone());
            done.linked += 1;
        }
        if self.lender.as_ref().is_some_and(|l| l.has_missing_facts()) {
            return Ok(None);
        }
        if options.cancel.is_set() {
            return Err(IngestError::Cancelled);
        }
        done.commit = git::head_commit(&options.root);
        self.collect_metadata_changes(&mut change, &done)?;
        if !(change.files.is_empty() && change.metadata.is_empty()) {
            self.store.apply_change(&change)?;
            done.needs_maintenance = store::sqlite::log_size(&options.db_path) > LONG_LOG;
            self.users_changed = false;
        }
        for record in change.files {
            let at = self.records.binary_search_by(|r| r.path.cmp(&record.path));
            if let Ok(at) = at {
                self.records[at] = record;
            }
        }
        if self.unsaved.len() >= MOST_UNSAVED {
            self.save_facts();
        }
        Ok(Some(done))
    }

    /// Links the unchanged files that mention added or removed definitions.
    fn link_dependent_files(
        &mut self,
        changed: &[ChangedFile],
        delta: &DefinitionDelta,
        change: &mut GraphChange,
        done: &mut UpdateOutcome,
    ) -> Result<(), StoreError> {
        let files = delta.files.iter().map(|id| id.0 as usize);
        let beside = files.filter(|at| !changed.iter().any(|one| one.at == *at));
        for at in beside.collect::<Vec<usize>>() {
            let (record, graph) = self.link_file(at);
            done.linked += 1;
            let known = &self.records[at];
            if record == *known {
                continue;
            }
            if record.output_hash != known.output_hash {
                let path = record.path.clone();
                let old = FileState::from_store(&self.store, &path)?;
                let new = self.file_state(&graph);
                self.count_users(&path, &old, &new);
                change.clear_files.push(path);
                change.add_file(graph);
            }
            change.files.push(record);
        }
        Ok(())
    }

    fn link_file(&mut self, at: usize) -> (FileRecord, FileGraph) {
        let id = FileId(at as u32);
        let (repo, langs, file, key) =
            (&self.repo, &self.langs, self.parsed_file(at), self.keys[at]);
        let nodes = LazyNodes {
            repo,
            keys: &self.keys,
            nodes: &self.nodes,
        };
        let linked = linker::link_file(repo, langs, id);
        let mut rows = emit::build_file_rows(repo, &nodes, id, &linked);
        let hash = rows.number_and_hash(key);
        let path = &file.found.path;
        match rows.calls.given_up {
            0 => self.given_up.remove(path),
            count => self.given_up.insert(path.clone(), count),
        };
        (to_file_record(&file, &rows.calls, hash), rows.graph)
    }

    /// A file with its facts.
    fn parsed_file(&self, at: usize) -> Parsed {
        let facts = self.repo.file(FileId(at as u32)).facts.get();
        self.files[at].to_parsed(facts.clone())
    }

    /// Releases the facts: an update needs few of them, and they can be loaded again soon. False if no cache holds
    /// them.
    pub(crate) fn release_facts(&mut self) -> bool {
        self.save_facts();
        let cache = self.facts_folders.open();
        if !self
            .files
            .iter()
            .all(|file| cache.contains_key(&file.facts_key()))
            || !cache.verify_checksums()
        {
            return false;
        }
        let keys = self.files.iter().map(FileMeta::facts_key).collect();
        let lender = Arc::new(EvictedFacts::new(cache, keys));
        let source: Arc<dyn FactsSource> = lender.clone();
        self.repo.evict_facts(&source);
        self.lender = Some(lender);
        self.pool = None;
        self.nodes = self.files.iter().map(|_| OnceLock::new()).collect();
        // Pages that stay in the log are read from there.
        let _ = self.store.checkpoint();
        self.store.release_memory().is_ok()
    }

    /// The new rows of a file, for comparison with the old ones.
    fn file_state(&self, graph: &FileGraph) -> FileState {
        FileState::from_graph(graph, &|key| {
            let at = self.by_key.get(&key);
            at.map_or("", |at| &self.files[*at as usize].found.path)
        })
    }

    fn count_users(&mut self, own: &str, old: &FileState, new: &FileState) {
        let (old, new) = (old.used_files(own), new.used_files(own));
        self.users_changed |= old != new;
        for path in new.difference(&old) {
            *self.users.entry(path.clone()).or_default() += 1;
        }
        for path in old.difference(&new) {
            if let Some(count) = self.users.get_mut(path) {
                *count -= 1;
                if *count == 0 {
                    self.users.remove(path);
                }
            }
        }
    }

    /// Adds the changed metadata of the index.
    fn collect_metadata_changes(
        &self,
        change: &mut GraphChange,
        done: &UpdateOutcome,
    ) -> Result<(), StoreError> {
        // It grows with the repository and rarely changes.
        if self.users_changed {
            let users = serde_json::to_string(&self.users).unwrap_or_default();
            change.metadata.push((FILE_USERS.to_owned(), users));
        }
        let commit = done.commit.clone().unwrap_or_default();
        let given_up = serde_json::to_string(&self.given_up).unwrap_or_default();
        for (key, value) in [
            (CALLS_GIVEN_UP, given_up),
            (PARSE_GAVE_UP, self.gave_up.to_string()),
            ("commit", commit),
        ] {
            if self.store.metadata(key)?.as_deref() != Some(value.as_str()) {
                change.metadata.push((key.to_owned(), value));
            }
        }
        if !change.files.is_empty() {
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            let now = now.map_or(0, |d| d.as_secs()).to_string();
            change.metadata.push(("indexed_at".to_owned(), now));
            change
                .metadata
                .push(("version_stamp".to_owned(), self.stamp.clone()));
        }
        Ok(())
    }

    /// Writes the facts that the cache does not have yet.
    pub(crate) fn save_facts(&mut self) {
        if self.unsaved.is_empty() {
            return;
        }
        let live: rustc_hash::FxHashSet<Key> = self.files.iter().map(FileMeta::facts_key).collect();
        let mut new = std::mem::take(&mut self.unsaved);
        new.retain(|(key, _)| live.contains(key));
        let cache = self.facts_folders.open();
        new.retain(|(key, _)| cache.get(key).is_none());
        // Files whose facts were not written are parsed again later.
        let _ = cache.append_or_compact(&new, &|key| live.contains(key));
    }
}

impl Drop for Resident {
    fn drop(&mut self) {
        self.save_facts();
        // Pages that stay in the log are read from there.
        let _ = self.store.checkpoint_truncate();
    }
}

/// Walks the project; `None` if a part of it can never fit below the ceiling.
fn walk_within_budget(options: &IndexOptions) -> Result<Option<Walked>, IngestError> {
    let mut walked = walk::walk_within(&options.root, options.limits())?;
    let _ = Budget::new(options.memory_limit).drop_what_cannot_fit(&mut walked, &mut Vec::new());
    Ok(walked.left_out.is_empty().then_some(walked))
}

type FileAndRecord<'k> = (FoundFile, &'k FileRecord);

/// All files of the index as they were indexed, and those that changed. `None` if files were added or removed.
fn match_walk_to_records<'k>(
    walked: &Walked,
    known: &'k BTreeMap<String, FileRecord>,
    passed: &PassedOver,
) -> Option<(Vec<FileAndRecord<'k>>, Vec<FileAndRecord<'k>>)> {
    let (mut all, mut suspects) = (Vec::with_capacity(known.len()), Vec::new());
    for found in &walked.files {
        let stamp = (found.size, found.stat);
        let Some(record) = known.get(&found.path) else {
            if passed.get(&found.path) == Some(&stamp) {
                continue;
            }
            return None;
        };
        if stamp != (record.size, record.stat) {
            suspects.push((found.clone(), record));
        }
        let as_indexed = FoundFile {
            size: record.size,
            stat: record.stat,
            ..found.clone()
        };
        all.push((as_indexed, record));
    }
    (all.len() == known.len()).then_some((all, suspects))
}

/// Whether the changes are invisible to other files; checked before everything is loaded.
fn can_update_incrementally(
    options: &IndexOptions,
    cache: &FactsCache,
    suspects: &[FileAndRecord<'_>],
) -> bool {
    let Ok(folder) = Folder::open(&options.root) else {
        return false;
    };
    suspects.par_iter().all(|(found, record)| {
        let key = hex::decode(&record.hash).map(|hash| cache::cache_key(hash, found.language));
        let old = key.and_then(|key| cache.get(&key));
        let new = read_file(&folder, found, cache, None, None, &options.cancel);
        match (old, new) {
            (Some(old), ReadOutcome::File(new, _)) => {
                let same = Surface::from_facts(&old)
                    .remap_to(&Surface::from_facts(&new.facts))
                    .is_some();
                same || ExposedChanges::diff(&old, &new.facts).is_some()
            }
            _ => false,
        }
    })
}

enum Inspection {
    Same,
    Changed(Box<ChangedFile>, ReadFile),
    /// More than the file itself has to be checked.
    Other,
}

/// Whether a file without an ending is a script in a language that is read.
fn is_script(options: &IndexOptions, path: &str) -> bool {
    let root = Folder::open(&options.root);
    root.is_ok_and(|root| walk::script_language(&root, path, path).is_some())
}
