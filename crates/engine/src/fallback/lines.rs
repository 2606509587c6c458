//! The name that a line of source defines, judged by the line alone. The rules are rough, and the same for
//! every language.

/// Words before the name of a definition.
const DEFINES: [&str; 18] = [
    "fn",
    "def",
    "function",
    "func",
    "fun",
    "class",
    "interface",
    "struct",
    "trait",
    "enum",
    "type",
    "sub",
    "module",
    "object",
    "record",
    "const",
    "let",
    "var",
];
/// Words that begin a statement which looks like a method without a keyword.
const STATEMENTS: [&str; 12] = [
    "if", "for", "while", "switch", "return", "else", "catch", "new", "await", "throw", "match",
    "with",
];

/// The words of a line with their positions: letters, digits and `_`, `$`.
pub(super) fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + line[at..].find(is_word)?;
        let rest = &line[start..];
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        at = start + length;
        Some((start, &line[start..at]))
    })
}

/// Whether the line contains the name as a word; the position where it begins.
pub(super) fn find_word(line: &str, name: &str) -> Option<usize> {
    words(line)
        .find(|(_, word)| *word == name)
        .map(|(at, _)| at)
}

/// The name that a line defines, if it looks like a definition.
pub(super) fn defined_name(line: &str) -> Option<&str> {
    let mut all = words(line);
    let is_indented = line.starts_with([' ', '\t']);
    let first = all.next()?;
    let mut before = first;
    let keyword = std::iter::once(first)
        .chain(words(line).skip(1))
        .take(8)
        .find(|(_, word)| DEFINES.contains(word));
    if let Some((at, word)) = keyword {
        // A local variable does not count as a definition with callers.
        if is_indented && ["const", "let", "var"].contains(&word) {
            return None;
        }
        let mut rest = at + word.len();
        let after = &line[rest..];
        // The receiver of a method in Go.
        if word == "func" && after.trim_start().starts_with('(') {
            rest += after.find(')')?;
        }
        return words(&line[rest..]).next().map(|(_, name)| name);
    }
    // `static async name(a, b) {`: a method without a keyword.
    if STATEMENTS.contains(&first.1) || !line.trim_end().ends_with('{') || !is_indented {
        return None;
    }
    for word in words(line) {
        let end = word.0 + word.1.len();
        if line[end..].trim_start().starts_with('(') {
            let head = &line[..word.0];
            let is_call = head.contains(['=', '.', '(']);
            return (!is_call).then_some(word.1);
        }
        before = word;
    }
    let _ = before;
    None
}

/// The width of a line's indentation.
pub(super) fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_of_several_languages_are_seen() {
        for (line, name) in [
            ("def run(self):", Some("run")),
            ("    def run(self):", Some("run")),
            ("export async function load(x: number) {", Some("load")),
            ("func (s *Server) Handle(w int) {", Some("Handle")),
            ("pub(crate) fn parse(text: &str) -> u8 {", Some("parse")),
            ("export const make = () => 1;", Some("make")),
            ("  async close(force) {", Some("close")),
            ("class Store extends Base {", Some("Store")),
            ("  if (ready(x)) {", None),
            ("  const local = 1;", None),
            ("  total = sum(x)", None),
            ("", None),
        ] {
            assert_eq!(defined_name(line), name, "{line}");
        }
    }

    #[test]
    fn only_whole_words_are_found() {
        assert_eq!(find_word("run_all(); run()", "run"), Some(11));
        assert_eq!(find_word("runner", "run"), None);
        assert_eq!(find_word("größe = über(run)", "run"), Some(16));
    }
}
