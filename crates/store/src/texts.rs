//! The texts of a repository in a store that several people search: what is published of each file, and what a search asks for.
//!
//! The store counts words and compares vectors. What words mean, and how files are ranked, is known to whoever asks.

use crate::StoreError;
use std::collections::BTreeMap;

/// Fields of a chunk whose words are counted apart.
pub const TEXT_FIELDS: usize = 4;

/// Sums over all texts of a repository.
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
    /// Whose vectors the chunks have; empty for none.
    pub model: String,
    /// Number of values of a vector; 0 for none.
    pub dimensions: u32,
    /// Version of the form in which files are published.
    pub version: u32,
}

/// What is known of a file without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextStamp {
    /// A hash of all that is published of it, apart from the number of its users.
    pub hash: u64,
    /// The number of other files that use it.
    pub users: u32,
}

/// A word of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct TextWord {
    /// The word, as it is looked up.
    pub word: String,
    /// Counts in the name of the file, and in its folders.
    pub path: [u8; 2],
    /// The number of chunks that have it.
    pub chunks: u32,
    /// What it says of the best of them, 0–1. About: it is for choosing candidates.
    pub chunk_says: f32,
    /// What it says of the file as a whole, 0–1. About, too.
    pub file_says: f32,
    /// Its places, in the form of whoever published it.
    pub postings: Vec<u8>,
}

/// A file as it is published. Likely secrets are masked in all of it.
#[derive(Debug, Clone, PartialEq)]
pub struct TextFile {
    /// Path from the root.
    pub path: String,
    /// What is known of it without reading it.
    pub stamp: TextStamp,
    /// Its chunks and definitions, in the form of whoever published it.
    pub outline: Vec<u8>,
    /// The text.
    pub text: String,
    /// Its words, each once.
    pub words: Vec<TextWord>,
    /// The vectors of its chunks by number, of those that have one.
    pub vectors: Vec<(u32, Vec<f32>)>,
}

/// Texts that can be published.
pub trait TextSource {
    /// Sums over all of them.
    fn totals(&self) -> &TextTotals;
    /// Every file that is published.
    fn stamps(&self) -> &BTreeMap<String, TextStamp>;
    /// Reads files with these paths, in any order. A file that cannot be read any more is an error.
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

/// A word of a question, with what it is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WordWeight<'w> {
    /// The word.
    pub word: &'w str,
    /// For chunks that have it.
    pub chunk: f32,
    /// For files that have it.
    pub file: f32,
    /// For paths that have it.
    pub path: f32,
}

/// The number of a file within its repository.
pub type TextNumber = i32;

/// What is published of a file, apart from its text, words and vectors.
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

/// A word of a file, as it is looked up.
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

/// The files whose vectors are nearest to that of a question.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NearestTexts {
    /// The files, nearest first.
    pub files: Vec<TextNumber>,
    /// Mean of the products with all vectors, and their deviation. A chunk without a vector counts as 0.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
}

/// Which files are asked about; all where there is no list.
pub type OnlyTexts<'t> = Option<&'t [TextNumber]>;

/// A store of texts that can be searched. All answers are of one state.
pub trait SearchTexts {
    /// Sums over all texts; none where nobody has published any.
    fn text_totals(&self) -> Result<Option<TextTotals>, StoreError>;
    /// How often each of the words occurs, in their order.
    fn count_words(&self, words: &[&str]) -> Result<Vec<WordCounts>, StoreError>;
    /// Those of the words that occur in a chunk.
    fn known_words(&self, words: &[&str]) -> Result<Vec<String>, StoreError>;
    /// The files that words say most of, at most so many, best first. Chunks, and files as wholes, are measured by the best of all, which
    /// counts as much as the two `shares` say.
    fn best_by_words(
        &self,
        words: &[WordWeight<'_>],
        shares: (f32, f32),
        only: OnlyTexts<'_>,
        most: usize,
    ) -> Result<Vec<TextNumber>, StoreError>;
    /// The files with the chunks nearest to a vector, at most so many; none where vectors cannot be compared.
    fn nearest(
        &self,
        vector: &[f32],
        only: OnlyTexts<'_>,
        most: usize,
    ) -> Result<Option<NearestTexts>, StoreError>;
    /// The product of a vector with each chunk of these files: file, chunk, product.
    fn nearness(
        &self,
        vector: &[f32],
        files: &[TextNumber],
    ) -> Result<Vec<(TextNumber, u32, f32)>, StoreError>;
    /// What is known of these files.
    fn outlines(&self, files: &[TextNumber]) -> Result<Vec<TextOutline>, StoreError>;
    /// The places of words in these files.
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
