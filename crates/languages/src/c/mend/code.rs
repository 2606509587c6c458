//! The tokens of a C source with their context.

use crate::conditions::Quotes;
use rustc_hash::FxHashSet;

/// A word or a symbol of code. Comments, strings and directives are not tokens, but a directive ends the line.
#[derive(Clone, Copy)]
pub(super) struct Token {
    pub(super) from: usize,
    pub(super) to: usize,
    /// The symbol; 0 for a word, `"` for a string.
    pub(super) sign: u8,
    /// Whether it is the first of its line.
    pub(super) begins_line: bool,
    /// Number of bytes before the first token of its line.
    pub(super) indent: u32,
}

/// The kind of braces around a token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BraceKind {
    File,
    Type,
    Enum,
    Body,
    Values,
}

/// The context of a token.
#[derive(Clone, Copy)]
pub(super) struct TokenContext {
    pub(super) around: BraceKind,
    /// Number of open parentheses since the innermost brace.
    pub(super) parens: u32,
    /// Whether a statement or a declaration begins with it.
    pub(super) begins: bool,
}

/// The tokens of a text.
pub(super) struct Code<'t> {
    pub(super) text: &'t [u8],
    pub(super) tokens: Vec<Token>,
    /// For each opening parenthesis the token that closes it, and vice versa.
    pub(super) closes: Vec<u32>,
    /// Macros without parameters that the file defines.
    known: FxHashSet<&'t [u8]>,
    /// Classes that the file defines or declares.
    types: FxHashSet<&'t [u8]>,
    /// Whether words that are macros only in C count as macros.
    pub(super) is_c: bool,
}

/// Keywords that a type, a statement or an operand may follow.
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

/// Keywords that are types.
const BUILT_IN_TYPES: [&[u8]; 10] = [
    b"bool",
    b"char",
    b"double",
    b"float",
    b"int",
    b"long",
    b"short",
    b"signed",
    b"unsigned",
    b"void",
];

/// Keywords that a type may follow.
pub(super) const SPECIFIERS: [&[u8]; 9] = [
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

impl<'t> Code<'t> {
    pub(super) fn word(&self, at: usize) -> &[u8] {
        let token = self.tokens[at];
        match token.sign {
            0 => &self.text[token.from..token.to],
            _ => b"",
        }
    }

    pub(super) fn sign(&self, at: usize) -> Option<u8> {
        self.tokens.get(at).map(|token| token.sign)
    }

    pub(super) fn is_word(&self, at: usize) -> bool {
        self.sign(at) == Some(0)
    }

    pub(super) fn is_keyword(&self, at: usize) -> bool {
        KEYWORDS.contains(&self.word(at))
    }

    /// Whether a word is in capitals like a macro.
    pub(super) fn is_capitals(&self, at: usize) -> bool {
        let word = self.word(at);
        let upper = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
        let letters = word.iter().filter(|byte| byte.is_ascii_uppercase()).count();
        letters >= 3 && word.iter().all(upper)
    }

    /// Whether a word is a macro, as far as the file shows: capitals, `__word`, `_Word_`, or defined in the file.
    pub(super) fn is_macro(&self, at: usize) -> bool {
        let word = self.word(at);
        let is_marked = word.starts_with(b"__") || word.starts_with(b"_") && word.ends_with(b"_");
        self.is_capitals(at)
            || self.is_c
                && (is_marked && !is_built_in(word) || self.known.contains(word))
                && !word.is_empty()
    }

    /// Whether a word is a built-in type.
    pub(super) fn is_built_in_type(&self, at: usize) -> bool {
        BUILT_IN_TYPES.contains(&self.word(at))
    }

    /// The context of every token.
    pub(super) fn places(&self) -> Vec<TokenContext> {
        let mut open = vec![(BraceKind::File, 0)];
        let mut head = None;
        let mut out = Vec::with_capacity(self.tokens.len());
        for at in 0..self.tokens.len() {
            let (around, parens) = open.last().copied().unwrap_or((BraceKind::File, 0));
            out.push(TokenContext {
                around,
                parens,
                begins: parens == 0 && self.begins_statement(at),
            });
            let depth = open.len();
            let innermost = &mut open[depth - 1].1;
            match self.tokens[at].sign {
                0 if head != Some(BraceKind::Values) => match self.word(at) {
                    b"struct" | b"union" => head = Some(BraceKind::Type),
                    b"enum" => head = Some(BraceKind::Enum),
                    _ => {}
                },
                b'(' => *innermost += 1,
                b')' => {
                    *innermost = innermost.saturating_sub(1);
                    if *innermost == 0 && head != Some(BraceKind::Values) {
                        head = Some(BraceKind::Body);
                    }
                }
                b'=' if parens == 0 => head = Some(BraceKind::Values),
                b';' | b',' if parens == 0 => head = None,
                b'{' => {
                    open.push((self.opened(at, around, parens, head), 0));
                    head = None;
                }
                b'}' => {
                    if depth > 1 {
                        open.pop();
                    }
                    head = None;
                }
                _ => {}
            }
        }
        out
    }

    /// The kind of a brace.
    fn opened(
        &self,
        at: usize,
        around: BraceKind,
        parens: u32,
        head: Option<BraceKind>,
    ) -> BraceKind {
        let before = at.checked_sub(1).and_then(|before| self.sign(before));
        match (before, head) {
            (Some(b'('), _) => BraceKind::Body,
            _ if parens > 0 || around == BraceKind::Values => BraceKind::Values,
            (_, Some(head)) => head,
            (Some(b'"'), None) => around,
            (_, None) if around == BraceKind::Type => BraceKind::Type,
            (_, None) => BraceKind::Body,
        }
    }

    /// Whether the token before ends a statement, or is the head of a statement.
    fn begins_statement(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return true;
        };
        match self.tokens[before].sign {
            0 => matches!(self.word(before), b"else" | b"do"),
            b')' => {
                let open = self.closes[before] as usize;
                let word = open.checked_sub(1).map_or(&b""[..], |at| self.word(at));
                open < before && matches!(word, b"if" | b"for" | b"while" | b"switch")
            }
            sign => matches!(sign, b';' | b'{' | b'}' | b':'),
        }
    }

    /// The token after a word, or after its arguments in parentheses.
    pub(super) fn after_arguments(&self, at: usize) -> usize {
        match self.sign(at + 1) {
            Some(b'(') if self.is_word(at) => self.closes[at + 1] as usize + 1,
            _ => at + 1,
        }
    }

    pub(super) fn read(text: &'t [u8], is_c: bool) -> Code<'t> {
        let mut code = Code {
            text,
            tokens: Vec::new(),
            closes: Vec::new(),
            known: FxHashSet::default(),
            types: FxHashSet::default(),
            is_c,
        };
        code.read_tokens();
        code.match_parentheses();
        if !is_c {
            code.read_types();
        }
        code
    }

    fn read_types(&mut self) {
        let text = self.text;
        let words: Vec<&'t [u8]> = self
            .tokens
            .iter()
            .map(|token| match token.sign {
                0 => &text[token.from..token.to],
                _ => &b""[..],
            })
            .collect();
        for (at, word) in words.iter().enumerate() {
            if !matches!(*word, b"class" | b"struct" | b"union") {
                continue;
            }
            // A macro may stand before the name.
            let named = words[at + 1..]
                .iter()
                .take(2)
                .take_while(|word| !word.is_empty());
            self.types.extend(named);
        }
    }

    /// Whether a word is the name of a class that the file defines or declares.
    pub(super) fn is_class(&self, at: usize) -> bool {
        self.types.contains(self.word(at))
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
                        self.closes[at] = from as u32;
                    }
                }
                _ => {}
            }
        }
    }

    fn read_tokens(&mut self) {
        let text = self.text;
        let mut begins_line = true;
        let (mut line_start, mut indent) = (0, 0);
        let mut quotes = Quotes::default();
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let length = match rest[0] {
                b'\n' => {
                    begins_line = true;
                    line_start = at + 1;
                    1
                }
                byte if byte.is_ascii_whitespace() => 1,
                b'#' if begins_line => {
                    let length = directive(rest);
                    self.known.extend(defined(&rest[..length]));
                    length
                }
                b'/' if rest.starts_with(b"//") => line(rest),
                b'/' if rest.starts_with(b"/*") => comment(rest),
                byte => {
                    let (length, sign) = match byte {
                        b'"' | b'\'' => (quotes.read(text, at, byte), b'"'),
                        byte if is_word_byte(byte) => (word(rest), 0),
                        byte => (1, byte),
                    };
                    if begins_line {
                        indent = (at - line_start) as u32;
                    }
                    self.tokens.push(Token {
                        from: at,
                        to: at + length,
                        sign,
                        begins_line,
                        indent,
                    });
                    begins_line = false;
                    length
                }
            };
            at += length;
        }
    }
}

/// The macro without parameters that a directive defines.
fn defined(directive: &[u8]) -> Option<&[u8]> {
    let rest = directive.strip_prefix(b"#")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"define")?;
    let name = rest.trim_ascii_start();
    let (name, after) = name.split_at(word(name));
    (!name.is_empty() && name.len() < rest.len() && !after.starts_with(b"(")).then_some(name)
}

/// Whether a word with underscores is known to the grammar, or is a type of compilers.
fn is_built_in(word: &[u8]) -> bool {
    const WORDS: [&[u8]; 24] = [
        b"__attribute__",
        b"__attribute",
        b"__asm__",
        b"__asm",
        b"__declspec",
        b"__typeof__",
        b"__typeof",
        b"__extension__",
        b"__inline__",
        b"__inline",
        b"__forceinline",
        b"__restrict__",
        b"__restrict",
        b"__volatile__",
        b"__thread",
        b"__alignof__",
        b"__alignof",
        b"__based",
        b"__cdecl",
        b"__stdcall",
        b"__fastcall",
        b"__try",
        b"__except",
        b"__func__",
    ];
    let is_type =
        word.ends_with(b"_t") || word.starts_with(b"__int") || word.starts_with(b"__float");
    is_type || WORDS.contains(&word) || word.starts_with(b"__builtin_")
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

/// Length of a directive with its continuation lines.
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
