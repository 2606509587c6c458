//! Export and import of solutions as JSON Lines, with times, ids and tags.

use super::{Memory, save};
use crate::error::{Result, SolutionError};
use crate::private::Cleaner;
use crate::record::Solution;
use crate::store::{DerivedData, ImportedRecord, Saved};
use serde::Serialize;
use std::collections::HashSet;
use std::io::{BufRead, Read, Write};

/// The result of an export.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Export {
    /// The number of solutions written.
    pub exported: u64,
}

/// The result of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// The number of new solutions.
    pub imported: u64,
    /// The number of newer states of known solutions.
    pub updated: u64,
    /// The number of solutions that were there already, unchanged.
    pub known: u64,
    /// Lines that could not be imported, with the reason; only the first ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// Notes on what was removed, and on what waits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Imported {
    fn refuse(&mut self, line: u64, why: &str) {
        if self.refused.len() < MOST_REFUSED {
            self.refused.push(format!("line {line}: {why}"));
        }
    }
}

/// The most refused lines that are named.
const MOST_REFUSED: usize = 20;

impl Memory {
    /// Writes all solutions, one JSON object a line, oldest first.
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

    /// Imports solutions, one JSON object a line. A known id, or a known problem, is updated if the line is newer.
    pub fn import(&self, lines: &mut dyn BufRead) -> Result<Imported> {
        let mut done = Imported::default();
        let mut cleaner = Cleaner::default();
        let mut batch = Batch::default();
        let mut written = HashSet::new();
        let mut line = Vec::new();
        for number in 1.. {
            let line = match next(lines, &mut line)
                .map_err(|e| SolutionError::failure(format!("cannot read line {number}: {e}")))?
            {
                Next::End => break,
                Next::Line(text) => text,
                Next::TooLong => {
                    done.refuse(number, &format!("longer than {} MB", LONGEST >> 20));
                    continue;
                }
                Next::NoText => {
                    done.refuse(number, "not UTF-8");
                    continue;
                }
            };
            let text = line.trim().trim_start_matches('\u{feff}');
            if text.is_empty() {
                continue;
            }
            // Lists of empty values take many times their text in memory.
            if base::json::decoded_size(text.as_bytes()) > text.len() + MOST_VALUES {
                done.refuse(number, "too many values");
                continue;
            }
            let taken = serde_json::from_str(text)
                .map_err(|e| SolutionError::bad_arguments(e.to_string()))
                .and_then(|solution| prepare_record(solution, &mut cleaner));
            match taken {
                Ok(record) => batch.push(number, text.len(), record),
                Err(error) => done.refuse(number, &error.message),
            }
            if batch.is_full() {
                self.import_batch(&mut batch, &mut written, &mut done)?;
            }
        }
        self.import_batch(&mut batch, &mut written, &mut done)?;
        done.notes = cleaner.removal_notes();
        Ok(done)
    }

    /// Writes the batch to the store, and counts the results.
    fn import_batch(
        &self,
        batch: &mut Batch,
        written: &mut HashSet<String>,
        done: &mut Imported,
    ) -> Result<()> {
        let Batch { lines, records, .. } = std::mem::take(batch);
        if records.is_empty() {
            return Ok(());
        }
        let all =
            self.with_store_to_write(|inner| inner.open_store()?.import(&records, written))?;
        written.extend(all.iter().flatten().map(|saved| saved.id().to_owned()));
        for (number, saved) in lines.into_iter().zip(all) {
            match saved {
                Ok(Saved::New(_)) => done.imported += 1,
                Ok(Saved::Updated(_)) => done.updated += 1,
                Ok(Saved::Known(_)) => done.known += 1,
                Err(error) => done.refuse(number, &error.message),
            }
        }
        Ok(())
    }
}

/// The most records written in one transaction: waiting for the disk after each would take longer than everything else.
const TOGETHER: usize = 200;
/// The most bytes of those records, which are in memory until then.
const BYTES_TOGETHER: usize = 8 << 20;

/// Records that were read and are not yet written.
#[derive(Default)]
struct Batch {
    /// The line number of each.
    lines: Vec<u64>,
    records: Vec<ImportedRecord>,
    bytes: usize,
}

impl Batch {
    fn push(&mut self, line: u64, bytes: usize, record: ImportedRecord) {
        self.lines.push(line);
        self.records.push(record);
        self.bytes += bytes;
    }

    fn is_full(&self) -> bool {
        self.records.len() >= TOGETHER || self.bytes >= BYTES_TOGETHER
    }
}

/// A line's solution, cleaned and checked, with its derived data.
fn prepare_record(solution: Solution, cleaner: &mut Cleaner) -> Result<ImportedRecord> {
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
    let (Some(created_at), Some(updated_at)) = (
        to_stored_time(&taken.created_at),
        to_stored_time(&taken.updated_at),
    ) else {
        return Err(SolutionError::bad_arguments("a time has an unknown format"));
    };
    (taken.created_at, taken.updated_at) = (created_at, updated_at);
    if taken.id.len() > 100 {
        return Err(SolutionError::bad_arguments("the id has an unknown format"));
    }
    let has_own_id = !taken.id.is_empty();
    if !has_own_id {
        taken.id = save::random_uuid();
    }
    let tags = save::categorize_tags(&mut taken);
    Ok(ImportedRecord {
        prepared: DerivedData::new(&taken),
        solution: taken,
        tags,
        has_own_id,
    })
}

/// The most bytes of a line: the largest solution that can be saved, if each of its bytes takes six in JSON.
const LONGEST: usize = 6 * save::LARGEST_RECORD;

/// Bytes of memory that the values of a line may take beside its text.
const MOST_VALUES: usize = 16 << 20;

/// A line that was read.
enum Next<'l> {
    Line(&'l str),
    /// The line was too long and skipped.
    TooLong,
    NoText,
    End,
}

/// Reads a line, within the limit of length.
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

/// Skips the rest of a line.
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

/// A time in the form of the store, so that times can be compared as texts; empty if there is none. None for a text that is
/// no time.
fn to_stored_time(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some(String::new());
    }
    text::date::parse_moment(text).map(text::date::to_sqlite)
}
