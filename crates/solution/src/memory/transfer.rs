//! Solutions as JSON Lines, out and in. Times, ids and tags travel with them.

use super::{Memory, save};
use crate::error::{Result, SolutionError};
use crate::private::Cleaner;
use crate::record::Solution;
use crate::store::{DerivedData, Saved};
use serde::Serialize;
use std::io::{BufRead, Read, Write};

/// What was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Export {
    /// Solutions written.
    pub exported: u64,
}

/// What was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// New ones.
    pub imported: u64,
    /// Newer states of known ones.
    pub updated: u64,
    /// The same as were there.
    pub known: u64,
    /// Lines that could not be taken, with why; the first few.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// What was removed, and what waits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Memory {
    /// Writes every solution, one JSON object a line, oldest first.
    pub fn export(&self, out: &mut dyn Write) -> Result<Export> {
        let out = std::cell::RefCell::new(out);
        self.with_store(|inner| {
            let mut done = Export::default();
            inner.open_store()?.for_each_solution(|solution| {
                let line = serde_json::to_string(&solution)
                    .map_err(|e| SolutionError::failure(format!("not JSON: {e}")))?;
                let mut out = out.borrow_mut();
                writeln!(out, "{line}")
                    .map_err(|e| SolutionError::failure(format!("cannot write: {e}")))?;
                done.exported += 1;
                Ok(())
            })?;
            Ok(done)
        })
    }

    /// Takes solutions, one JSON object a line. A known id is updated where the line is newer; a known problem too.
    pub fn import(&self, lines: &mut dyn BufRead) -> Result<Imported> {
        let mut done = Imported::default();
        let mut cleaner = Cleaner::default();
        let refuse = |done: &mut Imported, number: u64, why: &str| {
            if done.refused.len() < 20 {
                done.refused.push(format!("line {number}: {why}"));
            }
        };
        let mut line = Vec::new();
        for number in 1.. {
            let line = match next(lines, &mut line)
                .map_err(|e| SolutionError::failure(format!("cannot read line {number}: {e}")))?
            {
                Next::End => break,
                Next::Line(text) => text,
                Next::TooLong => {
                    refuse(&mut done, number, "longer than 4 MB");
                    continue;
                }
                Next::NoText => {
                    refuse(&mut done, number, "not UTF-8");
                    continue;
                }
            };
            let text = line.trim().trim_start_matches('\u{feff}');
            if text.is_empty() {
                continue;
            }
            let taken = serde_json::from_str(text)
                .map_err(|e| SolutionError::bad_arguments(e.to_string()))
                .and_then(|solution| self.import_one(solution, &mut cleaner));
            match taken {
                Ok(Saved::New(_)) => done.imported += 1,
                Ok(Saved::Updated(_)) => done.updated += 1,
                Ok(Saved::Known(_)) => done.known += 1,
                Err(error) => refuse(&mut done, number, &error.message),
            }
        }
        done.notes = cleaner.removal_notes();
        Ok(done)
    }

    fn import_one(&self, solution: Solution, cleaner: &mut Cleaner) -> Result<Saved> {
        cleaner.clear_secrets();
        let texts = [&solution.title, &solution.problem, &solution.solution];
        let lists = solution.error_messages.iter().chain(&solution.tags);
        let all = texts.into_iter().chain(&solution.root_cause).chain(lists);
        all.for_each(|text| cleaner.collect_secrets(text));
        let tags = solution
            .tags
            .iter()
            .filter_map(|tag| cleaner.clean_tag(tag))
            .collect();
        let mut clean = |text: &str| cleaner.clean(text);
        let mut taken = Solution {
            title: clean(&solution.title),
            problem: clean(&solution.problem),
            root_cause: solution
                .root_cause
                .as_deref()
                .map(&mut clean)
                .filter(|t| !t.is_empty()),
            solution: clean(&solution.solution),
            error_messages: solution.error_messages.iter().map(|t| clean(t)).collect(),
            tags,
            project_name: clean(&solution.project_name),
            id: solution.id.trim().to_owned(),
            created_at: solution.created_at.trim().to_owned(),
            updated_at: solution.updated_at.trim().to_owned(),
        };
        save::validate_solution(&taken)?;
        if !looks_like_time(&taken.created_at)
            || !looks_like_time(&taken.updated_at)
            || taken.id.len() > 100
        {
            return Err(SolutionError::bad_arguments(
                "the id or a time has an unknown format",
            ));
        }
        if taken.id.is_empty() {
            taken.id = save::random_uuid();
        }
        let tagged = save::categorize_tags(&mut taken);
        let prepared = DerivedData::new(&taken);
        self.with_store(|inner| {
            let store = inner.open_store()?;
            match store.get(&taken.id)? {
                Some(known) if known.solution.updated_at >= taken.updated_at => {
                    Ok(Saved::Known(taken.id.clone()))
                }
                Some(_) => store.update(&taken, &tagged, &prepared, None),
                None => store.save(&taken, &tagged, &prepared, None),
            }
        })
    }
}

/// Bytes of a line. The parts of a solution have limits that are much lower.
const LONGEST: usize = 4 << 20;

/// A line that was read.
enum Next<'l> {
    Line(&'l str),
    /// It was passed over.
    TooLong,
    NoText,
    End,
}

/// Reads a line, of a long one no more than may be taken.
fn next<'l>(lines: &mut dyn BufRead, line: &'l mut Vec<u8>) -> std::io::Result<Next<'l>> {
    line.clear();
    if (&mut *lines).take(LONGEST as u64).read_until(b'\n', line)? == 0 {
        return Ok(Next::End);
    }
    if line.len() == LONGEST && line.last() != Some(&b'\n') {
        skip_line(lines)?;
        return Ok(Next::TooLong);
    }
    Ok(std::str::from_utf8(line).map_or(Next::NoText, Next::Line))
}

/// Passes over the rest of a line.
fn skip_line(lines: &mut dyn BufRead) -> std::io::Result<()> {
    loop {
        let found = lines.fill_buf()?;
        let end = found.iter().position(|byte| *byte == b'\n');
        let (count, ends) = match end {
            Some(at) => (at + 1, true),
            None => (found.len(), found.is_empty()),
        };
        lines.consume(count);
        if ends {
            return Ok(());
        }
    }
}

/// Empty, or such as `2026-01-31 12:00:00` and ISO 8601.
fn looks_like_time(text: &str) -> bool {
    let sign = |c: char| c.is_ascii_digit() || matches!(c, '-' | ':' | ' ' | 'T' | 'Z' | '.' | '+');
    text.is_empty() || (text.len() >= 10 && text.len() <= 40 && text.chars().all(sign))
}
