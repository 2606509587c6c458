//! Places of files and chunks, in numbers that are global over all parts of the index.

use super::term_cache::TermCache;
use crate::index::segment::{ChunkRow, FileRow};
use crate::index::{Index, SegmentState};
use crate::prepare::BODY;

/// Where parts begin in global numbers.
pub(crate) struct Layout {
    pub(crate) files: Vec<FileRow>,
    /// The part of each file, and its number in that part.
    pub(crate) place: Vec<(u32, u32)>,
    /// Global number of each file's first chunk.
    pub(crate) first_chunk: Vec<u32>,
    pub(crate) alive: Vec<bool>,
    /// Whether all files are alive.
    pub(crate) all_alive: bool,
    /// For each part, the global numbers of its first file and chunk.
    pub(crate) bases: Vec<(u32, u32)>,
    /// The file of each chunk.
    pub(crate) owner: Vec<u32>,
    /// The length of each chunk's body: most occurrences of words are there alone.
    pub(crate) bodies: Vec<u16>,
    /// The weights of frequent words, for those looked up so far.
    pub(crate) known: TermCache,
}

impl Layout {
    pub(crate) fn new(parts: &[SegmentState]) -> Layout {
        let chunks = parts.iter().map(|p| p.segment.header.chunks as usize).sum();
        let mut layout = Layout {
            files: Vec::new(),
            place: Vec::new(),
            first_chunk: Vec::new(),
            alive: Vec::new(),
            all_alive: true,
            bases: Vec::new(),
            owner: Vec::with_capacity(chunks),
            bodies: Vec::with_capacity(chunks),
            known: TermCache::new(chunks),
        };
        for (number, part) in (0u32..).zip(parts) {
            let base = (layout.files.len() as u32, layout.owner.len() as u32);
            layout.bases.push(base);
            for file in 0..part.segment.header.files {
                let Some(row) = part.segment.file_row(file) else {
                    continue;
                };
                let global = layout.files.len() as u32;
                layout.first_chunk.push(base.1 + row.first_chunk);
                layout.alive.push(!part.dead[file as usize]);
                layout.place.push((number, file));
                layout.files.push(row);
                layout.owner.extend((0..row.chunks).map(|_| global));
            }
            let lengths = part.segment.chunk_lengths(BODY);
            layout.bodies.extend(lengths);
        }
        layout.all_alive = layout.alive.iter().all(|alive| *alive);
        layout
    }

    /// The part of a chunk, and its row there.
    pub(crate) fn chunk_row(&self, index: &Index, chunk: usize) -> Option<(usize, ChunkRow)> {
        let file = self.owner[chunk] as usize;
        let part = self.place[file].0 as usize;
        let local = self.files[file].first_chunk + (chunk as u32 - self.first_chunk[file]);
        Some((part, index.parts[part].segment.chunk_row(local)?))
    }

    /// Global numbers of a file's chunks.
    pub(crate) fn chunks_of(&self, file: usize) -> std::ops::Range<usize> {
        let first = self.first_chunk[file] as usize;
        first..first + self.files[file].chunks as usize
    }
}
