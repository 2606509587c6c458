//! A few lines of source to show with a result.

use crate::project::Project;
use base::secret::{self, TextKind};
use ingest::text::{self, Decoded};
use ingest::walk::{self, Stamp};
use std::borrow::Cow;
use std::fs::File;
use std::io::Read;

const MAX_LINES: u32 = 3;
const MAX_CHARS: usize = 160;
/// The most bytes read of a file, so that a result in a huge file costs little.
const MAX_BYTES: u64 = 16 << 20;

/// Files up to this many bytes are searched for secrets as a whole. In a larger file only the text around the lines is searched.
const WHOLE: usize = 64 << 10;
/// Bytes before and after a stretch that are read too, for secrets that begin or end there.
const BEFORE: usize = 32 << 10;
const BEHIND: usize = 4 << 10;

/// The content of a file at this moment.
pub(crate) struct FileSnapshot {
    bytes: Vec<u8>,
    kind: TextKind,
    file: File,
}

impl FileSnapshot {
    /// Reads a file. None where it is gone, cannot be read or is outside the project.
    pub(crate) fn read(project: &Project, path: &str) -> Option<FileSnapshot> {
        let mut file = project.open(path).ok()?;
        let mut bytes = Vec::new();
        (&mut file).take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
        Some(FileSnapshot {
            bytes,
            kind: TextKind::from_path(path),
            file,
        })
    }

    /// Size and time of change, taken after reading: where they equal those of the index, so does the content.
    pub(crate) fn stamp(&self) -> Option<Stamp> {
        walk::stamp_of(&self.file.metadata().ok()?)
    }

    /// Whether the file is as the store has it. Equal content with another time counts; a huge file counts always, because it is
    /// not compared.
    pub(crate) fn matches_record(&self, record: &store::FileRecord) -> bool {
        let same = self.stamp() == Some((record.size, record.stat));
        same || self.bytes.len() as u64 == MAX_BYTES
            || base::hex::encode(&ingest::cache::content_hash(&self.bytes)) == record.hash
    }

    /// The bytes that were read.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The whole text with likely secrets masked; none for a huge file.
    pub(crate) fn masked_text(&self) -> Option<String> {
        let whole = (self.bytes.len() as u64) < MAX_BYTES;
        whole.then(|| secret::mask_secrets(decode_lossy(&self.bytes), self.kind))
    }

    /// The first lines of a range, without their common indentation, if there are any.
    pub(crate) fn first_lines(&self, start: u32, end: u32) -> Option<String> {
        let last = end.max(start).min(start.saturating_add(MAX_LINES - 1));
        let found = (start > 0).then(|| self.masked_lines(start, last))?;
        Some(dedented(&found)).filter(|text| !text.is_empty())
    }

    /// All lines of a stretch, with likely secrets masked.
    pub(crate) fn masked_lines(&self, start: u32, end: u32) -> String {
        let bytes: Cow<'_, [u8]> = if is_utf16(&self.bytes) {
            Cow::Owned(decode_lossy(&self.bytes).into_bytes())
        } else {
            Cow::Borrowed(self.bytes.as_slice())
        };
        let (first, last) = (
            line_offset(&bytes, start.saturating_sub(1)),
            line_offset(&bytes, end),
        );
        if first == bytes.len() {
            return String::new();
        }
        let whole = bytes.len() <= WHOLE;
        let from = if whole || first <= BEFORE {
            0
        } else {
            let from = line_begin(&bytes, first - BEFORE);
            open_key_begin(&bytes[..from]).map_or(from, |key| line_begin(&bytes, key))
        };
        let to = if whole {
            bytes.len()
        } else {
            bytes.len().min(last.max(first) + BEHIND)
        };
        let text = String::from_utf8_lossy(&bytes[from..to]).into_owned();
        let text = secret::mask_secrets(text, self.kind);
        let count = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count();
        let before = count(&bytes[from..first]);
        let lines = (end + 1).saturating_sub(start.max(1)) as usize;
        let mut rest = text.split_inclusive('\n');
        let skipped: usize = rest.by_ref().take(before).map(str::len).sum();
        let length: usize = rest.take(lines).map(str::len).sum();
        text.get(skipped..skipped + length)
            .unwrap_or_default()
            .to_owned()
    }
}

/// Where a block of a key begins that does not end in these bytes.
fn open_key_begin(bytes: &[u8]) -> Option<usize> {
    // `-----BEGIN PRIVATE KEY-----`, `---- BEGIN SSH2 …`
    let begin = [&b"--BEGIN "[..], b"-- BEGIN "]
        .iter()
        .filter_map(|sign| memchr::memmem::rfind(bytes, sign))
        .max()?;
    let is_closed = memchr::memmem::find(&bytes[begin..], b"END ").is_some();
    (!is_closed).then_some(begin)
}

/// All lines of a stretch, with likely secrets masked; none where the file is gone or outside the project.
pub(crate) fn read_masked_lines(
    project: &Project,
    path: &str,
    start: u32,
    end: u32,
) -> Option<String> {
    Some(FileSnapshot::read(project, path)?.masked_lines(start, end))
}

/// Whether bytes begin with a byte order mark of UTF-16.
fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF])
}

/// Bytes as text. UTF-16 with a byte order mark is decoded as for indexing, since no secret would be found between its zero bytes.
/// Invalid bytes are replaced.
pub(crate) fn decode_lossy(bytes: &[u8]) -> String {
    if !is_utf16(bytes) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    match text::decode(bytes.to_vec()) {
        Decoded::Text(text) => text,
        Decoded::Not(_) => String::new(),
    }
}

/// The byte offset after a number of lines.
fn line_offset(bytes: &[u8], lines: u32) -> usize {
    let ends = memchr::memchr_iter(b'\n', bytes).map(|at| at + 1);
    match lines {
        0 => 0,
        _ => ends
            .into_iter()
            .nth(lines as usize - 1)
            .unwrap_or(bytes.len()),
    }
}

/// The byte offset where the line around `at` begins.
fn line_begin(bytes: &[u8], at: usize) -> usize {
    memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |end| end + 1)
}

/// The first lines of a text to show, without their common indentation.
pub(crate) fn dedented_lines(text: &str) -> String {
    let lines = text.split_inclusive('\n').take(MAX_LINES as usize);
    dedented(&lines.collect::<String>())
}

/// A text without the indentation common to its lines.
pub(crate) fn dedented(text: &str) -> String {
    dedent(
        &text
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect::<Vec<_>>(),
    )
}

fn dedent(lines: &[String]) -> String {
    let indent = |line: &String| line.len() - line.trim_start().len();
    let filled = lines.iter().filter(|l| !l.trim().is_empty());
    let common = filled.map(indent).min().unwrap_or(0);
    let cut = lines.iter().map(|line| {
        let line = line.get(common..).unwrap_or_default();
        match line.char_indices().nth(MAX_CHARS) {
            Some((at, _)) => format!("{}…", &line[..at]),
            None => line.to_owned(),
        }
    });
    cut.collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use testkit::Repo;

    #[test]
    fn snippets_are_short_and_without_indentation() {
        let long = "x".repeat(500);
        let repo = Repo::new(&format!(
            "//- a.py\n# one\n    def f():\n        return {long}\n\n    y\n    z\n"
        ));
        let project = Project::find(&Settings::with_start(repo.path())).unwrap();
        let read = |project: &Project, path: &str, start: u32, end: u32| {
            FileSnapshot::read(project, path)?.first_lines(start, end)
        };
        let text = read(&project, "a.py", 2, 6).unwrap();
        assert!(text.starts_with("def f():\n    return xxx"));
        assert_eq!(text.lines().count(), 2);
        assert!(text.lines().all(|l| l.chars().count() <= MAX_CHARS + 1));
        assert_eq!(
            read_masked_lines(&project, "a.py", 5, 6).unwrap(),
            "    y\n    z\n"
        );
        assert_eq!(read(&project, "../a.py", 1, 2), None);
        assert_eq!(read(&project, "gone.py", 1, 2), None);
        assert_eq!(read(&project, "a.py", 99, 100), None);
    }

    #[test]
    fn a_long_key_is_hidden_far_behind_its_beginning() {
        let key = "MIIEpAIBAAKCAQEA7bq0Yk1sV3xJ9r2LmN8wQ5tZ4uC6vB1n\n".repeat(1_500);
        let kind = ["PRIVATE", "KEY"].join(" ");
        let text = format!("//- a.pem\n-----BEGIN {kind}-----\n{key}-----END {kind}-----\n");
        let repo = Repo::new(&text);
        let project = Project::find(&Settings::with_start(repo.path())).unwrap();
        for start in [1_000, 1_400] {
            let shown = read_masked_lines(&project, "a.pem", start, start + 5).unwrap();
            assert!(!shown.contains("MIIE"), "{start}: {shown}");
        }
    }

    #[test]
    fn secrets_are_hidden_wherever_the_stretch_begins() {
        let key = "MIIEpAIBAAKCAQEA7bq0Yk1sV3xJ9r2LmN8wQ5tZ4uC6vB1n\n".repeat(30);
        let kind = ["RSA", "PRIVATE", "KEY"].join(" ");
        let text = format!(
            "//- a.py\nKEY = \"\"\"-----BEGIN {kind}-----\n{key}-----END {kind}-----\"\"\"\npassword = \"h4nter-two\"\n"
        );
        let repo = Repo::new(&text);
        let project = Project::find(&Settings::with_start(repo.path())).unwrap();
        for start in [1, 2, 20, 30] {
            let shown = read_masked_lines(&project, "a.py", start, 33).unwrap();
            assert!(
                !shown.contains("MIIE") && !shown.contains("h4nter"),
                "{shown}"
            );
            assert_eq!(shown.lines().count() as u32, 33 - start + 1);
        }
        let shown = read_masked_lines(&project, "a.py", 33, 33).unwrap();
        assert!(shown.contains("password = \"****"));
    }

    #[test]
    fn secrets_are_hidden_in_utf_16() {
        let repo = Repo::new("//- a.py\nx\n");
        let text = "\u{feff}x = 1\npassword = \"h4nter-two\"\n";
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        std::fs::write(repo.file_path("a.py"), bytes).unwrap();
        let project = Project::find(&Settings::with_start(repo.path())).unwrap();
        let source = FileSnapshot::read(&project, "a.py").unwrap();
        for shown in [source.masked_lines(2, 2), source.masked_text().unwrap()] {
            assert!(shown.contains("password = \"****"), "{shown:?}");
        }
    }
}
