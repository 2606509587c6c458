//! Regular expressions over the indexed files. The caller reads the files: the index keeps no text.
//!
//! Matching takes time linear in the text, whatever the pattern; patterns that would grow too large
//! when compiled are refused.

use crate::doc::FileRole;
use crate::filter::Filter;
use crate::index::Index;
use rayon::prelude::*;
use regex::bytes::{Regex, RegexBuilder};
use std::time::Instant;

/// The most bytes of a pattern.
const MAX_PATTERN: usize = 4 * 1024;
/// The most bytes of a compiled pattern: the slowest way of matching takes time in proportion to them.
const MAX_COMPILED: usize = 1 << 20;
/// The most bytes of the states that are kept while matching.
const MAX_STATES: usize = 4 << 20;
/// The bytes that are matched before the clock is checked. Longer matches are found only up to the next line end.
const WINDOW: usize = 64 << 10;
/// The number of files that are read before the number of hits is checked.
const BATCH: usize = 256;
/// The most hits in one file.
const MAX_IN_FILE: usize = 5;
/// The most characters of a line that are returned.
const MAX_LINE: usize = 200;

/// The reason why a pattern cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// It is no regular expression, or one that grows too large.
    #[error("pattern {pattern:?}: {reason}")]
    Invalid {
        /// The pattern, cut.
        pattern: String,
        /// The fault.
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
    /// Its text, cut, without white space at both ends.
    pub text: String,
}

/// Lines that match.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lines {
    /// Sources before tests and other files, then by path.
    pub found: Vec<Line>,
    /// Whether the time was up before all files were searched.
    pub cut_short: bool,
}

/// Lines that match, at most `limit`, as far as the deadline allows.
pub fn find_matching_lines(
    index: &Index,
    regex: &Regex,
    filter: &Filter,
    limit: usize,
    deadline: Instant,
    read: &(dyn Fn(&str) -> Option<Vec<u8>> + Sync),
) -> Lines {
    let mut paths: Vec<(bool, String)> = index
        .content_hashes()
        .into_keys()
        .filter(|path| filter.allows_path(path))
        .map(|path| (index.role(&path) != Some(FileRole::Source), path))
        .collect();
    paths.sort();
    let mut all = Lines::default();
    for batch in paths.chunks(BATCH) {
        let parts: Vec<Lines> = batch
            .par_iter()
            .map(|(_, path)| match read(path) {
                Some(text) if Instant::now() < deadline => {
                    matching_lines(regex, path, &text, deadline)
                }
                Some(_) => Lines {
                    cut_short: true,
                    ..Lines::default()
                },
                None => Lines::default(),
            })
            .collect();
        for part in parts {
            all.found.extend(part.found);
            all.cut_short |= part.cut_short;
        }
        if all.found.len() >= limit || all.cut_short {
            break;
        }
    }
    // Files that were not searched do not matter if there are enough hits.
    all.cut_short &= all.found.len() < limit;
    all.found.truncate(limit);
    all
}

/// Compiles a pattern. A pattern without capitals ignores case.
pub fn compile(pattern: &str) -> Result<Regex, PatternError> {
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
        .dfa_size_limit(MAX_STATES)
        .nest_limit(100)
        .build()
        .map_err(|e| invalid(describe_error(pattern, &e)))
}

/// The fault and its place. The parser knows the place; the compiler only knows that something grew too large.
fn describe_error(pattern: &str, error: &regex::Error) -> String {
    let parsed = regex_syntax::ParserBuilder::new()
        .multi_line(true)
        .utf8(false)
        .nest_limit(100)
        .build()
        .parse(pattern);
    let (what, span) = match parsed {
        Err(regex_syntax::Error::Parse(e)) => (e.kind().to_string(), *e.span()),
        Err(regex_syntax::Error::Translate(e)) => (e.kind().to_string(), *e.span()),
        _ => {
            return match error {
                regex::Error::CompiledTooBig(_) => {
                    "it grows too large; use smaller repetitions".to_owned()
                }
                other => other.to_string(),
            };
        }
    };
    match span.start.line {
        1 => format!("{what}, at character {}", span.start.column),
        line => format!("{what}, at line {line}, character {}", span.start.column),
    }
}

fn matching_lines(regex: &Regex, path: &str, text: &[u8], deadline: Instant) -> Lines {
    let mut all = Lines::default();
    let (mut line, mut from) = (1u32, 0usize);
    while from < text.len() {
        if from > 0 && Instant::now() >= deadline {
            all.cut_short = true;
            break;
        }
        let window = text.len().min(from + WINDOW);
        // A line without an end is matched in parts as well.
        let most = text.len().min(window + 2 * WINDOW);
        let rest = text[window..most].iter().position(|b| *b == b'\n');
        let to = rest.map_or(most, |at| window + at + 1);
        let part = &text[from..to];
        matching_lines_in_window(regex, path, part, line, &mut all.found);
        if all.found.len() >= MAX_IN_FILE {
            break;
        }
        line += part.iter().filter(|b| **b == b'\n').count() as u32;
        from = to;
    }
    all
}

/// The lines of a part of a text that match. The part begins a line, whose number is `first`.
fn matching_lines_in_window(
    regex: &Regex,
    path: &str,
    text: &[u8],
    first: u32,
    all: &mut Vec<Line>,
) {
    let (mut line, mut at, mut next) = (first, 0usize, 0usize);
    // Only the first match in a line counts. Each search may read up to the end of the line, so a search for every
    // match would take quadratic time in a long line.
    while next <= text.len()
        && let Some(found) = regex.find_at(text, next)
    {
        let start = found.start();
        line += text[at..start].iter().filter(|b| **b == b'\n').count() as u32;
        at = start;
        // There is no line after the last line end.
        if start == text.len() && text.ends_with(b"\n") {
            break;
        }
        let from = text[..start]
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |p| p + 1);
        let to = text[start..]
            .iter()
            .position(|b| *b == b'\n')
            .map_or(text.len(), |p| start + p);
        next = found.end().max(to + 1);
        // The window before may have ended within the line.
        if all.last().is_some_and(|l| l.line == line) {
            continue;
        }
        let shown = String::from_utf8_lossy(&text[from..to]);
        all.push(Line {
            path: path.to_owned(),
            line,
            text: shown.trim().chars().take(MAX_LINE).collect(),
        });
        if all.len() == MAX_IN_FILE {
            return;
        }
    }
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
        let regex = compile(pattern)?;
        let deadline = Instant::now() + std::time::Duration::from_secs(60);
        let lines = find_matching_lines(&index, &regex, filter, limit, deadline, &read);
        assert!(!lines.cut_short);
        let shown: Vec<String> = lines
            .found
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

    #[test]
    fn mistakes_have_their_place() {
        let said = |pattern: &str| compile(pattern).unwrap_err().to_string();
        assert_eq!(
            said("a(b"),
            "pattern \"a(b\": unclosed group, at character 2"
        );
        assert!(
            said("x[z-a]").contains("at character 3"),
            "{}",
            said("x[z-a]")
        );
        assert!(
            said("(?x)\nfoo\n)").contains("at line 3, character 1"),
            "{}",
            said("(?x)\nfoo\n)")
        );
        assert!(said("(x{1000}){1000}").contains("grows too large"));
        assert!(said(r"\p{Nope}").contains("at character 1"));
    }

    #[test]
    fn long_files_are_matched_in_parts() {
        let regex = compile("needle").unwrap();
        let mut text = "some line of code\n".repeat(20_000);
        text.push_str("the needle\nlast");
        let later = Instant::now() + std::time::Duration::from_secs(60);
        let found = matching_lines(&regex, "a", text.as_bytes(), later);
        assert_eq!((found.found[0].line, found.cut_short), (20_001, false));
        let now = matching_lines(&regex, "a", text.as_bytes(), Instant::now());
        assert!(now.found.is_empty() && now.cut_short);
        let ends = matching_lines(&compile("$").unwrap(), "a", b"x\ny\n", later);
        let numbers: Vec<u32> = ends.found.iter().map(|l| l.line).collect();
        assert_eq!(numbers, [1, 2]);
    }

    #[test]
    fn a_long_line_is_searched_once_for_each_hit() {
        // Each match is one letter, but the search reads to the end of the line to find that out.
        let regex = compile(".*[^A-Z]|[A-Z]").unwrap();
        let mut text = "A".repeat(WINDOW * 2);
        text.push_str("\nb\n");
        let later = Instant::now() + std::time::Duration::from_secs(3_600);
        let found = matching_lines(&regex, "a", text.as_bytes(), later);
        let numbers: Vec<u32> = found.found.iter().map(|l| l.line).collect();
        assert_eq!((numbers, found.cut_short), (vec![1, 2], false));
    }

    #[test]
    fn the_slowest_pattern_is_stopped() {
        // Counted repetitions of wide classes: nothing is faster than walking all states.
        let regex = compile(r"(?:[^ ]{0,40}x){10}$y").unwrap();
        let text = "abcdefghij".repeat(400_000);
        let since = Instant::now();
        let soon = since + std::time::Duration::from_millis(200);
        let _ = matching_lines(&regex, "a", text.as_bytes(), soon);
        assert!(since.elapsed() < std::time::Duration::from_secs(20));
    }
}
