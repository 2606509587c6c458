//! Splits identifiers into words.

/// How digits in an identifier are split. The parts are counted and stored in indexes, so each use has its own rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Digits {
    /// A word of their own: `HTTPServer2` → HTTP, Server, 2. Code search.
    Apart,
    /// They end the word before them: `sha256Sum` → sha256, Sum. Naming conventions.
    EndWords,
    /// They belong to a word, and no word ends after them: `sha256Sum` is one word. Solution memory.
    JoinWords,
}

/// Calls `f` with the parts of an identifier, as slices of it: `getUserById` → get, User, By, Id; `HTTPServer` → HTTP,
/// Server; `snake_case` → snake, case.
pub fn parts<'t>(identifier: &'t str, digits: Digits, mut f: impl FnMut(&'t str)) {
    let mut start = None;
    let mut before: Option<char> = None;
    let mut chars = identifier.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if !c.is_alphanumeric() {
            if let Some(from) = start.take() {
                f(&identifier[from..at]);
            }
            before = None;
            continue;
        }
        let after = chars.peek().map(|(_, c)| *c);
        if let (Some(from), Some(b)) = (start, before)
            && is_border(digits, b, c, after)
        {
            f(&identifier[from..at]);
            start = Some(at);
        }
        start = start.or(Some(at));
        before = Some(c);
    }
    if let Some(from) = start {
        f(&identifier[from..]);
    }
}

/// Whether a word begins at `c`: from lower to upper case, before the last capital of a run (`HTTPServer`), and at
/// digits by the rule.
#[inline]
fn is_border(digits: Digits, before: char, c: char, after: Option<char>) -> bool {
    if !c.is_uppercase() {
        return digits == Digits::Apart && c.is_numeric() != before.is_numeric();
    }
    let ends_run = || after.is_some_and(char::is_lowercase);
    match digits {
        Digits::Apart => !before.is_uppercase() || ends_run(),
        Digits::EndWords => before.is_lowercase() || before.is_numeric() || ends_run(),
        Digits::JoinWords => before.is_lowercase() || before.is_uppercase() && ends_run(),
    }
}

/// Calls `f` with the byte at which each word but the first begins. The text must be one name without separators.
pub fn borders(name: &str, digits: Digits, mut f: impl FnMut(usize)) {
    let mut before: Option<char> = None;
    let mut chars = name.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map(|(_, c)| *c);
        if before.is_some_and(|b| is_border(digits, b, c, after)) {
            f(at);
        }
        before = Some(c);
    }
}

/// The parts in lower case, digits apart: `getUserById` → get, user, by, id; `snake_case-and.dots` → snake, case, and,
/// dots.
pub fn words(name: &str, into: &mut Vec<String>) {
    into.clear();
    parts(name, Digits::Apart, |part| {
        into.push(part.chars().flat_map(char::to_lowercase).collect());
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: &str) -> String {
        let mut all = Vec::new();
        words(name, &mut all);
        all.join(" ")
    }

    #[test]
    fn names_fall_into_words() {
        assert_eq!(shown("getUserById"), "get user by id");
        assert_eq!(shown("HTTPServer2"), "http server 2");
        assert_eq!(shown("parse_SCIP-index.rs"), "parse scip index rs");
        assert_eq!(shown("__init__"), "init");
        assert_eq!(shown("GrößeMAX"), "größe max");
        assert_eq!(shown(""), "");
    }

    #[test]
    fn borders_pass_over_what_is_no_letter() {
        let at = |name| {
            let mut all = Vec::new();
            borders(name, Digits::JoinWords, |at| all.push(at));
            all
        };
        assert_eq!(at("cafe\u{301}Au"), [0; 0]);
        assert_eq!(at("NullPointer"), [4]);
        assert_eq!(at("a@Bc"), [0; 0]);
    }

    #[test]
    fn digits_are_what_the_rule_says() {
        let shown = |name, digits| {
            let mut all = Vec::new();
            parts(name, digits, |part| all.push(part));
            all.join(" ")
        };
        for (name, apart, end, join) in [
            ("sha256Sum", "sha 256 Sum", "sha256 Sum", "sha256Sum"),
            (
                "HTTP2Server",
                "HTTP 2 Server",
                "HTTP2 Server",
                "HTTP2Server",
            ),
            ("ABC", "ABC", "ABC", "ABC"),
            ("v2_alpha", "v 2 alpha", "v2 alpha", "v2 alpha"),
            ("HTTPServer", "HTTP Server", "HTTP Server", "HTTP Server"),
        ] {
            assert_eq!(shown(name, Digits::Apart), apart);
            assert_eq!(shown(name, Digits::EndWords), end);
            assert_eq!(shown(name, Digits::JoinWords), join);
        }
    }
}
