//! The index of passages beside the graph: what changed on disk is read again, from whatever state it is in.
//!
//! It has its own note of size and time for each file, so that questions about the graph need not wait for it,
//! and a process that is killed between the two loses nothing.

use crate::cache::{self, FactsCache};
use crate::pipeline::{IndexOptions, Progress, pool};
use crate::text::{self, Decoded};
use crate::walk::{self, FoundText};
use crate::{IngestError, search_doc};
use base::Language;
use rayon::prelude::*;
use search::embed::{CodeModel, Embedder};
use search::index::{self, Index, IndexError, Model};
use search::plain;
use search::prepare::{Prepared, prepare};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use store::WriterLock;

/// Goes up whenever the same file gives other passages.
const PASSAGES_VERSION: u32 = 1;

/// The folder of the index of passages.
pub fn folder(options: &IndexOptions) -> PathBuf {
    options.state_dir.join("search")
}

/// How the passages were brought up to date.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PassagesReport {
    /// Files read.
    pub updated: usize,
    /// Files gone.
    pub removed: usize,
}

/// What differs between disk and index.
struct Difference {
    changed: Vec<(FoundText, u64)>,
    removed: Vec<String>,
    /// There is no index that can be added to.
    anew: bool,
}

/// Brings the passages up to date and opens them.
///
/// Errors: [`store::StoreError::Busy`] where another process is at it for longer than `options.wait`.
pub fn update_passages(
    options: &IndexOptions,
    progress: &dyn Progress,
) -> Result<(Index, PassagesReport), IngestError> {
    let folder = folder(options);
    let model = CodeModel::get().map_err(|e| IngestError::Passages(e.to_string()))?;
    let found = walk::texts(&options.root, options.max_file_size, &|path| {
        plain::language_of(path).is_some()
    })?;
    let mut opened = open(&folder, model)?;
    let before = difference(opened.as_ref(), &found);
    if let (Some(index), true) = (opened.take(), before.is_empty()) {
        return Ok((index, PassagesReport::default()));
    }
    let _lock = WriterLock::acquire(&folder.join("index"), options.wait)?;
    // Another process may have done it meanwhile.
    let opened = open(&folder, model)?;
    let now = difference(opened.as_ref(), &found);
    if let (Some(index), true) = (opened, now.is_empty()) {
        return Ok((index, PassagesReport::default()));
    }
    let report = PassagesReport {
        updated: now.changed.len(),
        removed: now.removed.len(),
    };
    progress.stage("reading for search", now.changed.len() as u64);
    let cache = FactsCache::open(&options.state_dir.join("ast-cache"));
    let mut removed = now.removed;
    let read: Vec<Result<Prepared, String>> = pool(options.threads)?.install(|| {
        now.changed
            .par_iter()
            .map(|(found, key)| {
                let prepared = read_one(&options.root, found, *key, &cache, model);
                progress.advance(1);
                prepared.ok_or_else(|| found.path.clone())
            })
            .collect()
    });
    drop(cache);
    let mut prepared = Vec::with_capacity(read.len());
    for one in read {
        match one {
            Ok(file) => prepared.push(file),
            Err(path) => removed.push(path),
        }
    }
    let model_of = Model::of(model);
    let written = match now.anew {
        true => index::build(&folder, &model_of, prepared),
        false => index::commit(&folder, &model_of, prepared, &removed),
    };
    written.map_err(|e| IngestError::Passages(e.to_string()))?;
    let index = Index::open(&folder).map_err(|e| IngestError::Passages(e.to_string()))?;
    Ok((index, report))
}

/// The index, unless there is none that can be used.
fn open(folder: &Path, model: &CodeModel) -> Result<Option<Index>, IngestError> {
    match Index::open(folder) {
        Ok(index) if *index.model() == Model::of(model) => Ok(Some(index)),
        Ok(_) | Err(IndexError::Missing { .. } | IndexError::Unusable { .. }) => Ok(None),
        Err(other) => Err(IngestError::Passages(other.to_string())),
    }
}

impl Difference {
    fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.removed.is_empty()
    }
}

/// Files that give no passage (data, binary) stand in no index: they are few and small, and are looked at each time.
fn difference(index: Option<&Index>, found: &[FoundText]) -> Difference {
    let known: BTreeMap<String, u64> = index.map(Index::paths).unwrap_or_default();
    let changed = found
        .iter()
        .map(|f| (f, key(f)))
        .filter(|(f, key)| known.get(&f.path) != Some(key))
        .map(|(f, key)| (f.clone(), key))
        .collect();
    let there = |path: &String| found.binary_search_by(|f| f.path.cmp(path)).is_ok();
    let removed = known.keys().filter(|p| !there(p)).cloned().collect();
    Difference {
        changed,
        removed,
        anew: index.is_none(),
    }
}

/// Changes whenever the file does, and with what is made of it.
fn key(found: &FoundText) -> u64 {
    base::fingerprint(&[
        &found.size.to_le_bytes(),
        &found.mtime_ns.to_le_bytes(),
        &PASSAGES_VERSION.to_le_bytes(),
        &syntax::FACTS_VERSION.to_le_bytes(),
    ])
}

/// Always something for a file that is there, so that it is not read again: a file without passages is an empty one.
fn read_one(
    root: &Path,
    found: &FoundText,
    key: u64,
    cache: &FactsCache,
    model: &dyn Embedder,
) -> Option<Prepared> {
    let bytes = cache::read_bounded(&root.join(&found.path), found.size.max(1 << 16)).ok()?;
    let hash = cache::content_hash(&bytes);
    let text = match text::decode(bytes) {
        Decoded::Text(text) if !text::is_minified(&text) => text,
        _ => String::new(),
    };
    let language = Language::of_path(&found.path);
    let facts = language.map(|language| {
        let cached = cache.get(&cache::key(hash, language));
        cached.unwrap_or_else(|| syntax::extract(language, &text))
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
    document.hash = key;
    prepare(&document, Some(model)).ok()
}
