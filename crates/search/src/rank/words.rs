//! Scores of whole files for long texts: every word counts, with a weight of its own.
//!
//! [`super::search`] is made for questions of a few words. A bug report has hundreds.

use super::lexical::{LexicalScores, score_rarest};
use super::query::Term;
use super::{Layout, Tuning};
use crate::doc::FileRole;
use crate::index::Index;
use crate::prepare::with_stems;
use rustc_hash::FxHashMap;
use text::tokens::{Token, tokens};

/// The number of chunks of a file that are summed, so that a long file is not judged by one chunk.
const BEST_CHUNKS: usize = 3;
/// The most distinct terms that are looked up: a bound on work, since a report seldom has more.
const MOST: usize = 600;

/// Words with weights, in the form of the index.
#[derive(Debug, Clone)]
pub struct WeightedTerms {
    /// The weight of two neighbouring words as one name, relative to 1 for a word.
    compound: f32,
    terms: Vec<Term>,
    known: FxHashMap<String, usize>,
}

impl Default for WeightedTerms {
    fn default() -> WeightedTerms {
        WeightedTerms::new(Tuning::default().compound)
    }
}

impl WeightedTerms {
    /// No words. `compound` is the weight of two neighbouring words as one name in code, relative to 1 for a word.
    pub fn new(compound: f32) -> WeightedTerms {
        WeightedTerms {
            compound,
            terms: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    /// Adds the words of a text. A word that comes twice keeps its higher weight.
    pub fn add(&mut self, text: &str, weight: f32) {
        for_each_term(text, self.compound, |term, whole, share| {
            let weight = weight * share;
            match self.known.get(term) {
                Some(at) => {
                    let known = &mut self.terms[*at].weight;
                    *known = known.max(weight);
                }
                None if self.terms.len() < MOST => {
                    self.known.insert(term.to_owned(), self.terms.len());
                    self.terms.push(Term {
                        text: term.to_owned(),
                        weight,
                        is_whole_name: whole,
                    });
                }
                None => {}
            }
        });
    }

    /// Whether there is nothing to search for.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Every term with its weight.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f32)> {
        self.terms.iter().map(|t| (t.text.as_str(), t.weight))
    }
}

/// The terms of a text, in order, as the index holds them.
pub fn terms(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for_each_term(text, 0.0, |term, _, share| {
        if share == 1.0 {
            all.push(term.to_owned());
        }
    });
    all
}

/// Calls `f` with each term, whether it is a whole name of several parts, and its share of the weight, which is
/// `compound` for two words as one name.
fn for_each_term(text: &str, compound: f32, mut f: impl FnMut(&str, bool, f32)) {
    let mut before: Option<String> = None;
    with_stems(|stems| {
        tokens(text, |token| match token {
            Token::Identifier(name) => {
                let mut parts: Vec<String> = Vec::new();
                text::terms::terms_of(name, stems, |t| parts.push(t.to_owned()));
                let many = parts.len() > 1;
                for (at, part) in parts.iter().enumerate() {
                    f(part, many && at == 0, 1.0);
                }
                let lower = name.to_lowercase();
                if !text::terms::is_stop(&lower) && lower.len() > 1 {
                    if let Some(before) = before.take() {
                        f(&format!("{before}{lower}"), true, compound);
                    }
                    before = Some(lower);
                }
            }
            Token::Bigram(gram) => f(gram, false, 1.0),
        });
    });
}

/// The scores of a file for weighted words. They can be compared only within one answer.
#[derive(Debug, Clone, PartialEq)]
pub struct FileWords {
    /// Its path.
    pub path: String,
    /// The role of the file.
    pub role: FileRole,
    /// The score of the file as a whole.
    pub file: f32,
    /// The score of its best chunk.
    pub chunk: f32,
    /// The sum of its three best chunks' scores.
    pub best_chunks: f32,
    /// The score of whole names alone.
    pub names: f32,
    /// First and last line of the best chunk.
    pub lines: (u32, u32),
}

/// All files that have one of the words, by path.
pub fn score_files(index: &Index, words: &WeightedTerms) -> Vec<FileWords> {
    let layout = index.layout();
    let tuning = Tuning::default();
    let score = |terms: &[Term]| score_rarest(index, layout, terms, &tuning, MOST);
    let all: LexicalScores = score(&words.terms);
    let whole: Vec<Term> = words
        .terms
        .iter()
        .filter(|t| t.is_whole_name)
        .cloned()
        .collect();
    let names = score(&whole);
    let mut found: Vec<FileWords> = (0..layout.files.len())
        .filter(|file| layout.alive[*file] && all.files[*file] > 0.0)
        .filter_map(|file| file_words(index, layout, file, &all, &names))
        .collect();
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn file_words(
    index: &Index,
    layout: &Layout,
    file: usize,
    all: &LexicalScores,
    names: &LexicalScores,
) -> Option<FileWords> {
    let (part, local) = layout.place[file];
    let segment = &index.parts[part as usize].segment;
    let chunks = layout.chunks_of(file);
    let first = chunks.start;
    let mut best: Vec<(f32, usize)> = chunks.map(|c| (all.chunks[c], c)).collect();
    best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let row = best.first().and_then(|(_, chunk)| {
        let in_part = layout.files[file].first_chunk + (chunk - first) as u32;
        segment.chunk_row(in_part)
    });
    Some(FileWords {
        path: segment.path(local).to_owned(),
        role: layout.files[file].role,
        file: all.files[file],
        chunk: best.first().map_or(0.0, |b| b.0),
        best_chunks: best.iter().take(BEST_CHUNKS).map(|b| b.0).sum(),
        names: names.files[file],
        lines: row.map_or((1, 1), |row| (row.start_line, row.end_line)),
    })
}
