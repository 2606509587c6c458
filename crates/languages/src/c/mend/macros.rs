//! Macros around definitions, recognized by names in capitals: `API_EXPORT int f(void)`, `class API Cache`,
//! `int f() NOEXCEPT;`, `BEGIN_NAMESPACE`, `API(int) f(void)`. A grammar would read the macro as a type, and report the
//! type as an error.

use super::code::{BraceKind, Code, SPECIFIERS, TokenContext};
use crate::conditions::Stretch;

/// The ranges to blank.
pub(super) fn find_blanks(text: &[u8], is_c: bool) -> Vec<Stretch> {
    let code = Code::read(text, is_c);
    let places = if is_c { code.places() } else { Vec::new() };
    let mut blanks = Vec::new();
    // The last token before the current one that is not blanked.
    let mut before: Option<usize> = None;
    let mut at = 0;
    while at < code.tokens.len() {
        let next = code.after_arguments(at);
        let place = places.get(at);
        if code.is_macro(at) && code.is_decoration(at, before, next, place) {
            let last = code.tokens[next - 1];
            blanks.push((code.tokens[at].from, last.to));
            at = next;
            continue;
        }
        if code.wraps_type(at, before, next) {
            let close = code.tokens[next - 1];
            blanks.push((code.tokens[at].from, code.tokens[at + 1].to));
            blanks.push((close.from, close.to));
            before = Some(next - 1);
            at = next;
            continue;
        }
        before = Some(at);
        at += 1;
    }
    blanks
}

/// Whether a macro stands in the head of a class.
pub(super) fn is_in_head(text: &[u8]) -> bool {
    let code = Code::read(text, false);
    (1..code.tokens.len()).any(|at| {
        let (before, next) = (Some(at - 1), code.after_arguments(at));
        code.is_capitals(at)
            && (code.is_in_head_of_type(before, next) || code.is_behind_type(before, next))
    })
}

impl Code<'_> {
    /// Whether the macro is the only token on its line.
    pub(super) fn stands_on_line(&self, at: usize) -> bool {
        self.tokens[at].begins_line && self.tokens.get(at + 1).is_none_or(|next| next.begins_line)
    }

    /// Whether the macro at `at`, followed by `next`, only decorates the code beside it.
    fn is_decoration(
        &self,
        at: usize,
        before: Option<usize>,
        next: usize,
        place: Option<&TokenContext>,
    ) -> bool {
        place.is_some_and(|place| self.is_beside_declarator(at, before, next, place))
            || self.leads(before, next)
            || self.is_in_head_of_type(before, next)
            || self.is_behind_type(before, next)
            || self.trails(before, next)
            || self.stands_alone(at, before, next)
    }

    /// `MACRO(int) f(void);`, where the macro surrounds the type of a function.
    fn wraps_type(&self, at: usize, before: Option<usize>, next: usize) -> bool {
        let begins = before.is_none_or(|before| match self.tokens[before].sign {
            0 => SPECIFIERS.contains(&self.word(before)),
            sign => matches!(sign, b';' | b'{' | b'}'),
        });
        begins && self.is_around_type(at, next)
    }

    /// Whether the macro surrounds the type of a function, at any place. `next` follows the closing parenthesis.
    pub(super) fn is_around_type(&self, at: usize, next: usize) -> bool {
        if !self.is_capitals(at) || next < at + 4 {
            return false;
        }
        let inside = at + 2..next - 1;
        let is_type = inside.clone().any(|part| {
            let word = self.word(part);
            self.is_keyword(part) || word.ends_with(b"_t") || self.sign(part) == Some(b'*')
        });
        is_type
            && inside
                .clone()
                .all(|part| matches!(self.sign(part), Some(0 | b'*')))
            && self.is_word(next)
            && self.sign(next + 1) == Some(b'(')
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
        if begins && !self.is_c && self.is_constructor(next) {
            return true;
        }
        begins
            && self.is_word(next)
            && (is_in_parentheses
                || self.is_around_type(next, self.after_arguments(next))
                || follows.is_some_and(|sign| matches!(sign, 0 | b'*' | b'&' | b':' | b'<')))
    }

    /// `A(int x) : x(x) {` and `~A() {`, which have no type before their name.
    fn is_constructor(&self, at: usize) -> bool {
        if self.sign(at) == Some(b'~') {
            return self.is_word(at + 1) && self.sign(at + 2) == Some(b'(');
        }
        if !self.is_word(at) || self.sign(at + 1) != Some(b'(') || !self.is_class(at) {
            return false;
        }
        let mut after = self.after_arguments(at);
        if self.tokens.get(after).is_some() && self.word(after) == b"noexcept" {
            after = self.after_arguments(after);
        }
        self.sign(after) == Some(b':') && self.sign(after + 1) != Some(b':')
    }

    /// `class MACRO A {`.
    fn is_in_head_of_type(&self, before: Option<usize>, next: usize) -> bool {
        let words: [&[u8]; 4] = [b"class", b"struct", b"union", b"enum"];
        let word = before.map_or(&b""[..], |before| self.word(before));
        let follows = self.sign(next + 1);
        let ends = match follows {
            Some(b'{' | b':' | b'<') => true,
            Some(b';') => word == b"class",
            Some(0) => self.word(next + 1) == b"final" || self.says_final(next + 1),
            _ => false,
        };
        words.contains(&word) && self.is_word(next) && !self.says_final(next) && ends
    }

    /// `class A MACRO {`, `class A MACRO : public B {`.
    fn is_behind_type(&self, before: Option<usize>, next: usize) -> bool {
        let words: [&[u8]; 3] = [b"class", b"struct", b"union"];
        let Some(before) = before.filter(|before| *before > 0) else {
            return false;
        };
        let is_head = |at: usize| words.contains(&self.word(at));
        let is_exported = before > 1 && self.is_capitals(before - 1) && is_head(before - 2);
        let is_named = (is_head(before - 1) || is_exported)
            && self.is_word(before)
            && !self.is_keyword(before)
            && (!self.is_capitals(before) || self.says_final(before + 1));
        is_named
            && match self.sign(next) {
                Some(b'{') => true,
                // The width of a field is a number.
                Some(b':') => self
                    .tokens
                    .get(next + 1)
                    .is_some_and(|base| !self.text[base.from].is_ascii_digit()),
                _ => false,
            }
    }

    /// Whether a macro call says that a class is final.
    fn says_final(&self, at: usize) -> bool {
        let says = |word: &[u8]| word.windows(5).any(|part| part == b"FINAL");
        at < self.tokens.len() && self.is_capitals(at) && says(self.word(at))
    }

    /// `int f() MACRO;`, `T x MACRO = 1;`.
    fn trails(&self, before: Option<usize>, next: usize) -> bool {
        let (Some(before), Some(sign)) = (before, self.sign(next)) else {
            return false;
        };
        // `f() const MACRO`
        let words: [&[u8]; 4] = [b"const", b"noexcept", b"override", b"final"];
        let behind = before.saturating_sub(usize::from(words.contains(&self.word(before))));
        if self.tokens[behind].sign == b')' {
            let begins_list = sign == b':' && !self.is_c && self.sign(next + 1) != Some(b':');
            let is_followed = self.is_word(next)
                && (self.is_macro(next) || !self.is_c && words.contains(&self.word(next)));
            return matches!(sign, b';' | b'{') || begins_list || is_followed;
        }
        let ends = |sign: u8| matches!(sign, b',' | b')') && !self.is_c;
        match self.tokens[before].sign {
            0 if !self.is_c && self.is_built_in_type(before) => {
                self.is_word(next) && self.sign(next + 1) == Some(b'(')
            }
            0 if !self.is_keyword(before) && before > 0 => {
                let type_stands_before = match self.tokens[before - 1].sign {
                    0 => !self.is_keyword(before - 1) || self.word(before - 1) == b"const",
                    sign => matches!(sign, b'*' | b'&' | b'>'),
                };
                let is_parameter = type_stands_before || self.is_built_in_type(before - 1);
                type_stands_before && matches!(sign, b';' | b'=') || is_parameter && ends(sign)
            }
            _ => false,
        }
    }

    /// A line that contains only macros.
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

    /// Forms that only C has: `f(MACRO int a)`, `f(int a MACRO)`, `char *MACRO a`, `int MACRO f(`, `int (MACRO *f)(`,
    /// `int x MACRO;`, and `MACRO` on a line of a struct.
    fn is_beside_declarator(
        &self,
        at: usize,
        before: Option<usize>,
        next: usize,
        place: &TokenContext,
    ) -> bool {
        let Some(before) = before else {
            return false;
        };
        match self.tokens[before].sign {
            b'(' if self.is_convention(before, next) => true,
            b'(' | b',' if place.parens > 0 => self.begins_parameter(next),
            b'*' => self.is_word(next) && !self.is_keyword(next) && next == at + 1,
            b'{' | b';' | b'}' if place.around == BraceKind::Type => self.is_line_of_type(at, next),
            b']' | b')' if place.parens > 0 => self.ends_parameter(next),
            0 if self.follows_type(before) => {
                let ends = place.parens > 0 && self.ends_parameter(next);
                ends || matches!(self.sign(next), Some(b';' | b'=')) && place.parens == 0
            }
            _ => {
                let is_type = self.is_built_in_type(before) && place.around == BraceKind::File;
                is_type && self.is_word(next) && self.sign(next + 1) == Some(b'(')
            }
        }
    }

    /// Whether a type and a name follow here, after any qualifiers.
    fn begins_parameter(&self, at: usize) -> bool {
        let qualifiers: [&[u8]; 3] = [b"const", b"volatile", b"register"];
        let mut at = at;
        for _ in 0..qualifiers.len() {
            at += usize::from(qualifiers.contains(&self.word(at.min(self.tokens.len() - 1))));
        }
        self.is_word(at) && matches!(self.sign(at + 1), Some(0 | b'*'))
    }

    fn ends_parameter(&self, at: usize) -> bool {
        matches!(self.sign(at), Some(b',' | b')'))
    }

    /// Whether the word is a name after its type.
    fn follows_type(&self, at: usize) -> bool {
        let heads: [&[u8]; 6] = [b"struct", b"union", b"enum", b"const", b"return", b"else"];
        let Some(before) = at.checked_sub(1).filter(|_| !self.is_keyword(at)) else {
            return false;
        };
        match self.tokens[before].sign {
            0 => {
                let is_name = !self.is_keyword(before) && !heads.contains(&self.word(before));
                is_name || self.is_built_in_type(before)
            }
            sign => sign == b'*',
        }
    }

    /// `int (MACRO *name)(`, where `before` is the first parenthesis.
    fn is_convention(&self, before: usize, next: usize) -> bool {
        let close = self.closes[before] as usize;
        self.sign(next) == Some(b'*')
            && close == next + 2
            && self.is_word(next + 1)
            && self.sign(close + 1) == Some(b'(')
    }

    /// A line of a struct that contains only a macro, which defines fields.
    fn is_line_of_type(&self, at: usize, next: usize) -> bool {
        let Some(token) = self.tokens.get(next) else {
            return false;
        };
        let is_declared = matches!(self.sign(next + 1), Some(b';' | b',' | b'[' | b':'));
        let is_line = self.tokens[at].begins_line && token.begins_line;
        is_line && (token.sign == b'}' || token.sign == 0 && !is_declared)
    }
}
