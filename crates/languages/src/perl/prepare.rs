//! Sources of Perl without texts, patterns and here-documents. The grammar's scanner keeps a stack of open quotes, which
//! damaged sources make longer than the buffer for it. Names need no texts, so it never gets one.

use std::cell::Cell;

/// The text that stands in for quotes: a number.
const STAND_IN: u8 = b'1';

/// Most quotes without an end in a source. The rest is read as if there were no quotes.
const MOST_UNCLOSED: usize = 64;

/// The source with numbers instead of texts and patterns, and of the same length.
pub(super) fn prepare(source: &str) -> Option<String> {
    let mut reader = Reader {
        source: source.as_bytes(),
        out: source.as_bytes().to_vec(),
        at: 0,
        heredocs: Vec::new(),
        unclosed: Cell::new(0),
    };
    reader.read();
    String::from_utf8(reader.out).ok()
}

struct Reader<'s> {
    source: &'s [u8],
    out: Vec<u8>,
    at: usize,
    /// Words that end the here-documents that begin on the next line.
    heredocs: Vec<&'s [u8]>,
    /// Number of quotes that were never closed. The end of each is searched in the whole rest.
    unclosed: Cell<usize>,
}

impl<'s> Reader<'s> {
    fn read(&mut self) {
        while let Some(byte) = self.peek(0) {
            if self.is_at_line_start() && byte == b'=' && self.is_letter(1) {
                self.pass_over_pod();
                continue;
            }
            match byte {
                b'#' if self.before(1) != Some(b'$') => self.pass_over_comment(),
                b'"' | b'\'' | b'`' => self.quote(byte),
                b'/' => self.slash(),
                b'<' if self.source[self.at..].starts_with(b"<<") => self.heredoc(),
                b'\n' => {
                    self.at += 1;
                    self.skip_heredocs();
                }
                _ if is_word(byte) => self.word(),
                _ => self.at += 1,
            }
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.source.get(self.at + ahead).copied()
    }

    fn before(&self, back: usize) -> Option<u8> {
        self.source.get(self.at.checked_sub(back)?).copied()
    }

    fn is_letter(&self, ahead: usize) -> bool {
        self.peek(ahead)
            .is_some_and(|byte| byte.is_ascii_alphabetic())
    }

    fn is_at_line_start(&self) -> bool {
        self.before(1).is_none_or(|byte| byte == b'\n')
    }

    /// The byte after the line that a place is in.
    fn line_end(&self, at: usize) -> usize {
        let rest = self.source.get(at..).unwrap_or_default();
        let end = rest.iter().position(|byte| *byte == b'\n');
        end.map_or(self.source.len(), |end| at + end + 1)
    }

    fn pass_over_pod(&mut self) {
        loop {
            let end = self.line_end(self.at);
            let is_last = self.source[self.at..end].starts_with(b"=cut");
            self.blank_quotes(end);
            if is_last || self.at >= self.source.len() {
                return;
            }
        }
    }

    fn pass_over_comment(&mut self) {
        let end = self.line_end(self.at);
        let has_break = self.source[..end].ends_with(b"\n");
        self.blank_quotes(end - usize::from(has_break));
    }

    /// Goes to a place, without the quotes before it.
    fn blank_quotes(&mut self, end: usize) {
        for byte in &mut self.out[self.at..end] {
            if matches!(*byte, b'"' | b'\'' | b'`') {
                *byte = b' ';
            }
        }
        self.at = end;
    }

    /// Goes to a place, with a number instead of what is before it. Further lines are blank.
    fn stand_in(&mut self, end: usize) {
        let mut fill = STAND_IN;
        for byte in &mut self.out[self.at..end] {
            match *byte {
                b'\n' => fill = b' ',
                _ => *byte = fill,
            }
        }
        self.at = end;
    }

    /// A text in quotes. The quote is blanked if it is another sign: `$'`, `Package'name`.
    fn quote(&mut self, quote: u8) {
        let is_variable = self
            .before(1)
            .is_some_and(|byte| matches!(byte, b'$' | b'@'));
        let is_separator =
            quote == b'\'' && self.before(1).is_some_and(is_word) && self.is_letter(1);
        let end = self.close(self.at + 1, (quote, quote));
        match end {
            Some(end) if !is_variable && !is_separator => self.stand_in(end),
            _ => self.blank_quotes(self.at + 1),
        }
    }

    /// The byte after the sign that closes what was opened before a place.
    fn close(&self, from: usize, (open, close): (u8, u8)) -> Option<usize> {
        if self.unclosed.get() > MOST_UNCLOSED {
            return None;
        }
        let mut depth = 1;
        let mut at = from;
        while let Some(byte) = self.source.get(at).copied() {
            at += 1;
            match byte {
                b'\\' => at += 1,
                _ if byte == close => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ if byte == open => depth += 1,
                _ => {}
            }
        }
        self.unclosed.set(self.unclosed.get() + 1);
        None
    }

    /// A pattern on one line, or a division. The latter becomes another operator, so that no pattern begins there.
    fn slash(&mut self) {
        let before = self.source[..self.at].trim_ascii_end();
        let last = before.last().copied();
        let follows_value =
            last.is_some_and(|b| is_word(b) || matches!(b, b')' | b']' | b'}' | b'$'));
        let end = self.close(self.at + 1, (b'/', b'/'));
        let end = end.filter(|end| *end < self.line_end(self.at));
        match end {
            Some(end) if !follows_value || ends_with_keyword(before) => {
                self.stand_in(end);
                self.stand_in(self.flags_end());
            }
            _ if self.peek(1) == Some(b'/') => {
                self.out[self.at..self.at + 2].copy_from_slice(b"||");
                self.at += 2;
            }
            _ => {
                self.out[self.at] = b'*';
                self.at += 1;
            }
        }
    }

    fn flags_end(&self) -> usize {
        let rest = &self.source[self.at..];
        let flags = rest.iter().take_while(|byte| byte.is_ascii_lowercase());
        self.at + flags.count()
    }

    /// A word: an operator for quotes (`qw(a b)`, `s/a/b/`), or any other.
    fn word(&mut self) {
        let rest = &self.source[self.at..];
        let length = rest.iter().take_while(|byte| is_word(**byte)).count();
        let word = &rest[..length];
        let parts = match word {
            b"q" | b"qq" | b"qw" | b"qx" | b"qr" | b"m" => 1,
            b"s" | b"tr" | b"y" => 2,
            _ => 0,
        };
        let end = self
            .quoted_end(self.at + length, parts)
            .filter(|_| self.may_be_operator());
        match end {
            Some(end) => {
                self.stand_in(end);
                self.stand_in(self.flags_end());
            }
            None => self.at += length,
        }
    }

    /// Whether a word here is neither a variable nor a name (`$s`, `->s`, `sub s`).
    fn may_be_operator(&self) -> bool {
        let before = &self.source[..self.at];
        let is_variable = before
            .last()
            .is_some_and(|b| matches!(b, b'$' | b'@' | b'%' | b'&' | b':'));
        let before = before.trim_ascii_end();
        !(is_variable
            || before.ends_with(b"->")
            || before.ends_with(b"sub")
            || before.ends_with(b"package"))
    }

    /// The byte after the parts that follow an operator for quotes.
    fn quoted_end(&self, from: usize, parts: usize) -> Option<usize> {
        let mut at = from;
        let mut open = self.delimiter(&mut at, parts > 0)?;
        for part in 0..parts {
            let close = closing(open);
            at = self.close(at + 1, (open, close))?;
            if part + 1 < parts {
                if close != open {
                    open = self.delimiter(&mut at, true)?;
                } else {
                    at -= 1;
                }
            }
        }
        Some(at)
    }

    fn delimiter(&self, at: &mut usize, is_operator: bool) -> Option<u8> {
        let start = *at;
        while self.source.get(*at).is_some_and(u8::is_ascii_whitespace) {
            *at += 1;
        }
        let byte = self.source.get(*at).copied()?;
        let is_comment = byte == b'#' && *at > start;
        let may_be =
            byte.is_ascii_punctuation() && !matches!(byte, b'=' | b',' | b';' | b')' | b'}' | b'_');
        (is_operator && may_be && !is_comment).then_some(byte)
    }

    /// `<<"WORD"`, `<<~WORD`.
    fn heredoc(&mut self) {
        let rest = &self.source[self.at + 2..];
        let start = usize::from(rest.first() == Some(&b'~'));
        let quote = rest
            .get(start)
            .copied()
            .filter(|b| matches!(b, b'"' | b'\''));
        let start = start + usize::from(quote.is_some());
        let is_word_byte = |byte: &&u8| match quote {
            Some(quote) => **byte != quote && **byte != b'\n',
            None => is_word(**byte),
        };
        let length = rest
            .get(start..)
            .unwrap_or_default()
            .iter()
            .take_while(is_word_byte)
            .count();
        let word = &rest[start..start + length];
        if word.is_empty() || !word[0].is_ascii_alphabetic() {
            self.at += 2;
            return;
        }
        self.heredocs.push(word);
        let end = self.at + 2 + start + length + usize::from(quote.is_some());
        self.stand_in(end.min(self.source.len()));
    }

    /// Blanks the here-documents that begin here.
    fn skip_heredocs(&mut self) {
        for word in std::mem::take(&mut self.heredocs) {
            let mut at = self.at;
            while at < self.source.len() {
                let end = self.line_end(at);
                let is_last = self.source[at..end].trim_ascii() == word;
                at = end;
                if is_last {
                    break;
                }
            }
            for byte in self.out[self.at..at]
                .iter_mut()
                .filter(|byte| **byte != b'\n')
            {
                *byte = b' ';
            }
            self.at = at;
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn closing(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        other => other,
    }
}

/// Whether a text ends with a word after which a value begins.
fn ends_with_keyword(text: &[u8]) -> bool {
    const WORDS: [&[u8]; 12] = [
        b"split", b"grep", b"map", b"if", b"unless", b"and", b"or", b"not", b"return", b"x",
        b"while", b"join",
    ];
    let start = text.iter().rposition(|byte| !is_word(*byte));
    let word = &text[start.map_or(0, |at| at + 1)..];
    WORDS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::prepare;

    #[test]
    fn quotes_become_numbers() {
        for (source, expected) in [
            ("my $x = \"a'b\";", "my $x = 11111;"),
            ("s/a'/b/g; 1", "11111111; 1"),
            ("s{a} {b}x", "111111111"),
            ("qw(a (b) c)", "11111111111"),
            ("$a / 2 // 3", "$a * 2 || 3"),
            ("split /,/, $y", "split 111, $y"),
            ("# don't\n$h{s} = 1", "# don t\n$h{s} = 1"),
            (
                "print <<\"E\", 1;\n 'a\nE\nf()",
                "print 11111, 1;\n   \n \nf()",
            ),
            ("=head1 it's\n\n=cut\n'a'", "=head1 it s\n\n=cut\n111"),
            ("sub y { $_[0]->s }", "sub y { $_[0]->s }"),
            ("'", " "),
            ("'a\nb'", "11\n  "),
        ] {
            assert_eq!(prepare(source).as_deref(), Some(expected), "{source}");
        }
    }

    #[test]
    fn no_quote_is_left_and_no_byte_is_lost() {
        for source in [
            "'é",
            "s/é/",
            "q",
            "<<'",
            "<<~",
            "=a",
            "y\\",
            "m#",
            "\"\\",
            "\u{fffd}'\u{fffd}",
        ] {
            let text = prepare(source).unwrap();
            assert_eq!(text.len(), source.len(), "{source}");
            assert!(!text.contains(['"', '\'', '`']), "{source}: {text}");
        }
    }
}
