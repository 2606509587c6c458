//! A search over the files themselves, line by line. It needs no index and no place to write one.

use super::lines::defined_name;
use crate::EngineError;
use crate::workspace::Workspace;
use base::secret::{TextKind, mask_secrets};
use std::collections::BTreeMap;
use std::time::Instant;

/// The most bytes of a file that is read.
const LARGEST: u64 = 1 << 20;
/// The most words of a query that are searched for.
const MOST_WORDS: usize = 24;
/// The most lines of a file that are kept for a word.
const MOST_LINES: usize = 200;
/// The lines of a hit.
const WINDOW: usize = 20;

/// A place that contains words of a query.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LinearHit {
    pub path: String,
    pub line_start: u32,
    pub line_end: u32,
    /// The name that the first line defines; empty where it defines none.
    pub symbol: String,
    /// The share of the query's words found there, rare ones counting more; 0–1.
    pub score: f64,
    pub text: String,
}

/// The lines of one file that contain each word.
struct FileLines {
    path: String,
    lines: BTreeMap<usize, Vec<usize>>,
}

/// Whether a file is searched: the same files as in the index, so that `.env` and the like are not shown for lack of one.
fn is_searched(path: &str) -> bool {
    search::plain::language_of(path).is_some()
}

/// Reads every text file of the project in turn. `see` gets the path and the text, with likely secrets masked, and says whether
/// to go on. Returns whether all files were read.
pub(super) fn for_each_text(
    workspace: &Workspace,
    deadline: Instant,
    mut see: impl FnMut(&str, &str) -> bool,
) -> Result<bool, EngineError> {
    let project = workspace.project();
    let found = ingest::walk::texts(&project.root, LARGEST, &is_searched)?;
    for file in found {
        workspace.check_cancelled()?;
        if Instant::now() > deadline {
            return Ok(false);
        }
        let Some(bytes) = project.read_start(&file.path, LARGEST) else {
            continue;
        };
        if bytes.contains(&0) {
            continue;
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let text = mask_secrets(text, TextKind::from_path(&file.path));
        if !see(&file.path, &text) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The words of a query, in lower case, the longest first.
fn query_words(query: &str) -> Vec<String> {
    let mut words: Vec<String> = super::lines::words(query)
        .map(|(_, word)| word.to_lowercase())
        .filter(|word| word.chars().count() > 2)
        .collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words.dedup();
    words.truncate(MOST_WORDS);
    words
}

/// The best places for a query, at most one of each file, best first, and whether all files were searched.
pub(crate) fn linear_search(
    workspace: &Workspace,
    query: &str,
    limit: usize,
    deadline: Instant,
) -> Result<(Vec<LinearHit>, bool), EngineError> {
    let words = query_words(query);
    if words.is_empty() {
        return Ok((Vec::new(), true));
    }
    let mut files = Vec::new();
    let mut total = 0_usize;
    let is_whole = for_each_text(workspace, deadline, |path, text| {
        total += 1;
        let lines = lines_with_words(text, &words);
        if !lines.is_empty() {
            let path = path.to_owned();
            files.push(FileLines { path, lines });
        }
        true
    })?;
    let weights: Vec<f64> = (0..words.len())
        .map(|word| {
            let with = files.iter().filter(|f| f.lines.contains_key(&word)).count();
            // A word that is in no file does not tell files apart.
            if with == 0 {
                return 0.0;
            }
            (1.0 + total as f64 / with as f64).ln()
        })
        .collect();
    let all: f64 = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let mut best: Vec<(f64, usize, &FileLines)> = files
        .iter()
        .map(|file| {
            let (sum, start) = best_window(file, &weights);
            (sum / all, start, file)
        })
        .collect();
    best.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.2.path.cmp(&b.2.path)));
    // A few more, because definitions come first among equals.
    best.truncate(limit.saturating_mul(2));
    let hits = best.into_iter().filter_map(|(score, start, file)| {
        let bytes = workspace.project().read_start(&file.path, LARGEST)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let text = mask_secrets(text, TextKind::from_path(&file.path));
        let lines: Vec<&str> = text.lines().skip(start).take(WINDOW).collect();
        let first = lines.first()?;
        Some(LinearHit {
            symbol: defined_name(first).unwrap_or_default().to_owned(),
            path: file.path.clone(),
            line_start: start as u32 + 1,
            line_end: (start + lines.len()) as u32,
            score: (score * 1_000.0).round() / 1_000.0,
            text: lines.join("\n"),
        })
    });
    let mut hits: Vec<LinearHit> = hits.collect();
    let defines = |hit: &LinearHit| {
        let name = hit.symbol.to_lowercase();
        words.contains(&name)
    };
    hits.sort_by(|a, b| {
        let by_score = b.score.total_cmp(&a.score);
        by_score.then_with(|| defines(b).cmp(&defines(a)))
    });
    hits.truncate(limit);
    Ok((hits, is_whole))
}

fn lines_with_words(text: &str, words: &[String]) -> BTreeMap<usize, Vec<usize>> {
    let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.to_lowercase();
        for (at, word) in words.iter().enumerate() {
            if line.contains(word.as_str()) {
                let lines = found.entry(at).or_default();
                if lines.len() < MOST_LINES {
                    lines.push(number);
                }
            }
        }
    }
    found
}

/// The weight of the words in the best stretch of a file, and the line where it begins.
fn best_window(file: &FileLines, weights: &[f64]) -> (f64, usize) {
    let mut starts: Vec<usize> = file.lines.values().flatten().copied().collect();
    starts.sort_unstable();
    starts.dedup();
    let sum = |start: usize| -> f64 {
        let is_inside = |lines: &&Vec<usize>| {
            let at = lines.partition_point(|line| *line < start);
            lines.get(at).is_some_and(|line| *line < start + WINDOW)
        };
        let words = file.lines.iter().filter(|(_, lines)| is_inside(lines));
        words.map(|(word, _)| weights[*word]).sum()
    };
    let best = starts.iter().map(|start| (sum(*start), *start));
    best.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(&a.1)))
        .unwrap_or((0.0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Settings, inputs::Inputs};
    use std::sync::Arc;
    use std::time::Duration;
    use testkit::Repo;

    #[test]
    fn the_files_of_the_index_are_searched_and_no_others() {
        let repo = Repo::new(
            "//- a.py\nhost = 'quokka'\n//- .env\nHOST=quokka\n//- .envrc\nexport HOST=quokka\n//- keys.pem\nquokka\n",
        );
        let inputs = Inputs::find(Settings::with_start(repo.path())).unwrap();
        let workspace = &Workspace::new(inputs, Arc::new(()));
        let deadline = Instant::now() + Duration::from_secs(60);
        let (hits, is_whole) = linear_search(workspace, "quokka", 9, deadline).unwrap();
        let paths: Vec<&str> = hits.iter().map(|hit| hit.path.as_str()).collect();
        assert!(is_whole);
        assert_eq!(paths, ["a.py"]);
    }
}
