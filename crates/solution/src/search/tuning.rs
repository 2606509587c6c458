//! Tuned parameters of the search for solutions, so that an evaluation can remove each one. All are in docs/tuning.md.

use crate::record::ALPHA;
use base::tuning::NONE;

base::tuning! {
    /// Parameters of the search for solutions. [`Tuning::default`] has the product's values.
    pub struct Tuning {
        /// The weight of the vectors' half, if a request gives none. Share, 0–1.
        alpha: f64 = ALPHA, neutral 1.0;
        /// The cosine below which the model sees no similarity between two texts.
        least_similarity: f32 = 0.25, neutral -1.0;
        /// The steepness with which the words' score rises with the share of the question that a solution covers.
        /// Exponent.
        steepness: f64 = 4.0, neutral 1.0;
        /// The bonus of solutions with an equal rare code: the share of the way to 1.
        code: f64 = 0.35, neutral 0.0;
        /// The loss of a code's weight with the share of solutions that have it. Factor on the share.
        code_common: f64 = 5.0, neutral 0.0;
        /// The weight that is left for the most common code, 0–1.
        code_least: f64 = 0.1, neutral 0.0;
        /// The most that age and use add.
        prior: f64 = 0.01, neutral 0.0;
        /// Days after which a third of the bonus for a new solution is left.
        prior_days: f64 = 365.0, neutral NONE;
        /// The number of times that a solution was opened for the full bonus for use.
        prior_opened: f64 = 20.0, neutral NONE;
        /// The constant of reciprocal ranks, if a request asks for these (60 in the paper).
        rank_constant: f64 = 60.0, neutral 0.0;
    }
}
