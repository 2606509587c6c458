//! The texts of a repository in a shared store: the published data of each file, and the questions of a search.
//!
//! The store counts words and compares vectors. The caller knows what words mean and how files are ranked.

use crate::StoreError;
use std::collections::BTreeMap;

/// Number of fields of a chunk whose words are counted separately.
pub const TEXT_FIELDS: usize = 4;

/// Totals over all texts of a repository.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextTotals {
    /// Number of files with chunks.
    pub files: u64,
    /// Number of their chunks.
    pub chunks: u64,
    /// Words in each field of all chunks.
    pub lengths: [u64; TEXT_FIELDS],
    /// The highest number of users of a file.
    pub most_users: u32,
    /// The model that made the vectors; empty if there are none.
    pub model: String,
    /// Number of values of a vector; 0 for none.
    pub dimensions: u32,
    /// Version of the published form of files.
    pub version: u32,
}

/// Data of a file that are known without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextStamp {
    /// A hash of all published data of the file, except the number of its users.
    pub hash: u64,
    /// The number of other files that use it.
    pub users: u32,
}

/// A word of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct TextWord {
    /// The word in the form that is looked up.
    pub word: String,
    /// Number of occurrences in the file name, and in its folders.
    pub path: [u8; 2],
    /// The number of chunks that have it.
    pub chunks: u32,
    /// The score of the best of these chunks for the word, 0–1. It is approximate, since it only selects candidates.
    pub chunk_says: f32,
    /// The score of the whole file for the word, 0–1; approximate as well.
    pub file_says: f32,
    /// Its postings, in the publisher's format.
    pub postings: Vec<u8>,
}

/// A file as published. Likely secrets in it are masked.
#[derive(Debug, Clone, PartialEq)]
pub struct TextFile {
    /// Path from the root.
    pub path: String,
    /// Data that are known without reading it.
    pub stamp: TextStamp,
    /// Its chunks and definitions, in the publisher's format.
    pub outline: Vec<u8>,
    /// The text.
    pub text: String,
    /// Its distinct words.
    pub words: Vec<TextWord>,
    /// The vectors of its chunks by number, for those that have one.
    pub vectors: Vec<(u32, Vec<f32>)>,
}

/// Texts that can be published.
pub trait TextSource {
    /// Totals over all of them.
    fn totals(&self) -> &TextTotals;
    /// Stamps of all published files.
    fn stamps(&self) -> &BTreeMap<String, TextStamp>;
    /// Reads files with these paths, in any order, and only some at a time. A file that changed since its stamp was made is
    /// left out.
    fn read(
        &self,
        paths: &[&str],
        visit: &mut dyn FnMut(TextFile) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;
}

/// How often a word occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WordCounts {
    /// Files that have it in their path or in a chunk.
    pub files: u64,
    /// Chunks that have it.
    pub chunks: u64,
    /// Files that have it in their path.
    pub paths: u64,
}

/// A word of a question, with its weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WordWeight<'w> {
    /// The word.
    pub word: &'w str,
    /// The weight for chunks that have it.
    pub chunk: f32,
    /// The weight for files that have it.
    pub file: f32,
    /// The weight for paths that have it.
    pub path: f32,
}

/// The number of a file within its repository.
pub type TextNumber = i32;

/// The published data of a file, apart from its text, words and vectors.
#[derive(Debug, Clone, PartialEq)]
pub struct TextOutline {
    /// The file's number.
    pub number: TextNumber,
    /// Its path.
    pub path: String,
    /// The number of other files that use it.
    pub users: u32,
    /// As in [`TextFile::outline`].
    pub outline: Vec<u8>,
}

/// A word of a file with its postings.
#[derive(Debug, Clone, PartialEq)]
pub struct WordPlaces {
    /// The file.
    pub number: TextNumber,
    /// The word.
    pub word: String,
    /// As in [`TextWord::path`].
    pub path: [u8; 2],
    /// As in [`TextWord::postings`].
    pub postings: Vec<u8>,
}

/// The files whose vectors are nearest to that of the question.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NearestTexts {
    /// The files, nearest first.
    pub files: Vec<TextNumber>,
    /// Mean of the products with all vectors. A chunk without a vector counts as 0.
    pub mean: f64,
    /// Standard deviation of these products.
    pub deviation: f64,
}

/// The product of a vector with that of a chunk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChunkNearness {
    /// The file of the chunk.
    pub file: TextNumber,
    /// The number of the chunk in its file.
    pub chunk: u32,
    /// The product.
    pub product: f32,
}

/// The files to search; `None` for all.
pub type OnlyTexts<'t> = Option<&'t [TextNumber]>;

/// A store of texts that can be searched. All answers refer to one state.
pub trait SearchTexts {
    /// Totals over all texts; `None` if no texts are published.
    fn text_totals(&self) -> Result<Option<TextTotals>, StoreError>;
    /// Number of occurrences of each word, in the order of `words`.
    fn count_words(&self, words: &[&str]) -> Result<Vec<WordCounts>, StoreError>;
    /// The words that occur in a chunk.
    fn known_words(&self, words: &[&str]) -> Result<Vec<String>, StoreError>;
    /// The files with the highest scores for the words, at most `most`, best first. Scores of chunks and of whole files
    /// are relative to the best of all; `shares` are their weights.
    fn best_by_words(
        &self,
        words: &[WordWeight<'_>],
        shares: (f32, f32),
        only: OnlyTexts<'_>,
        most: usize,
    ) -> Result<Vec<TextNumber>, StoreError>;
    /// The files with the chunks nearest to a vector, at most `most`; `None` if the store cannot compare vectors.
    fn nearest(
        &self,
        vector: &[f32],
        only: OnlyTexts<'_>,
        most: usize,
    ) -> Result<Option<NearestTexts>, StoreError>;
    /// The product of a vector with each chunk of these files.
    fn nearness(
        &self,
        vector: &[f32],
        files: &[TextNumber],
    ) -> Result<Vec<ChunkNearness>, StoreError>;
    /// The outlines of these files.
    fn outlines(&self, files: &[TextNumber]) -> Result<Vec<TextOutline>, StoreError>;
    /// The postings of words in these files.
    fn word_places(
        &self,
        words: &[&str],
        files: &[TextNumber],
    ) -> Result<Vec<WordPlaces>, StoreError>;
    /// Number and path of every file.
    fn paths(&self) -> Result<Vec<(TextNumber, String)>, StoreError>;
    /// The text of a file.
    fn text(&self, path: &str) -> Result<Option<String>, StoreError>;
}
