//! Tuned parameters of the search for solutions, so that an evaluation can remove each one. All are in docs/tuning.md.

use crate::record::ALPHA;
use base::tuning::NONE;

base::tuning! {
    /// Parameters of the search for solutions. [`Tuning::default`] has the product's values.
    pub struct Tuning {
        /// The vectors' half, where a request does not say otherwise. Share, 0–1.
        alpha: f64 = ALPHA, neutral 1.0;
        /// Cosine below which two texts have nothing to do with each other as far as the model can tell.
        least_similarity: f32 = 0.25, neutral -1.0;
        /// How steeply the words' score rises with the share of the question that a solution covers. Exponent.
        steepness: f64 = 4.0, neutral 1.0;
        /// How far a rare code lifts what names it, of the way to 1.
        code: f64 = 0.35, neutral 0.0;
        /// What a code loses with the share of solutions that have it. Factor on the share.
        code_common: f64 = 5.0, neutral 0.0;
        /// What is left of the commonest code, 0–1.
        code_least: f64 = 0.1, neutral 0.0;
        /// What being new, and being used, add at most.
        prior: f64 = 0.01, neutral 0.0;
        /// Days after which a third of what being new adds is left.
        prior_days: f64 = 365.0, neutral NONE;
        /// Times that a solution was opened, for all that being used adds.
        prior_opened: f64 = 20.0, neutral NONE;
        /// The constant of reciprocal ranks, where a request asks for these (60 in the paper).
        rank_constant: f64 = 60.0, neutral 0.0;
    }
}
