//! From what is known of a file to how likely the bug is there.

use serde::{Deserialize, Serialize};

/// What is known of a file, each 0–1: the share of the file of which it holds most, where it is a sum.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Signals {
    /// It stands in a stack trace: 1 where the error was raised, less for each caller.
    pub frame: f64,
    /// A message of the report is written there.
    pub origin: f64,
    /// Its path is named.
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
    /// Its place in a search for the report.
    pub search: f64,
    /// It calls, or is called by, what the report names.
    pub near: f64,
    /// Commits that changed it speak in the words of the report.
    pub told: f64,
    /// It was changed by commits most like the report.
    pub alike: f64,
    /// How lately it was changed.
    pub last: f64,
    /// How often it was changed lately.
    pub recent: f64,
    /// How hot it is: change × complexity.
    pub hot: f64,
    /// It changes together with files that the other signals name.
    #[serde(default)]
    pub together: f64,
}

/// The four parts of the designed formula.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Scores {
    /// How near it is to the error: in the trace, in the report's words, or by calls.
    pub call_chain: f64,
    /// How lately and how often it was changed, and for what.
    pub history: f64,
    /// How hot it is.
    pub hotspot: f64,
    /// How well the messages and names of the report are found there.
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

/// Weights of [`Ranker::Evidence`], in the order of [`Signals`]' fields.
const WEIGHTS: [f64; 16] = [
    8.0, 7.0, 2.0, 0.4, 0.6, 3.0, 1.6, 1.7, 1.1, 1.5, 2.5, 0.8, 1.0, 0.3, 0.0, 0.3,
];
/// What a report in prose alone can reach: the weights from `defined` on.
const PROSE: f64 = 10.0;

impl Signals {
    /// Every signal, in the order of the fields.
    pub fn values(&self) -> [f64; 16] {
        [
            self.frame,
            self.origin,
            self.path,
            self.defined,
            self.words,
            self.best_chunk,
            self.best_chunks,
            self.names,
            self.search,
            self.near,
            self.told,
            self.alike,
            self.last,
            self.recent,
            self.hot,
            self.together,
        ]
    }

    /// The four parts of the designed formula.
    pub fn scores(&self) -> Scores {
        let most = |of: &[f64]| of.iter().copied().fold(0.0, f64::max);
        let text = 0.5 * self.best_chunk + 0.3 * self.words + 0.2 * self.best_chunks;
        Scores {
            call_chain: most(&[self.frame, self.near, 0.9 * self.path, 0.9 * text]),
            history: 0.5 * self.told + 0.2 * self.alike + 0.15 * self.last + 0.15 * self.recent,
            hotspot: self.hot,
            error_pattern: most(&[self.origin, self.names, 0.8 * self.defined]),
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

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Ranker::Design => "design",
            Ranker::Evidence => "evidence",
        }
    }

    /// 0–1.
    pub fn confidence(self, signals: &Signals) -> f64 {
        let confidence = match self {
            Ranker::Design => {
                let s = signals.scores();
                0.4 * s.call_chain + 0.3 * s.history + 0.15 * s.hotspot + 0.15 * s.error_pattern
            }
            Ranker::Evidence => {
                let values = signals.values();
                let sum: f64 = values.iter().zip(WEIGHTS).map(|(v, w)| v * w).sum();
                // What a trace adds never leads beyond 1.
                sum / (PROSE + sum).max(1.0) * 1.4
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
            (Ranker::Design.confidence(&signals) * 1e6).round() / 1e6
        };
        assert_eq!(only(|s| s.frame = 1.0), 0.4);
        assert_eq!(only(|s| s.hot = 1.0), 0.15);
        assert_eq!(only(|s| s.origin = 1.0), 0.15);
        let all_history = only(|s| (s.told, s.alike, s.last, s.recent) = (1.0, 1.0, 1.0, 1.0));
        assert_eq!(all_history, 0.3);
        let mut full = Signals::default();
        (full.frame, full.origin, full.hot) = (1.0, 1.0, 1.0);
        (full.told, full.alike, full.last, full.recent) = (1.0, 1.0, 1.0, 1.0);
        assert!((Ranker::Design.confidence(&full) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn more_evidence_is_never_less() {
        for ranker in [Ranker::Design, Ranker::Evidence] {
            let mut signals = Signals::default();
            let mut before = ranker.confidence(&signals);
            assert_eq!(before, 0.0);
            let sets: [fn(&mut Signals); 3] =
                [|s| s.words = 0.5, |s| s.told = 1.0, |s| s.frame = 1.0];
            for set in sets {
                set(&mut signals);
                let now = ranker.confidence(&signals);
                assert!(now >= before && now <= 1.0);
                before = now;
            }
            assert_eq!(Ranker::parse(ranker.as_str()), Some(ranker));
        }
    }
}
