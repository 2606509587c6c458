//! Merges of segments: the choice of segments, and reading them back into prepared files.

use super::manifest::{self, Manifest, SegmentEntry};
use super::segment::{Postings, Segment};
use super::{Index, IndexError, SegmentState, Tables};
use crate::embed::QuantVec;
use crate::prepare::{PATH_FIELDS, Prepared, PreparedChunk, PreparedTerm, put_posting};
use std::ops::Range;
use std::path::Path;

/// The number of segments from which on some are merged.
const MAX_SEGMENTS: usize = 8;

/// A first segment with fewer files counts as if it had these.
const MIN_BASE: usize = 128;

/// The number of first segments that stay as they are; the others are merged together with a change of `changed` files. `sizes` has
/// the files of each segment and the dead ones among them. All are merged into one if the dead files and those outside the first
/// segment exceed half of the first. If there are many segments, the last ones are merged, and those before them that are at most
/// twice as large as the merged ones together.
pub(super) fn count_segments_to_keep(sizes: &[(usize, usize)], changed: usize) -> usize {
    let base = sizes.first().map_or(0, |(files, _)| *files);
    let dead: usize = sizes.iter().map(|(_, dead)| dead).sum();
    let later: usize = sizes.iter().skip(1).map(|(files, _)| files).sum();
    if (dead + later + changed) * 2 > base.max(MIN_BASE) || base == 0 {
        return 0;
    }
    if sizes.len() < MAX_SEGMENTS {
        return sizes.len();
    }
    let mut keep = sizes.len();
    let mut sum = changed;
    while keep > 1 {
        let (files, dead) = sizes[keep - 1];
        let alive = files.saturating_sub(dead);
        if keep < sizes.len() && alive > 2 * sum {
            break;
        }
        sum += alive;
        keep -= 1;
    }
    keep
}

/// Whether there is something to merge: more than one segment, or one with dead files.
pub(super) fn is_merge_due(sizes: &[(usize, usize)]) -> bool {
    match &sizes[count_segments_to_keep(sizes, 0)..] {
        [] => false,
        [(_, dead)] => *dead > 0,
        _ => true,
    }
}

/// A merge of segments into one. Others may add segments meanwhile.
pub struct Merge {
    index: Index,
    merged: Vec<SegmentEntry>,
    /// The paths of the live files in them, in order, and the bytes of the new segment.
    paths: Vec<String>,
    bytes: Vec<u8>,
}

impl Merge {
    /// Prepares a merge; none if none is due. Needs no lock.
    pub fn prepare(folder: &Path) -> Result<Option<Merge>, IndexError> {
        Merge::prepare_with_limit(folder, u64::MAX)
    }

    /// Prepares a merge of segments of at most `most` bytes together.
    pub fn prepare_with_limit(folder: &Path, most: u64) -> Result<Option<Merge>, IndexError> {
        let Tables(index) = Index::open_tables(folder)?;
        let manifest = Manifest::read(folder)?;
        if manifest.generation != index.generation {
            return Ok(None);
        }
        let sizes = index.segment_sizes(&manifest);
        if !is_merge_due(&sizes) {
            return Ok(None);
        }
        let keep = index.count_to_keep_within(&manifest, count_segments_to_keep(&sizes, 0), most);
        let merged = manifest.segments[keep..].to_vec();
        if let [] | [SegmentEntry { .. }] = merged.as_slice()
            && merged.iter().all(|entry| entry.dead.is_empty())
        {
            return Ok(None);
        }
        let files = live_files(&index.parts, &merged)
            .ok_or_else(|| IndexError::unusable(folder, "a segment cannot be read back"))?;
        let files = super::sort_and_dedup(files);
        Ok(Some(Merge {
            bytes: super::encode_segment(&manifest, &files),
            paths: files.into_iter().map(|file| file.path).collect(),
            index,
            merged,
        }))
    }

    /// Replaces the merged segments by the new one. Files that changed meanwhile are marked dead in it. One writer at a time.
    /// Returns whether any of the merged segments was still there.
    pub fn install(self, folder: &Path) -> Result<bool, IndexError> {
        let mut manifest = Manifest::read(folder)?;
        let is_merged = |entry: &SegmentEntry| self.merged.iter().any(|m| m.file == entry.file);
        let Some(place) = manifest.segments.iter().position(is_merged) else {
            return Ok(false);
        };
        let mut dead = Vec::new();
        for before in &self.merged {
            let now = manifest.segments.iter().find(|e| e.file == before.file);
            let Some(part) = self.index.parts.iter().find(|p| p.is_entry(before)) else {
                continue;
            };
            let went = |number: &u32| {
                // A file of a segment that is gone is dead, or lives in another segment.
                let is_dead = now.is_none_or(|now| now.dead.binary_search(number).is_ok());
                is_dead && before.dead.binary_search(number).is_err()
            };
            for number in (0..part.segment.header.files).filter(went) {
                let path = part.segment.path(number);
                let at = self.paths.binary_search_by(|p| p.as_str().cmp(path));
                dead.extend(at.ok().map(|at| at as u32));
            }
        }
        dead.sort_unstable();
        manifest.generation += 1;
        let mut entry = manifest::write_segment(folder, manifest.generation, &self.bytes)?;
        entry.dead = dead;
        manifest.segments.retain(|entry| !is_merged(entry));
        manifest.segments.insert(place, entry);
        manifest.write(folder)?;
        Ok(true)
    }
}

impl Index {
    /// Visits the files for which `keep` gives a hash, as they would be prepared anew, each with that hash. They are read in
    /// pieces of about `most` bytes, and only one piece is in memory. Returns false if a segment is damaged.
    ///
    /// # Errors
    /// Those of `visit`.
    pub fn read_back_files<E>(
        &self,
        keep: impl Fn(&str) -> Option<u64>,
        most: u64,
        visit: &mut dyn FnMut(Vec<Prepared>) -> Result<(), E>,
    ) -> Result<bool, E> {
        for part in &self.parts {
            let hash = |number: u32| {
                if part.dead[number as usize] {
                    None
                } else {
                    keep(part.segment.path(number))
                }
            };
            let hashes: Vec<Option<u64>> = (0..part.segment.header.files).map(hash).collect();
            let is_kept = |number: &u32| hashes[*number as usize].is_some();
            let Some(pieces) = pieces_of(part, is_kept, most) else {
                return Ok(false);
            };
            for piece in pieces {
                let Some(mut files) = read_back(part, piece.clone(), is_kept) else {
                    return Ok(false);
                };
                let kept = piece.filter_map(|number| hashes[number as usize]);
                files
                    .iter_mut()
                    .zip(kept)
                    .for_each(|(file, hash)| file.hash = hash);
                visit(files)?;
            }
        }
        Ok(true)
    }
}

/// Divides the files of a segment into ranges, in each of which the kept ones take about `most` bytes in memory. None if the
/// segment is damaged.
fn pieces_of(
    part: &SegmentState,
    is_kept: impl Fn(&u32) -> bool,
    most: u64,
) -> Option<Vec<Range<u32>>> {
    let segment = &part.segment;
    segment.load_remaining().ok()?;
    let files = segment.header.files;
    let mut sizes = vec![0u64; files as usize];
    let mut owners = Vec::new();
    for number in (0..files).filter(&is_kept) {
        // Chunks and vectors are few bytes beside the terms.
        let file = read_file(segment, number)?;
        sizes[number as usize] = file.memory_size();
    }
    for number in 0..files {
        let chunks = segment.file_row(number).map_or(0, |row| row.chunks);
        owners.extend(std::iter::repeat_n(number, chunks as usize));
    }
    segment.for_each_term(|name, postings| {
        let mut last = None;
        let of_chunks = postings
            .chunks
            .iter()
            .filter_map(|(chunk, _)| owners.get(*chunk as usize).copied());
        for number in of_chunks.chain(postings.files.iter().map(|(file, _)| *file)) {
            let size = &mut sizes[number as usize];
            *size += POSTING;
            if last.replace(number) != Some(number) {
                *size += (size_of::<PreparedTerm>() + name.len()) as u64;
            }
        }
    })?;
    let (mut pieces, mut start, mut sum) = (Vec::new(), 0, 0);
    for number in (0..files).filter(is_kept) {
        let size = sizes[number as usize];
        if sum > 0 && sum + size > most {
            pieces.push(start..number);
            (start, sum) = (number, 0);
        }
        sum += size;
    }
    if sum > 0 {
        pieces.push(start..files);
    }
    Some(pieces)
}

/// Bytes of an encoded posting, at most in most cases.
const POSTING: u64 = 6;

/// All live files of the entries. None if a segment is damaged.
pub(crate) fn live_files(
    parts: &[SegmentState],
    entries: &[SegmentEntry],
) -> Option<Vec<Prepared>> {
    let mut all = Vec::new();
    for entry in entries {
        let part = parts.iter().find(|part| part.is_entry(entry))?;
        let alive = |number: &u32| entry.dead.binary_search(number).is_err();
        all.extend(read_back(part, 0..part.segment.header.files, alive)?);
    }
    Some(all)
}

/// The files of a range for which `alive` is true.
fn read_back(
    part: &SegmentState,
    range: Range<u32>,
    alive: impl Fn(&u32) -> bool,
) -> Option<Vec<Prepared>> {
    let segment = &part.segment;
    segment.load_remaining().ok()?;
    let first = range.start;
    let mut files: Vec<Option<Prepared>> = range
        .map(|number| {
            if alive(&number) {
                Some(Some(read_file(segment, number)?))
            } else {
                Some(None)
            }
        })
        .collect::<Option<_>>()?;
    let owners: Vec<(u32, u32)> = (0..segment.header.files)
        .flat_map(|number| {
            let chunks = segment.file_row(number).map_or(0, |row| row.chunks);
            (0..chunks).map(move |chunk| (number, chunk))
        })
        .collect();
    segment
        .for_each_term(|name, postings| add_term(name, &postings, &owners, (first, &mut files)))?;
    Some(files.into_iter().flatten().collect())
}

fn read_file(segment: &Segment, number: u32) -> Option<Prepared> {
    let row = segment.file_row(number)?;
    let (path, language) = segment.file_texts(&row)?;
    let width = segment.header.dimensions as usize;
    let mut file = Prepared {
        path: path.to_owned(),
        language: language.to_owned(),
        role: row.role,
        hash: row.hash,
        stub: row.stub,
        ..Prepared::default()
    };
    for chunk_number in row.first_chunk..row.first_chunk.checked_add(row.chunks)? {
        let chunk = segment.chunk_row(chunk_number)?;
        let (container, definitions) = segment.chunk_texts(&chunk)?;
        file.chunks.push(PreparedChunk {
            start_line: chunk.start_line,
            end_line: chunk.end_line,
            hash: chunk.hash,
            lengths: chunk.lengths,
            container: container.to_owned(),
            definitions,
        });
        if width > 0 {
            let vector = quant_vector(segment.vectors(), segment.scales(), chunk_number, width)?;
            file.vectors.push(vector);
        }
    }
    Some(file)
}

fn quant_vector(rows: &[u8], scales: &[f32], number: u32, width: usize) -> Option<QuantVec> {
    let at = number as usize * width;
    Some(QuantVec {
        scale: *scales.get(number as usize)?,
        values: rows.get(at..at + width)?.iter().map(|v| *v as i8).collect(),
    })
}

/// Appends a term to every file that has it. Terms come in byte order, so each file's stay sorted.
fn add_term(
    name: &str,
    postings: &Postings,
    owners: &[(u32, u32)],
    (first, files): (u32, &mut [Option<Prepared>]),
) {
    let mut paths = postings.files.iter().peekable();
    let mut chunks = postings.chunks.iter().peekable();
    loop {
        let by_chunk = chunks.peek().map(|(chunk, _)| owners[*chunk as usize].0);
        let by_path = paths.peek().map(|(file, _)| *file);
        let Some(number) = by_chunk.into_iter().chain(by_path).min() else {
            break;
        };
        let mut path = [0; PATH_FIELDS];
        if let Some((_, counts)) = paths.next_if(|(file, _)| *file == number) {
            path = *counts;
        }
        let at = number.checked_sub(first).map(|at| at as usize);
        let Some(file) = at.and_then(|at| files.get_mut(at)?.as_mut()) else {
            while chunks
                .next_if(|(c, _)| owners[*c as usize].0 == number)
                .is_some()
            {}
            continue;
        };
        let (mut bytes, mut count, mut last) = (Vec::new(), 0, 0);
        while let Some((chunk, counts)) = chunks.next_if(|(c, _)| owners[*c as usize].0 == number) {
            let local = owners[*chunk as usize].1;
            put_posting(&mut bytes, local - last, counts);
            last = local;
            count += 1;
        }
        let start = file.text.len() as u32;
        file.text.push_str(name);
        let from = file.postings.len() as u32;
        file.postings.extend_from_slice(&bytes);
        file.terms.push(PreparedTerm {
            text: (start, file.text.len() as u32),
            path,
            postings: (from, file.postings.len() as u32),
            count,
        });
    }
}
