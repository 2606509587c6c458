//! The weights of a term at its places, computed while its postings are read.

use super::Layout;
use super::tuning::Tuning;
use crate::index::Index;
use crate::index::segment::{PostingsVisitor, Segment};
use crate::prepare::{BODY, FIELDS, NAME, PATH_FIELDS, STEM};

/// The live places of a term, in global numbers, ascending. Each has the term's weight there, 0–1: its counts in
/// all fields, saturated.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct TermMatches {
    pub(crate) chunks: Vec<(u32, f32)>,
    /// Chunks with the term in a definition's name.
    pub(crate) named: Vec<u32>,
    /// Files with the term in their path or in a chunk.
    pub(crate) files: Vec<(u32, f32)>,
    /// Files with the term in their path, and whether it is in the file's own name.
    pub(crate) paths: Vec<(u32, bool)>,
}

impl TermMatches {
    /// Looks a term up in all parts.
    pub(crate) fn look_up(
        index: &Index,
        layout: &Layout,
        term: &str,
        norms: &LengthNorms,
        tuning: &Tuning,
    ) -> TermMatches {
        let mut found = TermMatches::default();
        for (part, base) in index.parts.iter().zip(&layout.bases) {
            let before = found.lengths();
            let mut weigh = TermWeigher {
                segment: &part.segment,
                layout,
                norms,
                tuning,
                base: *base,
                paths: Vec::new(),
                joined: 0,
                file: None,
                end: 0,
                totals: [0; FIELDS],
                found: &mut found,
            };
            let read = part.segment.visit_postings(term, &mut weigh);
            weigh.weigh_remaining();
            if read.is_none() {
                // A damaged part has no matches.
                found.truncate(before);
            }
        }
        found
    }

    fn lengths(&self) -> [usize; 4] {
        let (chunks, named) = (self.chunks.len(), self.named.len());
        [chunks, named, self.files.len(), self.paths.len()]
    }

    fn truncate(&mut self, [chunks, named, files, paths]: [usize; 4]) {
        self.chunks.truncate(chunks);
        self.named.truncate(named);
        self.files.truncate(files);
        self.paths.truncate(paths);
    }
}

/// The least average number of words of a field.
const LEAST_AVERAGE: f32 = 0.5;

/// The divisor of counts by the length of a field: a constant, and a slope for each word.
pub(crate) struct LengthNorms {
    chunk: [(f32, f32); FIELDS],
    file: [(f32, f32); FIELDS],
}

impl LengthNorms {
    pub(crate) fn new(index: &Index, tuning: &Tuning) -> LengthNorms {
        let of = |count: usize, b: &[f32; FIELDS]| {
            std::array::from_fn(|field| {
                let average = index.lengths[field] as f32 / count.max(1) as f32;
                // In a field that hardly any chunk has, one word is not long.
                (1.0 - b[field], b[field] / average.max(LEAST_AVERAGE))
            })
        };
        LengthNorms {
            chunk: of(index.chunk_count(), &tuning.chunk_b),
            file: of(index.file_count(), &tuning.file_b),
        }
    }
}

/// Weighs the places of a term in one part.
struct TermWeigher<'w> {
    segment: &'w Segment,
    layout: &'w Layout,
    norms: &'w LengthNorms,
    tuning: &'w Tuning,
    /// Global numbers of the part's first file and chunk.
    base: (u32, u32),
    /// Files with the term in their path: global number, weight before saturation.
    paths: Vec<(u32, f32)>,
    /// The number of these that are joined with their chunks.
    joined: usize,
    /// The global number of the file whose chunks are being read; none for a dead file.
    file: Option<u32>,
    /// The end of its chunks.
    end: u32,
    /// The sums of its chunks' counts.
    totals: [u32; FIELDS],
    found: &'w mut TermMatches,
}

impl PostingsVisitor for TermWeigher<'_> {
    fn file(&mut self, file: u32, counts: [u8; PATH_FIELDS]) {
        let file = self.base.0.saturating_add(file);
        if !self.is_alive(file) {
            return;
        }
        let weights = self.tuning.path_weight.iter().zip(counts);
        let sum =
            weights.map(|(weight, count)| weight * f32::from(count).min(self.tuning.path_count));
        self.paths.push((file, sum.sum()));
        self.found.paths.push((file, counts[STEM] > 0));
    }

    fn chunks(&mut self, count: usize) {
        self.found.chunks.reserve(count);
    }

    fn chunk(&mut self, chunk: u32, counts: &[u16; FIELDS]) {
        let global = self.base.1 + chunk;
        if global >= self.end {
            self.enter_file(global);
        }
        if self.file.is_none() {
            return;
        }
        let says = if counts[..BODY] == [0; BODY] {
            self.totals[BODY] += u32::from(counts[BODY]);
            let length = self.layout.bodies.get(global as usize);
            let (counts, by) = self.field_weight(BODY, counts[BODY], length.copied().unwrap_or(0));
            counts / (self.tuning.k1 * by + counts)
        } else {
            if counts[NAME] > 0 {
                self.found.named.push(global);
            }
            let sum = self.in_fields(chunk, counts);
            sum / (self.tuning.k1 + sum)
        };
        self.found.chunks.push((global, says));
    }
}

impl TermWeigher<'_> {
    fn is_alive(&self, file: u32) -> bool {
        let alive = self.layout.alive.get(file as usize);
        alive.copied().unwrap_or(false)
    }

    /// The weighted count in one field of a chunk, and its divisor.
    fn field_weight(&self, field: usize, count: u16, length: u16) -> (f32, f32) {
        let (base, slope) = self.norms.chunk[field];
        let weighted = self.tuning.chunk_weight[field] * f32::from(count);
        (weighted, base + slope * f32::from(length))
    }

    /// The sum of the weighted counts in all fields.
    fn in_fields(&mut self, chunk: u32, counts: &[u16; FIELDS]) -> f32 {
        let row = self.segment.chunk_row(chunk);
        let lengths = row.map_or([0; FIELDS], |row| row.lengths);
        let mut sum = 0.0;
        for field in 0..FIELDS {
            if counts[field] > 0 {
                let (count, by) = self.field_weight(field, counts[field], lengths[field]);
                sum += count / by;
                self.totals[field] += u32::from(counts[field]);
            }
        }
        sum
    }

    /// Goes on to the file of a chunk.
    fn enter_file(&mut self, chunk: u32) {
        self.finish_file();
        let Some(file) = self.layout.owner.get(chunk as usize) else {
            return;
        };
        let at = *file as usize;
        self.end = self.layout.chunks_of(at).end as u32;
        if !self.is_alive(*file) {
            return;
        }
        // Files before it have the term in their path alone.
        while self.paths.get(self.joined).is_some_and(|p| p.0 < *file) {
            self.weigh_path_files();
        }
        self.file = Some(*file);
    }

    /// Weighs the file whose chunks have been read.
    fn finish_file(&mut self) {
        let totals = std::mem::take(&mut self.totals);
        let Some(file) = self.file.take() else {
            return;
        };
        let mut sum = 0.0;
        if let Some((_, path)) = self.paths.get(self.joined).filter(|p| p.0 == file) {
            sum += path;
            self.joined += 1;
        }
        let lengths = &self.layout.files[file as usize].lengths;
        for field in 0..FIELDS {
            if totals[field] > 0 {
                let (base, slope) = self.norms.file[field];
                let weighted = self.tuning.file_weight[field] * totals[field] as f32;
                sum += weighted / (base + slope * lengths[field] as f32);
            }
        }
        let says = sum / (self.tuning.file_k1 + sum);
        self.found.files.push((file, says));
    }

    fn weigh_path_files(&mut self) {
        if let Some((file, sum)) = self.paths.get(self.joined) {
            let says = sum / (self.tuning.file_k1 + sum);
            self.found.files.push((*file, says));
            self.joined += 1;
        }
    }

    /// Weighs the remaining files after the last chunk.
    fn weigh_remaining(&mut self) {
        self.finish_file();
        while self.joined < self.paths.len() {
            self.weigh_path_files();
        }
    }
}
