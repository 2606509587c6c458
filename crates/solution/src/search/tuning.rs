//! Tuned parameters of the search for solutions, so that an evaluation can remove each one. All are in docs/tuning.md.

use crate::record::ALPHA;
use base::tuning::NONE;

base::tuning! {
    /// Parameters of the search for solutions. [`Tuning::default`] has the product's values.
    pub struct Tuning {
        /// Share of the vectors, unless a request sets another, 0–1.
        alpha: f64 = ALPHA, neutral 1.0;
        /// Cosine below which the model sees no relation between two texts.
        least_similarity: f32 = 0.25, neutral -1.0;
        /// How steeply the score of words rises with the share of the question that a solution covers. Exponent.
        steepness: f64 = 4.0, neutral 1.0;
        /// How far a rare code raises the score of a solution that has it. Share of the way to 1.
        code: f64 = 0.35, neutral 0.0;
        /// Loss of a code for the share of solutions that have it. Factor on the share.
        code_common: f64 = 5.0, neutral 0.0;
        /// Least weight of the most common code, 0–1.
        code_least: f64 = 0.1, neutral 0.0;
        /// Most that being new, and being used, add.
        prior: f64 = 0.01, neutral 0.0;
        /// Days after which a third of the bonus for being new is left.
        prior_days: f64 = 365.0, neutral NONE;
        /// Times that a solution must be opened for the whole bonus for being used.
        prior_opened: f64 = 20.0, neutral NONE;
        /// The constant of reciprocal ranks, if a request asks for these (60 in the paper).
        rank_constant: f64 = 60.0, neutral 0.0;
    }
}
