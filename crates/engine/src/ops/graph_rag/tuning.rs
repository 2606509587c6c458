//! Tuned numbers of contexts. All are in docs/tuning.md.
//!
//! Shares of the designed priority (relevance, heat, distance) are no tuned numbers: they are in `search::prune::priority`.

base::tuning! {
    /// Numbers of `graph-rag`. [`GraphRagTuning::default`] has the product's values.
    pub struct GraphRagTuning {
        /// Relevance in a context where noise ends, as it does at 0.1 in a search, 0–1.
        noise: f64 = 0.3, neutral 0.1;
        /// What an anchor loses with each place in the order of search. Share of its relevance, 0–1.
        place_slope: f64 = 0.05, neutral 0.0;
        /// Places that count for this, at most.
        place_most: usize = 10, neutral 0;
        /// What each of several definitions in an anchor's lines gets of its relevance, 0–1.
        shared: f64 = 0.8, neutral 1.0;
        /// What a neighbour keeps of the relevance that it inherits, however little it matches the query itself, 0–1.
        kept: f64 = 0.8, neutral 0.0;
        /// A neighbour's own match with the query beside what it inherits. Share, 0–1.
        own: f64 = 0.5, neutral 0.0;
        /// The most that the user's own choices add to a priority.
        preference: f64 = 0.2, neutral 0.0;
    }
}
