//! Results of the last searches: a short list that expires after half an hour.

use crate::SearchResult;
use guard::seal;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The kind of file, for its seal.
const KIND: &str = "recent searches";
/// The most bytes of the file; a longer one was not written by this program.
const LARGEST: u64 = 16 << 20;

/// The most searches kept.
const MOST: usize = 16;

/// The most results kept of each search.
const RESULTS: usize = 12;

/// The seconds after which an opened file is no longer attributed to the search.
const LONGEST: u64 = 1_800;

/// A search and its results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RecordedSearch {
    pub query: String,
    at: u64,
    results: Vec<ShownResult>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct ShownResult {
    file: String,
    start: u32,
    end: u32,
    symbol: String,
}

impl RecordedSearch {
    /// Names of its results within the lines of a file, or anywhere in the file, and the file's path.
    pub(crate) fn shown_names_in_file(&self, path: &str, lines: Option<(u32, u32)>) -> Vec<String> {
        let inside = |place: &&ShownResult| {
            place.file == path
                && lines.is_none_or(|(start, end)| place.start <= end && start <= place.end)
        };
        let mut names: Vec<String> = self
            .results
            .iter()
            .filter(inside)
            .map(ShownResult::name)
            .collect();
        if !names.is_empty() {
            names.push(path.to_owned());
        }
        sort_and_dedup(names)
    }

    /// Names of its results for a symbol, which may be given by any of its names.
    pub(crate) fn shown_names_of_symbol(&self, symbol: &str) -> Vec<String> {
        let wanted = |place: &&ShownResult| {
            let name = place.symbol.as_str();
            !name.is_empty()
                && (name == symbol
                    || place.name() == symbol
                    || name.rsplit('.').next() == Some(symbol)
                    || format!("{}:{}", place.file, place.start) == symbol)
        };
        let places = self.results.iter().filter(wanted);
        sort_and_dedup(places.map(ShownResult::name).collect())
    }
}

impl ShownResult {
    fn name(&self) -> String {
        match self.symbol.as_str() {
            "" => self.file.clone(),
            symbol => format!("{}::{symbol}", self.file),
        }
    }
}

fn sort_and_dedup(mut names: Vec<String>) -> Vec<String> {
    names.sort_unstable();
    names.dedup();
    names
}

/// The searches of the last half hour, oldest first.
pub(crate) fn read_recent_searches(path: &Path, now: u64) -> Vec<RecordedSearch> {
    let text = seal::read_sealed(path, KIND, LARGEST).unwrap_or_default();
    let mut all: Vec<RecordedSearch> = serde_json::from_slice(&text).unwrap_or_default();
    all.retain(|shown| now.saturating_sub(shown.at) <= LONGEST);
    all
}

/// Adds a search. With two processes at once one search may be lost, since the list is only a hint.
pub(crate) fn append_search(path: &Path, now: u64, query: &str, results: &[SearchResult]) {
    let place = |r: &SearchResult| ShownResult {
        file: r.file_path.clone(),
        start: r.line_start,
        end: r.line_end,
        symbol: r.symbol.clone(),
    };
    let mut all = read_recent_searches(path, now);
    all.push(RecordedSearch {
        query: query.to_owned(),
        at: now,
        results: results.iter().take(RESULTS).map(place).collect(),
    });
    let surplus = all.len().saturating_sub(MOST);
    all.drain(..surplus);
    let made = path
        .parent()
        .map_or(Ok(()), guard::state::create_private_folders);
    if let (Ok(()), Ok(text)) = (made, serde_json::to_string(&all)) {
        let _ = seal::write_sealed(path, KIND, text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Repo;

    fn result(file: &str, lines: (u32, u32), symbol: &str) -> SearchResult {
        SearchResult {
            file_path: file.to_owned(),
            line_start: lines.0,
            line_end: lines.1,
            symbol: symbol.to_owned(),
            kind: "function".to_owned(),
            relevance_score: 0.5,
            source: "keyword",
            id: None,
            snippet: None,
        }
    }

    #[test]
    fn what_was_shown_is_known_for_half_an_hour() {
        let repo = Repo::new("");
        let path = repo.file_path("cache/recent.json");
        let results = [
            result("a.py", (10, 20), "Box.open"),
            result("a.py", (30, 40), "Box.close"),
            result("b.py", (1, 5), ""),
        ];
        append_search(&path, 1_000, "open a box", &results);
        let shown = &read_recent_searches(&path, 1_000 + LONGEST)[0];
        assert_eq!(shown.query, "open a box");
        assert_eq!(
            shown.shown_names_in_file("a.py", Some((15, 16))),
            ["a.py", "a.py::Box.open"]
        );
        assert_eq!(shown.shown_names_in_file("a.py", Some((22, 25))), [""; 0]);
        assert_eq!(shown.shown_names_in_file("a.py", None).len(), 3);
        assert_eq!(shown.shown_names_in_file("b.py", None), ["b.py"]);
        assert_eq!(shown.shown_names_in_file("c.py", None), [""; 0]);
        for name in ["open", "Box.open", "a.py::Box.open", "a.py:10"] {
            assert_eq!(
                shown.shown_names_of_symbol(name),
                ["a.py::Box.open"],
                "{name}"
            );
        }
        assert!(shown.shown_names_of_symbol("Box").is_empty());
        assert!(read_recent_searches(&path, 1_001 + LONGEST).is_empty());
    }

    #[test]
    fn only_the_last_searches_are_kept_and_a_damaged_list_is_empty() {
        let repo = Repo::new("//- recent.json\n]]\n");
        let path = repo.file_path("recent.json");
        assert!(read_recent_searches(&path, 1).is_empty());
        for n in 0..MOST as u64 + 3 {
            append_search(&path, n, &format!("q{n}"), &[result("a.py", (1, 1), "a")]);
        }
        let all = read_recent_searches(&path, 20);
        assert_eq!(all.len(), MOST);
        assert_eq!(all[0].query, "q3");
    }
}
