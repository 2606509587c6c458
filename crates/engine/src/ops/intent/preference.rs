//! Preferences, computed from entries.

use super::history::{DAY, Entry};
use super::{DAYS, UserAction};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// A symbol or file with its score of use.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Preference {
    /// The symbol or file.
    pub symbol: String,
    /// Frequency × 1/(1 + days since the last action) × mean weight of the actions. It is at least 0 and has no upper limit.
    pub score: f64,
}

/// A score of use for each symbol and file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Preferences {
    scores: BTreeMap<String, f64>,
}

/// The actions on one symbol.
#[derive(Default)]
struct SymbolActivity {
    times: u32,
    weights: f64,
    last: u64,
}

impl Preferences {
    /// Computed from the entries of the last 90 days.
    pub(crate) fn from_entries(entries: &[Entry], now: u64) -> Preferences {
        let oldest = now.saturating_sub(u64::from(DAYS) * DAY);
        let mut done: BTreeMap<&str, SymbolActivity> = BTreeMap::new();
        for entry in entries.iter().filter(|entry| entry.at >= oldest) {
            for symbol in &entry.symbols {
                let sum = done.entry(symbol).or_default();
                sum.times += 1;
                sum.weights += action_weight(entry.user_action);
                sum.last = sum.last.max(entry.at);
            }
        }
        let score = |done: SymbolActivity| {
            let times = f64::from(done.times);
            let days = now.saturating_sub(done.last) / DAY;
            times * (1.0 / (1.0 + days as f64)) * (done.weights / times)
        };
        let scores = done
            .into_iter()
            .map(|(s, done)| (s.to_owned(), score(done)));
        Preferences {
            scores: scores.collect(),
        }
    }

    /// Whether there are no scores.
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// The raw scores, by symbol or file.
    pub fn scores(&self) -> &BTreeMap<String, f64> {
        &self.scores
    }

    /// The preference for a definition, from 0 to 1: score / (1 + score) of the best known of its names. So one view today gives
    /// 0.5, four edits today 0.89, and one view nine days ago 0.09, whatever else is known. A definition is known by
    /// `path::Dotted.name`, by its dotted or bare name, and by its file.
    pub fn preference_of(&self, path: &str, symbol: &str) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        let bare = symbol.rsplit(['.', ':']).next().unwrap_or(symbol);
        let names = [&format!("{path}::{symbol}"), symbol, bare, path];
        let known = names.into_iter().filter(|name| !name.is_empty());
        let score = known
            .filter_map(|name| self.scores.get(name))
            .fold(0.0, |best: f64, score| best.max(*score));
        score / (1.0 + score)
    }

    /// The best entries whose names begin with `prefix`.
    pub(crate) fn top(&self, most: usize, prefix: &str) -> Vec<Preference> {
        let begins = self.scores.iter().filter(|(s, _)| s.starts_with(prefix));
        let mut all: Vec<Preference> = begins
            .map(|(symbol, score)| Preference {
                symbol: symbol.clone(),
                score: (score * 10_000.0).round() / 10_000.0,
            })
            .collect();
        // Equal scores stay in the map's order, by name.
        all.sort_by(|a, b| b.score.total_cmp(&a.score));
        all.truncate(most);
        all
    }
}

fn action_weight(action: UserAction) -> f64 {
    match action {
        UserAction::View => 1.0,
        UserAction::Edit => 2.0,
        UserAction::Ignore => 0.5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 200 * DAY;

    fn entry(symbol: &str, action: UserAction, days: u64) -> Entry {
        Entry {
            query: "q".to_owned(),
            symbols: vec![symbol.to_owned()],
            user_action: action,
            at: NOW - days * DAY,
            name: None,
        }
    }

    #[test]
    fn a_score_is_frequency_by_age_by_weight() {
        use UserAction::{Edit, Ignore, View};
        let entries = [
            entry("a", View, 0),
            entry("b", Edit, 0),
            entry("b", View, 1),
            entry("c", Ignore, 3),
            entry("c", Ignore, 3),
            entry("d", Edit, 91),
        ];
        let preferences = Preferences::from_entries(&entries, NOW);
        assert_eq!(preferences.scores()["a"], 1.0);
        // Twice, today, with weights 2 and 1: mean (2 + 1) / 2.
        assert_eq!(preferences.scores()["b"], 3.0);
        // Twice, 1/4 for three days, weight 0.5 each.
        assert_eq!(preferences.scores()["c"], 0.25);
        assert_eq!(preferences.scores().get("d"), None);
        let top = preferences.top(2, "");
        assert_eq!((top[0].symbol.as_str(), top[1].symbol.as_str()), ("b", "a"));
        assert_eq!(preferences.top(9, "c").len(), 1);
    }

    #[test]
    fn a_weight_lies_between_nothing_and_one_and_knows_a_definition_by_its_names() {
        use UserAction::View;
        let entries = [
            entry("src/a.py::Box.open", View, 0),
            entry("close", View, 0),
            entry("src/b.py", View, 9),
        ];
        let preferences = Preferences::from_entries(&entries, NOW);
        assert_eq!(preferences.preference_of("src/a.py", "Box.open"), 0.5);
        assert_eq!(preferences.preference_of("src/z.py", "Box.open"), 0.0);
        assert_eq!(preferences.preference_of("src/z.py", "Door.close"), 0.5);
        let of_file = preferences.preference_of("src/b.py", "other");
        assert!((of_file - 0.1 / 1.1).abs() < 1e-9, "{of_file}");
        assert_eq!(Preferences::default().preference_of("a", "b"), 0.0);
    }

    #[test]
    fn a_clock_that_was_set_back_does_no_harm() {
        let entries = [Entry {
            at: NOW + 5 * DAY,
            ..entry("a", UserAction::View, 0)
        }];
        assert_eq!(Preferences::from_entries(&entries, NOW).scores()["a"], 1.0);
    }
}
