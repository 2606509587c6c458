//! Clues in a bug report: stack traces, messages, names of code, paths, and the remaining words.

use super::trace::{Trace, name_line, parse_stack_traces};
use base::Language;

/// Most messages that are searched for in the source.
const MOST_MESSAGES: usize = 12;
/// Most names that are looked up.
const MOST_NAMES: usize = 60;
/// Most paths that are looked up.
const MOST_PATHS: usize = 20;
/// The most characters of a message.
const LONGEST: usize = 300;
/// The least letters and digits of a message or quoted text: shorter ones occur anywhere.
const LEAST_LETTERS: usize = 4;
/// The most lines of a report in which each line may be a message. A longer report is prose.
const MOST_MESSAGE_LINES: usize = 3;
/// The length in bytes of a word that may be a name or a path.
const WORD_BYTES: std::ops::Range<usize> = 3..200;

/// A report, read once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clues {
    /// Stack traces.
    pub traces: Vec<Trace>,
    /// Lines that a program may have printed, without the type of an exception.
    pub messages: Vec<String>,
    /// Quoted texts of several words.
    pub quoted: Vec<String>,
    /// Names of code; dotted ones are kept whole: `getUser`, `Session.send`, `some_thing`.
    pub names: Vec<String>,
    /// Paths of files.
    pub paths: Vec<String>,
    /// The first line of the prose.
    pub title: String,
    /// The rest of it.
    pub body: String,
}

/// Reads a report.
pub fn extract_clues(text: &str) -> Clues {
    let mut found = Clues {
        traces: parse_stack_traces(text),
        ..Clues::default()
    };
    for trace in &found.traces {
        if let Some(error) = &trace.error {
            push_unique_text(&mut found.messages, strip_error_type(error), MOST_MESSAGES);
        }
    }
    let prose: Vec<&str> = text
        .lines()
        .filter(|l| parse_stack_traces(l).is_empty() && !l.starts_with("Traceback "))
        .collect();
    for line in &prose {
        collect_names_and_paths(line, &mut found);
    }
    for line in &prose {
        for quoted in find_quoted_texts(line) {
            push_unique_text(&mut found.quoted, quoted.to_owned(), MOST_MESSAGES);
        }
    }
    let filled: Vec<&str> = prose
        .iter()
        .map(|l| l.trim())
        .filter(|l| !l.is_empty())
        .collect();
    if filled.len() <= MOST_MESSAGE_LINES || !found.traces.is_empty() {
        // Indented lines are source code that a trace repeats.
        let own = prose
            .iter()
            .filter(|l| !l.starts_with([' ', '\t']) && !l.trim().is_empty())
            .filter(|l| name_line(l).is_none());
        for line in own {
            push_unique_text(&mut found.messages, strip_error_type(line), MOST_MESSAGES);
        }
    }
    for line in filled.iter().filter(|l| looks_like_log_line(l)) {
        push_unique_text(&mut found.messages, strip_error_type(line), MOST_MESSAGES);
    }
    let mut lines = filled.into_iter();
    found.title = strip_bug_prefix(lines.next().unwrap_or_default()).to_owned();
    found.body = lines.map(without_links).collect::<Vec<_>>().join("\n");
    found
}

/// A title without the prefix for a bug: `fix(parser): …`, `Bug: …`, `Fixes …`.
fn strip_bug_prefix(title: &str) -> &str {
    const WORDS: [&str; 8] = [
        "fix", "fixes", "fixed", "fixing", "bug", "bugfix", "issue", "[bug]",
    ];
    let is_mark = |word: &str| WORDS.contains(&word.to_ascii_lowercase().as_str());
    let marked = title.split_once(':').filter(|(head, rest)| {
        let word = head.split(['(', '!']).next().unwrap_or_default();
        is_mark(word.trim()) && !rest.trim().is_empty()
    });
    if let Some((_, rest)) = marked {
        return rest.trim();
    }
    match title.split_once(' ') {
        Some((first, rest)) if is_mark(first) && !rest.trim().is_empty() => rest.trim(),
        _ => title,
    }
}

fn push_unique_text(list: &mut Vec<String>, text: String, most: usize) {
    let long_enough = text.chars().filter(|c| c.is_alphanumeric()).count() >= LEAST_LETTERS;
    if long_enough && list.len() < most && !list.contains(&text) {
        list.push(text);
    }
}

/// `error: …`, `ValueError: …`, `panic: …`, `WARN …`.
fn looks_like_log_line(line: &str) -> bool {
    let Some((head, rest)) = line.split_once(": ") else {
        return false;
    };
    let last = head.rsplit([' ', '.', ']']).next().unwrap_or_default();
    let lower = last.to_ascii_lowercase();
    let kinds = [
        "error",
        "exception",
        "warning",
        "panic",
        "failed",
        "fatal",
        "failure",
    ];
    !rest.is_empty() && kinds.iter().any(|k| lower.ends_with(k))
}

/// The message without its error type, cut to [`LONGEST`] characters.
fn strip_error_type(line: &str) -> String {
    let line = line.trim();
    let message = match line.split_once(": ") {
        Some((head, rest)) if is_error_type(head) && !rest.trim().is_empty() => rest.trim(),
        _ => line,
    };
    message.chars().take(LONGEST).collect()
}

/// `ValueError`, `java.io.IOException`, `Uncaught TypeError`, `panic`, `error[E0308]`.
fn is_error_type(head: &str) -> bool {
    let last = head.rsplit([' ', '.', '\\']).next().unwrap_or_default();
    let name = last.split('[').next().unwrap_or_default();
    let lower = name.to_ascii_lowercase();
    let ends = ["error", "exception", "warning", "panic", "fatal"];
    ends.iter().any(|e| lower.ends_with(e)) && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Texts within quotes that may have been printed: of two words at least.
fn find_quoted_texts(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for quote in ['"', '`', '\u{201c}'] {
        let close = if quote == '\u{201c}' {
            '\u{201d}'
        } else {
            quote
        };
        let mut rest = line;
        while let Some((_, after)) = rest.split_once(quote) {
            let Some((inner, next)) = after.split_once(close) else {
                break;
            };
            if inner.trim().contains(' ') && inner.len() <= LONGEST {
                found.push(inner.trim());
            }
            rest = next;
        }
    }
    found
}

fn without_links(line: &str) -> String {
    let words = line.split(' ').filter(|w| !w.contains("://"));
    words.collect::<Vec<_>>().join(" ")
}

/// Names of code and paths of a line.
fn collect_names_and_paths(line: &str, found: &mut Clues) {
    let edge = |c: char| {
        !(c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '$' | '(' | ')' | ':' | '\\' | '-'))
    };
    for word in line.split(edge).filter(|w| WORD_BYTES.contains(&w.len())) {
        let word = word.trim_matches(['.', ':', '(', '-', '/']);
        if is_path(word) {
            let path = word.replace('\\', "/");
            if found.paths.len() < MOST_PATHS && !found.paths.contains(&path) {
                found.paths.push(path);
            }
            continue;
        }
        let called = word.ends_with("()");
        let name = word.trim_end_matches([')', '(']);
        let name = name.replace("::", ".");
        let fine = name.split('.').all(|part| {
            !part.is_empty()
                && part
                    .chars()
                    .all(|c| c.is_alphanumeric() || c == '_' || c == '$')
        });
        if fine && (called || looks_like_code(&name)) {
            push_name(&mut found.names, name);
        }
    }
}

fn push_name(names: &mut Vec<String>, name: String) {
    if names.len() < MOST_NAMES
        && !names.contains(&name)
        && name.starts_with(|c: char| !c.is_ascii_digit())
    {
        names.push(name);
    }
}

/// `src/app.ts`, `sessions.py`: a name with an ending of source.
fn is_path(word: &str) -> bool {
    // Endings of languages without a folder of their own. Of other languages, one letter is more likely a member (`x.m`).
    const OTHERS: [&str; 11] = [
        "kt", "scala", "cs", "php", "c", "h", "cc", "cpp", "hpp", "swift", "vue",
    ];
    let Some((stem, end)) = word.rsplit_once('.') else {
        return false;
    };
    let name = stem.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_source =
        OTHERS.contains(&end) || end.len() > 1 && Language::from_extension(end).is_some();
    is_source && !name.is_empty() && !word.contains(['(', ')']) && !word.contains("..")
}

/// Inner capitals, underscores, dots between names.
fn looks_like_code(name: &str) -> bool {
    let inner = name.chars().zip(name.chars().skip(1));
    let camel = inner
        .into_iter()
        .any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    let snake = name.trim_matches('_').contains('_');
    let dotted = name.contains('.') && !name.chars().any(|c| c.is_ascii_digit());
    camel || snake || dotted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_falls_into_its_parts() {
        let report = "Session.send drops the body\n\nCalling `send()` in requests/sessions.py prints \"no body for request\" \
            with max_redirects set, see https://example.org/a_b.\n\nTraceback (most recent call last):\n  \
            File \"/x/requests/sessions.py\", line 3, in send\nValueError: bad body: 7\n";
        let found = extract_clues(report);
        assert_eq!(found.traces.len(), 1);
        assert_eq!(found.title, "Session.send drops the body");
        assert!(!found.body.contains("example.org"), "{}", found.body);
        assert_eq!(found.paths, ["requests/sessions.py"]);
        for name in ["Session.send", "send", "max_redirects"] {
            assert!(
                found.names.iter().any(|n| n == name),
                "{name}: {:?}",
                found.names
            );
        }
        assert_eq!(found.messages[0], "bad body: 7");
        assert_eq!(found.quoted, ["no body for request"]);
    }

    #[test]
    fn a_single_line_is_a_message() {
        assert_eq!(
            extract_clues("TypeError: x is not a function").messages,
            ["x is not a function"]
        );
        assert_eq!(
            extract_clues("cannot open file").messages,
            ["cannot open file"]
        );
        assert_eq!(extract_clues("").messages.len(), 0);
        for title in [
            "fix: a thing",
            "Fix a thing",
            "fix(core)!: a thing",
            "[Bug] a thing",
            "a thing",
        ] {
            assert_eq!(extract_clues(title).title, "a thing");
        }
    }
}
