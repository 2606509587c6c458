//! BM25F over chunks and over whole files, from one pass through the postings.
//!
//! BM25F (Robertson, Zaragoza, Taylor 2004): counts of all fields are normalised by length and
//! weighted, summed, and only then saturated. A file's counts are the sums of its chunks', with its
//! path as two more fields. Document frequencies count what is alive.

use super::query::Term;
use super::room::Room;
use super::tuning::Tuning;
use crate::index::segment::{FileRow, Postings};
use crate::index::{Index, Part};
use crate::prepare::{FIELDS, NAME, PATH_FIELDS, STEM};
use rayon::prelude::*;

/// Scores of everything, by global number: parts one after the other.
pub(crate) struct Lexical {
    pub(crate) chunks: Room,
    pub(crate) files: Vec<f32>,
    /// Chunks that have a term of the query in a definition's name, ascending.
    pub(crate) named: Vec<u32>,
    /// Sum of the inverse document frequencies of terms found, by file.
    pub(crate) covered: Vec<f32>,
    /// The share of the query's words that occur anywhere, by how rare they are.
    pub(crate) known: f32,
    /// Words of the query in the path, each by how rare it is in paths, in units of the rarest.
    pub(crate) in_path: Vec<f32>,
    /// The same sum over all terms of the query, those found nowhere at their highest value.
    pub(crate) mass: f32,
    /// Inverse document frequency of each term of the query over files, 0 where not found.
    pub(crate) idf: Vec<f32>,
}

impl Lexical {
    /// The share of the query's words that these stems make up, by how rare they are, 0–1.
    pub(crate) fn part(&self, terms: &[Term], stems: &[&String]) -> f32 {
        let of = |stem: &String| terms.iter().position(|t| !t.whole && t.text == *stem);
        let sum: f32 = (stems.iter().filter_map(|s| of(s)))
            .map(|at| self.idf[at])
            .sum();
        (sum / self.mass.max(1e-6)).min(1.0)
    }
}

/// Where parts begin in global numbers.
pub(crate) struct Layout {
    pub(crate) files: Vec<FileRow>,
    /// Part of each file, and its number there.
    pub(crate) place: Vec<(u32, u32)>,
    /// Global number of each file's first chunk.
    pub(crate) first_chunk: Vec<u32>,
    pub(crate) alive: Vec<bool>,
    /// By part: global number of the first file and chunk.
    pub(crate) bases: Vec<(u32, u32)>,
    /// File of each chunk.
    pub(crate) owner: Vec<u32>,
}

impl Layout {
    pub(crate) fn new(parts: &[Part]) -> Layout {
        let mut layout = Layout {
            files: Vec::new(),
            place: Vec::new(),
            first_chunk: Vec::new(),
            alive: Vec::new(),
            bases: Vec::new(),
            owner: Vec::new(),
        };
        for (number, part) in (0u32..).zip(parts) {
            let base = (layout.files.len() as u32, layout.owner.len() as u32);
            layout.bases.push(base);
            for file in 0..part.segment.header.files {
                let Some(row) = part.segment.file(file) else {
                    continue;
                };
                let global = layout.files.len() as u32;
                layout.first_chunk.push(base.1 + row.first_chunk);
                layout.alive.push(!part.dead[file as usize]);
                layout.place.push((number, file));
                layout.files.push(row);
                layout.owner.extend((0..row.chunks).map(|_| global));
            }
        }
        layout
    }

    /// Global numbers of a file's chunks.
    pub(crate) fn chunks_of(&self, file: usize) -> std::ops::Range<usize> {
        let first = self.first_chunk[file] as usize;
        first..first + self.files[file].chunks as usize
    }
}

/// One term's places that are alive, in global numbers.
#[derive(Default)]
struct Found {
    paths: Vec<(u32, [u8; PATH_FIELDS])>,
    chunks: Vec<(u32, [u16; FIELDS])>,
    files: usize,
}

/// What one term is worth to what has it: to chunks in the order of their places, to files by number.
struct Worth {
    chunks: Vec<f32>,
    files: Vec<(u32, f32)>,
}

/// What a word in a folder is worth beside one in a file's name.
const FOLDER_SHARE: f32 = 0.6;

/// Most terms that are scored: the rarest.
const MAX_SCORED: usize = 24;

pub(crate) fn score(index: &Index, layout: &Layout, terms: &[Term], tuning: &Tuning) -> Lexical {
    score_rarest(index, layout, terms, tuning, MAX_SCORED)
}

/// The same with so many terms.
pub(crate) fn score_rarest(
    index: &Index,
    layout: &Layout,
    terms: &[Term],
    tuning: &Tuning,
    most: usize,
) -> Lexical {
    let mut lexical = Lexical {
        chunks: Room::zeroed(layout.owner.len()),
        files: vec![0.0; layout.files.len()],
        covered: vec![0.0; layout.files.len()],
        named: Vec::new(),
        known: 0.0,
        in_path: vec![0.0; layout.files.len()],
        mass: 0.0,
        idf: vec![0.0; terms.len()],
    };
    let mut found: Vec<(usize, Found)> = terms
        .par_iter()
        .enumerate()
        .map(|(at, term)| (at, look_up(index, layout, &term.text)))
        .collect();
    found.sort_by_key(|(at, f)| (f.files == 0, f.files, *at));
    found.truncate(most);
    found.sort_by_key(|(at, _)| *at);
    let averages = Averages::new(index);
    let worth =
        |(at, found): &(usize, Found)| averages.worth(index, layout, (&terms[*at], found), tuning);
    let worth: Vec<Worth> = found.par_iter().map(worth).collect();
    for ((at, found), worth) in found.iter().zip(&worth) {
        let term = &terms[*at];
        let idf_file = idf(index.files(), found.files);
        if !term.whole {
            lexical.mass += idf_file;
        }
        if found.files == 0 {
            continue;
        }
        lexical.idf[*at] = idf_file;
        if !term.whole {
            lexical.known += idf_file;
        }
        let rare = idf(index.files(), found.paths.len()) / idf(index.files(), 1);
        for (file, counts) in &found.paths {
            let part = if counts[STEM] > 0 { 1.0 } else { FOLDER_SHARE };
            lexical.in_path[*file as usize] += part * rare;
        }
        let named = found.chunks.iter().filter(|(_, counts)| counts[NAME] > 0);
        lexical.named.extend(named.map(|(chunk, _)| *chunk));
        for ((chunk, _), worth) in found.chunks.iter().zip(&worth.chunks) {
            lexical.chunks[*chunk as usize] += worth;
        }
        for (file, worth) in &worth.files {
            lexical.files[*file as usize] += worth;
            if !term.whole {
                lexical.covered[*file as usize] += idf_file;
            }
        }
    }
    lexical.known /= lexical.mass.max(1e-6);
    lexical.named.sort_unstable();
    lexical.named.dedup();
    lexical
}

fn look_up(index: &Index, layout: &Layout, term: &str) -> Found {
    let mut all = Found::default();
    for (part, base) in index.parts.iter().zip(&layout.bases) {
        let Postings { files, chunks } = part.segment.postings(term);
        let alive = |file: u32| layout.alive.get(file as usize).copied().unwrap_or(false);
        all.paths.extend(
            files
                .into_iter()
                .map(|(file, counts)| (base.0 + file, counts))
                .filter(|(file, _)| alive(*file)),
        );
        all.chunks.extend(
            chunks
                .into_iter()
                .map(|(chunk, counts)| (base.1 + chunk, counts))
                .filter(|(chunk, _)| layout.owner.get(*chunk as usize).is_some_and(|f| alive(*f))),
        );
    }
    all.files = count_files(&all, layout);
    all
}

/// Files with the term in their path or in a chunk; both lists ascend.
fn count_files(found: &Found, layout: &Layout) -> usize {
    let mut paths = found.paths.iter().map(|(file, _)| *file).peekable();
    let (mut count, mut last) = (0, u32::MAX);
    for (chunk, _) in &found.chunks {
        let file = layout.owner[*chunk as usize];
        while paths.next_if(|path| *path < file).is_some() {
            count += 1;
        }
        paths.next_if_eq(&file);
        count += usize::from(file != last);
        last = file;
    }
    count + paths.count()
}

fn idf(total: usize, with: usize) -> f32 {
    let (n, df) = (total as f32, with as f32);
    (1.0 + (n - df + 0.5).max(0.0) / (df + 0.5)).ln()
}

/// Average lengths of fields.
struct Averages {
    chunk: [f32; FIELDS],
    file: [f32; FIELDS],
}

impl Averages {
    fn new(index: &Index) -> Averages {
        let over = |count: usize| {
            index
                .lengths
                .map(|sum| (sum as f32 / count.max(1) as f32).max(0.5))
        };
        Averages {
            chunk: over(index.chunks()),
            file: over(index.files()),
        }
    }

    fn worth(
        &self,
        index: &Index,
        layout: &Layout,
        (term, found): (&Term, &Found),
        tuning: &Tuning,
    ) -> Worth {
        let weight = term.weight * idf(index.chunks(), found.chunks.len());
        let of_file = term.weight * idf(index.files(), found.files);
        Worth {
            chunks: self.chunks(index, layout, found, weight, tuning),
            files: self.files(layout, found, of_file, tuning),
        }
    }

    fn chunks(
        &self,
        index: &Index,
        layout: &Layout,
        found: &Found,
        weight: f32,
        tuning: &Tuning,
    ) -> Vec<f32> {
        let mut out = Vec::with_capacity(found.chunks.len());
        for (chunk, counts) in &found.chunks {
            let file = layout.owner[*chunk as usize] as usize;
            let (part, local) = layout.place[file];
            let in_part = layout.files[file].first_chunk + (chunk - layout.first_chunk[file]);
            debug_assert!(local < index.parts[part as usize].segment.header.files);
            let Some(row) = index.parts[part as usize].segment.chunk(in_part) else {
                out.push(0.0);
                continue;
            };
            let mut sum = 0.0;
            for (field, count) in counts.iter().enumerate() {
                if *count > 0 {
                    let length = f32::from(row.lengths[field]) / self.chunk[field];
                    let b = tuning.chunk_b[field];
                    sum += tuning.chunk_weight[field] * f32::from(*count) / (1.0 - b + b * length);
                }
            }
            out.push(weight * sum / (tuning.k1 + sum));
        }
        out
    }

    fn files(
        &self,
        layout: &Layout,
        found: &Found,
        weight: f32,
        tuning: &Tuning,
    ) -> Vec<(u32, f32)> {
        let mut out = Vec::with_capacity(found.files);
        let mut paths = found.paths.iter().peekable();
        let mut chunks = found.chunks.iter().peekable();
        loop {
            let by_chunk = chunks
                .peek()
                .map(|(chunk, _)| layout.owner[*chunk as usize]);
            let by_path = paths.peek().map(|(file, _)| *file);
            let Some(file) = by_chunk.into_iter().chain(by_path).min() else {
                return out;
            };
            let mut sum = 0.0;
            if let Some((_, counts)) = paths.next_if(|(f, _)| *f == file) {
                for (field, count) in counts.iter().enumerate() {
                    sum += tuning.path_weight[field] * f32::from(*count).min(2.0);
                }
            }
            let mut totals = [0u32; FIELDS];
            while let Some((_, counts)) = chunks.next_if(|(c, _)| layout.owner[*c as usize] == file)
            {
                for (total, count) in totals.iter_mut().zip(counts) {
                    *total += u32::from(*count);
                }
            }
            let lengths = &layout.files[file as usize].lengths;
            for field in 0..FIELDS {
                if totals[field] > 0 {
                    let length = lengths[field] as f32 / self.file[field];
                    let b = tuning.file_b[field];
                    sum +=
                        tuning.file_weight[field] * totals[field] as f32 / (1.0 - b + b * length);
                }
            }
            out.push((file, weight * sum / (tuning.file_k1 + sum)));
        }
    }
}
