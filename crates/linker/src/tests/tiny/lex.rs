//! Words and signs of the tiny language.

/// A word, a number, a string without its quotes, or a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Word,
    Number,
    Text,
    Sign,
    End,
}

/// A token and its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token<'s> {
    pub(crate) kind: TokenKind,
    pub(crate) text: &'s str,
    pub(crate) at: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// Signs of two characters.
const LONG_SIGNS: [&str; 3] = ["->", "::", "**"];

/// Cuts a source into tokens; `#` begins a comment.
pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    let bytes = source.as_bytes();
    let mut out = Vec::new();
    let (mut at, mut line, mut line_start) = (0, 1, 0);
    while at < bytes.len() {
        let start = at;
        let kind = match bytes[at] {
            b'\n' => {
                at += 1;
                (line, line_start) = (line + 1, at);
                continue;
            }
            b' ' => {
                at += 1;
                continue;
            }
            b'#' => {
                at = source[at..].find('\n').map_or(bytes.len(), |end| at + end);
                continue;
            }
            b'"' => {
                let end = source[at + 1..].find('"').expect("a closing quote");
                at += end + 2;
                TokenKind::Text
            }
            b'0'..=b'9' => {
                at += count(bytes, at, |b| b.is_ascii_digit());
                TokenKind::Number
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                at += count(bytes, at, |b| b.is_ascii_alphanumeric() || b == b'_');
                TokenKind::Word
            }
            _ => {
                let long = source
                    .get(at..at + 2)
                    .is_some_and(|s| LONG_SIGNS.contains(&s));
                at += 1 + usize::from(long);
                TokenKind::Sign
            }
        };
        let text = match kind {
            TokenKind::Text => &source[start + 1..at - 1],
            _ => &source[start..at],
        };
        out.push(Token {
            kind,
            text,
            at: start as u32,
            line,
            column: (start - line_start) as u32,
        });
    }
    out.push(Token {
        kind: TokenKind::End,
        text: "",
        at: bytes.len() as u32,
        line,
        column: 0,
    });
    out
}

fn count(bytes: &[u8], from: usize, fits: impl Fn(u8) -> bool) -> usize {
    bytes[from..].iter().take_while(|b| fits(**b)).count()
}
