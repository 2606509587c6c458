//! Writes the index of a project into one file.

use super::stream::Writer;
use super::{Header, Kind, MAGIC, error};
use crate::cache::{self, SharedCache};
use crate::chunks;
use crate::imported::FactsFolders;
use crate::pipeline::{
    CALLS_GIVEN_UP, FILE_USERS, IndexOptions, LEFT_OUT, MANIFEST_LIMITS, PARSE_GAVE_UP,
    PASSED_OVER, SKIPPED_FILES, facts_cache_dir, parse_skipped_files,
};
use crate::{IngestError, git, walk};
use base::{Language, Tier, hex};
use guard::Folder;
use rustc_hash::FxHashMap;
use search::index::Index;
use serde::Serialize;
use std::io::Read;
use std::path::Path;
use store::sqlite::SqliteStore;
use store::{FileRecord, GraphStore, NodeFlags, StoreError};

/// The metadata entries that are exported. Sizes and times of files are not among them.
pub(super) const METADATA: [&str; 11] = [
    "scip",
    "indexed_at",
    "version_stamp",
    "commit",
    "skipped",
    SKIPPED_FILES,
    FILE_USERS,
    CALLS_GIVEN_UP,
    MANIFEST_LIMITS,
    PARSE_GAVE_UP,
    LEFT_OUT,
];

/// Report of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExportReport {
    /// The commit of the index.
    pub commit: Option<String>,
    /// Files in the graph.
    pub files: u64,
    /// Files whose chunks and vectors were written.
    pub texts: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

/// Writes the index of a project to `path`, as a whole or not at all. The caller must have updated it.
pub fn export(options: &IndexOptions, path: &Path) -> Result<ExportReport, IngestError> {
    let path = &guard::output::check_user_file(path, &options.root)
        .map_err(|e| error(path, e.reason()))?;
    if !is_free(path) {
        return Err(error(path, "there is a file that is no exported index"));
    }
    let beside = guard::state::temp_path_beside(path).map_err(|e| error(path, e.to_string()))?;
    let done = write(options, path, &beside).and_then(|report| {
        platform::file::replace(&beside, path).map_err(|e| error(path, e.to_string()))?;
        Ok(report)
    });
    if done.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    done
}

/// Whether the place has no file, an empty one, or an earlier export.
fn is_free(path: &Path) -> bool {
    let mut head = Vec::new();
    match guard::open_user_file(path, u64::MAX) {
        Ok(file) => match file.take(MAGIC.len() as u64).read_to_end(&mut head) {
            Ok(0) => true,
            Ok(_) => head == MAGIC,
            Err(_) => false,
        },
        Err(error) => error.is_missing(),
    }
}

fn write(options: &IndexOptions, path: &Path, beside: &Path) -> Result<ExportReport, IngestError> {
    let store = SqliteStore::open_read_only(&options.db_path)?;
    store.begin_read_snapshot()?;
    let files = store.indexed_files()?;
    let commit = store.metadata("commit")?.filter(|c| !c.is_empty());
    let header = Header {
        commit: commit.clone(),
        repository: git::origin_name(&options.root),
        files: files.len() as u64,
        ..Header::of_this_program()?
    };
    let mut opening = guard::state::private_file_options();
    let opening = opening.read(true).write(true).create_new(true);
    let file = opening
        .open(beside)
        .map_err(|e| error(path, e.to_string()))?;
    let mut out = Writer::new(path, file, &header)?;
    let root = crate::open_project_root(&options.root)?;
    let contents = Contents { root: &root };
    files.values().for_each(|file| out.put(Kind::File, file));
    for (path, stamp) in parse_skipped_files(store.metadata(PASSED_OVER)?) {
        if let Some(hash) = contents.hash(&path, stamp) {
            out.put(Kind::PassedOver, &(path, hash));
        }
    }
    write_graph(&store, &mut out)?;
    for key in METADATA {
        if let Some(value) = store.metadata(key)? {
            out.put(Kind::Metadata, &(key, value));
        }
    }
    let texts = write_chunks(options, &contents, &mut out)?;
    write_facts(options, files.values(), &mut out);
    Ok(ExportReport {
        commit,
        files: files.len() as u64,
        texts,
        bytes: out.finish()?,
    })
}

/// The project's files at present.
struct Contents<'r> {
    root: &'r Folder,
}

impl Contents<'_> {
    /// The hash of a file's bytes, if it has that size and time.
    fn hash(&self, path: &str, stamp: walk::Stamp) -> Option<[u8; 16]> {
        let full = self.root.path().join(path);
        let bytes = self.root.read(path, stamp.0).ok()?;
        (walk::file_stamp(&full) == Some(stamp)).then(|| cache::content_hash(&bytes))
    }
}

fn write_graph(store: &SqliteStore, out: &mut Writer) -> Result<(), StoreError> {
    let mut file_ids: FxHashMap<String, String> = FxHashMap::default();
    store.for_each_node(&mut |n| {
        if n.flags.contains(NodeFlags::MANUAL) {
            return;
        }
        let names = (&n.id, &n.symbol, &n.kind, &n.file_path);
        let place = (n.line_start, n.line_end, n.flags.0);
        let texts = (&n.qualified_name, &n.signature, &n.doc, &n.scip_symbol);
        out.put(Kind::Node, &(names, place, texts));
        if n.kind == base::SymbolKind::File.as_str() {
            file_ids.insert(n.file_path, n.id);
        }
    })?;
    store.for_each_edge(&mut |e| {
        if e.tier != Tier::Manual {
            let ends = (&e.id, &e.source_id, &e.target_id);
            let kind = (e.edge_type, e.site, e.tier, e.confidence);
            out.put(
                Kind::Edge,
                &(ends, kind, (&e.file_path, e.line, &e.more_lines)),
            );
        }
    })?;
    store.for_each_relation(&mut |relation| out.put(Kind::Relation, &relation))?;
    store.for_each_external(&mut |external| out.put(Kind::External, &external))?;
    store.for_each_import(&mut |row| {
        if let Some(import) = row.to_record(&file_ids) {
            out.put(Kind::Import, &import);
        }
    })?;
    store.for_each_unresolved(&mut |calls| out.put(Kind::Unresolved, &calls))?;
    store.for_each_mark(&mut |mark| out.put(Kind::Mark, &mark.to_record()))
}

/// Writes the chunks of every file that has not changed since it was indexed. Returns the number of files.
fn write_chunks(
    options: &IndexOptions,
    contents: &Contents<'_>,
    out: &mut Writer,
) -> Result<u64, IngestError> {
    let index = match Index::open(&chunks::chunk_index_dir(options)) {
        Ok(index) => index,
        Err(search::index::IndexError::Missing(_)) => return Ok(0),
        Err(other) => return Err(IngestError::Chunks(other.to_string())),
    };
    let mut written = 0;
    let known = index.content_hashes();
    let mut hashes: FxHashMap<&str, [u8; 16]> = FxHashMap::default();
    for (path, key) in &known {
        let stamp = walk::file_stamp(&contents.root.path().join(path));
        let stamp = stamp.filter(|stamp| chunks::chunk_key_of_stamp(*stamp) == *key);
        if let Some(hash) = stamp.and_then(|stamp| contents.hash(path, stamp)) {
            hashes.insert(path, hash);
        }
    }
    let keep = |path: &str| hashes.contains_key(path).then_some(0);
    let most = crate::piece_bytes(options.memory_limit);
    let is_whole = index.read_back_files(keep, most, &mut |files| {
        for file in files {
            if let (Some(hash), Some(bytes)) = (hashes.get(file.path()), file.to_portable()) {
                out.put(Kind::Chunks, &(hash, bytes));
                written += 1;
            }
        }
        Ok::<(), IngestError>(())
    })?;
    if is_whole {
        Ok(written)
    } else {
        let reason = "it is damaged: `knotwork index --force`";
        Err(IngestError::Chunks(reason.to_owned()))
    }
}

fn write_facts<'f>(
    options: &IndexOptions,
    files: impl Iterator<Item = &'f FileRecord>,
    out: &mut Writer,
) {
    let cache = FactsFolders::new(facts_cache_dir(options), &options.state_dir).open();
    let shared = options.shared_dir.as_deref();
    let shared =
        shared.and_then(|all| SharedCache::for_repository(all, &options.root, &options.state_dir));
    let cache = cache.with_fallback(shared.and_then(|shared| shared.open()));
    for file in files {
        let (Some(language), Some(hash)) = (language_of(file), hex::decode(&file.hash)) else {
            continue;
        };
        if let Some(facts) = cache.get(&cache::cache_key(hash, language)) {
            out.put(Kind::Facts, &(hash, &*facts));
        }
    }
}

/// The language that a file was read as.
pub(super) fn language_of(file: &FileRecord) -> Option<Language> {
    Language::ALL
        .into_iter()
        .find(|l| l.as_str() == file.language)
}
