//! BM25F over chunks and over whole files, from one pass through the postings.
//!
//! BM25F (Robertson, Zaragoza, Taylor 2004): counts of all fields are normalised by length and
//! weighted, summed, and only then saturated. A file's counts are the sums of its chunks', with its
//! path as two more fields. Document frequencies count what is alive.

use super::Layout;
use super::query::Term;
use super::room::Room;
use super::tuning::Tuning;
use super::weigh::{Norms, TermMatches};
use crate::index::Index;
use rayon::prelude::*;
use std::sync::Arc;

/// Scores of everything, by global number: parts one after the other.
pub(crate) struct Lexical {
    pub(crate) chunks: Room,
    pub(crate) files: Vec<f32>,
    /// Chunks that have a term of the query in a definition's name.
    pub(crate) named: Marks,
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

/// A set of chunks.
pub(crate) struct Marks(Vec<u64>);

impl Marks {
    fn none(chunks: usize) -> Marks {
        Marks(vec![0; chunks.div_ceil(64)])
    }

    fn add(&mut self, chunk: u32) {
        self.0[chunk as usize / 64] |= 1 << (chunk % 64);
    }

    pub(crate) fn has(&self, chunk: usize) -> bool {
        self.0[chunk / 64] & 1 << (chunk % 64) != 0
    }
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

/// Most terms that are scored: the rarest. A cap on work; questions have fewer.
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
        named: Marks::none(layout.owner.len()),
        known: 0.0,
        in_path: vec![0.0; layout.files.len()],
        mass: 0.0,
        idf: vec![0.0; terms.len()],
    };
    let norms = Norms::new(index, tuning);
    let look_up = |(at, term): (usize, &Term)| {
        let found = || TermMatches::find(index, layout, &term.text, &norms, tuning);
        (at, layout.known.get(&term.text, tuning, found))
    };
    let mut found: Vec<(usize, Arc<TermMatches>)> =
        terms.par_iter().enumerate().map(look_up).collect();
    found.sort_by_key(|(at, f)| (f.files.is_empty(), f.files.len(), *at));
    found.truncate(most);
    found.sort_by_key(|(at, _)| *at);
    for (at, found) in &found {
        lexical.add(index, tuning, (*at, &terms[*at]), found);
    }
    lexical.known /= lexical.mass.max(1e-6);
    lexical
}

impl Lexical {
    /// Adds what a term is worth.
    fn add(
        &mut self,
        index: &Index,
        tuning: &Tuning,
        (at, term): (usize, &Term),
        found: &TermMatches,
    ) {
        let idf_file = idf(index.files(), found.files.len());
        if !term.whole {
            self.mass += idf_file;
        }
        if found.files.is_empty() {
            return;
        }
        self.idf[at] = idf_file;
        if !term.whole {
            self.known += idf_file;
        }
        let rare = idf(index.files(), found.paths.len()) / idf(index.files(), 1);
        for (file, is_name) in &found.paths {
            let part = if *is_name { 1.0 } else { tuning.in_path_folder };
            self.in_path[*file as usize] += part * rare;
        }
        found.named.iter().for_each(|chunk| self.named.add(*chunk));
        let weight = term.weight * idf(index.chunks(), found.chunks.len());
        for (chunk, says) in &found.chunks {
            self.chunks[*chunk as usize] += weight * says;
        }
        let weight = term.weight * idf_file;
        for (file, says) in &found.files {
            self.files[*file as usize] += weight * says;
        }
        if !term.whole {
            for (file, _) in &found.files {
                self.covered[*file as usize] += idf_file;
            }
        }
    }
}

/// Inverse document frequency with Robertson's and Spärck Jones' half, never below 0.
fn idf(total: usize, with: usize) -> f32 {
    let (n, df) = (total as f32, with as f32);
    (1.0 + (n - df + 0.5).max(0.0) / (df + 0.5)).ln()
}
