//! The tuned numbers of patterns, so that an evaluation can remove each one. docs/tuning.md lists them.

base::tuning! {
    /// Numbers of patterns. [`PatternTuning::default`] is the product's.
    pub struct PatternTuning {
        /// Least share of the cases of a question with the same choice, so that it is a pattern, 0–1.
        confidence: f64 = 0.8, neutral 0.0;
        /// Minimum number of files with a choice: one file may have one author.
        files: usize = 2, neutral 1;
        /// Minimum number of uses of an alias within a single folder: a few may have been copied.
        alias_in_folder: usize = 5, neutral 0;
        /// Minimum number of names in a folder, so that a word that they share is typical of it.
        naming_names: usize = 4, neutral 1;
        /// Maximum share of names elsewhere that may have the folder's word, 0–1.
        naming_common: f64 = 0.15, neutral 1.0;
        /// Minimum number of files in a folder, so that their imports are typical of it.
        import_files: usize = 4, neutral 1;
        /// Minimum share of the files of a folder that import a thing, so that it belongs to the folder. Tenths.
        import_tenths: usize = 9, neutral 0;
        /// Maximum share of files elsewhere that may import it, 0–1.
        import_common: f64 = 0.1, neutral 1.0;
        /// A module of Python with more lines than this may postpone annotations; a smaller one shows no choice.
        future_lines: u32 = 10, neutral 0;
        /// Minimum number of types with one base, or neighbouring folders, so that a member or file that they share is typical.
        structure_alike: usize = 3, neutral 1;
        /// Least share of these with a member or file, so that all are expected to have it. Fifths.
        structure_fifths: usize = 4, neutral 0;
        /// Maximum share of types whose interface requires the member, 0–1: above it there is no choice.
        structure_promised: f64 = 0.5, neutral 1.0;
        /// Minimum number of lines of a file that should have a companion such as a test.
        companion_lines: usize = 20, neutral 0;
        /// Maximum share of functions that call the second of two calls, 0–1: a more common call follows anything.
        sequence_common: f64 = 0.05, neutral 1.0;
        /// Minimum number of functions that such shares are based on: in a small repository a few functions are a large share.
        sequence_functions: usize = 200, neutral 1;
        /// How much more likely a call must be after another than elsewhere. Factor.
        sequence_lift: f64 = 8.0, neutral 0.0;
        /// How many more times than the minimum two calls of one owner must follow each other.
        sequence_owner_more: usize = 1, neutral 0;
        /// Factor on the minimum for two calls of different owners: code that is copied within a folder repeats itself.
        sequence_unrelated: usize = 4, neutral 1;
        /// Minimum number of folders in which two calls of different owners must follow each other.
        sequence_folders: usize = 3, neutral 1;
        /// Factor on the minimum for two calls of other packages.
        sequence_outside: usize = 2, neutral 1;
        /// Minimum number of times for such calls.
        sequence_outside_least: usize = 5, neutral 1;
    }
}
