//! BM25F over chunks and over whole files, from one pass through the postings.
//!
//! BM25F (Robertson, Zaragoza, Taylor 2004): counts of all fields are normalised by length and
//! weighted, summed, and only then saturated. A file's counts are the sums of its chunks', with its
//! path as two more fields. Document frequencies count live chunks and files alone.

use super::Layout;
use super::query::Term;
use super::room::FloatBuffer;
use super::tuning::Tuning;
use super::weigh::{LengthNorms, TermMatches};
use crate::index::Index;
use rayon::prelude::*;
use std::sync::Arc;
use store::texts::WordCounts;

/// Scores of all chunks and files, by global number.
pub(crate) struct LexicalScores {
    pub(crate) chunks: FloatBuffer,
    pub(crate) files: Vec<f32>,
    /// Chunks with a term of the query in a definition's name.
    pub(crate) named: ChunkSet,
    /// Sum of the inverse document frequencies of terms found, by file.
    pub(crate) found_idf: Vec<f32>,
    /// The share of the query's words that occur anywhere, weighted by rarity.
    pub(crate) known_share: f32,
    /// Words of the query in the path, each by how rare it is in paths, in units of the rarest.
    pub(crate) in_path: Vec<f32>,
    /// The sum of inverse document frequencies over the single words of the query. A word found
    /// nowhere counts with the highest value.
    pub(crate) total_idf: f32,
    /// Inverse document frequency of each term of the query over files, 0 where not found.
    pub(crate) idf: Vec<f32>,
}

/// A set of chunks.
pub(crate) struct ChunkSet(Vec<u64>);

impl ChunkSet {
    fn empty(chunks: usize) -> ChunkSet {
        ChunkSet(vec![0; chunks.div_ceil(64)])
    }

    fn add(&mut self, chunk: u32) {
        self.0[chunk as usize / 64] |= 1 << (chunk % 64);
    }

    pub(crate) fn contains(&self, chunk: usize) -> bool {
        self.0[chunk / 64] & 1 << (chunk % 64) != 0
    }
}

impl LexicalScores {
    /// The share of the query's words that these stems make up, weighted by rarity, 0–1.
    pub(crate) fn idf_share(&self, terms: &[Term], stems: &[&String]) -> f32 {
        let of = |stem: &String| {
            terms
                .iter()
                .position(|t| !t.is_whole_name && t.text == *stem)
        };
        let sum: f32 = (stems.iter().filter_map(|s| of(s)))
            .map(|at| self.idf[at])
            .sum();
        (sum / self.total_idf.max(1e-6)).min(1.0)
    }
}

/// The most terms that are scored, rarest first: a bound on work, since questions have fewer.
pub(super) const MAX_SCORED: usize = 24;

pub(crate) fn score_all(
    index: &Index,
    layout: &Layout,
    terms: &[Term],
    tuning: &Tuning,
) -> LexicalScores {
    score_rarest(index, layout, terms, tuning, MAX_SCORED)
}

/// Scores the `most` rarest terms.
pub(crate) fn score_rarest(
    index: &Index,
    layout: &Layout,
    terms: &[Term],
    tuning: &Tuning,
    most: usize,
) -> LexicalScores {
    let mut lexical = LexicalScores {
        chunks: FloatBuffer::zeroed(layout.owner.len()),
        files: vec![0.0; layout.files.len()],
        found_idf: vec![0.0; layout.files.len()],
        named: ChunkSet::empty(layout.owner.len()),
        known_share: 0.0,
        in_path: vec![0.0; layout.files.len()],
        total_idf: 0.0,
        idf: vec![0.0; terms.len()],
    };
    let norms = LengthNorms::new(index, tuning);
    let look_up = |(at, term): (usize, &Term)| {
        let found = || TermMatches::look_up(index, layout, &term.text, &norms, tuning);
        (
            at,
            layout.known.get_or_insert_with(&term.text, tuning, found),
        )
    };
    let found: Vec<(usize, Arc<TermMatches>)> = terms.par_iter().enumerate().map(look_up).collect();
    let counted = found.into_iter().map(|(at, found)| {
        let counts = count(index, &terms[at].text, &found);
        (at, found, counts)
    });
    let mut found: Vec<(usize, Arc<TermMatches>, WordCounts)> = counted.collect();
    found.sort_by_key(|(at, _, counts)| rarity_key(*counts, *at));
    found.truncate(most);
    found.sort_by_key(|(at, ..)| *at);
    for (at, found, counts) in &found {
        lexical.add(index, tuning, (*at, &terms[*at]), (found, *counts));
    }
    lexical.known_share /= lexical.total_idf.max(1e-6);
    lexical
}

/// The counts of a term: in this index, or in the whole index that it is a part of.
fn count(index: &Index, term: &str, found: &TermMatches) -> WordCounts {
    match &index.whole {
        Some(whole) => whole.counts.get(term).copied().unwrap_or_default(),
        None => WordCounts {
            files: found.files.len() as u64,
            chunks: found.chunks.len() as u64,
            paths: found.paths.len() as u64,
        },
    }
}

/// The rarest terms first, those found nowhere last.
pub(super) fn rarity_key(counts: WordCounts, at: usize) -> (bool, u64, usize) {
    (counts.files == 0, counts.files, at)
}

impl LexicalScores {
    /// Adds the scores of a term.
    fn add(
        &mut self,
        index: &Index,
        tuning: &Tuning,
        (at, term): (usize, &Term),
        (found, counts): (&TermMatches, WordCounts),
    ) {
        let idf_file = idf(index.file_count(), counts.files);
        if !term.is_whole_name {
            self.total_idf += idf_file;
        }
        if counts.files == 0 {
            return;
        }
        self.idf[at] = idf_file;
        if !term.is_whole_name {
            self.known_share += idf_file;
        }
        let rare = idf(index.file_count(), counts.paths) / idf(index.file_count(), 1);
        for (file, is_name) in &found.paths {
            let part = if *is_name { 1.0 } else { tuning.in_path_folder };
            self.in_path[*file as usize] += part * rare;
        }
        found.named.iter().for_each(|chunk| self.named.add(*chunk));
        let weight = term.weight * idf(index.chunk_count(), counts.chunks);
        for (chunk, says) in &found.chunks {
            self.chunks[*chunk as usize] += weight * says;
        }
        let weight = term.weight * idf_file;
        for (file, says) in &found.files {
            self.files[*file as usize] += weight * says;
        }
        if !term.is_whole_name {
            for (file, _) in &found.files {
                self.found_idf[*file as usize] += idf_file;
            }
        }
    }
}

/// Inverse document frequency with the half of Robertson and Spärck Jones, never below 0.
pub(super) fn idf(total: usize, with: u64) -> f32 {
    let (n, df) = (total as f32, with as f32);
    (1.0 + (n - df + 0.5).max(0.0) / (df + 0.5)).ln()
}
