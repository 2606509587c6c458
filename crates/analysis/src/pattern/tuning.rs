//! The tuned numbers of patterns, so that an evaluation can remove each one. docs/tuning.md lists them.

base::tuning! {
    /// Numbers of patterns. [`PatternTuning::default`] is the product's.
    pub struct PatternTuning {
        /// Cases of a question in which a choice is made, so that it is a pattern. Share, 0–1.
        confidence: f64 = 0.8, neutral 0.0;
        /// Files in which a choice is made at least: one file is one hand.
        files: usize = 2, neutral 1;
        /// Uses of an alias within a single folder, at least: a few may have come about by copying.
        alias_in_folder: usize = 5, neutral 0;
        /// Names of a folder at least, so that what they share says something of it.
        naming_names: usize = 4, neutral 1;
        /// Names elsewhere that may bear the folder's word. Share, 0–1.
        naming_common: f64 = 0.15, neutral 1.0;
        /// Files of a folder at least, so that what they import says something of it.
        import_files: usize = 4, neutral 1;
        /// Files of a folder that import a thing, so that it belongs to the folder. Tenths.
        import_tenths: usize = 9, neutral 0;
        /// Files elsewhere that may import it. Share, 0–1.
        import_common: f64 = 0.1, neutral 1.0;
        /// Lines of a module of Python that may postpone annotations, more than: a smaller one shows no choice.
        future_lines: u32 = 10, neutral 0;
        /// Types that extend one base, or folders beside each other, at least, so that what they share says something of them.
        structure_alike: usize = 3, neutral 1;
        /// Of these those that have a member, or a file, so that it is asked of all. Fifths.
        structure_fifths: usize = 4, neutral 0;
        /// Types with a member that an interface of theirs asks for: above that share no choice was left. Share, 0–1.
        structure_promised: f64 = 0.5, neutral 1.0;
        /// Lines of a file that ought to have a companion such as a test, at least.
        companion_lines: usize = 20, neutral 0;
        /// Functions that call what follows something, at most: what more call follows anything. Share, 0–1.
        sequence_common: f64 = 0.05, neutral 1.0;
        /// Functions of a repository at least, for shares of them: in a small one a few are a large share.
        sequence_functions: usize = 200, neutral 1;
        /// How much likelier a call must be after another than anywhere. Factor.
        sequence_lift: f64 = 8.0, neutral 0.0;
        /// How many times more than asked for two calls of one owner must follow each other.
        sequence_owner_more: usize = 1, neutral 0;
        /// How many times as often as asked for two calls of different things must follow each other: what is written once and
        /// copied within a folder follows itself. Factor.
        sequence_unrelated: usize = 4, neutral 1;
        /// Folders in which two calls of different things must follow each other.
        sequence_folders: usize = 3, neutral 1;
        /// How many times as often as asked for two calls of other packages must follow each other. Factor.
        sequence_outside: usize = 2, neutral 1;
        /// How often they must at least.
        sequence_outside_least: usize = 5, neutral 1;
    }
}
