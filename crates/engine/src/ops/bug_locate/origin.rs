//! The literals in the code from which messages of the report were made.
//!
//! The rarest words of a message choose, by the index of words, the files to read. Their literals become patterns, and those that
//! match the message are its origins.

use super::gather::EvidenceCollector;
use crate::EngineError;
use crate::project::Project;
use analysis::bug_locate::{Gathering, Match, Pattern, find_string_literals};
use base::secret::{TextKind, mask_secrets};
use rayon::prelude::*;
use search::doc::FileRole;
use search::rank::{FileWords, WeightedTerms, score_files};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most files that are read for a message.
const MOST_FILES: usize = 120;
/// The time limit of reading.
const TIME: Duration = Duration::from_millis(400);
/// The most bytes of a file that are searched.
const MOST: u64 = 2 << 20;
/// The least letters of a word of a message by which a line is chosen for a closer look.
const LEAST_KEY: usize = 4;
/// The number of places above which a message is no evidence for any of them.
const MOST_PLACES: usize = 8;

/// A line with a literal that a message was made from.
struct Origin {
    path: Arc<str>,
    line: u32,
    /// The share of literal text in the matched part of the message.
    share: f64,
    /// The matched range of the message, in bytes.
    part: (usize, usize),
    aside: bool,
}

impl EvidenceCollector<'_> {
    /// Finds the origins of every message.
    pub(super) fn find_message_origins(&mut self, project: &Project) -> Result<(), EngineError> {
        let Some(index) = self.index.clone() else {
            return Ok(());
        };
        let deadline = Instant::now() + TIME;
        let (clues, tuning) = (self.clues, &self.tuning.signals);
        let printed = clues.messages.iter().map(|message| (message, 1.0));
        let quoted = clues
            .quoted
            .iter()
            .map(|message| (message, tuning.origin_quoted));
        for (message, sure) in printed.chain(quoted) {
            let mut words = WeightedTerms::default();
            words.add(message, 1.0);
            if words.is_empty() {
                continue;
            }
            let mut files = score_files(&index, &words);
            files.sort_by(|a, b| {
                b.chunk
                    .total_cmp(&a.chunk)
                    .then_with(|| a.path.cmp(&b.path))
            });
            files.truncate(MOST_FILES);
            let mut found: Vec<Origin> = files
                .par_iter()
                .filter(|_| Instant::now() < deadline)
                .flat_map_iter(|file| origins_in_file(project, file, message, tuning))
                .collect();
            if Instant::now() >= deadline {
                self.warnings
                    .push("only a part of the files was searched for the messages".to_owned());
            }
            found.sort_by(|a, b| {
                (a.aside.cmp(&b.aside))
                    .then(b.share.total_cmp(&a.share))
                    .then_with(|| (&a.path, a.line).cmp(&(&b.path, b.line)))
            });
            self.score_origins(message, sure, &found);
        }
        Ok(())
    }

    fn score_origins(&mut self, message: &str, sure: f64, found: &[Origin]) {
        let tuning = self.tuning;
        let good = best_origins_by_part(message.len(), found, tuning.signals.origin_of_best);
        let spread = |of: &Origin| {
            let same = good
                .iter()
                .filter(|o| ranges_overlap(o.part, of.part))
                .count();
            (same.max(1) as f64).sqrt()
        };
        for origin in good.iter().take(MOST_PLACES).copied() {
            let weight = sure * origin.share.sqrt() / spread(origin);
            let (from, to) = origin.part;
            let shown: String = message[from..to].trim().chars().take(60).collect();
            let line = origin.line;
            let file = self.evidence_of(&origin.path);
            file.signals.origin = file.signals.origin.max(weight);
            file.note_location((line, line), tuning.places.origin * weight);
            file.add_reason(
                tuning.reasons.origin * weight,
                format!("the message \"{shown}\" is written at line {line}"),
            );
        }
    }
}

fn ranges_overlap(one: (usize, usize), other: (usize, usize)) -> bool {
    one.0 < other.1 && other.0 < one.1
}

/// The best origins of each part of a message of `length` bytes: `outer: inner` has one for each part. Many lines may match, so
/// the best share is kept for each byte.
fn best_origins_by_part(length: usize, found: &[Origin], of_best: f64) -> Vec<&Origin> {
    let mut best = vec![0.0_f64; length];
    let mut good = Vec::new();
    for origin in found.iter().filter(|o| !o.aside) {
        let part = origin.part.0.min(length)..origin.part.1.min(length);
        let known = best[part.clone()].iter().copied().fold(0.0, f64::max);
        if origin.share > of_best * known {
            good.push(origin);
            best[part]
                .iter_mut()
                .for_each(|at| *at = at.max(origin.share));
        }
    }
    good
}

fn origins_in_file(
    project: &Project,
    file: &FileWords,
    message: &str,
    tuning: &Gathering,
) -> Vec<Origin> {
    if matches!(file.role, FileRole::Document | FileRole::Config) {
        return Vec::new();
    }
    let Some(text) = read(project, &file.path) else {
        return Vec::new();
    };
    let keys: Vec<&str> = message
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() >= LEAST_KEY)
        .collect();
    let path: Arc<str> = file.path.as_str().into();
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        // Most lines contain no word of the message, and need no closer look.
        if !keys.is_empty() && !keys.iter().any(|key| line.contains(key)) {
            continue;
        }
        let matches = find_string_literals(line)
            .into_iter()
            .filter_map(|literal| Pattern::new(literal).find(message, tuning));
        let says_something = |m: &Match| {
            m.fixed >= tuning.origin_long || m.share_of_message_part(message) >= tuning.origin_share
        };
        if let Some(best) = matches.filter(says_something).max_by_key(|m| m.fixed) {
            found.push(Origin {
                path: Arc::clone(&path),
                line: number,
                share: best.share_of_message_part(message),
                part: (best.from, best.to),
                aside: file.role != FileRole::Source || base::is_test_path(&file.path),
            });
        }
    }
    found
}

fn read(project: &Project, path: &str) -> Option<String> {
    let bytes = project.read_start(path, MOST)?;
    // Messages are a user's input: a match must not reveal a secret.
    let text = crate::snippet::decode_lossy(&bytes);
    Some(mask_secrets(text, TextKind::from_path(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(line: u32, share: f64, part: (usize, usize)) -> Origin {
        Origin {
            path: "a.py".into(),
            line,
            share,
            part,
            aside: false,
        }
    }

    #[test]
    fn each_part_of_a_message_has_its_best_origins() {
        let found = [
            origin(1, 1.0, (0, 10)),
            origin(2, 0.9, (5, 12)),
            origin(3, 0.6, (12, 20)),
            origin(4, 0.5, (2, 9)),
            origin(5, 0.5, (13, 14)),
        ];
        let lines: Vec<u32> = best_origins_by_part(20, &found, 0.8)
            .iter()
            .map(|o| o.line)
            .collect();
        assert_eq!(lines, [1, 2, 3, 5]);
    }

    #[test]
    fn a_message_that_every_line_writes_takes_no_time() {
        let found: Vec<Origin> = (0..1_000_000).map(|n| origin(n, 1.0, (0, 30))).collect();
        assert_eq!(best_origins_by_part(30, &found, 0.8).len(), found.len());
    }
}
