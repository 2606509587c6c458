//! The tuned numbers of patterns, so that an evaluation can remove each one. docs/tuning.md lists them.

base::tuning! {
    /// Numbers of patterns. [`PatternTuning::default`] is the product's.
    pub struct PatternTuning {
        /// The least share of cases in which a choice is made, for a pattern. Share, 0–1.
        confidence: f64 = 0.8, neutral 0.0;
        /// The least files in which a choice is made: one file may be the work of one person.
        files: usize = 2, neutral 1;
        /// The least uses of an alias within a single folder: a few may be copies.
        alias_in_folder: usize = 5, neutral 0;
        /// The least names in a folder for their common words to count.
        naming_names: usize = 4, neutral 1;
        /// The most names elsewhere that may contain the folder's word. Share, 0–1.
        naming_common: f64 = 0.15, neutral 1.0;
        /// The least files in a folder for their common imports to count.
        import_files: usize = 4, neutral 1;
        /// The least files of a folder with an import that belongs to the folder. Tenths.
        import_tenths: usize = 9, neutral 0;
        /// The most files elsewhere with that import. Share, 0–1.
        import_common: f64 = 0.1, neutral 1.0;
        /// The lines above which a Python module may postpone annotations: a smaller one shows no choice.
        future_lines: u32 = 10, neutral 0;
        /// The least types that extend one base, or sibling folders, for their common parts to count.
        structure_alike: usize = 3, neutral 1;
        /// The least of these that have a member, or a file, for it to be expected of all. Fifths.
        structure_fifths: usize = 4, neutral 0;
        /// The share of types whose interface requires a member, above which no choice was left. Share, 0–1.
        structure_promised: f64 = 0.5, neutral 1.0;
        /// The least lines of a file that should have a companion such as a test.
        companion_lines: usize = 20, neutral 0;
        /// The most functions with a second call: a more common call follows anything. Share, 0–1.
        sequence_common: f64 = 0.05, neutral 1.0;
        /// The least functions that shares are computed with: in a small repository a few are a large share.
        sequence_functions: usize = 200, neutral 1;
        /// How much likelier a call must be after another one than elsewhere. Factor.
        sequence_lift: f64 = 8.0, neutral 0.0;
        /// How many times more than the minimum two calls of one owner must follow each other.
        sequence_owner_more: usize = 1, neutral 0;
        /// How many times the minimum two unrelated calls must follow each other: code that is copied within a folder follows
        /// itself. Factor.
        sequence_unrelated: usize = 4, neutral 1;
        /// The least folders in which two unrelated calls follow each other.
        sequence_folders: usize = 3, neutral 1;
        /// How many times the minimum two calls of other packages must follow each other. Factor.
        sequence_outside: usize = 2, neutral 1;
        /// The least number of times that they must.
        sequence_outside_least: usize = 5, neutral 1;
    }
}
