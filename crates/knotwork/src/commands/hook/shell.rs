//! The search pattern in a shell command.

use base::list::{self, WordList};
use std::sync::LazyLock;

/// Flags of grep and similar programs that take a value.
static WITH_VALUE: WordList =
    LazyLock::new(|| list::words(include_str!("grep_flags.txt")).collect());

/// The pattern of a command that searches files: `rg X`, `grep -rn X dir`, `git grep X`. None for one that filters another
/// command's output, which searches no file.
pub(super) fn search_pattern(command: &str) -> Option<String> {
    let words = split_words(command);
    let mut rest = words.iter().map(String::as_str);
    // A `cd somewhere &&` before it does not matter.
    if words.first().is_some_and(|w| w == "cd") {
        rest.by_ref().find(|w| matches!(*w, "&&" | ";"))?;
    }
    let mut program = rest.next()?;
    if program == "git" {
        program = rest.next().filter(|w| *w == "grep")?;
    }
    let name = program.rsplit('/').next().unwrap_or(program);
    if !matches!(name, "rg" | "grep" | "egrep" | "fgrep" | "ag" | "ack") {
        return None;
    }
    while let Some(word) = rest.next() {
        match word {
            "|" | "&&" | ";" | "||" | ">" => return None,
            "-e" | "--regexp" => return rest.next().map(str::to_owned),
            "--" => return rest.next().map(str::to_owned),
            flag if WITH_VALUE.contains(&flag) => {
                rest.next();
            }
            flag if flag.starts_with('-') && flag.len() > 1 => {}
            pattern => return Some(pattern.to_owned()),
        }
    }
    None
}

/// The words of a command, split as a shell does with quotes.
fn split_words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = command.chars().take(2_000).peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            // Within double quotes a backslash stays before a character that it does not quote.
            (None, '\\') => word.get_or_insert_default().extend(chars.next()),
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, ';' | '|' | '&' | '>') => {
                words.extend(word.take());
                let mut sign = c.to_string();
                while chars.peek() == Some(&c) {
                    sign.extend(chars.next());
                }
                words.push(sign);
            }
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::search_pattern;

    #[test]
    fn the_pattern_of_a_search_is_found() {
        for (command, expected) in [
            ("rg open_index", Some("open_index")),
            (
                "grep -rn \"open_index\" src/ | head -20",
                Some("open_index"),
            ),
            ("git grep -n 'def open_index'", Some("def open_index")),
            ("rg -t rust -A 3 -e open_index .", Some("open_index")),
            ("cd crates/x && rg -n open_index", Some("open_index")),
            ("/usr/bin/grep -- -x file", Some("-x")),
            ("cargo test 2>&1 | grep FAILED", None),
            ("rg --files", None),
            ("git log --grep x", None),
            ("cd", None),
            ("", None),
            ("rg 'unclosed", Some("unclosed")),
        ] {
            assert_eq!(search_pattern(command).as_deref(), expected, "{command}");
        }
    }
}
