//! The built-in static model: a table of sub-words, read in place from the binary.
//!
//! A text's vector is a weighted sum of its words' rows; formulas are in `training/MODEL_CARD.md`.

use crate::tensors::{Matrix, Tensors};
use crate::{ModelError, kernels};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::OnceLock;

static TABLE: &[u8] = include_bytes!("../models/code/code-static-256-int8.safetensors");
static VOCABULARY: &str = include_str!("../models/code/vocab.txt");

const DIMENSIONS: usize = 256;
/// Most characters of code that are read.
const BODY_CHARACTERS: usize = 3_000;
/// Longest row name tried when a word is split into pieces.
const LONGEST: usize = 20;
const SHORTEST: usize = 3;
const NAME_WEIGHT: f32 = 3.0;
const PATH_WEIGHT: f32 = 0.5;
const PATH_WORDS: usize = 4;

/// Input of a model for one chunk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmbedDoc<'a> {
    /// The source text.
    pub code: &'a str,
    /// Names of definitions and of their containers, separated by spaces.
    pub names: &'a str,
    /// The file's path.
    pub path: &'a str,
}

impl EmbedDoc<'_> {
    /// Everything as one text of at most `most` bytes, for models that read one.
    pub fn text(&self, most: usize) -> String {
        let mut text = String::with_capacity(self.code.len().min(most) + 128);
        for part in [self.path, self.names, self.code] {
            let part = part.trim();
            if !part.is_empty() {
                text.push_str(part);
                text.push('\n');
            }
        }
        let end = (0..=most.min(text.len()))
            .rev()
            .find(|at| text.is_char_boundary(*at));
        text.truncate(end.unwrap_or(0));
        text
    }
}

/// The table with its weights.
pub struct CodeModel {
    rows: FxHashMap<&'static str, u32>,
    matrix: Matrix,
    query_weight: Vec<f32>,
    document_weight: Vec<f32>,
}

impl CodeModel {
    /// Its name and version. An index of another model is rebuilt.
    pub const NAME: &'static str = "code-static-256-int8/1";
    /// Values of a vector.
    pub const DIMENSIONS: usize = DIMENSIONS;

    /// The model of this binary, read on first use.
    pub fn get() -> Result<&'static CodeModel, ModelError> {
        static MODEL: OnceLock<Result<CodeModel, ModelError>> = OnceLock::new();
        let read = MODEL.get_or_init(|| CodeModel::read(TABLE, VOCABULARY));
        read.as_ref().map_err(ModelError::clone)
    }

    fn read(table: &'static [u8], vocabulary: &'static str) -> Result<CodeModel, ModelError> {
        let words: Vec<&'static str> = vocabulary.lines().collect();
        let tensors = Tensors::parse_safetensors(table)?;
        let matrix = tensors.matrix("embeddings", "scale")?;
        let (query_weight, document_weight) = (tensors.floats("wq")?, tensors.floats("wd")?);
        let heights = [matrix.height(), query_weight.len(), document_weight.len()];
        if matrix.width != DIMENSIONS || heights != [words.len(); 3] {
            return Err(ModelError("its tensors have other sizes".to_owned()));
        }
        Ok(CodeModel {
            matrix,
            query_weight,
            document_weight,
            rows: (0u32..).zip(words).map(|(i, w)| (w, i)).collect(),
        })
    }

    /// Calls `f` with the rows of the longest known pieces of a lower-case word that has no row itself.
    fn piece_rows(&self, word: &str, mut f: impl FnMut(u32)) {
        if word.bytes().all(|b| b.is_ascii_digit()) {
            return;
        }
        let mut at = 0;
        while at < word.len() {
            let most = word.len().min(at + LONGEST);
            let found = (at + SHORTEST..=most)
                .rev()
                .find_map(|end| Some((end, *self.rows.get(&word[at..end])?)));
            match found {
                Some((end, row)) => {
                    f(row);
                    at = end;
                }
                None => at += 1,
            }
        }
    }

    /// The vector of a document, of length one; all zero if it has no known word.
    pub fn document(&self, doc: &EmbedDoc<'_>) -> Vec<f32> {
        let path = doc
            .path
            .rsplit_once('.')
            .map_or(doc.path, |(stem, ending)| {
                if ending.contains('/') || stem.is_empty() || stem.ends_with('/') {
                    doc.path
                } else {
                    stem
                }
            });
        let mut path_words = Vec::new();
        words(path, |w| path_words.push(w));
        let last = path_words.len().saturating_sub(PATH_WORDS);
        RowCounter::with(self.matrix.height(), |bag| {
            words(first_characters(doc.code), |w| bag.count(self, w));
            bag.close(|n| if n < 16.0 { n.sqrt() } else { 4.0 });
            words(doc.names, |w| bag.count(self, w));
            bag.close(|n| NAME_WEIGHT * n);
            path_words[last..].iter().for_each(|w| bag.count(self, w));
            bag.close(|n| PATH_WEIGHT * n);
            self.sum(bag, &self.document_weight)
        })
    }

    /// The vector of a query, of length one; all zero if it has no known word.
    pub fn query(&self, text: &str) -> Vec<f32> {
        RowCounter::with(self.matrix.height(), |bag| {
            words(text, |w| bag.count(self, w));
            bag.close(|n| n);
            self.sum(bag, &self.query_weight)
        })
    }

    fn sum(&self, bag: &mut RowCounter, weights: &[f32]) -> Vec<f32> {
        let mut sum = vec![0f32; DIMENSIONS];
        for row in bag.rows.drain(..) {
            let row = row as usize;
            let weight =
                std::mem::take(&mut bag.weights[row]) * weights[row] * self.matrix.scales[row];
            let values = &self.matrix.rows[row * DIMENSIONS..(row + 1) * DIMENSIONS];
            kernels::add(&mut sum, weight, values);
        }
        let norm = sum.iter().map(|v| v * v).sum::<f32>().sqrt() + 1e-9;
        sum.iter_mut().for_each(|v| *v /= norm);
        sum
    }
}

/// Counts of rows, in buffers of the table's length that a thread reuses.
struct RowCounter {
    counts: Vec<f32>,
    counted: Vec<u32>,
    weights: Vec<f32>,
    rows: Vec<u32>,
    lower: String,
    /// The rows of words that are split into pieces: finding them takes many look-ups.
    pieces: FxHashMap<Box<str>, Box<[u32]>>,
}

/// Most words whose pieces are cached.
const REMEMBERED: usize = 50_000;

thread_local! {
    static BAG: RefCell<RowCounter> = RefCell::new(RowCounter {
        counts: Vec::new(),
        counted: Vec::new(),
        weights: Vec::new(),
        rows: Vec::new(),
        lower: String::new(),
        pieces: FxHashMap::default(),
    });
}

impl RowCounter {
    fn with<R>(rows: usize, f: impl FnOnce(&mut RowCounter) -> R) -> R {
        BAG.with_borrow_mut(|bag| {
            bag.counts.resize(rows, 0.0);
            bag.weights.resize(rows, 0.0);
            f(bag)
        })
    }

    fn count(&mut self, model: &CodeModel, word: &str) {
        self.lower.clear();
        self.lower.push_str(word);
        self.lower.make_ascii_lowercase();
        let RowCounter {
            counts,
            counted,
            lower,
            pieces,
            ..
        } = self;
        let mut count = |row: u32| {
            if counts[row as usize] == 0.0 {
                counted.push(row);
            }
            counts[row as usize] += 1.0;
        };
        if let Some(row) = model.rows.get(lower.as_str()) {
            return count(*row);
        }
        if let Some(rows) = pieces.get(lower.as_str()) {
            return rows.iter().copied().for_each(count);
        }
        let mut rows = Vec::new();
        model.piece_rows(lower, |row| rows.push(row));
        rows.iter().copied().for_each(count);
        if pieces.len() >= REMEMBERED {
            pieces.clear();
        }
        pieces.insert(lower.as_str().into(), rows.into());
    }

    /// Turns the counts so far into weights and starts anew.
    fn close(&mut self, weigh: impl Fn(f32) -> f32) {
        for row in self.counted.drain(..) {
            let count = std::mem::take(&mut self.counts[row as usize]);
            let weight = &mut self.weights[row as usize];
            if *weight == 0.0 {
                self.rows.push(row);
            }
            *weight += weigh(count);
        }
    }
}

fn first_characters(text: &str) -> &str {
    // A text of at most this many bytes has no more characters.
    if text.len() <= BODY_CHARACTERS {
        return text;
    }
    match text.char_indices().nth(BODY_CHARACTERS) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

/// Calls `f` for every word: a run of capitals, a run of small letters with one capital before it, a run of digits.
fn words<'t>(text: &'t str, mut f: impl FnMut(&'t str)) {
    let bytes = text.as_bytes();
    let run = |from: usize, is: fn(&u8) -> bool| {
        from + bytes[from..].iter().take_while(|b| is(b)).count()
    };
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'a'..=b'z' => run(at, u8::is_ascii_lowercase),
            b'0'..=b'9' => run(at, u8::is_ascii_digit),
            b'A'..=b'Z' => {
                let capitals = run(at, u8::is_ascii_uppercase);
                let small = bytes.get(capitals).is_some_and(u8::is_ascii_lowercase);
                match (small, capitals - at) {
                    (true, 1) => run(capitals, u8::is_ascii_lowercase),
                    (true, _) => capitals - 1,
                    (false, _) => capitals,
                }
            }
            _ => {
                at += 1;
                continue;
            }
        };
        f(&text[at..end]);
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_words(text: &str) -> Vec<&str> {
        let mut all = Vec::new();
        words(text, |w| all.push(w));
        all
    }

    #[test]
    fn words_as_in_training() {
        assert_eq!(
            all_words("HTTPServer2 getUserById snake_case A1b ABC"),
            [
                "HTTP", "Server", "2", "get", "User", "By", "Id", "snake", "case", "A", "1", "b",
                "ABC"
            ]
        );
        assert_eq!(all_words("größe"), ["gr", "e"]);
    }

    #[derive(serde::Deserialize)]
    struct Golden {
        kind: String,
        #[serde(default)]
        text: String,
        #[serde(default)]
        names: String,
        #[serde(default)]
        path: String,
        vector: Vec<f32>,
    }

    /// The expected vectors are those that the training code computes from the table.
    #[test]
    fn vectors_are_those_that_the_card_promises() {
        let model = CodeModel::get().unwrap();
        let golden: Vec<Golden> =
            serde_json::from_str(include_str!("../models/code/golden.json")).unwrap();
        assert!(golden.len() >= 10);
        for case in golden {
            let vector = match case.kind.as_str() {
                "query" => CodeModel::query(model, &case.text),
                _ => model.document(&EmbedDoc {
                    code: &case.text,
                    names: &case.names,
                    path: &case.path,
                }),
            };
            for (ours, theirs) in vector.iter().zip(&case.vector) {
                assert!(
                    (ours - theirs).abs() < 2e-5,
                    "{}: {ours} {theirs}",
                    case.text
                );
            }
        }
    }

    #[test]
    fn nothing_known_gives_nothing() {
        let model = CodeModel::get().unwrap();
        assert!(model.query("解析 !!! 99999").iter().all(|v| *v == 0.0));
        assert!(model.query("parse").iter().any(|v| *v != 0.0));
    }
}
