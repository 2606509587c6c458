//! Tuned numbers of contexts. All are in docs/tuning.md.
//!
//! Shares of the designed priority (relevance, heat, distance) are no tuned numbers: they are in `search::prune::priority`.

base::tuning! {
    /// Numbers of `graph-rag`. [`GraphRagTuning::default`] has the product's values.
    pub struct GraphRagTuning {
        /// Relevance in a context where noise ends, as it does at 0.1 in a search, 0–1.
        noise: f64 = 0.3, neutral 0.1;
        /// The share of its relevance that an anchor loses with each place in the search order, 0–1.
        place_slope: f64 = 0.05, neutral 0.0;
        /// The most places that count for this.
        place_most: usize = 10, neutral 0;
        /// The share of an anchor's relevance that each of several definitions in its lines gets, 0–1.
        shared: f64 = 0.8, neutral 1.0;
        /// The least share of the inherited relevance that a neighbour keeps, even if it does not match the query itself,
        /// 0–1.
        kept: f64 = 0.8, neutral 0.0;
        /// The weight of a neighbour's own match with the query beside the inherited relevance. Share, 0–1.
        own: f64 = 0.5, neutral 0.0;
        /// The most that the user's own choices add to a priority.
        preference: f64 = 0.2, neutral 0.0;
    }
}
