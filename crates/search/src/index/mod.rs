//! The index on disk: immutable segments, a manifest, tombstones, merges.
//!
//! The format is our own rather than a general search library's, for three reasons. Statistics must be exact under
//! deletes, so that any sequence of updates answers like a clean build (a log-structured library counts deleted documents
//! until it merges). Fields must share one saturation (BM25F), not be summed. And the index must be small: an answer
//! never needs positions or stored texts, since the files themselves are on disk.
//!
//! A commit writes one small segment for the changed files, marks their old rows dead in the manifest and renames the
//! manifest into place. When there are many segments, the last ones are merged, with those before them that are not much
//! larger. Past a threshold all live files are merged into one segment, which equals that of a clean build byte for byte.
//! A change that somebody waits for leaves merging for later ([`append`], [`Merge`]).

mod bytes;
mod chunks;
pub(crate) mod codec;
mod loaded;
mod manifest;
mod merge;
pub(crate) mod part;
pub(crate) mod segment;
mod spill;
pub(crate) mod write;

pub use chunks::Chunk;
pub use merge::Merge;
pub use spill::PendingSegments;

use crate::doc::FileRole;
use crate::prepare::{FIELDS, Prepared};
use crate::rank::Layout;
use bytes::Bytes;
use manifest::{Manifest, SegmentEntry};
use segment::Segment;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The number of segments from which on even a change that somebody waits for merges.
const MOST_SEGMENTS: usize = 64;

/// The reason why the index cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// There is no index yet.
    #[error("no search index at {0}")]
    Missing(PathBuf),
    /// It is damaged or of another version: build it again.
    #[error("the search index {path} must be rebuilt: {reason}")]
    Unusable {
        /// The file.
        path: PathBuf,
        /// The fault.
        reason: String,
    },
    /// Reading or writing failed.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
}

impl IndexError {
    fn io(path: &Path, source: std::io::Error) -> IndexError {
        IndexError::Io {
            path: path.to_owned(),
            source,
        }
    }

    fn unusable(path: &Path, reason: impl std::fmt::Display) -> IndexError {
        IndexError::Unusable {
            path: path.to_owned(),
            reason: reason.to_string(),
        }
    }
}

/// The model whose vectors an index holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Model {
    /// [`crate::embed::Embedder::model`], empty for none.
    pub name: String,
    /// Number of values in a vector, 0 for none.
    pub dimensions: usize,
}

impl Model {
    /// The model of an embedder.
    pub fn from_embedder(embedder: &dyn crate::embed::Embedder) -> Model {
        Model {
            name: embedder.model().to_owned(),
            dimensions: embedder.dimensions(),
        }
    }
}

/// The state after a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Committed {
    /// The number of live files.
    pub files: usize,
    /// The number of live chunks.
    pub chunks: usize,
    /// Bytes on disk.
    pub bytes: u64,
    /// Whether everything was written into one segment.
    pub merged: bool,
}

/// One segment with the state of its files.
pub(crate) struct SegmentState {
    pub(crate) segment: Arc<Segment>,
    /// For each file, whether it was replaced or deleted since.
    pub(crate) dead: Vec<bool>,
}

/// An open index: an immutable snapshot, cheap to share.
pub struct Index {
    pub(crate) parts: Vec<SegmentState>,
    /// Sums over all live chunks.
    pub(crate) lengths: [u64; FIELDS],
    files: usize,
    chunks: usize,
    model: Model,
    generation: u64,
    layout: OnceLock<Layout>,
    /// The sums of the whole index, if this is a part of it.
    pub(crate) whole: Option<part::IndexTotals>,
}

impl Index {
    /// Opens the index in `folder` and reads all of it, so that later changes of its files change no answer.
    pub fn open(folder: &Path) -> Result<Index, IndexError> {
        let Tables(index) = Index::open_tables(folder)?;
        for part in &index.parts {
            let read = part.segment.load_remaining();
            read.map_err(|reason| IndexError::unusable(part.segment_path(), reason))?;
        }
        Ok(index)
    }

    /// Opens the index in `folder` as far as [`append`] needs it.
    pub fn open_tables(folder: &Path) -> Result<Tables, IndexError> {
        // A commit may delete segments between reading the manifest and opening them.
        for _ in 0..3 {
            match Index::open_once(folder) {
                Err(IndexError::Io { source, .. })
                    if source.kind() == std::io::ErrorKind::NotFound => {}
                other => return other.map(Tables),
            }
        }
        let opened = Index::open_once(folder).map(Tables);
        opened.map_err(|e| match e {
            IndexError::Io { path, source } if source.kind() == std::io::ErrorKind::NotFound => {
                IndexError::unusable(&path, "a segment is missing")
            }
            other => other,
        })
    }

    fn open_once(folder: &Path) -> Result<Index, IndexError> {
        let manifest = Manifest::read(folder)?;
        let parts = manifest
            .segments
            .iter()
            .map(|entry| open_part(folder, entry))
            .collect::<Result<Vec<_>, _>>()?;
        let mut index = Index {
            parts,
            lengths: [0; FIELDS],
            files: 0,
            chunks: 0,
            model: Model {
                name: manifest.model,
                dimensions: manifest.dimensions,
            },
            generation: manifest.generation,
            layout: OnceLock::new(),
            whole: None,
        };
        index.sum_totals();
        Ok(index)
    }

    /// An index in memory alone.
    pub fn in_memory(model: &Model, files: Vec<Prepared>) -> Result<Index, IndexError> {
        let files = sort_and_dedup(files);
        let all: Vec<&Prepared> = files.iter().collect();
        let bytes = write::encode_segment(&all, &model.name, model.dimensions);
        let made = |reason: segment::SegmentError| IndexError::unusable(Path::new(""), reason);
        let segment = Segment::open(Bytes::Memory(bytes)).map_err(made)?;
        segment.load_remaining().map_err(made)?;
        let segment = Arc::new(segment);
        let dead = vec![false; files.len()];
        let mut index = Index {
            parts: vec![SegmentState { segment, dead }],
            lengths: [0; FIELDS],
            files: 0,
            chunks: 0,
            model: model.clone(),
            generation: 0,
            layout: OnceLock::new(),
            whole: None,
        };
        index.sum_totals();
        Ok(index)
    }

    /// Bytes of its segments.
    pub fn size_in_bytes(&self) -> u64 {
        let sizes = self.parts.iter().map(|p| p.segment.size());
        sizes.map(|size| size as u64).sum()
    }

    /// Places of files and chunks, in numbers that are global over all segments.
    pub(crate) fn layout(&self) -> &Layout {
        self.layout.get_or_init(|| Layout::new(&self.parts))
    }

    fn sum_totals(&mut self) {
        for part in &self.parts {
            for number in part.live_files() {
                let Some(row) = part.segment.file_row(number) else {
                    continue;
                };
                self.files += 1;
                self.chunks += row.chunks as usize;
                for (sum, length) in self.lengths.iter_mut().zip(row.lengths) {
                    *sum += u64::from(length);
                }
            }
        }
    }

    /// Number of files.
    pub fn file_count(&self) -> usize {
        self.files
    }

    /// Number of chunks.
    pub fn chunk_count(&self) -> usize {
        self.chunks
    }

    /// The model whose vectors it holds.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The generation, which grows with each commit: cached answers of another generation are stale.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The paths of all files, sorted, with the hash that the caller gave.
    pub fn content_hashes(&self) -> BTreeMap<String, u64> {
        let mut all = BTreeMap::new();
        for part in &self.parts {
            for number in part.live_files() {
                if let Some(row) = part.segment.file_row(number) {
                    all.insert(part.segment.path(number).to_owned(), row.hash);
                }
            }
        }
        all
    }

    /// The hash that the caller gave with a file; none if the file is not indexed.
    pub fn content_hash(&self, path: &str) -> Option<u64> {
        self.parts.iter().find_map(|part| {
            let number = part
                .segment
                .find(path)
                .filter(|n| !part.dead[*n as usize])?;
            Some(part.segment.file_row(number)?.hash)
        })
    }

    /// The role of a file; none if the file is not indexed.
    pub fn role(&self, path: &str) -> Option<FileRole> {
        self.parts.iter().find_map(|part| {
            let number = part
                .segment
                .find(path)
                .filter(|n| !part.dead[*n as usize])?;
            Some(part.segment.file_row(number)?.role)
        })
    }
}

/// An index of which only the table of files is read.
pub struct Tables(Index);

impl Tables {
    /// The model whose vectors it holds.
    pub fn model(&self) -> &Model {
        self.0.model()
    }

    /// [`Index::content_hashes`].
    pub fn content_hashes(&self) -> BTreeMap<String, u64> {
        self.0.content_hashes()
    }

    /// [`Index::content_hash`].
    pub fn content_hash(&self, path: &str) -> Option<u64> {
        self.0.content_hash(path)
    }
}

impl SegmentState {
    /// Numbers of the live files.
    pub(crate) fn live_files(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.segment.header.files).filter(|n| !self.dead[*n as usize])
    }

    fn segment_path(&self) -> &Path {
        self.segment.path_on_disk()
    }

    /// Whether it is the segment that a manifest names.
    fn is_entry(&self, entry: &SegmentEntry) -> bool {
        self.segment_path().file_name() == Some(entry.file.as_ref())
    }
}

fn open_part(folder: &Path, entry: &SegmentEntry) -> Result<SegmentState, IndexError> {
    let path = folder.join(&entry.file);
    if path.symlink_metadata().is_ok() && !entry.is_unmodified(folder) {
        return Err(IndexError::unusable(&path, manifest::NOT_OURS));
    }
    let segment = loaded::open_shared_segment(&path)?;
    let mut dead = vec![false; segment.header.files as usize];
    for number in &entry.dead {
        match dead.get_mut(*number as usize) {
            Some(dead) => *dead = true,
            None => return Err(IndexError::unusable(&path, "a deletion mark names no file")),
        }
    }
    Ok(SegmentState { segment, dead })
}

/// Builds the index anew from all files.
pub fn build(folder: &Path, model: &Model, files: Vec<Prepared>) -> Result<Committed, IndexError> {
    guard::state::create_private_folders(folder)
        .map_err(|e| IndexError::io(folder, std::io::Error::other(e.to_string())))?;
    let before = Manifest::read(folder).ok();
    let generation = before.as_ref().map_or(0, |m| m.generation) + 1;
    write_single_segment(folder, model, generation, files)
}

/// Seals an index that the user has accepted as this user's own. One writer at a time.
pub fn reseal(folder: &Path) -> Result<(), IndexError> {
    manifest::reseal(folder)
}

/// Adds, replaces and removes files. One writer at a time.
///
/// An index of another model is [`IndexError::Unusable`]: vectors of two models do not compare.
pub fn commit(
    folder: &Path,
    model: &Model,
    changed: Vec<Prepared>,
    removed: &[String],
) -> Result<Committed, IndexError> {
    commit_with_limit(folder, model, changed, removed, u64::MAX)
}

/// Like [`commit`], but merges segments of at most `most` bytes together.
pub fn commit_with_limit(
    folder: &Path,
    model: &Model,
    changed: Vec<Prepared>,
    removed: &[String],
    most: u64,
) -> Result<Committed, IndexError> {
    let Tables(index) = Index::open_tables(folder)?;
    if index.model != *model {
        let reason = format!(
            "made with model {:?} instead of {:?}",
            index.model.name, model.name
        );
        return Err(IndexError::unusable(folder, reason));
    }
    let changed = sort_and_dedup(changed);
    let mut manifest = index.manifest_without(folder, &changed, removed)?;
    let sizes = index.segment_sizes(&manifest);
    let keep = merge::count_segments_to_keep(&sizes, changed.len());
    let keep = index.count_to_keep_within(&manifest, keep, most);
    let mut files = merge::live_files(&index.parts, &manifest.segments[keep..])
        .ok_or_else(|| IndexError::unusable(folder, "a segment cannot be read back"))?;
    files.extend(changed);
    if keep == 0 {
        return write_single_segment(folder, model, manifest.generation, files);
    }
    manifest.segments.truncate(keep);
    if !files.is_empty() {
        let entry = write_files(folder, &manifest, &sort_and_dedup(files))?;
        manifest.segments.push(entry);
    }
    manifest.write(folder)?;
    read_committed(folder, false)
}

/// Like [`commit`], while somebody waits: merges nothing. The index has just been opened. Returns whether a [`Merge`] is
/// due.
pub fn append(
    index: &Tables,
    folder: &Path,
    changed: Vec<Prepared>,
    removed: &[String],
) -> Result<bool, IndexError> {
    append_with_limit(index, folder, changed, removed, u64::MAX)
}

/// Like [`append`]; if it has to merge, then segments of at most `most` bytes together.
pub fn append_with_limit(
    Tables(index): &Tables,
    folder: &Path,
    changed: Vec<Prepared>,
    removed: &[String],
    most: u64,
) -> Result<bool, IndexError> {
    if index.parts.len() >= MOST_SEGMENTS {
        commit_with_limit(folder, &index.model, changed, removed, most)?;
        return Ok(false);
    }
    let changed = sort_and_dedup(changed);
    let mut manifest = index.manifest_without(folder, &changed, removed)?;
    let (mut sizes, added) = (index.segment_sizes(&manifest), changed.len());
    if added > 0 {
        let entry = write_files(folder, &manifest, &changed)?;
        manifest.segments.push(entry);
        sizes.push((added, 0));
    }
    manifest.write(folder)?;
    Ok(merge::is_merge_due(&sizes))
}

/// Writes these files as one segment, beside the others.
fn write_files(
    folder: &Path,
    manifest: &Manifest,
    files: &[Prepared],
) -> Result<SegmentEntry, IndexError> {
    manifest::write_segment(
        folder,
        manifest.generation,
        &encode_segment(manifest, files),
    )
}

/// The bytes of a segment of these files, which are sorted.
fn encode_segment(manifest: &Manifest, files: &[Prepared]) -> Vec<u8> {
    let all: Vec<&Prepared> = files.iter().collect();
    write::encode_segment(&all, &manifest.model, manifest.dimensions)
}

impl Index {
    /// The next manifest, in which replaced and removed files are dead. Segments without live files are dropped, except
    /// for the first.
    fn manifest_without(
        &self,
        folder: &Path,
        changed: &[Prepared],
        removed: &[String],
    ) -> Result<Manifest, IndexError> {
        self.manifest_without_paths(folder, changed.iter().map(|f| &f.path).chain(removed))
    }

    fn manifest_without_paths<'p>(
        &self,
        folder: &Path,
        paths: impl Iterator<Item = &'p String>,
    ) -> Result<Manifest, IndexError> {
        let mut manifest = Manifest::read(folder)?;
        if manifest.generation != self.generation {
            return Err(IndexError::unusable(folder, "another process writes it"));
        }
        for path in paths {
            for (part, entry) in self.parts.iter().zip(&mut manifest.segments) {
                if let Some(number) = part.segment.find(path)
                    && let Err(at) = entry.dead.binary_search(&number)
                {
                    entry.dead.insert(at, number);
                }
            }
        }
        let files = self.parts.iter().map(|part| part.segment.header.files);
        let mut counts = files.enumerate();
        manifest.segments.retain(|entry| {
            let of_it = counts.next();
            of_it.is_none_or(|(at, files)| at == 0 || entry.dead.len() < files as usize)
        });
        manifest.generation += 1;
        Ok(manifest)
    }

    /// The number of first segments that stay as they are, so that the others have at most `most` bytes together: all of
    /// these are read at once.
    fn count_to_keep_within(&self, manifest: &Manifest, keep: usize, most: u64) -> usize {
        let bytes = |entry: &SegmentEntry| {
            let part = self.parts.iter().find(|p| p.is_entry(entry));
            part.map_or(0, |part| part.segment.size() as u64)
        };
        let (mut least, mut sum) = (manifest.segments.len(), 0);
        while least > keep {
            sum += bytes(&manifest.segments[least - 1]);
            if sum > most {
                break;
            }
            least -= 1;
        }
        least
    }

    /// The number of files of each segment that a manifest names, and of dead ones among them.
    fn segment_sizes(&self, manifest: &Manifest) -> Vec<(usize, usize)> {
        let parts = |entry: &SegmentEntry| self.parts.iter().find(|p| p.is_entry(entry));
        let entries = manifest.segments.iter();
        entries
            .map(|e| (parts(e).map_or(0, |p| p.dead.len()), e.dead.len()))
            .collect()
    }
}

fn sort_and_dedup(mut files: Vec<Prepared>) -> Vec<Prepared> {
    files.sort_by(|a, b| a.path.cmp(&b.path));
    // Of several files with one path the last counts.
    files.reverse();
    files.dedup_by(|a, b| a.path == b.path);
    files.reverse();
    files
}

fn write_single_segment(
    folder: &Path,
    model: &Model,
    generation: u64,
    files: Vec<Prepared>,
) -> Result<Committed, IndexError> {
    let files = sort_and_dedup(files);
    let all: Vec<&Prepared> = files.iter().collect();
    let bytes = write::encode_segment(&all, &model.name, model.dimensions);
    let entry = manifest::write_segment(folder, generation, &bytes)?;
    Manifest {
        version: write::format_version(),
        generation,
        model: model.name.clone(),
        dimensions: model.dimensions,
        segments: vec![entry],
    }
    .write(folder)?;
    read_committed(folder, true)
}

fn read_committed(folder: &Path, merged: bool) -> Result<Committed, IndexError> {
    let Tables(index) = Index::open_tables(folder)?;
    Ok(Committed {
        files: index.files,
        chunks: index.chunks,
        bytes: index.size_in_bytes(),
        merged,
    })
}

#[cfg(test)]
mod tests;
