//! The few lines of a chunk that are worth their tokens.

use super::heads::count_shared_stems;
use super::query::Query;

/// The longest line that is shown whole, in characters.
const MAX_LINE: usize = 120;

/// The signature of a chunk and the lines with most words of the query, in order, at most `lines`.
/// `text` is the text of the chunk. Indentation common to all is removed.
pub fn build_snippet(text: &str, query: &Query, lines: usize) -> String {
    let all: Vec<&str> = text.lines().collect();
    let mut scored: Vec<(usize, usize)> = all
        .iter()
        .enumerate()
        .filter(|(_, line)| line.chars().any(char::is_alphanumeric))
        .map(|(at, line)| (count_shared_stems(line, query), at))
        .collect();
    let Some(head) = scored
        .iter()
        .map(|(_, at)| *at)
        .find(|at| !is_non_telling_line(all[*at]))
        .or(scored.first().map(|(_, at)| *at))
    else {
        return String::new();
    };
    scored.retain(|(value, at)| *value > 0 && *at != head);
    scored.sort_by_key(|(value, at)| (std::cmp::Reverse(*value), *at));
    let mut chosen: Vec<usize> = scored
        .iter()
        .map(|(_, at)| *at)
        .take(lines.saturating_sub(1))
        .collect();
    chosen.push(head);
    chosen.sort_unstable();
    let indent = chosen
        .iter()
        .map(|at| all[*at].len() - all[*at].trim_start().len())
        .min()
        .unwrap_or(0);
    let shown: Vec<String> = chosen
        .iter()
        .map(|at| truncate_line(all[*at].get(indent..).unwrap_or(all[*at]).trim_end()))
        .collect();
    shown.join("\n")
}

/// Whether a line tells nothing about a chunk: annotations, comments and lone brackets.
fn is_non_telling_line(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(['@', '*', '#', '/', '}', ')', '"', '\''])
}

fn truncate_line(line: &str) -> String {
    if line.chars().count() <= MAX_LINE {
        return line.to_owned();
    }
    let mut short: String = line.chars().take(MAX_LINE - 1).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signature_and_the_lines_that_answer() {
        let text = "    /// Doc.\n    fn run(&self) {\n        setup();\n        self.retry_backoff();\n        done();\n    }\n";
        let query = Query::new("where is the retry backoff");
        assert_eq!(
            build_snippet(text, &query, 2),
            "fn run(&self) {\n    self.retry_backoff();"
        );
        assert_eq!(build_snippet(text, &query, 1), "fn run(&self) {");
        assert_eq!(build_snippet("", &query, 3), "");
    }

    #[test]
    fn long_lines_are_cut() {
        let shown = build_snippet(&"解析 ".repeat(500), &Query::new("x"), 3);
        assert!(shown.chars().count() <= MAX_LINE);
    }
}
