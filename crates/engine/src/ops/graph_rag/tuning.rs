//! Tuned numbers of contexts. All are in docs/tuning.md.
//!
//! Shares of the designed priority (relevance, heat, distance) are no tuned numbers: they are in `search::prune::priority`.

base::tuning! {
    /// Numbers of `graph-rag`. [`GraphRagTuning::default`] has the product's values.
    pub struct GraphRagTuning {
        /// Relevance up to which a result in a context is noise (0.1 in a search), 0–1.
        noise: f64 = 0.3, neutral 0.1;
        /// Loss of an anchor with each rank in the search. Share of its relevance, 0–1.
        place_slope: f64 = 0.05, neutral 0.0;
        /// Maximum number of ranks that count for this loss.
        place_most: usize = 10, neutral 0;
        /// An anchor has several definitions in its lines. Share of its relevance that each gets, 0–1.
        shared: f64 = 0.8, neutral 1.0;
        /// Share of the inherited relevance that a neighbour keeps even if it does not match the query, 0–1.
        kept: f64 = 0.8, neutral 0.0;
        /// Share of a neighbour's own match with the query, beside its inherited relevance, 0–1.
        own: f64 = 0.5, neutral 0.0;
        /// Most that the user's own choices add to a priority.
        preference: f64 = 0.2, neutral 0.0;
    }
}
