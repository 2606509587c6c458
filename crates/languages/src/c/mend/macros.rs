//! Macros around definitions, by the custom of names in capitals: `API_EXPORT int f(void)`, `class API Cache`, `int f() NOEXCEPT;`,
//! `BEGIN_NAMESPACE`. A grammar takes them for types, and the type for an error.

use crate::conditions::{Quotes, Stretch};

/// A word or a sign of code. Comments, texts and directives give none, but for the line that a directive ends.
#[derive(Clone, Copy)]
struct Token {
    from: usize,
    to: usize,
    /// The sign; 0 for a word, `"` for a text.
    sign: u8,
    /// Whether it is the first of its line.
    begins_line: bool,
}

/// Stretches to blank.
pub(super) fn find_blanks(text: &[u8]) -> Vec<Stretch> {
    let code = Code::read(text);
    let mut blanks = Vec::new();
    // The last token before the one at hand that stays.
    let mut before: Option<usize> = None;
    let mut at = 0;
    while at < code.tokens.len() {
        let next = code.after_arguments(at);
        if code.is_capitals(at) && code.is_decoration(at, before, next) {
            let last = code.tokens[next - 1];
            blanks.push((code.tokens[at].from, last.to));
            at = next;
            continue;
        }
        before = Some(at);
        at += 1;
    }
    blanks
}

struct Code<'t> {
    text: &'t [u8],
    tokens: Vec<Token>,
    /// For each opening parenthesis the token that closes it.
    closes: Vec<u32>,
}

/// Words of the language that a type, a statement or an operand may follow.
const KEYWORDS: [&[u8]; 32] = [
    b"auto",
    b"bool",
    b"case",
    b"char",
    b"const",
    b"constexpr",
    b"double",
    b"else",
    b"enum",
    b"explicit",
    b"extern",
    b"float",
    b"friend",
    b"goto",
    b"inline",
    b"int",
    b"long",
    b"mutable",
    b"new",
    b"operator",
    b"register",
    b"return",
    b"short",
    b"signed",
    b"static",
    b"struct",
    b"typedef",
    b"typename",
    b"union",
    b"unsigned",
    b"virtual",
    b"void",
];

/// Of those, the ones that a type may follow.
const SPECIFIERS: [&[u8]; 9] = [
    b"const",
    b"constexpr",
    b"explicit",
    b"extern",
    b"friend",
    b"inline",
    b"static",
    b"virtual",
    b"typedef",
];

impl Code<'_> {
    fn word(&self, at: usize) -> &[u8] {
        let token = self.tokens[at];
        match token.sign {
            0 => &self.text[token.from..token.to],
            _ => b"",
        }
    }

    fn sign(&self, at: usize) -> Option<u8> {
        self.tokens.get(at).map(|token| token.sign)
    }

    fn is_word(&self, at: usize) -> bool {
        self.sign(at) == Some(0)
    }

    fn is_keyword(&self, at: usize) -> bool {
        KEYWORDS.contains(&self.word(at))
    }

    /// Whether a word is written as macros are.
    fn is_capitals(&self, at: usize) -> bool {
        let word = self.word(at);
        let upper = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
        let letters = word.iter().filter(|byte| byte.is_ascii_uppercase()).count();
        letters >= 3 && word.iter().all(upper)
    }

    /// The token behind a word, or behind the parentheses that follow it.
    fn after_arguments(&self, at: usize) -> usize {
        match self.sign(at + 1) {
            Some(b'(') if self.is_word(at) => self.closes[at + 1] as usize + 1,
            _ => at + 1,
        }
    }

    /// Whether the macro at `at`, behind which `next` stands, only adds to what it stands beside.
    fn is_decoration(&self, at: usize, before: Option<usize>, next: usize) -> bool {
        self.leads(before, next)
            || self.is_in_head_of_type(before, next)
            || self.trails(before, next)
            || self.stands_alone(at, before, next)
    }

    /// `MACRO int f`.
    fn leads(&self, before: Option<usize>, next: usize) -> bool {
        let begins = before.is_none_or(|before| match self.tokens[before].sign {
            0 => SPECIFIERS.contains(&self.word(before)),
            sign => matches!(sign, b';' | b'{' | b'}' | b'>' | b':' | b']'),
        });
        let follows = self.sign(next + 1);
        // `int (*f)(void)`, `int (f)(void)`.
        let is_in_parentheses =
            follows == Some(b'(') && (self.is_keyword(next) || self.sign(next + 2) == Some(b'*'));
        begins
            && self.is_word(next)
            && (is_in_parentheses
                || follows.is_some_and(|sign| matches!(sign, 0 | b'*' | b'&' | b':' | b'<')))
    }

    /// `class MACRO A {`.
    fn is_in_head_of_type(&self, before: Option<usize>, next: usize) -> bool {
        let words: [&[u8]; 4] = [b"class", b"struct", b"union", b"enum"];
        let word = before.map_or(&b""[..], |before| self.word(before));
        let follows = self.sign(next + 1);
        let ends = match follows {
            Some(b'{' | b':' | b'<') => true,
            Some(b';') => word == b"class",
            Some(0) => self.word(next + 1) == b"final",
            _ => false,
        };
        words.contains(&word) && self.is_word(next) && ends
    }

    /// `int f() MACRO;`, `T x MACRO = 1;`.
    fn trails(&self, before: Option<usize>, next: usize) -> bool {
        let (Some(before), Some(sign)) = (before, self.sign(next)) else {
            return false;
        };
        match self.tokens[before].sign {
            b')' => matches!(sign, b';' | b'{') || self.is_word(next) && self.is_capitals(next),
            0 if !self.is_keyword(before) && before > 0 => {
                let type_stands_before = match self.tokens[before - 1].sign {
                    0 => !self.is_keyword(before - 1),
                    sign => matches!(sign, b'*' | b'&' | b'>'),
                };
                type_stands_before && matches!(sign, b';' | b'=')
            }
            _ => false,
        }
    }

    /// A line that is nothing but macros.
    fn stands_alone(&self, at: usize, before: Option<usize>, next: usize) -> bool {
        let begins = before.is_none_or(|b| matches!(self.tokens[b].sign, b';' | b'}'));
        let Some(token) = self.tokens.get(next) else {
            return begins && self.tokens[at].begins_line;
        };
        // `BOOL` on a line of its own is the type of the function below.
        let is_function = self.sign(next + 1) == Some(b'(') && !self.is_capitals(next);
        begins
            && self.tokens[at].begins_line
            && token.begins_line
            && (token.sign == b'}' || token.sign == 0 && !is_function)
    }

    fn read(text: &[u8]) -> Code<'_> {
        let mut code = Code {
            text,
            tokens: Vec::new(),
            closes: Vec::new(),
        };
        code.read_tokens();
        code.match_parentheses();
        code
    }

    fn match_parentheses(&mut self) {
        let end = self.tokens.len().saturating_sub(1) as u32;
        self.closes = vec![end; self.tokens.len()];
        let mut open = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            match token.sign {
                b'(' => open.push(at),
                b')' => {
                    if let Some(from) = open.pop() {
                        self.closes[from] = at as u32;
                    }
                }
                _ => {}
            }
        }
    }

    fn read_tokens(&mut self) {
        let text = self.text;
        let mut begins_line = true;
        let mut quotes = Quotes::default();
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let length = match rest[0] {
                b'\n' => {
                    begins_line = true;
                    1
                }
                byte if byte.is_ascii_whitespace() => 1,
                b'#' if begins_line => directive(rest),
                b'/' if rest.starts_with(b"//") => line(rest),
                b'/' if rest.starts_with(b"/*") => comment(rest),
                byte => {
                    let (length, sign) = match byte {
                        b'"' | b'\'' => (quotes.read(text, at, byte), b'"'),
                        byte if is_word_byte(byte) => (word(rest), 0),
                        byte => (1, byte),
                    };
                    self.tokens.push(Token {
                        from: at,
                        to: at + length,
                        sign,
                        begins_line,
                    });
                    begins_line = false;
                    length
                }
            };
            at += length;
        }
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

fn word(text: &[u8]) -> usize {
    let end = text.iter().position(|byte| !is_word_byte(*byte));
    end.unwrap_or(text.len())
}

fn line(text: &[u8]) -> usize {
    let end = text.iter().position(|byte| *byte == b'\n');
    end.unwrap_or(text.len())
}

/// A directive with the lines that go on with it.
fn directive(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let end = at + line(&text[at..]);
        let is_continued = text[at..end].trim_ascii_end().ends_with(b"\\");
        if !is_continued || end >= text.len() {
            return end;
        }
        at = end + 1;
    }
}

fn comment(text: &[u8]) -> usize {
    let end = text.windows(2).skip(2).position(|two| two == b"*/");
    end.map_or(text.len(), |end| end + 4)
}
