//! Regular expressions over the indexed files. The caller reads the files: the index keeps no text.
//!
//! Matching takes time linear in the text, whatever the pattern; patterns that would grow too large
//! when compiled are refused.

use crate::doc::Boundary;
use crate::filter::Filter;
use crate::index::Index;
use rayon::prelude::*;
use regex::bytes::{Regex, RegexBuilder};

/// Bytes of a pattern.
const MAX_PATTERN: usize = 4 * 1024;
/// Bytes of a compiled pattern.
const MAX_COMPILED: usize = 4 << 20;
/// Files that are read before it is asked whether there are enough hits.
const BATCH: usize = 256;
/// Hits of one file.
const MAX_IN_FILE: usize = 5;
/// Characters of a line that are given back.
const MAX_LINE: usize = 200;

/// Why a pattern cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// It is no regular expression, or one that grows too large.
    #[error("pattern {pattern:?}: {reason}")]
    Invalid {
        /// The pattern, cut.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// A line that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its file.
    pub path: String,
    /// Its number, from 1.
    pub line: u32,
    /// Its text without the white space around, cut.
    pub text: String,
}

/// Lines that match: sources before tests and other files, then by path. At most `limit`.
/// A pattern without capitals ignores case.
pub fn find(
    index: &Index,
    pattern: &str,
    filter: &Filter,
    limit: usize,
    read: &(dyn Fn(&str) -> Option<Vec<u8>> + Sync),
) -> Result<Vec<Line>, PatternError> {
    let regex = compile(pattern)?;
    let mut paths: Vec<(bool, String)> = index
        .paths()
        .into_keys()
        .filter(|path| filter.allows_path(path))
        .map(|path| (index.boundary(&path) != Some(Boundary::Source), path))
        .collect();
    paths.sort();
    let mut found = Vec::new();
    for batch in paths.chunks(BATCH) {
        let lines: Vec<Vec<Line>> = batch
            .par_iter()
            .map(|(_, path)| read(path).map_or_else(Vec::new, |text| lines(&regex, path, &text)))
            .collect();
        found.extend(lines.into_iter().flatten());
        if found.len() >= limit {
            break;
        }
    }
    found.truncate(limit);
    Ok(found)
}

fn compile(pattern: &str) -> Result<Regex, PatternError> {
    let invalid = |reason: String| PatternError::Invalid {
        pattern: pattern.chars().take(80).collect(),
        reason,
    };
    if pattern.trim().is_empty() {
        return Err(invalid("it is empty".to_owned()));
    }
    if pattern.len() > MAX_PATTERN {
        return Err(invalid(format!("longer than {MAX_PATTERN} bytes")));
    }
    RegexBuilder::new(pattern)
        .multi_line(true)
        .case_insensitive(!pattern.chars().any(char::is_uppercase))
        .size_limit(MAX_COMPILED)
        .dfa_size_limit(MAX_COMPILED)
        .nest_limit(100)
        .build()
        .map_err(|e| invalid(e.to_string()))
}

fn lines(regex: &Regex, path: &str, text: &[u8]) -> Vec<Line> {
    let mut all: Vec<Line> = Vec::new();
    let (mut line, mut at) = (1u32, 0usize);
    for found in regex.find_iter(text) {
        let start = found.start();
        line += text[at..start].iter().filter(|b| **b == b'\n').count() as u32;
        at = start;
        if all.last().is_some_and(|l| l.line == line) {
            continue;
        }
        let from = text[..start]
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |p| p + 1);
        let to = text[start..]
            .iter()
            .position(|b| *b == b'\n')
            .map_or(text.len(), |p| start + p);
        let shown = String::from_utf8_lossy(&text[from..to]);
        all.push(Line {
            path: path.to_owned(),
            line,
            text: shown.trim().chars().take(MAX_LINE).collect(),
        });
        if all.len() == MAX_IN_FILE {
            break;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Model;
    use crate::plain;
    use crate::prepare::prepare;

    const FILES: [(&str, &str); 3] = [
        ("src/a.c", "int main(void) {\n  retry_backoff(3);\n}\n"),
        ("src/b.c", "void Retry(void) {\n}\n"),
        ("test/a.c", "int test(void) {\n  retry_backoff(1);\n}\n"),
    ];

    fn ask(pattern: &str, filter: &Filter, limit: usize) -> Result<String, PatternError> {
        let prepared = FILES
            .iter()
            .map(|(path, text)| prepare(&plain::file_doc(path, text).unwrap(), None).unwrap())
            .collect();
        let index = Index::in_memory(&Model::default(), prepared).unwrap();
        let read = |path: &str| {
            let file = FILES.iter().find(|(p, _)| *p == path);
            file.map(|(_, text)| text.as_bytes().to_vec())
        };
        let found = find(&index, pattern, filter, limit, &read)?;
        let shown: Vec<String> = found
            .iter()
            .map(|l| format!("{}:{}", l.path, l.line))
            .collect();
        Ok(shown.join(" "))
    }

    #[test]
    fn sources_come_before_tests() {
        let all = Filter::default();
        assert_eq!(
            ask(r"retry_\w+\(", &all, 10).unwrap(),
            "src/a.c:2 test/a.c:2"
        );
        assert_eq!(
            ask("retry", &all, 10).unwrap(),
            "src/a.c:2 src/b.c:1 test/a.c:2"
        );
        assert_eq!(ask("Retry", &all, 10).unwrap(), "src/b.c:1");
        assert_eq!(ask("retry", &all, 1).unwrap(), "src/a.c:2");
        assert_eq!(
            ask(r"^\}", &all, 10).unwrap(),
            "src/a.c:3 src/b.c:2 test/a.c:3"
        );
        let below = Filter {
            path: Some("test".to_owned()),
            ..Filter::default()
        };
        assert_eq!(ask("retry", &below, 10).unwrap(), "test/a.c:2");
    }

    #[test]
    fn bombs_are_refused_or_harmless() {
        let all = Filter::default();
        for refused in [
            "(x{1000}){1000}{1000}",
            "(",
            "",
            "a{99999999}",
            &"(".repeat(50_000),
        ] {
            assert!(ask(refused, &all, 10).is_err(), "{:.20}", refused);
        }
        assert_eq!(ask("(a+)+$nothing", &all, 10).unwrap(), "");
    }
}
