//! An index of some files of a larger one, with sums over the whole: ranking gives them the scores that they have in the whole.

use super::{Index, IndexError, Model};
use crate::prepare::Prepared;
use rustc_hash::{FxHashMap, FxHashSet};
use store::texts::{TextTotals, WordCounts};

/// Sums and facts about the whole that an index is a part of.
#[derive(Debug, Default)]
pub(crate) struct IndexTotals {
    /// The counts of each term of the question.
    pub(crate) counts: FxHashMap<String, WordCounts>,
    /// Words that occur somewhere, among those that ranking may ask for.
    pub(crate) known: FxHashSet<String>,
    /// The nearness of the chunks to the question.
    pub(crate) nearness: Option<Nearness>,
}

/// The nearness of chunks to a question.
#[derive(Debug, Default)]
pub(crate) struct Nearness {
    /// Mean and deviation over the whole.
    pub(crate) mean: f32,
    pub(crate) deviation: f32,
    /// The nearness of each chunk, by global number.
    pub(crate) chunks: Vec<f32>,
}

impl Index {
    /// An index of these files alone, with the sums of the whole.
    pub(crate) fn part_of(
        totals: &TextTotals,
        files: Vec<Prepared>,
        whole: IndexTotals,
    ) -> Result<Index, IndexError> {
        let mut index = Index::in_memory(&Model::default(), files)?;
        index.files = totals.files as usize;
        index.chunks = totals.chunks as usize;
        index.lengths = totals.lengths;
        index.whole = Some(whole);
        Ok(index)
    }
}
