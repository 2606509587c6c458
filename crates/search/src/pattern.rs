//! Regular expressions over the indexed files. The caller reads the files: the index keeps no text.
//!
//! Matching takes time linear in the text, whatever the pattern; patterns that would grow too large
//! when compiled are refused.

use crate::doc::FileRole;
use crate::filter::Filter;
use crate::index::Index;
use rayon::prelude::*;
use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::hir::{
    Class, ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange, Hir, HirKind,
};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// The most bytes of a pattern.
const MAX_PATTERN: usize = 4 * 1024;
/// The most bytes of a compiled pattern: the slowest way of matching takes time in proportion to them.
const MAX_COMPILED: usize = 1 << 20;
/// The most groups within each other.
const MOST_NESTED: u32 = 100;
/// The most bytes of the states that are kept while matching.
const MAX_STATES: usize = 4 << 20;
/// The bytes that are matched before the clock is checked. Longer matches are found only up to the next line end.
const WINDOW: usize = 64 << 10;
/// The number of files that are read before the number of hits is checked.
const BATCH: usize = 256;
/// The lines of one file that come before further lines of others.
const FIRST_IN_FILE: usize = 5;
/// The time for counting once there are as many lines as were asked for.
const COUNTING: Duration = Duration::from_secs(2);
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
    /// Its text, without white space at both ends. One that is cut ends in `…`.
    pub text: String,
}

/// Lines that match.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lines {
    /// Sources before tests and other files, then by path and line.
    pub found: Vec<Line>,
    /// Number of lines that match, listed or not, in the files that were searched.
    pub total: usize,
    /// Files with more lines than are listed, and the number of these, in the same order.
    pub more: Vec<(String, usize)>,
    /// Whether the time was up before all files were searched, and fewer lines than asked for were found.
    pub cut_short: bool,
    /// Whether the time was up after enough lines were found: there may be more than `total`.
    pub uncounted: bool,
}

/// The lines of one file.
#[derive(Default)]
struct FileLines {
    /// The first ones.
    found: Vec<Line>,
    total: usize,
    cut_short: bool,
}

/// Lines that match, at most `limit`, as far as the deadline allows. The first lines of each file come before further ones of a
/// file, so that a file with many does not hide the others.
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
    let mut all = Collected::default();
    let mut until = deadline;
    for (first, batch) in (0..).step_by(BATCH).zip(paths.chunks(BATCH)) {
        let parts: Vec<FileLines> = batch
            .par_iter()
            .map(|(_, path)| match read(path) {
                Some(text) if Instant::now() < until => {
                    matching_lines(regex, path, &text, until, limit)
                }
                Some(_) => FileLines {
                    cut_short: true,
                    ..FileLines::default()
                },
                None => FileLines::default(),
            })
            .collect();
        for (file, part) in (first..).zip(parts) {
            all.add(file, part, limit);
        }
        if all.cut_short {
            break;
        }
        if all.first.len() >= limit && until == deadline {
            until = deadline.min(Instant::now() + COUNTING);
        }
    }
    all.into_lines(limit, &paths)
}

/// Lines of several files, each with the number of its file.
#[derive(Default)]
struct Collected {
    /// The first lines of each file, and further ones.
    first: Vec<(usize, Line)>,
    further: Vec<(usize, Line)>,
    /// Number of lines of each file that has any.
    counts: Vec<(usize, usize)>,
    cut_short: bool,
}

impl Collected {
    fn add(&mut self, file: usize, part: FileLines, limit: usize) {
        self.cut_short |= part.cut_short;
        if part.total > 0 {
            self.counts.push((file, part.total));
        }
        let mut lines = part.found.into_iter().map(|line| (file, line));
        self.first.extend(lines.by_ref().take(FIRST_IN_FILE));
        self.first.truncate(limit);
        self.further.extend(lines);
        self.further.truncate(limit);
    }

    fn into_lines(self, limit: usize, paths: &[(bool, String)]) -> Lines {
        let mut found = self.first;
        let room = limit.saturating_sub(found.len());
        found.extend(self.further.into_iter().take(room));
        found.sort_by_key(|(file, line)| (*file, line.line));
        let enough = found.len() >= limit;
        let mut listed: FxHashMap<usize, usize> = FxHashMap::default();
        for (file, _) in &found {
            *listed.entry(*file).or_default() += 1;
        }
        let more = self.counts.iter().filter_map(|(file, count)| {
            let more = count - listed.get(file).copied().unwrap_or(0);
            (more > 0).then(|| (paths[*file].1.clone(), more))
        });
        Lines {
            total: self.counts.iter().map(|(_, count)| count).sum(),
            more: more.collect(),
            cut_short: self.cut_short && !enough,
            uncounted: self.cut_short && enough,
            found: found.into_iter().map(|(_, line)| line).collect(),
        }
    }
}

/// Compiles a pattern. A pattern without capitals ignores case. A match stays within its line, as in grep: `\s` and `[^x]`
/// match no line end. A pattern that writes `\n` or `(?s)` may match several lines.
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
    let ignore_case = !pattern.chars().any(char::is_uppercase);
    build(pattern, ignore_case)
        .and_then(|regex| match restrict_to_lines(pattern, ignore_case) {
            Some(restricted) => build(&restricted, false),
            None => Ok(regex),
        })
        .map_err(|e| invalid(describe_error(pattern, &e)))
}

fn build(pattern: &str, ignore_case: bool) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern)
        .multi_line(true)
        .case_insensitive(ignore_case)
        .size_limit(MAX_COMPILED)
        .dfa_size_limit(MAX_STATES)
        .nest_limit(MOST_NESTED)
        .build()
}

/// The pattern with no class of characters that has the line end; `None` if it asks for line ends itself.
fn restrict_to_lines(pattern: &str, ignore_case: bool) -> Option<String> {
    if pattern.contains("(?s") {
        return None;
    }
    let parsed = regex_syntax::ParserBuilder::new()
        .multi_line(true)
        .case_insensitive(ignore_case)
        .utf8(false)
        .nest_limit(MOST_NESTED)
        .build()
        .parse(pattern);
    Some(without_line_ends(parsed.ok()?)?.to_string())
}

/// Takes the line end out of every class; `None` if a literal has one.
fn without_line_ends(hir: Hir) -> Option<Hir> {
    let all =
        |subs: Vec<Hir>| -> Option<Vec<Hir>> { subs.into_iter().map(without_line_ends).collect() };
    Some(match hir.into_kind() {
        HirKind::Empty => Hir::empty(),
        HirKind::Look(look) => Hir::look(look),
        HirKind::Literal(literal) => {
            if literal.0.contains(&b'\n') {
                return None;
            }
            Hir::literal(literal.0)
        }
        HirKind::Class(Class::Unicode(mut class)) => {
            let line_end = ClassUnicodeRange::new('\n', '\n');
            class.difference(&ClassUnicode::new([line_end]));
            Hir::class(Class::Unicode(class))
        }
        HirKind::Class(Class::Bytes(mut class)) => {
            class.difference(&ClassBytes::new([ClassBytesRange::new(b'\n', b'\n')]));
            Hir::class(Class::Bytes(class))
        }
        HirKind::Repetition(mut repetition) => {
            repetition.sub = Box::new(without_line_ends(*repetition.sub)?);
            Hir::repetition(repetition)
        }
        HirKind::Capture(mut capture) => {
            capture.sub = Box::new(without_line_ends(*capture.sub)?);
            Hir::capture(capture)
        }
        HirKind::Concat(subs) => Hir::concat(all(subs)?),
        HirKind::Alternation(subs) => Hir::alternation(all(subs)?),
    })
}

/// The fault and its place. The parser knows the place; the compiler only knows that something grew too large.
fn describe_error(pattern: &str, error: &regex::Error) -> String {
    let parsed = regex_syntax::ParserBuilder::new()
        .multi_line(true)
        .utf8(false)
        .nest_limit(MOST_NESTED)
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

/// The lines of a text that match: the first `keep` of them, and their number.
fn matching_lines(
    regex: &Regex,
    path: &str,
    text: &[u8],
    deadline: Instant,
    keep: usize,
) -> FileLines {
    let mut all = FileLines::default();
    let (mut line, mut from, mut last) = (1u32, 0usize, 0u32);
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
        matching_lines_in_window(regex, part, line, |line, text| {
            // The window before may have ended within the line.
            if line == last {
                return;
            }
            last = line;
            all.total += 1;
            if all.found.len() < keep {
                all.found.push(Line {
                    path: path.to_owned(),
                    line,
                    text: shown_line(text),
                });
            }
        });
        line += part.iter().filter(|b| **b == b'\n').count() as u32;
        from = to;
    }
    all
}

/// A line as it is shown.
fn shown_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let text = text.trim();
    match text.char_indices().nth(MAX_LINE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Visits the lines of a part of a text that match. The part begins a line, whose number is `first`.
fn matching_lines_in_window(
    regex: &Regex,
    text: &[u8],
    first: u32,
    mut visit: impl FnMut(u32, &[u8]),
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
        visit(line, &text[from..to]);
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

    /// What grep lists for each pattern.
    #[test]
    fn a_match_stays_within_its_line() {
        let text = b"int a;\n\n  int b;\n\nint c;   \nd\xFF\n";
        let lines = |pattern: &str| {
            let regex = compile(pattern).unwrap();
            let mut found = Vec::new();
            matching_lines_in_window(&regex, text, 1, |line, _| found.push(line));
            found
        };
        assert_eq!(lines(r"^\s+int"), [3]);
        assert_eq!(lines(r"\s+$"), [5]);
        assert_eq!(lines(r"^\s*$"), [2, 4]);
        assert_eq!(lines("^[^x]*b"), [3]);
        assert_eq!(lines(r"(?-u:\xFF)$"), [6]);
        assert_eq!(lines(r"INT|Q{2}"), [] as [u32; 0]);
        assert_eq!(lines(r"(i)n(t) [[:alpha:]]"), [1, 3, 5]);
        assert_eq!(lines(r"a;\n\n"), [1]);
        assert_eq!(lines("(?s)b.*c"), [3]);
    }

    #[test]
    fn all_lines_are_counted_and_as_many_listed_as_were_asked_for() {
        let many: String = (0..12).map(|n| format!("needle_{n} = {n}\n")).collect();
        let long = format!("needle{}\n", "x".repeat(300));
        let files = [
            ("a.py", many.as_str()),
            ("b.py", "needle_b\n"),
            ("c.py", &long),
        ];
        let prepared = files
            .iter()
            .map(|(path, text)| prepare(&plain::file_doc(path, text).unwrap(), None).unwrap())
            .collect();
        let index = Index::in_memory(&Model::default(), prepared).unwrap();
        let read = |path: &str| {
            let file = files.iter().find(|(p, _)| *p == path);
            file.map(|(_, text)| text.as_bytes().to_vec())
        };
        let later = Instant::now() + Duration::from_secs(3_600);
        let ask = |limit: usize| {
            let regex = compile("needle").unwrap();
            find_matching_lines(&index, &regex, &Filter::default(), limit, later, &read)
        };
        let all = ask(50);
        assert_eq!((all.found.len(), all.total, all.more.len()), (14, 14, 0));
        assert!(all.found[13].text.ends_with("x…"), "{:?}", all.found[13]);
        let some = ask(8);
        let of = |path: &str| some.found.iter().filter(|l| l.path == path).count();
        assert_eq!((of("a.py"), of("b.py"), of("c.py")), (6, 1, 1));
        assert_eq!(
            (some.total, &some.more[..]),
            (14, &[("a.py".to_owned(), 6)][..])
        );
        let few = ask(3);
        assert_eq!((few.found.len(), few.total), (3, 14));
        let more = few.more.iter().map(|(_, more)| more).sum::<usize>();
        assert_eq!((more, few.more.len()), (11, 3));
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
        let found = matching_lines(&regex, "a", text.as_bytes(), later, 9);
        assert_eq!((found.found[0].line, found.cut_short), (20_001, false));
        let now = matching_lines(&regex, "a", text.as_bytes(), Instant::now(), 9);
        assert!(now.found.is_empty() && now.cut_short);
        let ends = matching_lines(&compile("$").unwrap(), "a", b"x\ny\n", later, 9);
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
        let found = matching_lines(&regex, "a", text.as_bytes(), later, 9);
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
        let _ = matching_lines(&regex, "a", text.as_bytes(), soon, 9);
        assert!(since.elapsed() < std::time::Duration::from_secs(20));
    }
}
