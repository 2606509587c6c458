//! Tuned parameters of the prompt hook, so that an evaluation can remove each one. All are in docs/tuning.md.

use base::tuning::NONE;

base::tuning! {
    /// Parameters of the prompt hook. [`HookTuning::default`] has the product's values.
    ///
    /// A prompt with a name that is defined here, or with a path, means this code. A single word that also occurs here may mean
    /// anything. Among questions that repositories can answer, one in twenty is below a relevance of 0.3. Among questions about
    /// other things, one in twenty is above 0.06.
    pub struct HookTuning {
        /// Least relevance of the best result, for a prompt with a name or path of this repository, 0–1.
        least_named: f64 = 0.1, neutral 0.0;
        /// The same for a prompt with a single distinctive word, 0–1.
        least_word: f64 = 0.65, neutral 0.0;
        /// The same for every other prompt, 0–1.
        least_words: f64 = 0.2, neutral 0.0;
        /// Least relevance of a result as a share of the best one's, 0–1.
        of_the_best: f64 = 0.3, neutral 0.0;
        /// An ASCII word counts only if it has more letters than this.
        short_word: usize = 2, neutral 0;
        /// Minimum number of letters of a hyphenated word that counts as one word: shorter ones are `re-do` and the like.
        hyphenated_letters: usize = 6, neutral 0;
        /// Minimum number of letters of a word in capitals that is an error code: shorter ones are `JSON` and the like.
        shouted_letters: usize = 6, neutral 1;
        /// Minimum number of letters of a name of a person, place or product: shorter ones are often words of code.
        proper_noun_letters: usize = 4, neutral 0;
        /// Least share of words without a capital, so that capitals mark names. Thirds.
        proper_noun_thirds: usize = 2, neutral 0;
        /// Maximum number of words of an errand such as a commit. Longer prompts ask for something else.
        chore_words: usize = 16, neutral NONE as usize;
        /// Maximum number of distinctive words in a prompt that may be an errand.
        chore_telling: usize = 2, neutral NONE as usize;
        /// Share of the deadline after which a search by words alone starts as a fallback, 0–1.
        patience: f64 = 0.6, neutral 1.0;
        /// Lines shown of the first, second, … result. Further results are only named.
        lines: [usize; 6] = [24, 14, 14, 8, 8, 6], neutral [24; 6];
        /// Share of the room that lines may take, so that room is left for places, 0–1.
        for_lines: f64 = 0.85, neutral 1.0;
        /// Number of callers and callees that are named.
        neighbours: usize = 4, neutral 0;
    }
}
