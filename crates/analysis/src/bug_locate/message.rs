//! Finds the string literal that a message comes from. The literal, with its placeholders, becomes a pattern.
//!
//! A literal is cut at its placeholders (`{}`, `{name}`, `%s`, `${x}`, `#{x}`) into fixed pieces, which must appear in the
//! message in that order.

use super::Gathering;

/// The most characters of `{…}`: a bound on work.
const LONGEST_BRACES: usize = 200;
/// The most bytes of `%…s`: a bound on work.
const LONGEST_PERCENT: usize = 40;
/// The least words of a line that is part of a text block.
const LEAST_BLOCK_WORDS: usize = 3;
/// Most bytes of a line that are searched.
const LONGEST: usize = 1_000;

/// A literal as a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// Fixed pieces, in order.
    pub pieces: Vec<String>,
    /// Whether any text may be between or beside them.
    pub has_placeholders: bool,
}

impl Pattern {
    /// The pattern of a literal, given as it stands between its quotes.
    pub fn new(literal: &str) -> Pattern {
        let mut reader = PatternPieces::default();
        let mut holes = false;
        let mut rest = literal;
        while let Some(c) = rest.chars().next() {
            rest = match parse_placeholder_or_escape(rest) {
                Some((length, plain)) => {
                    match plain {
                        Some(plain) => reader.piece.push(plain),
                        None => {
                            holes = true;
                            reader.finish_piece();
                        }
                    }
                    &rest[length..]
                }
                None => {
                    reader.piece.push(c);
                    &rest[c.len_utf8()..]
                }
            };
        }
        reader.finish_piece();
        Pattern {
            pieces: reader.pieces,
            has_placeholders: holes,
        }
    }

    /// Position of the pattern in the message. If there is none: position of the message, or of a part of it, in the pattern.
    pub fn find(&self, message: &str, tuning: &Gathering) -> Option<Match> {
        let found = self.find_in(message, tuning);
        found.or_else(|| self.find_message_in_pieces(message, tuning))
    }

    fn find_in(&self, message: &str, tuning: &Gathering) -> Option<Match> {
        let enough_letters = tuning.origin_letters;
        let mut at = 0;
        let mut fixed = 0;
        let mut start = None;
        let pieces = self.outlined_pieces();
        for piece in pieces.iter().copied() {
            // A pattern with a placeholder allows any text there; one without begins and ends with words.
            let found = match pieces.len() {
                1 if !self.has_placeholders => find_whole_word(&message[at..], piece),
                _ => message[at..].find(piece),
            };
            let Some(found) = found else {
                // A message may be cut where its line ends.
                let least = if start.is_some() {
                    enough_letters
                } else {
                    tuning.origin_cut * enough_letters
                };
                let piece = longest_prefix_at_end(piece, &message[at..], least)?;
                start.get_or_insert(message.len() - piece.len());
                at = message.len();
                fixed += count_alphanumerics(piece);
                break;
            };
            let from = at + found;
            start.get_or_insert(from);
            at = from + piece.len();
            fixed += count_alphanumerics(piece);
        }
        let texts = self.pieces.iter();
        let words: usize = texts.map(|piece| count_words(piece)).sum();
        // A single word is a name, unless the whole message is one word.
        let enough = if message.trim().contains(' ') { 2 } else { 1 };
        let says_enough = fixed >= enough_letters && words >= enough;
        says_enough.then_some(Match {
            fixed,
            from: start?,
            to: at,
        })
    }

    /// The pieces without the punctuation at both ends of the text: the printing code may add or drop it (`-ERR …\r\n`, a full
    /// stop).
    fn outlined_pieces(&self) -> Vec<&str> {
        let mark = |c: char| !c.is_alphanumeric();
        let last = self.pieces.len().saturating_sub(1);
        let pieces = self.pieces.iter().enumerate().map(|(at, piece)| {
            let piece = piece.trim();
            let piece = match (at, self.has_placeholders) {
                (0, _) => piece.trim_start_matches(mark),
                _ => piece,
            };
            if at == last && !self.has_placeholders {
                piece.trim_end_matches(mark)
            } else {
                piece
            }
        });
        pieces.filter(|piece| !piece.is_empty()).collect()
    }

    /// Matches a message that is shorter than the literal: people quote the part that they remember. It must have several
    /// words.
    fn find_message_in_pieces(&self, message: &str, tuning: &Gathering) -> Option<Match> {
        let mark = |c: char| !c.is_alphanumeric();
        let start = message.len() - message.trim_start_matches(mark).len();
        let quoted = message[start..].trim_end_matches(mark);
        let fixed = count_alphanumerics(quoted);
        let says_enough =
            fixed >= tuning.origin_part_letters && count_words(quoted) >= tuning.origin_part_words;
        let mut pieces = self.pieces.iter();
        let is_there = says_enough && pieces.any(|piece| find_whole_word(piece, quoted).is_some());
        is_there.then_some(Match {
            fixed,
            from: start,
            to: start + quoted.len(),
        })
    }
}

/// Words of more than a letter.
fn count_words(text: &str) -> usize {
    let words = text.split_whitespace();
    words.filter(|word| count_alphanumerics(word) > 1).count()
}

/// A place in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    /// Number of letters and digits that the pattern fixes.
    pub fixed: usize,
    /// First byte.
    pub from: usize,
    /// The byte after the last.
    pub to: usize,
}

impl Match {
    /// The share that the pattern makes up of its part of the message, 0-1. `outer: inner: cause` has three parts.
    pub fn share_of_message_part(&self, message: &str) -> f64 {
        let from = message[..self.from].rfind(": ").map_or(0, |at| at + 2);
        let own = message[self.from..self.to].trim_end_matches([':', ' ']);
        let end = self.from + own.len();
        let to = message[end..]
            .find(": ")
            .map_or(message.len(), |at| end + at);
        (self.fixed as f64 / count_alphanumerics(&message[from..to]).max(1) as f64).min(1.0)
    }
}

/// Byte position of a text in a message, not as a part of a longer word.
fn find_whole_word(message: &str, text: &str) -> Option<usize> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let (first, last) = (text.starts_with(part), text.ends_with(part));
    let mut found = message.match_indices(text).map(|(at, _)| at);
    found.find(|at| {
        let (before, after) = (&message[..*at], &message[at + text.len()..]);
        let within = (first && before.ends_with(part)) || (last && after.starts_with(part));
        !within
    })
}

/// The beginning of a piece with which the message ends, if it is long enough.
fn longest_prefix_at_end<'p>(piece: &'p str, message: &str, least: usize) -> Option<&'p str> {
    let ends = piece.char_indices().map(|(at, _)| at).rev();
    let begun = ends
        .map(|at| &piece[..at])
        .find(|begun| message.ends_with(begun))?;
    (count_alphanumerics(begun) >= least).then_some(begun)
}

/// Letters and digits of a text.
fn count_alphanumerics(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

#[derive(Default)]
struct PatternPieces {
    pieces: Vec<String>,
    piece: String,
}

impl PatternPieces {
    fn finish_piece(&mut self) {
        let piece = std::mem::take(&mut self.piece);
        if !piece.trim().is_empty() {
            self.pieces.push(piece);
        }
    }
}

/// The length of a placeholder at the beginning of the text, or of an escape with the character it stands for.
fn parse_placeholder_or_escape(text: &str) -> Option<(usize, Option<char>)> {
    let bytes = text.as_bytes();
    let second = bytes.get(1).copied();
    match (bytes.first()?, second) {
        (b'\\', Some(b'n' | b'r' | b't')) => Some((2, Some(' '))),
        (b'\\', Some(c)) if c.is_ascii_punctuation() => Some((2, Some(c as char))),
        (b'{', Some(b'{')) => Some((2, Some('{'))),
        (b'}', Some(b'}')) => Some((2, Some('}'))),
        (b'%', Some(b'%')) => Some((2, Some('%'))),
        (b'$' | b'#', Some(b'{')) => Some((brace_placeholder_len(&text[1..])? + 1, None)),
        (b'{', _) => Some((brace_placeholder_len(text)?, None)),
        (b'%', Some(_)) => percent_placeholder_len(text).map(|length| (length, None)),
        _ => None,
    }
}

/// The length of `{…}`, including nested ones.
fn brace_placeholder_len(text: &str) -> Option<usize> {
    let mut open = 0_usize;
    for (at, c) in text.char_indices().take(LONGEST_BRACES) {
        match c {
            '{' => open += 1,
            '}' => {
                open -= 1;
                if open == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The length of `%s`, `%-10.2f`, `%+v`, `%(name)s`.
fn percent_placeholder_len(text: &str) -> Option<usize> {
    let mut at = 1;
    let bytes = text.as_bytes();
    if bytes.get(1) == Some(&b'(') {
        at = text.find(')')? + 1;
    }
    while at < bytes.len()
        && at < LONGEST_PERCENT
        && matches!(
            bytes[at],
            b'0'..=b'9' | b'-' | b'+' | b'#' | b'.' | b'*' | b'$' | b'l' | b'z'
        )
    {
        at += 1;
    }
    let verb = *bytes.get(at)?;
    verb.is_ascii_alphabetic().then_some(at + 1)
}

/// The string literals of a line, without their quotes. If a literal begins before the line, its part here cannot be told from
/// code and is left out, unless the whole line is text.
pub fn find_string_literals(line: &str) -> Vec<&str> {
    let mut end = line.len().min(LONGEST);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    let line = &line[..end];
    let mut found = Vec::new();
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let quote = bytes[at];
        // An apostrophe within a word, or a lifetime.
        let in_word = quote == b'\''
            && at > 0
            && bytes[at - 1].is_ascii_alphanumeric()
            && !ends_with_string_prefix(&line[..at]);
        if !matches!(quote, b'"' | b'\'' | b'`') || in_word {
            at += 1;
            continue;
        }
        let from = at + 1;
        let mut to = from;
        while to < bytes.len() && bytes[to] != quote {
            to += if bytes[to] == b'\\' { 2 } else { 1 };
        }
        let closed = to < bytes.len();
        let to = to.min(bytes.len());
        if line.is_char_boundary(from)
            && line.is_char_boundary(to)
            && (closed || quote != b'\'')
            && to > from
        {
            found.push(&line[from..to]);
        }
        at = if closed || quote != b'\'' {
            to + 1
        } else {
            from
        };
    }
    if found.is_empty() && looks_like_text_block_line(line) {
        found.push(line.trim());
    }
    found
}

/// Whether the text ends in a prefix of Python's or Rust's strings.
fn ends_with_string_prefix(text: &str) -> bool {
    let word = text
        .rsplit(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    matches!(
        word,
        "f" | "r" | "b" | "u" | "F" | "R" | "B" | "rb" | "br" | "fr" | "rf"
    )
}

/// A line of a text block: words and no code, and no comment.
fn looks_like_text_block_line(line: &str) -> bool {
    let line = line.trim();
    let comment = ["//", "#", "*", "/*", "--", "<!--"]
        .iter()
        .any(|c| line.starts_with(c));
    let code = [';', '=', '('].iter().any(|c| line.ends_with(*c));
    !comment
        && !code
        && line.split_whitespace().count() >= LEAST_BLOCK_WORDS
        && !line.contains(" = ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, message: &str, expected: bool) {
        let found = find_string_literals(line).into_iter().any(|l| {
            Pattern::new(l)
                .find(message, &Gathering::default())
                .is_some()
        });
        assert_eq!(
            found,
            expected,
            "{line} / {message}: {:?}",
            find_string_literals(line)
        );
    }

    #[test]
    fn messages_of_every_kind_find_their_origin() {
        for (line, message) in [
            (
                r#"bail!("no such command: `{cmd}`");"#,
                "error: no such command: `buld`",
            ),
            (
                r#"format!("expected {} but got {:?}", a, b)"#,
                "expected 3 but got Some(4)",
            ),
            (
                r#"raise ValueError("Invalid URL %r: No scheme" % url)"#,
                "Invalid URL 'x': No scheme",
            ),
            (
                r#"msg = f"fixture '{name}' not found""#,
                "fixture 'db' not found",
            ),
            (
                r#"msg = f'cannot collect {x["a"]} here'"#,
                "cannot collect 1 here",
            ),
            (
                "throw new Error(`Project '${name}' does not exist.`);",
                "Error: Project 'a' does not exist.",
            ),
            (
                r#"return fmt.Errorf("opening WAL segment %d: %w", n, err)"#,
                "startup: opening WAL segment 12: no such file",
            ),
            (
                r#"return errors.Wrap(err, "read checkpoint")"#,
                "read checkpoint: invalid record",
            ),
            (r#"raise "unknown key #{key} given""#, "unknown key b given"),
            (
                r#""{0} is not {1}, but must be""#,
                "a is not b, but must be",
            ),
            (r#"die("say \"please\" first");"#, "say \"please\" first"),
            (
                r#"f"Unknown pytest.mark.{name} - is this a typo?  You can register ""#,
                "Unknown pytest.mark.slow - is this a typo?",
            ),
            (
                r#"sdsnew("-OOM command not allowed when used memory > 'maxmemory'.\r\n"));"#,
                "(error) OOM command not allowed when used memory > 'maxmemory'.",
            ),
            (
                r#"sdsnew("-OOM command not allowed when used memory > 'maxmemory'.\r\n"));"#,
                "OOM command not allowed when used memory",
            ),
            (
                r#"serverLog(LL_WARNING,"Can't chdir to '%s': %s","#,
                "Can't chdir to '/x': Permission denied",
            ),
            (
                "    the table is locked by another process",
                "the table is locked by another process",
            ),
        ] {
            check(line, message, true);
        }
    }

    #[test]
    fn other_literals_do_not_match() {
        for (line, message) in [
            (r#"x = "{}: {}""#, "anything: else"),
            (r#"x = "a""#, "a"),
            (r#"f("not found")"#, "found not"),
            ("// the table is locked", "the table is locked"),
            ("fn f<'a>(x: &'a str) -> &'a str {", "a str"),
            (r#"log("opened {} twice")"#, "opened x once"),
            (r#"self.kinds["blueprints"]"#, "url_for_blueprints_fails"),
            (r#"f("the tables are")"#, "the tables aren't there"),
            (r#"f("a list of tables that are locked")"#, "the tables"),
            (r#"f("-")"#, "a - b and c - d"),
            (
                r#"names = ["ConditionSet"]"#,
                "solving gives a ConditionSet here",
            ),
        ] {
            check(line, message, false);
        }
    }

    #[test]
    fn each_part_of_a_wrapped_message_has_its_own_origin() {
        let message = "opening storage failed: lock DB directory: busy";
        for (literal, share, from) in [
            ("opening storage failed: %w", 1.0, 0),
            ("lock DB directory: %w", 1.0, 24),
            ("storage failed", 13.0 / 20.0, 8),
        ] {
            let found = Pattern::new(literal)
                .find(message, &Gathering::default())
                .unwrap();
            assert!(
                (found.share_of_message_part(message) - share).abs() < 0.01,
                "{literal}: {}",
                found.share_of_message_part(message)
            );
            assert_eq!(found.from, from);
        }
    }

    #[test]
    fn any_line_is_survived() {
        for line in [
            "\"", "'\\", "`é\\", "%", "{", "${", "%(", "\"%(\"", "\"\\é\"", "{{}",
        ] {
            for literal in find_string_literals(line) {
                Pattern::new(literal);
            }
            Pattern::new(line);
        }
    }
}
