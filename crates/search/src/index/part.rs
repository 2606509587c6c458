//! An index of some files of many, with the sums over all of them: what is ranked in it gets the scores that it has in the whole.

use super::{Index, IndexError, Model};
use crate::prepare::Prepared;
use rustc_hash::{FxHashMap, FxHashSet};
use store::texts::{TextTotals, WordCounts};

/// What is known of the whole that an index is a part of.
#[derive(Debug, Default)]
pub(crate) struct Whole {
    /// How often each term of the question occurs.
    pub(crate) counts: FxHashMap<String, WordCounts>,
    /// Words that occur, among those that ranking may ask for.
    pub(crate) known: FxHashSet<String>,
    /// How near the chunks are to the question.
    pub(crate) nearness: Option<Nearness>,
}

/// How near chunks are to a question.
#[derive(Debug, Default)]
pub(crate) struct Nearness {
    /// Mean and deviation over the whole.
    pub(crate) mean: f32,
    pub(crate) deviation: f32,
    /// By global number of the chunk.
    pub(crate) chunks: Vec<f32>,
}

impl Index {
    /// An index of these files alone, with the sums of the whole.
    pub(crate) fn part_of(
        totals: &TextTotals,
        files: Vec<Prepared>,
        whole: Whole,
    ) -> Result<Index, IndexError> {
        let mut index = Index::in_memory(&Model::default(), files)?;
        index.files = totals.files as usize;
        index.chunks = totals.chunks as usize;
        index.lengths = totals.lengths;
        index.whole = Some(whole);
        Ok(index)
    }
}
