//! Solutions from the bare pages of a database whose trees cannot be followed any more. Every leaf page is parsed by the file
//! format, and rows that look like solutions are taken. Format: <https://www.sqlite.org/fileformat2.html>.

use super::read::parse_messages;
use crate::record::Solution;
use std::collections::HashMap;
use std::path::Path;

/// The number of columns of `solutions`.
const WIDTH: usize = 9;
/// The most bytes of a row that is assembled.
const LARGEST: usize = 64 << 20;

/// All solutions on readable pages of the file or of its log, by id. Reading the file itself releases the locks that this process
/// has on it, so the caller must be about to replace it.
pub(super) fn salvage_solutions(path: &Path) -> Vec<Solution> {
    let Ok(bytes) = guard::read_user_file(path, u64::MAX) else {
        return Vec::new();
    };
    let log = super::files::sibling_path(path, "-wal");
    let log = guard::read_user_file(&log, u64::MAX).unwrap_or_default();
    let file = DatabaseFile::new(&bytes, &log);
    let mut found = HashMap::new();
    for number in 1..=file.page_count() {
        for solution in file.read_leaf(number).unwrap_or_default() {
            found.insert(solution.id.clone(), solution);
        }
    }
    let mut all: Vec<Solution> = found.into_values().collect();
    all.sort_by(|a, b| (&a.created_at, &a.id).cmp(&(&b.created_at, &b.id)));
    all
}

struct DatabaseFile<'a> {
    bytes: &'a [u8],
    size: usize,
    usable: usize,
    /// The newest state of pages in the log.
    newer: HashMap<usize, &'a [u8]>,
}

fn read_big_endian(bytes: &[u8], at: usize, width: usize) -> Option<usize> {
    let part = bytes.get(at..at + width)?;
    Some(part.iter().fold(0, |n, b| n << 8 | usize::from(*b)))
}

fn read_varint(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut value = 0u64;
    for turn in 0..9 {
        let byte = *bytes.get(*at)?;
        *at += 1;
        if turn == 8 {
            return Some(value << 8 | u64::from(byte));
        }
        value = value << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

impl<'a> DatabaseFile<'a> {
    fn new(bytes: &'a [u8], log: &'a [u8]) -> DatabaseFile<'a> {
        let sizes = [read_big_endian(bytes, 16, 2), read_big_endian(log, 8, 4)];
        let fits = |size: &usize| size.is_power_of_two() && (512..=65_536).contains(size);
        let size = sizes.into_iter().flatten().find(fits).unwrap_or(4096);
        let reserved = if bytes.starts_with(b"SQLite format 3\0") {
            usize::from(bytes.get(20).copied().unwrap_or(0)).min(size / 2)
        } else {
            0
        };
        DatabaseFile {
            bytes,
            size,
            usable: size - reserved,
            newer: committed_log_pages(log, size),
        }
    }

    fn page_count(&self) -> usize {
        let last = self.newer.keys().copied().max().unwrap_or(0);
        last.max(self.bytes.len() / self.size)
    }

    fn page(&self, page: usize) -> Option<&'a [u8]> {
        let from = page.checked_sub(1)?.checked_mul(self.size)?;
        let here = || self.bytes.get(from..from + self.size);
        self.newer.get(&page).copied().or_else(here)
    }

    /// The solutions on a table's leaf page.
    fn read_leaf(&self, page: usize) -> Option<Vec<Solution>> {
        let bytes = self.page(page)?;
        let head = if page == 1 { 100 } else { 0 };
        if bytes.get(head) != Some(&0x0d) {
            return None;
        }
        let cells = read_big_endian(bytes, head + 3, 2)?;
        let mut found = Vec::new();
        for cell in 0..cells {
            let Some(at) = read_big_endian(bytes, head + 8 + 2 * cell, 2) else {
                break;
            };
            found.extend(self.read_solution_cell(bytes, at));
        }
        Some(found)
    }

    /// The solution in a cell of a leaf page, with what overflows into other pages.
    fn read_solution_cell(&self, page: &[u8], mut at: usize) -> Option<Solution> {
        let length = usize::try_from(read_varint(page, &mut at)?).ok()?;
        read_varint(page, &mut at)?;
        if length > LARGEST {
            return None;
        }
        let most = self.usable - 35;
        if length <= most {
            return parse_record(page.get(at..at + length)?);
        }
        let least = (self.usable - 12) * 32 / 255 - 23;
        let spread = least + (length - least) % (self.usable - 4);
        let local = if spread <= most { spread } else { least };
        let mut payload = page.get(at..at + local)?.to_vec();
        let mut next = read_big_endian(page, at + local, 4)?;
        while payload.len() < length {
            let more = self.page(next)?;
            next = read_big_endian(more, 0, 4)?;
            let take = (length - payload.len()).min(self.usable - 4);
            payload.extend_from_slice(more.get(4..4 + take)?);
        }
        parse_record(&payload)
    }
}

/// The pages of the log that were committed.
fn committed_log_pages(log: &[u8], size: usize) -> HashMap<usize, &[u8]> {
    let mut pages = HashMap::new();
    let mut open = Vec::new();
    let salt = log.get(16..24);
    let mut at = 32;
    while let (Some(page), Some(commit)) =
        (read_big_endian(log, at, 4), read_big_endian(log, at + 4, 4))
    {
        let Some(bytes) = log.get(at + 24..at + 24 + size) else {
            break;
        };
        if log.get(at + 8..at + 16) != salt {
            break;
        }
        open.push((page, bytes));
        if commit > 0 {
            pages.extend(open.drain(..));
        }
        at += 24 + size;
    }
    pages
}

/// A solution from a row of nine columns that begins with a UUID and has a title and a solution.
fn parse_record(payload: &[u8]) -> Option<Solution> {
    let mut at = 0;
    let head = usize::try_from(read_varint(payload, &mut at)?).ok()?;
    let mut kinds = Vec::with_capacity(WIDTH);
    while at < head {
        kinds.push(read_varint(payload, &mut at)?);
        if kinds.len() > WIDTH {
            return None;
        }
    }
    if kinds.len() != WIDTH || at != head {
        return None;
    }
    let mut texts: Vec<Option<String>> = Vec::with_capacity(WIDTH);
    for kind in kinds {
        let length = match kind {
            0 | 8 | 9 => 0,
            1..=4 => usize::try_from(kind).ok()?,
            5 => 6,
            6 | 7 => 8,
            10 | 11 => return None,
            blob => usize::try_from((blob - 12) / 2).ok()?,
        };
        let bytes = payload.get(at..at.checked_add(length)?)?;
        at += length;
        let is_text = kind >= 13 && kind % 2 == 1;
        texts.push(is_text.then(|| String::from_utf8_lossy(bytes).into_owned()));
    }
    let mut texts = texts.into_iter();
    let mut next = || texts.next().flatten();
    let id = next().filter(|id| is_uuid(id))?;
    Some(Solution {
        id,
        title: next()?,
        problem: next()?,
        root_cause: next(),
        solution: next()?,
        error_messages: parse_messages(next().as_deref()),
        project_name: next().unwrap_or_default(),
        created_at: next().unwrap_or_default(),
        updated_at: next().unwrap_or_default(),
        tags: Vec::new(),
    })
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, b)| match at {
            8 | 13 | 18 | 23 => b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}
