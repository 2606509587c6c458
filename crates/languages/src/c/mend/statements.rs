//! Macro calls that the C grammar misreads: loops, statements without `;`, types and operators among arguments, macros
//! that stand for a list of fields or constants, and heads of functions.
//!
//! A loop gets a loop keyword, a statement its `;`. Text that is only skipped is blanked with [`PASSED`], so that the
//! walk over the tree can find the calls in it.

use super::PASSED;
use super::code::{BraceKind, Code, SPECIFIERS, TokenContext};

/// A range of the text and its replacement. The replacement is padded with blanks.
pub(super) struct Edit {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) with: &'static [u8],
    pub(super) fill: u8,
}

/// Words before parentheses that are not macros.
const RESERVED: [&[u8]; 28] = [
    b"if",
    b"for",
    b"while",
    b"switch",
    b"return",
    b"sizeof",
    b"typeof",
    b"__typeof__",
    b"__typeof",
    b"case",
    b"do",
    b"else",
    b"defined",
    b"__attribute__",
    b"__attribute",
    b"__declspec",
    b"__asm__",
    b"__asm",
    b"asm",
    b"volatile",
    b"__volatile__",
    b"_Alignas",
    b"alignas",
    b"_Alignof",
    b"alignof",
    b"_Atomic",
    b"_Generic",
    b"offsetof",
];

/// Whether a type begins with this word.
fn begins_type(code: &Code<'_>, at: usize) -> bool {
    let begins = |word: &[u8]| {
        matches!(
            word,
            b"struct" | b"union" | b"enum" | b"const" | b"volatile"
        )
    };
    code.is_built_in_type(at) || begins(code.word(at))
}

/// The edits to make.
pub(super) fn find_edits(text: &[u8]) -> Vec<Edit> {
    let code = Code::read(text, true);
    let mut finder = Finder {
        places: code.places(),
        code,
        edits: Vec::new(),
        begins: usize::MAX,
        done: 0,
    };
    for at in 0..finder.code.tokens.len() {
        // A range is skipped only once.
        if at >= finder.done {
            finder.visit(at);
        }
    }
    finder.edits
}

struct Finder<'t> {
    code: Code<'t>,
    places: Vec<TokenContext>,
    edits: Vec<Edit>,
    /// A token that begins a statement because a loop comes before it.
    begins: usize,
    /// The token after the last skipped range.
    done: usize,
}

impl Finder<'_> {
    fn visit(&mut self, at: usize) {
        let code = &self.code;
        if !code.is_word(at) || code.sign(at + 1) != Some(b'(') || RESERVED.contains(&code.word(at))
        {
            return;
        }
        let close = code.closes[at + 1] as usize;
        if close <= at + 1 || code.sign(close) != Some(b')') {
            return;
        }
        let place = self.places[at];
        let begins = place.begins || at == self.begins;
        match place.around {
            BraceKind::Body if begins && self.mend_statement(at, close) => return,
            BraceKind::File | BraceKind::Type
                if place.parens == 0 && self.mend_declaration(at, close) =>
            {
                return;
            }
            BraceKind::Enum | BraceKind::Values if place.parens == 0 => {
                self.blank_element(at, close)
            }
            _ => {}
        }
        if at < self.done {
            return;
        }
        if self.is_beside_text(at, close) {
            self.pass(at, close);
            return;
        }
        self.mend_arguments(at, close);
    }

    /// Blanks a range of tokens, and marks it as skipped.
    fn pass(&mut self, first: usize, last: usize) {
        let (from, to) = (self.code.tokens[first].from, self.code.tokens[last].to);
        self.done = self.done.max(last + 1);
        self.edits.push(Edit {
            from,
            to,
            with: b"",
            fill: PASSED,
        });
    }

    /// Replaces the text of some tokens.
    fn put(&mut self, first: usize, last: usize, with: &'static [u8]) {
        let (from, to) = (self.code.tokens[first].from, self.code.tokens[last].to);
        self.edits.push(Edit {
            from,
            to,
            with,
            fill: b' ',
        });
    }

    /// `W(a, b) statement`, `W(a)` without `;`. Returns whether the argument is a type, which then stays.
    fn mend_statement(&mut self, at: usize, close: usize) -> bool {
        let code = &self.code;
        let next = close + 1;
        let (here, Some(there)) = (code.tokens[at], code.tokens.get(next)) else {
            return false;
        };
        let is_loop = match there.sign {
            b'{' => true,
            b'}' => false,
            0 if code.word(next) == b"else" => false,
            0 if self.is_declared(next) => {
                self.keep_last_argument(at, close);
                return true;
            }
            0 => !(there.begins_line && there.indent <= here.indent),
            _ => return false,
        };
        let word: &[u8] = match here.to - here.from {
            5.. => b"while",
            2.. => b"if",
            _ => b"",
        };
        if is_loop && close > at + 2 && !word.is_empty() {
            self.put(at, at, word);
            self.begins = next;
        } else if let Some(blank) = self.blank_behind(close) {
            self.edits.push(Edit {
                from: blank,
                to: blank + 1,
                with: b";",
                fill: b' ',
            });
            self.begins = next;
        } else {
            self.pass(at, close);
        }
        false
    }

    /// Whether a declared name stands here.
    fn is_declared(&self, at: usize) -> bool {
        matches!(self.code.sign(at + 1), Some(b';' | b',' | b'['))
            && !matches!(self.code.word(at), b"break" | b"continue" | b"return")
    }

    /// The position of a blank after a token and before the next one.
    fn blank_behind(&self, at: usize) -> Option<usize> {
        let text = self.code.text;
        let from = self.code.tokens[at].to;
        let length = text[from..].iter().take_while(|b| b.is_ascii_whitespace());
        let to = from + length.count();
        // A directive needs a line of its own.
        let is_directive = text.get(to) == Some(&b'#');
        let blank = (from..to).find(|at| matches!(text[*at], b' ' | b'\t'))?;
        let on_line = !text[from..blank].contains(&b'\n');
        (on_line || !is_directive).then_some(blank)
    }

    /// Mends a macro call outside of functions. Returns whether all of it has been handled.
    fn mend_declaration(&mut self, at: usize, close: usize) -> bool {
        let code = &self.code;
        let next = close + 1;
        let place = self.places[at];
        let before = at.checked_sub(1);
        let is_specified = before.is_some_and(|before| SPECIFIERS.contains(&code.word(before)));
        let follows = code.sign(next);
        // `BEGIN_DECLS` on a line of its own, with a declaration below.
        let is_below_macro =
            before.is_some_and(|before| code.is_capitals(before)) && code.tokens[at].begins_line;
        if !(place.begins || is_specified || is_below_macro) {
            let is_typed = before.is_some_and(|b| code.is_word(b) || code.sign(b) == Some(b'*'));
            let first = code.tokens[at + 2];
            let is_number = first.sign == b'"' || code.text[first.from].is_ascii_digit();
            let heads_function = code.is_word(next) && code.sign(next + 1) == Some(b'(');
            if is_typed && heads_function && (is_number || code.is_macro(at)) {
                self.pass(at, close);
                return true;
            }
            return false;
        }
        if self.wraps_function(at, close) {
            self.pass(at, at + 1);
            self.pass(close, close);
            return true;
        }
        let is_given = matches!(code.sign(next + 1), Some(b';' | b',' | b'[' | b'='));
        if code.is_word(next) && is_given {
            self.keep_last_argument(at, close);
            return false;
        }
        match (place.around, follows) {
            (BraceKind::File, Some(b'{')) => self.blank_all_but_names(at, close),
            (BraceKind::Type, Some(b';')) => self.pass(at, next),
            (BraceKind::Type, Some(b'}')) => self.pass(at, close),
            (BraceKind::Type, Some(0)) if code.tokens[next].begins_line => self.pass(at, close),
            (BraceKind::File, Some(0)) if self.stands_alone(at, next) => self.pass(at, close),
            (BraceKind::File, None | Some(b'}')) => self.pass(at, close),
            _ => return false,
        }
        place.around == BraceKind::Type || follows != Some(b'{')
    }

    /// Whether a call outside of functions ends with its line.
    fn stands_alone(&self, at: usize, next: usize) -> bool {
        let code = &self.code;
        let is_line = code.tokens[next].begins_line && code.tokens[at].begins_line;
        // `EXPORT(int)` may be the type of the function below, and `f(a)` the head of an old-style function.
        let is_call = code.sign(next + 1) == Some(b'(');
        let is_alike = code.word(next) == code.word(at);
        let is_new = matches!(
            code.word(next),
            b"static" | b"extern" | b"typedef" | b"inline"
        );
        is_line && (is_alike || is_new || code.is_macro(at) && (!is_call || code.is_macro(next)))
    }

    /// `W(static int f(int a)) {`.
    fn wraps_function(&self, at: usize, close: usize) -> bool {
        let code = &self.code;
        if code.sign(close - 1) != Some(b')') || !matches!(code.sign(close + 1), Some(b'{' | b';'))
        {
            return false;
        }
        let open = code.closes[close - 1] as usize;
        let name = open.wrapping_sub(1);
        open > at + 3
            && code.is_word(name)
            && (code.is_word(name - 1) || code.sign(name - 1) == Some(b'*'))
            && code.is_word(at + 2)
            && (at + 2..name).all(|at| code.is_word(at) || code.sign(at) == Some(b'*'))
    }

    /// `W(a, 3) {` is the head of a function. The grammar accepts only names there, so all other arguments are blanked.
    fn blank_all_but_names(&mut self, at: usize, close: usize) {
        let mut blanks = Vec::new();
        self.each_argument(at, close, |code, from, to| {
            let is_name =
                |at: usize| code.is_word(at) && !code.text[code.tokens[at].from].is_ascii_digit();
            let is_kept =
                from < to && (from..to).all(|at| is_name(at) || code.sign(at) == Some(b'*'));
            if !is_kept {
                let from = if from == at + 2 { from } else { from - 1 };
                let to = if from == at + 2 && to < close {
                    to + 1
                } else {
                    to
                };
                blanks.push((from, to));
            }
        });
        for (from, to) in blanks {
            if from < to {
                self.put(from, to - 1, b"");
            }
        }
    }

    /// `W(a, b) x;` is a type. The grammar accepts only one argument there, so the last one is kept if it can be a type.
    fn keep_last_argument(&mut self, at: usize, close: usize) {
        let mut all = Vec::new();
        self.each_argument(at, close, |code, from, to| {
            all.push((
                from,
                to,
                (from..to).all(|at| code.is_word(at) || code.sign(at) == Some(b'*')),
            ));
        });
        let kept = all.iter().rfind(|(from, to, _)| from < to).copied();
        let Some((from, to, true)) = kept.filter(|_| all.len() > 1) else {
            return;
        };
        if from > at + 2 {
            self.put(at + 2, from - 1, b"");
        }
        if to < close {
            self.put(to, close - 1, b"");
        }
    }

    /// Blanks `W(X)` in a list of constants or values. Such a macro stands for some of them.
    fn blank_element(&mut self, at: usize, close: usize) {
        let code = &self.code;
        let next = close + 1;
        let begins = at
            .checked_sub(1)
            .is_some_and(|before| match code.sign(before) {
                Some(b')') => code.tokens[at].begins_line,
                sign => matches!(sign, Some(b'{' | b',')),
            });
        let is_enum = self.places[at].around == BraceKind::Enum;
        match code.sign(next) {
            Some(0 | b'{' | b'[' | b'.') if begins => self.pass(at, close),
            Some(b'}') if begins && is_enum => self.pass(at, close),
            Some(b',') if begins && is_enum => self.pass(at, next),
            _ => {}
        }
    }

    /// `"a" W(b) "c"`.
    fn is_beside_text(&self, at: usize, close: usize) -> bool {
        let is_text = |at: usize| {
            let token = self.code.tokens.get(at);
            token.is_some_and(|token| self.code.text[token.from] == b'"')
        };
        at > 0 && is_text(at - 1) || is_text(close + 1)
    }

    /// Mends types and operators among the arguments of a call.
    fn mend_arguments(&mut self, at: usize, close: usize) {
        let code = &self.code;
        let before = at.checked_sub(1);
        let is_declared = before.is_some_and(|b| {
            let is_operand = matches!(code.word(b), b"return" | b"case" | b"else" | b"do");
            let is_behind_type = code.sign(b) == Some(b')')
                && (code.closes[b] as usize)
                    .checked_sub(1)
                    .is_some_and(|wrapper| code.is_around_type(wrapper, at));
            code.is_word(b) && !is_operand || code.sign(b) == Some(b'*') || is_behind_type
        });
        let place = self.places[at];
        let is_outside = matches!(place.around, BraceKind::File | BraceKind::Type);
        if is_declared || is_outside && place.parens == 0 && code.sign(close + 1) != Some(b';') {
            return;
        }
        let mut found = Vec::new();
        self.each_argument(at, close, |code, from, to| {
            let is_type = code.is_word(from)
                && from < to
                && (begins_type(code, from) || code.sign(to - 1) == Some(b'*'))
                && (from..to).all(|at| code.is_word(at) || code.sign(at) == Some(b'*'));
            let is_operator =
                |at: usize| matches!(code.sign(at), Some(sign) if b"<>=!+-*/%&|^".contains(&sign));
            let is_sign = (1..=2).contains(&to.saturating_sub(from)) && (from..to).all(is_operator);
            if is_type || is_sign && from > at + 2 {
                found.push((from, to - 1));
            }
        });
        for (from, to) in found {
            self.put(from, to, b"0");
        }
    }

    /// Calls `read` with the first token of each argument and the token after its last.
    fn each_argument(
        &self,
        at: usize,
        close: usize,
        mut read: impl FnMut(&Code<'_>, usize, usize),
    ) {
        let code = &self.code;
        let mut from = at + 2;
        let mut next = from;
        while next < close {
            match code.sign(next) {
                Some(b'(') => next = (code.closes[next] as usize).max(next),
                Some(b',') => {
                    read(code, from, next);
                    from = next + 1;
                }
                _ => {}
            }
            next += 1;
        }
        read(code, from, close);
    }
}
