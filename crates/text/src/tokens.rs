//! Finds the words in source code and in prose.

use crate::cjk::is_cjk;

/// A token of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'t> {
    /// Letters, digits, `_` and `$`.
    Identifier(&'t str),
    /// Two adjacent characters of a script without spaces, or a single character without such a neighbour.
    Bigram(&'t str),
}

/// Calls `f` for every token of the text, in order.
pub fn tokens<'t>(text: &'t str, mut f: impl FnMut(Token<'t>)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let b = bytes[at];
        if is_name_byte(b) {
            let end = identifier_end(text, at);
            f(Token::Identifier(&text[at..end]));
            at = end;
            continue;
        }
        if b.is_ascii() {
            at += 1;
            continue;
        }
        let Some(c) = text[at..].chars().next() else {
            break;
        };
        if is_cjk(c) {
            at = bigrams(text, at, &mut f);
        } else if c.is_alphanumeric() {
            let end = identifier_end(text, at);
            f(Token::Identifier(&text[at..end]));
            at = end;
        } else {
            at += c.len_utf8();
        }
    }
}

/// For each byte, whether it can stand in names; every byte of every text is looked up.
const NAME_BYTES: [bool; 256] = {
    let mut table = [false; 256];
    let mut at = 0;
    while at < 128 {
        let b = at as u8;
        table[at] = b.is_ascii_alphanumeric() || b == b'_' || b == b'$';
        at += 1;
    }
    table
};

#[inline]
fn is_name_byte(b: u8) -> bool {
    NAME_BYTES[usize::from(b)]
}

#[inline]
fn identifier_end(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        if is_name_byte(bytes[at]) {
            at += 1;
            continue;
        }
        if bytes[at].is_ascii() {
            break;
        }
        match text[at..].chars().next() {
            Some(c) if c.is_alphanumeric() && !is_cjk(c) => at += c.len_utf8(),
            _ => break,
        }
    }
    at
}

fn bigrams<'t>(text: &'t str, from: usize, f: &mut impl FnMut(Token<'t>)) -> usize {
    let mut end = from;
    let mut before: Option<usize> = None;
    let mut count = 0;
    for c in text[from..].chars().take_while(|c| is_cjk(*c)) {
        let start = end;
        end += c.len_utf8();
        if let Some(before) = before {
            f(Token::Bigram(&text[before..end]));
        }
        before = Some(start);
        count += 1;
    }
    if count == 1 {
        f(Token::Bigram(&text[from..end]));
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_bigrams_in_order() {
        let mut all = Vec::new();
        tokens("$x = größe_max + 設定parse値;", |token| {
            all.push(token)
        });
        let expected = [
            Token::Identifier("$x"),
            Token::Identifier("größe_max"),
            Token::Bigram("設定"),
            Token::Identifier("parse"),
            Token::Bigram("値"),
        ];
        assert_eq!(all, expected);
    }
}
