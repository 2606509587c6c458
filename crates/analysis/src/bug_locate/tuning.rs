//! The tuned numbers of bug location, so that an evaluation can remove each one. All of them are in docs/tuning.md.

use crate::ExpandTuning;
use base::tuning::NONE;

base::tuning_of! {
    /// Numbers of bug location. [`Tuning::default`] is the product's.
    pub struct Tuning {
        /// Weights of the signals.
        weights: Weights;
        /// The making of the signals.
        signals: Gathering;
        /// The share of relevance that is left after each call.
        calls: ExpandTuning;
        /// The choice of a file's place that is shown.
        places: Places;
        /// The choice of a file's reasons that are shown.
        reasons: Reasons;
    }
}

base::tuning! {
    /// Weights of [`super::Ranker::Evidence`], one for each of [`super::Signals`]. Chosen on fixes of open-source projects.
    /// 0 and more; the sum of all evidence becomes a confidence.
    pub struct Weights {
        /// The file is in a stack trace.
        frame: f64 = 8.0, neutral 0.0;
        /// The file has the literal of a message of the report.
        origin: f64 = 7.0, neutral 0.0;
        /// The report names its path.
        path: f64 = 2.0, neutral 0.0;
        /// It defines a name of the report.
        defined: f64 = 0.4, neutral 0.0;
        /// Words of the report over the whole file.
        words: f64 = 0.6, neutral 0.0;
        /// Words of the report in its best chunk.
        best_chunk: f64 = 3.0, neutral 0.0;
        /// Words of the report in its three best chunks.
        best_chunks: f64 = 1.6, neutral 0.0;
        /// Whole names of the report.
        names: f64 = 1.7, neutral 0.0;
        /// Its rank in a search for the report.
        search: f64 = 1.1, neutral 0.0;
        /// It calls, or is called by, symbols that the report names.
        near: f64 = 1.5, neutral 0.0;
        /// Messages of commits that changed it share words with the report.
        commit_words: f64 = 2.5, neutral 0.0;
        /// The commits most similar to the report changed it.
        alike: f64 = 0.8, neutral 0.0;
        /// How recently it was changed.
        last: f64 = 1.0, neutral 0.0;
        /// How often it was changed recently.
        recent: f64 = 0.3, neutral 0.0;
        /// Its heat: change × complexity. It adds nothing to the other signals of history.
        hot: f64 = 0.0, neutral 0.0;
        /// It changes together with files that the other signals name.
        together: f64 = 0.3, neutral 0.0;
    }
}

base::tuning! {
    /// The making of the signals, and of a confidence from their sum.
    pub struct Gathering {
        /// Words of the first line and of messages. Weight of a word.
        title: f32 = 1.0, neutral 0.0;
        /// Words of texts within quotes. Weight of a word.
        quoted: f32 = 0.7, neutral 0.0;
        /// Words of the rest of the report. Weight of a word.
        body: f32 = 0.45, neutral 0.0;
        /// Two neighbouring words as one name. Factor on the weight of a word.
        compound: f32 = 0.6, neutral 0.0;
        /// Rank in a search at which a file counts half of the first.
        search_half: f64 = 5.0, neutral NONE;
        /// Maximum number of files that may define a name of the report, so that the name is distinctive.
        most_defined: usize = 6, neutral NONE as usize;
        /// Loss of a frame for each frame of the repository between it and the error. Factor.
        frame_decay: f64 = 0.85, neutral 1.0;
        /// A frame in a test, which rarely has the bug. Factor.
        frame_in_test: f64 = 0.4, neutral 1.0;
        /// A frame whose file is gone, but whose function exists. Factor.
        frame_moved: f64 = 0.8, neutral 1.0;
        /// A trace in no known form. Factor.
        frame_plain: f64 = 0.7, neutral 1.0;
        /// Least share of its part of a message that a literal must cover, 0–1. A smaller share may be chance.
        origin_share: f64 = 0.3, neutral 0.0;
        /// Letters from which a literal is an origin whatever its share.
        origin_long: usize = 24, neutral NONE as usize;
        /// Minimum number of letters and digits of a literal in a message, so that it counts.
        origin_letters: usize = 6, neutral 0;
        /// Factor on that minimum if the end of the message cuts the first piece of the literal.
        origin_cut: usize = 3, neutral 1;
        /// Minimum number of letters and digits of a message that is a part of a literal.
        origin_part_letters: usize = 12, neutral 0;
        /// Minimum number of words of such a message.
        origin_part_words: usize = 3, neutral 0;
        /// A message within quotes: it may be a printed message or anything else. Factor.
        origin_quoted: f64 = 0.4, neutral 1.0;
        /// Least share of an origin relative to the best one for the same part of a message, 0–1.
        origin_of_best: f64 = 0.8, neutral 0.0;
        /// A node that search found, as a start for following calls. Relevance of the first, 0–1.
        near_search: f64 = 0.5, neutral 0.0;
        /// A definition of a name of the report, as such a start. Relevance if it is the only one, 0–1.
        near_defined: f64 = 0.6, neutral 0.0;
        /// Days after which the message of a commit counts half for a file.
        commit_words_fades: f64 = 1_500.0, neutral NONE;
        /// Maximum number of times that a word counts in a commit's message.
        commit_words_count: f64 = 2.0, neutral NONE;
        /// BM25 over messages of commits, by file and by commit: saturation.
        commit_words_k1: f64 = 1.2, neutral 0.0;
        /// The same: normalisation by length, 0–1.
        commit_words_b: f64 = 0.75, neutral 0.0;
        /// How often a file was changed recently, before the logarithm. Factor.
        recent_rise: f64 = 4.0, neutral 1.0;
        /// Tests, documents and vendored code, if nothing names them. Factor on the confidence.
        aside: f64 = 0.25, neutral 1.0;
        /// The confidence below which a file is left out, 0–1.
        least_confidence: f64 = 0.005, neutral 0.0;
        /// Sum that a report in prose alone can reach: the weights from `defined` on. There the confidence is 0.7.
        prose: f64 = 10.0, neutral 1.0;
        /// Confidence of unlimited evidence, before it is cut at 1. It does not change the order of files.
        scale: f64 = 1.4, neutral 1.0;
    }
}

base::tuning! {
    /// The weight of each signal for the place that is shown for a file. The place with the most weight is shown.
    pub struct Places {
        /// Lines around a frame.
        frame: f64 = 10.0, neutral 0.0;
        /// The line of a message's origin.
        origin: f64 = 6.0, neutral 0.0;
        /// A definition of a name of the report.
        defined: f64 = 1.2, neutral 0.0;
        /// The best chunk.
        best_chunk: f64 = 1.0, neutral 0.0;
        /// A search's result.
        search: f64 = 0.9, neutral 0.0;
        /// A definition near symbols that the report names.
        near: f64 = 0.5, neutral 0.0;
    }
}

base::tuning! {
    /// The weight of each reason for a file, of which the four weightiest are shown, and the least value of a signal that counts
    /// as a reason.
    pub struct Reasons {
        /// A frame.
        frame: f64 = 8.0, neutral 0.0;
        /// A message's origin.
        origin: f64 = 4.0, neutral 0.0;
        /// Words in the best chunk.
        best_chunk: f64 = 3.0, neutral 0.0;
        /// Least signal of the best chunk, 0–1.
        best_chunk_least: f64 = 0.3, neutral 0.0;
        /// Commits similar to the report.
        commit_words: f64 = 2.5, neutral 0.0;
        /// Least signal of such commits, 0–1.
        commit_words_least: f64 = 0.3, neutral 0.0;
        /// The report names the path.
        path: f64 = 2.0, neutral 0.0;
        /// The file uses names of the report.
        names: f64 = 2.0, neutral 0.0;
        /// Least signal of names, 0–1.
        names_least: f64 = 0.5, neutral 0.0;
        /// The file defines a name of the report.
        defined: f64 = 1.5, neutral 0.0;
        /// Calls lead to the file.
        near: f64 = 1.0, neutral 0.0;
        /// Least relevance left after following calls, 0–1.
        near_least: f64 = 0.1, neutral 0.0;
        /// It changes together with a candidate.
        together: f64 = 1.0, neutral 0.0;
        /// Least signal of such changes, 0–1.
        together_least: f64 = 0.3, neutral 0.0;
        /// It was changed recently.
        last: f64 = 0.8, neutral 0.0;
    }
}
