//! Ranks a file: from its signals to a confidence that the bug is there.

use super::tuning::{Tuning, Weights};
use serde::{Deserialize, Serialize};

/// Signals of a file, each 0–1. A sum is divided by that of the file with the largest sum.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Signals {
    /// It appears in a stack trace: 1 where the error was raised, less for each caller.
    pub frame: f64,
    /// A message of the report is written there.
    pub origin: f64,
    /// The report names its path.
    pub path: f64,
    /// A name of the report is defined there.
    pub defined: f64,
    /// Words of the report over the whole file.
    pub words: f64,
    /// Words of the report in its best chunk.
    #[serde(rename = "passage")]
    pub best_chunk: f64,
    /// Words of the report in its three best chunks.
    #[serde(rename = "passages")]
    pub best_chunks: f64,
    /// Whole names of the report.
    pub names: f64,
    /// Rank in a search for the report.
    pub search: f64,
    /// It calls, or is called by, a symbol that the report names.
    pub near: f64,
    /// Commits that changed it speak in the words of the report.
    pub commit_words: f64,
    /// The commits most similar to the report changed it.
    pub alike: f64,
    /// Recency of its last change.
    pub last: f64,
    /// Frequency of its recent changes.
    pub recent: f64,
    /// Heat: change × complexity.
    pub hot: f64,
    /// It changes together with files that the other signals name.
    #[serde(default)]
    pub together: f64,
}

/// The four parts of the designed formula.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Scores {
    /// Nearness to the error: in the trace, in the report's words, or by calls.
    pub call_chain: f64,
    /// Recency, frequency and purpose of its changes.
    pub history: f64,
    /// Heat.
    pub hotspot: f64,
    /// Share of the report's messages and names that are found in the file.
    pub error_pattern: f64,
}

/// A formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ranker {
    /// 0.4 call chain + 0.3 history + 0.15 hotspot + 0.15 error pattern.
    Design,
    /// A weight for each signal, learned from fixes of open-source projects.
    #[default]
    Evidence,
}

/// Shares of the designed formula. They are part of its definition.
const DESIGN: Scores = Scores {
    call_chain: 0.4,
    history: 0.3,
    hotspot: 0.15,
    error_pattern: 0.15,
};
/// Weight of each signal of history in the designed formula.
const DESIGN_HISTORY: Signals = Signals {
    commit_words: 0.5,
    alike: 0.2,
    last: 0.15,
    recent: 0.15,
    ..Signals::NONE
};
/// Weight of each signal of words in the designed formula.
const DESIGN_TEXT: Signals = Signals {
    best_chunk: 0.5,
    words: 0.3,
    best_chunks: 0.2,
    ..Signals::NONE
};
/// Weight of a named path, or of the words of the report, relative to a frame, in the designed formula.
const DESIGN_TEXT_OF_FRAME: f64 = 0.9;
/// Weight of a name's definition relative to a message's origin, in the designed formula.
const DESIGN_DEFINED_OF_ORIGIN: f64 = 0.8;

impl Signals {
    /// All signals 0.
    const NONE: Signals = Signals {
        frame: 0.0,
        origin: 0.0,
        path: 0.0,
        defined: 0.0,
        words: 0.0,
        best_chunk: 0.0,
        best_chunks: 0.0,
        names: 0.0,
        search: 0.0,
        near: 0.0,
        commit_words: 0.0,
        alike: 0.0,
        last: 0.0,
        recent: 0.0,
        hot: 0.0,
        together: 0.0,
    };

    /// The sum of all signals, each by its weight.
    fn weighed(&self, weights: &Weights) -> f64 {
        self.frame * weights.frame
            + self.origin * weights.origin
            + self.path * weights.path
            + self.defined * weights.defined
            + self.words * weights.words
            + self.best_chunk * weights.best_chunk
            + self.best_chunks * weights.best_chunks
            + self.names * weights.names
            + self.search * weights.search
            + self.near * weights.near
            + self.commit_words * weights.commit_words
            + self.alike * weights.alike
            + self.last * weights.last
            + self.recent * weights.recent
            + self.hot * weights.hot
            + self.together * weights.together
    }

    /// The four parts of the designed formula.
    pub fn scores(&self) -> Scores {
        let most = |of: &[f64]| of.iter().copied().fold(0.0, f64::max);
        let share = &DESIGN_TEXT;
        let text = share.best_chunk * self.best_chunk
            + share.words * self.words
            + share.best_chunks * self.best_chunks;
        let share = &DESIGN_HISTORY;
        let less = DESIGN_TEXT_OF_FRAME;
        Scores {
            call_chain: most(&[self.frame, self.near, less * self.path, less * text]),
            history: share.commit_words * self.commit_words
                + share.alike * self.alike
                + share.last * self.last
                + share.recent * self.recent,
            hotspot: self.hot,
            error_pattern: most(&[
                self.origin,
                self.names,
                DESIGN_DEFINED_OF_ORIGIN * self.defined,
            ]),
        }
    }
}

impl Ranker {
    /// The formula of that name.
    pub fn parse(name: &str) -> Option<Ranker> {
        match name {
            "design" => Some(Ranker::Design),
            "evidence" => Some(Ranker::Evidence),
            _ => None,
        }
    }

    /// Name in arguments and answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Ranker::Design => "design",
            Ranker::Evidence => "evidence",
        }
    }

    /// The confidence, 0–1.
    pub fn confidence(self, signals: &Signals, tuning: &Tuning) -> f64 {
        let confidence = match self {
            Ranker::Design => {
                let s = signals.scores();
                DESIGN.call_chain * s.call_chain
                    + DESIGN.history * s.history
                    + DESIGN.hotspot * s.hotspot
                    + DESIGN.error_pattern * s.error_pattern
            }
            Ranker::Evidence => {
                let sum = signals.weighed(&tuning.weights);
                let made = &tuning.signals;
                // A trace cannot lift the confidence above 1.
                sum / (made.prose + sum).max(1.0) * made.scale
            }
        };
        confidence.clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ac_005_weights_are_those_of_the_design() {
        let only = |set: fn(&mut Signals)| {
            let mut signals = Signals::default();
            set(&mut signals);
            (Ranker::Design.confidence(&signals, &Tuning::default()) * 1e6).round() / 1e6
        };
        assert_eq!(only(|s| s.frame = 1.0), 0.4);
        assert_eq!(only(|s| s.hot = 1.0), 0.15);
        assert_eq!(only(|s| s.origin = 1.0), 0.15);
        let all_history =
            only(|s| (s.commit_words, s.alike, s.last, s.recent) = (1.0, 1.0, 1.0, 1.0));
        assert_eq!(all_history, 0.3);
        let mut full = Signals::default();
        (full.frame, full.origin, full.hot) = (1.0, 1.0, 1.0);
        (full.commit_words, full.alike, full.last, full.recent) = (1.0, 1.0, 1.0, 1.0);
        let all = Ranker::Design.confidence(&full, &Tuning::default());
        assert!((all - 1.0).abs() < 1e-9);
    }

    #[test]
    fn more_evidence_is_never_less() {
        for ranker in [Ranker::Design, Ranker::Evidence] {
            let mut signals = Signals::default();
            let tuning = Tuning::default();
            let mut before = ranker.confidence(&signals, &tuning);
            assert_eq!(before, 0.0);
            let sets: [fn(&mut Signals); 3] = [
                |s| s.words = 0.5,
                |s| s.commit_words = 1.0,
                |s| s.frame = 1.0,
            ];
            for set in sets {
                set(&mut signals);
                let now = ranker.confidence(&signals, &tuning);
                assert!(now >= before && now <= 1.0);
                before = now;
            }
            assert_eq!(Ranker::parse(ranker.as_str()), Some(ranker));
        }
    }
}
