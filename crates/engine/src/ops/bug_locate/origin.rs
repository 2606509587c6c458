//! Messages of the report to the literals that they were made from.
//!
//! The rarest words of a message say, by the index of words, which files to read; their literals become patterns,
//! and those that match the message are its origins.

use super::gather::Gathered;
use crate::{Engine, EngineError};
use analysis::bug_locate::{Pattern, literals};
use rayon::prelude::*;
use search::doc::Boundary;
use search::rank::{FileWords, Words, weigh};
use std::io::Read;
use std::time::{Duration, Instant};

/// Files that are read for a message.
const MOST_FILES: usize = 120;
/// The longest that reading may take.
const TIME: Duration = Duration::from_millis(400);
/// Bytes of a file that are looked at.
const MOST: u64 = 2 << 20;
/// What is quoted may have been printed, or be anything else.
const QUOTED: f64 = 0.4;
/// Places beyond which a message says little of any.
const MOST_PLACES: usize = 8;

/// A line with a literal that a message was made from.
struct Origin {
    path: String,
    line: u32,
    /// The share of the message that the literal makes up.
    share: f64,
    aside: bool,
}

impl Gathered<'_> {
    /// Looks for the origin of every message.
    pub(super) fn origins(&mut self, engine: &Engine) -> Result<(), EngineError> {
        let Some(index) = self.index.clone() else {
            return Ok(());
        };
        let deadline = Instant::now() + TIME;
        let clues = self.clues;
        let printed = clues.messages.iter().map(|message| (message, 1.0));
        let quoted = clues.quoted.iter().map(|message| (message, QUOTED));
        for (message, sure) in printed.chain(quoted) {
            let mut words = Words::default();
            words.add(message, 1.0);
            if words.is_empty() {
                continue;
            }
            let mut files = weigh(&index, &words);
            files.sort_by(|a, b| {
                b.chunk
                    .total_cmp(&a.chunk)
                    .then_with(|| a.path.cmp(&b.path))
            });
            files.truncate(MOST_FILES);
            let mut found: Vec<Origin> = files
                .par_iter()
                .filter(|_| Instant::now() < deadline)
                .flat_map_iter(|file| in_file(engine, file, message))
                .collect();
            if Instant::now() >= deadline {
                self.warnings.push(
                    "the origin of messages was looked for in a part of the files".to_owned(),
                );
            }
            found.sort_by(|a, b| {
                (a.aside.cmp(&b.aside))
                    .then(b.share.total_cmp(&a.share))
                    .then_with(|| (&a.path, a.line).cmp(&(&b.path, b.line)))
            });
            self.originate(message, sure, &found);
        }
        Ok(())
    }

    fn originate(&mut self, message: &str, sure: f64, found: &[Origin]) {
        let best = found.first().map_or(0.0, |o| o.share);
        let good: Vec<&Origin> = found
            .iter()
            .filter(|o| o.share > 0.6 * best && !o.aside)
            .collect();
        let spread = (good.len().max(1) as f64).sqrt();
        for origin in good.iter().take(MOST_PLACES) {
            let weight = sure * origin.share.min(1.0).sqrt() / spread;
            let shown: String = message.chars().take(60).collect();
            let line = origin.line;
            let file = self.file(&origin.path);
            file.signals.origin = file.signals.origin.max(weight);
            file.at((line, line), 6.0 * weight);
            file.because(
                4.0 * weight,
                format!("the message \"{shown}\" is written at line {line}"),
            );
        }
    }
}

fn in_file(engine: &Engine, file: &FileWords, message: &str) -> Vec<Origin> {
    if matches!(file.boundary, Boundary::Document | Boundary::Config) {
        return Vec::new();
    }
    let Some(text) = read(engine, &file.path) else {
        return Vec::new();
    };
    let size = message
        .chars()
        .filter(|c| c.is_alphanumeric())
        .count()
        .max(1);
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let fixed = literals(line)
            .into_iter()
            .filter_map(|literal| Pattern::new(literal).matches(message))
            .max();
        if let Some(fixed) = fixed {
            found.push(Origin {
                path: file.path.clone(),
                line: number,
                share: fixed as f64 / size as f64,
                aside: file.boundary != Boundary::Source || base::is_test_path(&file.path),
            });
        }
    }
    found
}

fn read(engine: &Engine, path: &str) -> Option<String> {
    let real = engine.project().on_disk(path).filter(|p| p.is_file())?;
    let mut bytes = Vec::new();
    let file = std::fs::File::open(real).ok()?;
    file.take(MOST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
