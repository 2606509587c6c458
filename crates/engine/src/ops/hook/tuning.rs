//! Tuned parameters of the prompt hook, so that an evaluation can remove each one. All are in docs/tuning.md.

use base::tuning::NONE;

base::tuning! {
    /// Parameters of the prompt hook. [`HookTuning::default`] has the product's values.
    ///
    /// A prompt with a name that is defined here, or with a path, means this code. A single word that also occurs here may mean
    /// anything. Among questions that repositories can answer, one in twenty is below a relevance of 0.3. Among questions about
    /// other things, one in twenty is above 0.06.
    pub struct HookTuning {
        /// Least relevance of the best result, for a prompt with a name or path that is here, 0–1.
        least_named: f64 = 0.1, neutral 0.0;
        /// The same for one with a single word that says something, 0–1.
        least_word: f64 = 0.65, neutral 0.0;
        /// The same for every other prompt, 0–1.
        least_words: f64 = 0.2, neutral 0.0;
        /// Least relevance of a result as a share of the best one's, 0–1.
        of_the_best: f64 = 0.3, neutral 0.0;
        /// Letters of an ASCII word that says something, more than.
        short_word: usize = 2, neutral 0;
        /// Letters of a hyphenated word that is one word, at least: shorter ones are `re-do` and the like.
        hyphenated_letters: usize = 6, neutral 0;
        /// Letters of a word in capitals that is the code of an error, at least: shorter ones are `JSON` and the like.
        shouted_letters: usize = 6, neutral 1;
        /// Letters of a name of a person, a place or a product, at least: shorter ones are words of code as often.
        proper_noun_letters: usize = 4, neutral 0;
        /// Words without a capital in a text whose capitals say something, at least. Thirds.
        proper_noun_thirds: usize = 2, neutral 0;
        /// Words of an errand such as a commit, at most. More ask for something else.
        chore_words: usize = 16, neutral NONE as usize;
        /// Words that say something in what may be an errand, at most.
        chore_telling: usize = 2, neutral NONE as usize;
        /// Part of the deadline that the whole answer may take before words alone are tried beside it, 0–1.
        patience: f64 = 0.6, neutral 1.0;
        /// Lines shown of the first, second, … result. Those after the last are only named.
        lines: [usize; 6] = [24, 14, 14, 8, 8, 6], neutral [24; 6];
        /// Share of the room that lines may take, so that some is left for places, 0–1.
        for_lines: f64 = 0.85, neutral 1.0;
        /// Callers and callees of results that are named.
        neighbours: usize = 4, neutral 0;
    }
}
