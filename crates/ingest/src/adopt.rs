//! The first index of a worktree or clone, copied from another one of the same repository. Files that are the same in
//! both keep their rows and chunks; an ordinary update reads the rest.

use crate::cache::{self, IndexLocation, PACK, SharedCache};
use crate::chunks;
use crate::pipeline::{
    Budget, IndexOptions, PASSED_OVER, PassedOver, build_thread_pool, facts_cache_dir,
    parse_skipped_files, version_stamp,
};
use crate::walk::{self, FoundText, Stamp, Walked};
use crate::{IngestError, imported};
use base::hex;
use guard::Folder;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use search::index::{self, Index, Model};
use search::prepare::Prepared;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use store::sqlite::SqliteStore;
use store::{FileRecord, GraphStore};

/// Most indexes that are tried: each attempt compares every file.
const MOST_TRIED: usize = 3;

/// Registers the place of this index for other worktrees and clones of the repository.
pub(crate) fn register_index_location(
    options: &IndexOptions,
    shared: &SharedCache,
) -> std::io::Result<()> {
    shared.register_location(&IndexLocation {
        root: options.root.clone(),
        db_path: options.db_path.clone(),
        facts: facts_cache_dir(options),
        chunks: chunks::chunk_index_dir(options),
    })
}

fn find_other_index_locations(options: &IndexOptions) -> Vec<IndexLocation> {
    let all = options.shared_dir.as_deref().filter(|_| !options.force);
    let shared =
        all.and_then(|all| SharedCache::for_repository(all, &options.root, &options.state_dir));
    let mut places = shared.map_or_else(Vec::new, |shared| shared.other_locations(&options.root));
    places.truncate(MOST_TRIED);
    places
}

/// Copies the graph of another worktree or clone into the missing database; returns the root of the other. The caller
/// holds the writer lock. If no other graph helps, or anything fails, nothing is copied and the index is built.
pub(crate) fn adopt_graph(options: &IndexOptions, walked: &Walked) -> Option<PathBuf> {
    let mut places = find_other_index_locations(options).into_iter();
    let taken =
        places.find(|place| matches!(try_copy_graph_from(options, walked, place), Ok(true)))?;
    // Missing facts are extracted again.
    let facts = facts_cache_dir(options);
    let _ = guard::state::create_private_folders(&facts);
    let _ = cache::write_atomically(&facts.join(PACK), |partial| {
        cache::copy_pack(&taken.facts.join(PACK), partial)
    });
    Some(taken.root)
}

fn try_copy_graph_from(
    options: &IndexOptions,
    walked: &Walked,
    place: &IndexLocation,
) -> Result<bool, IngestError> {
    if is_imported(place) {
        return Ok(false);
    }
    let store = SqliteStore::open_read_only(&place.db_path)?;
    store.begin_read_snapshot()?;
    if !has_same_index_settings(&store, options)? || store.has_rows_by_hand()? {
        return Ok(false);
    }
    let known = store.indexed_files()?;
    let pool = build_thread_pool(options.threads)?;
    let same = pool.install(|| find_same_files(&options.root, walked, &known));
    // If less than half is the same, building costs no more.
    if same.is_empty() || same.len() * 2 < walked.files.len().max(known.len()) {
        return Ok(false);
    }
    let passed = skipped_files_still_same(options, walked, place, &store)?;
    store.copy_to(&options.db_path, &same, &[(PASSED_OVER, passed)], None)?;
    Ok(true)
}

/// Whether an index contains imported data, which only its own user agreed to.
fn is_imported(place: &IndexLocation) -> bool {
    let state_dir = place.chunks.parent();
    state_dir.is_none_or(|state_dir| imported::is_there(state_dir, &place.db_path))
}

/// The entries of skipped files, taken from the index's metadata, for the files that are the same here.
fn skipped_files_still_same(
    options: &IndexOptions,
    walked: &Walked,
    place: &IndexLocation,
    store: &SqliteStore,
) -> Result<String, IngestError> {
    let mut here = PassedOver::new();
    for (path, stamp) in parse_skipped_files(store.metadata(PASSED_OVER)?) {
        let at = walked.files.binary_search_by(|found| found.path.cmp(&path));
        let found = at.ok().map(|at| &walked.files[at]);
        if let Some(found) =
            found.filter(|f| is_same_in_both_roots(options, place, (&path, f.size), stamp))
        {
            here.insert(path, (found.size, found.stat));
        }
    }
    Ok(serde_json::to_string(&here).unwrap_or_default())
}

/// Whether an index made here would have the same settings, apart from those that depend on manifests.
fn has_same_index_settings(
    store: &SqliteStore,
    options: &IndexOptions,
) -> Result<bool, IngestError> {
    let parts = |stamp: &str| -> Option<Value> {
        let mut parts: Value = serde_json::from_str(stamp).ok()?;
        parts.as_object_mut()?.remove("manifests")?;
        Some(parts)
    };
    let theirs = store.metadata("version_stamp")?.as_deref().and_then(parts);
    let is_whole = store.metadata("indexed_at")?.is_some();
    Ok(is_whole && theirs.is_some() && theirs == parts(&version_stamp(options, &[])))
}

/// The records of files with the same content here, with the size and time that they have here.
pub(crate) fn find_same_files(
    root: &Path,
    walked: &Walked,
    known: &BTreeMap<String, FileRecord>,
) -> Vec<FileRecord> {
    let Ok(folder) = Folder::open(root) else {
        return Vec::new();
    };
    let same = |found: &walk::FoundFile| {
        let record = known.get(&found.path).filter(|r| r.size == found.size)?;
        let bytes = folder.read(&found.path, found.size).ok()?;
        let is_same = hex::encode(&cache::content_hash(&bytes)) == record.hash;
        is_same.then(|| FileRecord {
            stat: found.stat,
            ..record.clone()
        })
    };
    walked.files.par_iter().filter_map(same).collect()
}

/// Makes the missing chunks from another index; returns whether it did.
pub(crate) fn adopt_chunks(options: &IndexOptions, found: &[FoundText], model: &Model) -> bool {
    let places = find_other_index_locations(options);
    let mut each = places.iter();
    each.any(|place| try_copy_chunks_from(options, found, model, place).unwrap_or(false))
}

fn try_copy_chunks_from(
    options: &IndexOptions,
    found: &[FoundText],
    model: &Model,
    place: &IndexLocation,
) -> Result<bool, IngestError> {
    if is_imported(place) {
        return Ok(false);
    }
    let to_error = |e: index::IndexError| IngestError::Chunks(e.to_string());
    let theirs = Index::open(&place.chunks).map_err(to_error)?;
    // All of them are read at once.
    let most = Budget::new(options.memory_limit).merge_segment_bytes();
    if theirs.model() != model || theirs.size_in_bytes() > most {
        return Ok(false);
    }
    let known = theirs.content_hashes();
    let pool = build_thread_pool(options.threads)?;
    let same: FxHashMap<&str, u64> = pool.install(|| {
        let each = found.par_iter();
        let same = each.filter(|f| {
            let there = walk::file_stamp(&place.root.join(&f.path));
            let there =
                there.filter(|s| known.get(&f.path) == Some(&chunks::chunk_key_of_stamp(*s)));
            there.is_some_and(|there| {
                is_same_in_both_roots(options, place, (&f.path, f.size), there)
            })
        });
        same.map(|f| (&*f.path, chunks::chunk_key(f))).collect()
    });
    if same.is_empty() || same.len() * 2 < found.len().max(known.len()) {
        return Ok(false);
    }
    let mut prepared: Vec<Prepared> = Vec::new();
    let keep = |path: &str| same.get(path).copied();
    let mut add = |files| {
        prepared.extend(files);
        Ok::<(), IngestError>(())
    };
    if !theirs.read_back_files(keep, most, &mut add)? {
        return Ok(false);
    }
    let folder = chunks::chunk_index_dir(options);
    let _lock = chunks::lock_chunk_index(options)?;
    // Another process may have made them meanwhile.
    if Index::open(&folder).is_ok_and(|index| index.model() == model) {
        return Ok(true);
    }
    let built = pool.install(|| index::build(&folder, model, prepared));
    built.map(|_| true).map_err(to_error)
}

/// Whether a file has that size and time in the other root, and the same content in both.
fn is_same_in_both_roots(
    options: &IndexOptions,
    place: &IndexLocation,
    (path, size): (&str, u64),
    there: Stamp,
) -> bool {
    let other = place.root.join(path);
    if there.0 != size || walk::file_stamp(&other) != Some(there) {
        return false;
    }
    let read = |root: &Path| Folder::open(root).and_then(|f| f.read(path, size)).ok();
    let own = read(&options.root);
    own.is_some() && own == read(&place.root)
}
