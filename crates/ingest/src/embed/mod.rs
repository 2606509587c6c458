//! Chunks with the vectors of a provider, in an index of their own beside that of the built-in model.
//!
//! There are two indexes, so that vectors of two models are never mixed, and so that one can always answer when the
//! provider is unavailable. A chunk is sent once: its vector is cached under the text that was sent. A file that
//! changes often is sent once a day; until then its changed chunks are found by their words.

mod state;
#[cfg(test)]
mod tests;
mod vector_cache;

use crate::cache::{self, FactsCache};
use crate::pipeline::{IndexOptions, Progress, build_thread_pool};
use crate::text::{self, Decoded};
use crate::walk::{self, FoundText};
use crate::{IngestError, search_doc};
use base::Language;
use guard::Folder;
use rayon::prelude::*;
use search::embed::{EmbedDoc, EmbedError, Embedder, QuantVec};
use search::index::{self, Index, IndexError, Model};
use search::plain;
use search::prepare::{Prepared, embed_inputs, prepare};
use state::EmbedState;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::time::Instant;
use store::WriterLock;
use vector_cache::{KeepError, Key, VectorCache};

/// Version of these chunks; raised whenever the same file produces other chunks.
const VERSION: u32 = 1;

/// The folder of all data from a provider.
pub fn embeddings_folder(options: &IndexOptions) -> PathBuf {
    options.state_dir.join("embeddings")
}

/// A request to the provider for vectors.
#[derive(Clone, Copy)]
pub struct EmbedRequest<'a> {
    /// The embedder to use.
    pub embedder: &'a dyn Embedder,
    /// Whether to send files even if they were sent today.
    pub force: bool,
    /// Limits for a question that waits: a time to give up, and the most chunks to send. The index is then not built
    /// from nothing.
    pub waiting: Option<(Instant, usize)>,
}

/// Result of an update of the vectors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EmbedReport {
    /// Chunks sent to the provider.
    pub asked: usize,
    /// Chunks of changed files whose vectors were cached.
    pub kept: usize,
    /// Chunks that have no vector yet.
    pub missing: usize,
    /// Why vectors are missing, if the provider failed.
    pub problem: Option<String>,
}

/// A chunk as it is sent to the provider.
struct Piece {
    key: Key,
    names: String,
    code: String,
}

/// A file with its chunks.
struct Read {
    file: Prepared,
    pieces: Vec<Piece>,
    leave: SendDecision,
    /// Whether a chunk of it had no vector before the request.
    is_new: bool,
}

/// Whether a file may be sent to the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SendDecision {
    /// Yes: the file is new.
    First,
    /// Yes: the file has changed, and a day has passed.
    Change,
    /// No: not today.
    No,
}

/// Updates the provider's index. `None` if the provider has returned no vector yet, or if a waiting question would have
/// to build the index.
///
/// Errors: [`store::StoreError::Busy`] if another process writes the index for longer than `options.wait`.
pub fn update_embedded(
    options: &IndexOptions,
    ask: &EmbedRequest<'_>,
    progress: &dyn Progress,
) -> Result<(Option<Index>, EmbedReport), IngestError> {
    let folder = embeddings_folder(options);
    let found = walk::texts_within(&options.root, options.limits(), &|path| {
        plain::known_language_of(path).is_some()
    })?;
    let opened = open(&folder, ask.embedder)?;
    if opened.is_none() && ask.waiting.is_some() {
        return Ok((None, EmbedReport::default()));
    }
    let state = EmbedState::load(&folder, ask.embedder.model());
    if let Some(index) = opened
        && PendingWork::new(Some(&index), &found, &state, ask).is_empty()
    {
        let report = EmbedReport {
            missing: state.missing_count(),
            ..EmbedReport::default()
        };
        return Ok((Some(index), report));
    }
    guard::state::create_private_folders(&folder).map_err(|e| failed(&folder, &e))?;
    let _lock = WriterLock::acquire(&folder.join("embeddings"), options.wait)?;
    // Another process may have updated it meanwhile.
    let opened = open(&folder, ask.embedder)?;
    let mut state = EmbedState::load(&folder, ask.embedder.model());
    let work = PendingWork::new(opened.as_ref(), &found, &state, ask);
    let mut read = work.read(options, progress)?;
    let mut kept = VectorCache::open(&folder, ask.embedder)?;
    let mut report = EmbedReport::default();
    for one in &mut read.files {
        one.is_new = one.pieces.iter().any(|p| !kept.contains_key(&p.key));
    }
    send(ask, &mut kept, &read.files, &mut report, progress);
    if kept.dimensions() == 0 || (opened.is_none() && kept.is_empty()) {
        report.missing = read.files.iter().map(|f| f.pieces.len()).sum();
        return Ok((None, report));
    }
    let prepared = finish(&mut read, &kept, &mut state);
    let model = Model {
        name: ask.embedder.model().to_owned(),
        dimensions: kept.dimensions(),
    };
    let place = folder.join("index");
    let written = match &opened {
        None => index::build(&place, &model, prepared),
        Some(_) => index::commit(&place, &model, prepared, &read.removed),
    };
    written.map_err(|e| IngestError::Chunks(e.to_string()))?;
    state.prune(&found);
    state.save(&folder)?;
    report.missing = state.missing_count();
    let index = Index::open(&place).map_err(|e| IngestError::Chunks(e.to_string()))?;
    Ok((Some(index), report))
}

/// The provider's index as it is, with the number of chunks that still have no vector.
pub fn open_embedded(options: &IndexOptions, model: &str) -> Option<(Index, usize)> {
    let folder = embeddings_folder(options);
    let index = Index::open(&folder.join("index")).ok()?;
    let missing = EmbedState::load(&folder, model).missing_count();
    (index.model().name == model).then_some((index, missing))
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> IngestError {
    IngestError::Chunks(format!("{}: {error}", path.display()))
}

/// The index; `None` if there is none for this model.
fn open(folder: &Path, embedder: &dyn Embedder) -> Result<Option<Index>, IngestError> {
    match Index::open(&folder.join("index")) {
        Ok(index) => {
            let model = index.model();
            let known = embedder.dimensions();
            let same = model.name == embedder.model() && (known == 0 || known == model.dimensions);
            Ok(same.then_some(index))
        }
        // An index that cannot be read (a link, a pipe) is replaced like a damaged one.
        Err(IndexError::Missing { .. } | IndexError::Unusable { .. } | IndexError::Io { .. }) => {
            Ok(None)
        }
        Err(other) => Err(IngestError::Chunks(other.to_string())),
    }
}

/// The work of an update.
struct PendingWork {
    /// Files to read, with their keys.
    changed: Vec<(FoundText, u64, SendDecision)>,
    removed: Vec<String>,
}

/// Files that were read.
struct Files {
    files: Vec<Read>,
    removed: Vec<String>,
}

impl PendingWork {
    fn new(
        index: Option<&Index>,
        found: &[FoundText],
        state: &EmbedState,
        ask: &EmbedRequest<'_>,
    ) -> PendingWork {
        let known: BTreeMap<String, u64> = index.map(Index::content_hashes).unwrap_or_default();
        let changed = found
            .iter()
            .map(|f| (f, key(f)))
            .filter_map(|(f, key)| {
                let before = known.get(&f.path);
                let leave = match before {
                    None => SendDecision::First,
                    Some(_) if ask.force || state.may_request_again(&f.path) => {
                        SendDecision::Change
                    }
                    Some(_) => SendDecision::No,
                };
                let is_missing = leave != SendDecision::No && state.has_missing_vectors(&f.path);
                let is_wanted = before != Some(&key) || (ask.waiting.is_none() && is_missing);
                is_wanted.then(|| (f.clone(), key, leave))
            })
            .collect();
        let there = |path: &String| found.binary_search_by(|f| f.path.cmp(path)).is_ok();
        let removed = known.keys().filter(|p| !there(p)).cloned().collect();
        PendingWork { changed, removed }
    }

    fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.removed.is_empty()
    }

    fn read(
        mut self,
        options: &IndexOptions,
        progress: &dyn Progress,
    ) -> Result<Files, IngestError> {
        progress.stage("reading for search", self.changed.len() as u64);
        let cache = FactsCache::open(&options.state_dir.join("ast-cache"));
        let root = crate::open_project_root(&options.root)?;
        let one = |(found, key, leave): &(FoundText, u64, SendDecision)| {
            let read = read_one(&root, found, *key, &cache);
            progress.advance(1);
            match read {
                Some((file, pieces)) => Ok(Read {
                    file,
                    pieces,
                    leave: *leave,
                    is_new: false,
                }),
                None => Err(found.path.clone()),
            }
        };
        let all: Vec<Result<Read, String>> = build_thread_pool(options.threads)?
            .install(|| self.changed.par_iter().map(one).collect());
        let mut files = Vec::with_capacity(all.len());
        for read in all {
            match read {
                Ok(read) => files.push(read),
                Err(path) => self.removed.push(path),
            }
        }
        Ok(Files {
            files,
            removed: self.removed,
        })
    }
}

/// A key that changes with the file, and with the versions of chunks and facts.
fn key(found: &FoundText) -> u64 {
    base::fingerprint(&[
        &found.size.to_le_bytes(),
        &found.stat.to_le_bytes(),
        &VERSION.to_le_bytes(),
        &languages::FACTS_VERSION.to_le_bytes(),
    ])
}

/// Reads a file. An existing file without chunks gets an empty entry.
fn read_one(
    root: &Folder,
    found: &FoundText,
    key: u64,
    cache: &FactsCache,
) -> Option<(Prepared, Vec<Piece>)> {
    let bytes = root.read(&found.path, found.size.max(1 << 16)).ok()?;
    let hash = cache::content_hash(&bytes);
    let text = match text::decode_masked(&found.path, bytes) {
        Decoded::Text(text) if !text::is_minified(&found.path, &text) => text,
        _ => String::new(),
    };
    let language = Language::of_file(&found.path, text.as_bytes());
    let cached = language.and_then(|l| cache.get(&cache::cache_key(hash, l)));
    let fresh = match (&cached, language) {
        (None, Some(language)) => Some(base::stack::on_deep_stack(|| {
            languages::extract(language, &text)
        })),
        _ => None,
    };
    let mut document = match (&cached, &fresh) {
        (Some(facts), _) => search_doc::file_doc(&found.path, &text, facts),
        (_, Some(facts)) => search_doc::file_doc(&found.path, &text, facts),
        _ => {
            search_doc::plain_file_doc(&found.path, &text).unwrap_or_else(|| search::doc::FileDoc {
                path: &found.path,
                ..search::doc::FileDoc::default()
            })
        }
    };
    document.hash = key;
    let pieces = embed_inputs(&document)
        .iter()
        .map(|input| {
            let doc = input.as_doc();
            Piece {
                key: vector_cache::vector_key(&doc),
                names: doc.names.to_owned(),
                code: doc.code.to_owned(),
            }
        })
        .collect();
    Some((prepare(&document, None).ok()?, pieces))
}

/// Most texts that may be refused before one is accepted: with more, the request itself is wrong.
const REFUSALS: usize = 3;

/// Sends the chunks without a cached vector, batch by batch, until all are done or something fails. A refused batch is
/// halved until the refused texts are found; these stay without a vector.
fn send(
    ask: &EmbedRequest<'_>,
    kept: &mut VectorCache,
    files: &[Read],
    report: &mut EmbedReport,
    progress: &dyn Progress,
) {
    let mut keys = BTreeSet::new();
    let mut wanted: Vec<(Key, EmbedDoc<'_>)> = Vec::new();
    for read in files {
        for piece in &read.pieces {
            if kept.contains_key(&piece.key) {
                report.kept += 1;
            } else if read.leave != SendDecision::No && keys.insert(piece.key) {
                let doc = EmbedDoc {
                    code: &piece.code,
                    names: &piece.names,
                    path: read.file.path(),
                };
                wanted.push((piece.key, doc));
            }
        }
    }
    if let Some((_, most)) = ask.waiting {
        wanted.truncate(most);
    }
    progress.stage("asking for vectors", wanted.len() as u64);
    let batches = wanted.chunks(ask.embedder.batch_size().max(1));
    let mut batches: VecDeque<&[(Key, EmbedDoc<'_>)]> = batches.collect();
    let mut refused = 0;
    while let Some(batch) = batches.pop_front() {
        let documents: Vec<EmbedDoc<'_>> = batch.iter().map(|(_, doc)| *doc).collect();
        let deadline = ask.waiting.map(|(deadline, _)| deadline);
        let answered = ask
            .embedder
            .embed_documents_by_deadline(&documents, deadline);
        let put = match answered {
            Ok(vectors) if vectors.len() == batch.len() => kept.append(batch, &vectors),
            Ok(vectors) => Err(KeepError::OtherCount {
                found: vectors.len(),
                expected: batch.len(),
            }),
            Err(EmbedError::Refused { .. }) if batch.len() > 1 => {
                let (first, second) = batch.split_at(batch.len() / 2);
                batches.push_front(second);
                batches.push_front(first);
                continue;
            }
            Err(error @ EmbedError::Refused { .. }) => {
                refused += 1;
                report.problem = Some(error.to_string());
                if report.asked == 0 && refused >= REFUSALS {
                    return;
                }
                progress.advance(1);
                continue;
            }
            Err(error) => Err(error.into()),
        };
        if let Err(error) = put {
            report.problem = Some(error.to_string());
            return;
        }
        report.asked += batch.len();
        progress.advance(batch.len() as u64);
    }
}

/// Adds vectors to chunks, and records the files whose chunks lack one.
fn finish(read: &mut Files, kept: &VectorCache, state: &mut EmbedState) -> Vec<Prepared> {
    let files = std::mem::take(&mut read.files);
    let mut prepared = Vec::with_capacity(files.len());
    for mut one in files {
        let vectors: Vec<Option<QuantVec>> = one.pieces.iter().map(|p| kept.get(&p.key)).collect();
        let missing = vectors.iter().filter(|v| v.is_none()).count();
        // If vectors are missing after a failure, they are requested again before a day has passed.
        let was_asked = one.leave == SendDecision::Change && one.is_new && missing == 0;
        state.record_file(one.file.path(), missing, was_asked);
        let vectors = vectors.into_iter().map(Option::unwrap_or_default);
        one.file.set_vectors(vectors.collect());
        prepared.push(one.file);
    }
    prepared
}
