//! Conditions of templates (`enable_if`, `requires`), as written types: the application of a trait is a name with arguments, `&&` is
//! all of several, `||` is one of several, `!` is an optional. What is not understood is unknown.

use super::types;
use crate::c::PASSED;
use crate::outline::Walker;
use syntax::facts::*;
use tree_sitter::Node;

/// Longest text of a condition that is read.
const MOST_BYTES: usize = 1_000;
/// Deepest nesting that is read.
const MOST_NESTING: u32 = 24;
/// Most parts of a condition that are kept.
const MOST_PARTS: usize = 64;
/// The name behind which a condition stands in the bounds of a parameter. No type has a member of that name, so that nobody takes
/// the condition for a type.
pub(crate) const CONDITION: &str = "?";

/// The bound of a parameter that says when its template counts.
pub(super) fn of_parameter(walker: &mut Walker<'_, '_>, node: Node<'_>) -> TypeId {
    let text = whole_text(walker, node);
    if text.len() > MOST_BYTES {
        return walker.b.add_type(TypeExpr::Unknown);
    }
    let condition = match text.find("nable_if").or_else(|| text.find("NABLE_IF")) {
        Some(at) => first_argument(&text[at + "nable_if".len()..]),
        // `typename = void` is there for specialisations.
        None if text.ends_with("void") => Some("true"),
        None => None,
    };
    let condition = condition.unwrap_or_default().to_owned();
    of_text(walker, &condition, node)
}

/// The text of a parameter. Of a macro with arguments that stands for one, the grammar has read the end.
fn whole_text<'s>(walker: &Walker<'_, 's>, node: Node<'_>) -> &'s str {
    let (start, end) = (node.start_byte(), node.end_byte());
    let mended = walker.b.mended.as_deref().unwrap_or_default().as_bytes();
    let before = mended.get(start.saturating_sub(MOST_BYTES)..start);
    let is_passed = |byte: &&u8| matches!(**byte, PASSED | b'\n' | b'\r');
    let passed = before
        .unwrap_or_default()
        .iter()
        .rev()
        .take_while(is_passed);
    let text = walker.b.source.get(start - passed.count()..end);
    text.unwrap_or_default().trim_start()
}

/// The bound for the text of a condition.
pub(super) fn of_text(walker: &mut Walker<'_, '_>, text: &str, node: Node<'_>) -> TypeId {
    let tokens = tokens(text);
    let mut reader = Reader {
        walker,
        tokens: &tokens,
        at: 0,
        parts: 0,
        node,
    };
    let read = reader.either(0);
    let is_whole = reader.at == tokens.len();
    let ty = match read.filter(|_| is_whole) {
        Some(ty) => ty,
        None => walker.b.add_type(TypeExpr::Unknown),
    };
    let name = walker.b.intern_name(CONDITION);
    walker.b.add_type(TypeExpr::Projection(ty, name))
}

/// The first argument between the brackets that follow: `_t<A, B>` and `(A)`.
fn first_argument(text: &str) -> Option<&str> {
    let text = text.strip_prefix("_t").unwrap_or(text).trim_start();
    let is_macro = text.starts_with('(');
    let inner = text
        .get(1..)
        .filter(|_| is_macro || text.starts_with('<'))?;
    let mut depth = 0;
    for (at, sign) in inner.char_indices() {
        match sign {
            '(' | '<' | '{' => depth += 1,
            ')' | '>' | '}' if depth == 0 => return Some(&inner[..at]),
            ')' | '>' | '}' => depth -= 1,
            ',' if depth == 0 && !is_macro => return Some(&inner[..at]),
            _ => {}
        }
    }
    None
}

/// Names, numbers and signs. Two signs of an operator are one.
fn tokens(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if ["::", "&&", "||", "==", "!=", "<=", "()", "{}"]
            .iter()
            .any(|sign| rest.starts_with(sign))
        {
            2
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(end);
        out.push(token);
        rest = after.trim_start();
    }
    out
}

/// Words that built-in types are written with.
const BUILT_IN: [&str; 13] = [
    "void", "bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned",
    "wchar_t", "char16_t", "char32_t",
];

struct Reader<'w, 'b, 's, 't> {
    walker: &'w mut Walker<'b, 's>,
    tokens: &'t [&'t str],
    at: usize,
    parts: usize,
    node: Node<'t>,
}

impl<'t> Reader<'_, '_, '_, 't> {
    fn peek(&self) -> &'t str {
        self.tokens.get(self.at).copied().unwrap_or("")
    }

    fn takes(&mut self, token: &str) -> bool {
        let is_next = self.peek() == token;
        self.at += usize::from(is_next);
        is_next
    }

    fn add(&mut self, ty: TypeExpr) -> Option<TypeId> {
        self.parts += 1;
        (self.parts <= MOST_PARTS).then(|| self.walker.b.add_type(ty))
    }

    fn either(&mut self, nesting: u32) -> Option<TypeId> {
        let mut all = vec![self.every(nesting)?];
        while self.takes("||") || self.takes("or") {
            all.push(self.every(nesting)?);
        }
        match all[..] {
            [one] => Some(one),
            _ => self.add(TypeExpr::Union(all.into())),
        }
    }

    fn every(&mut self, nesting: u32) -> Option<TypeId> {
        let mut all = vec![self.one(nesting)?];
        while self.takes("&&") || self.takes("and") {
            all.push(self.one(nesting)?);
        }
        match all[..] {
            [one] => Some(one),
            _ => self.add(TypeExpr::All(all.into())),
        }
    }

    fn one(&mut self, nesting: u32) -> Option<TypeId> {
        if nesting > MOST_NESTING {
            return None;
        }
        if self.takes("!") || self.takes("not") {
            let inner = self.one(nesting + 1)?;
            return self.add(TypeExpr::Optional(inner));
        }
        if self.takes("(") {
            let inner = self.either(nesting + 1)?;
            return self.takes(")").then_some(inner);
        }
        if matches!(self.peek(), "true" | "false") {
            let is_true = self.takes("true");
            self.at += usize::from(!is_true);
            let word = if is_true { "value 1" } else { "value 0" };
            return Some(types::named_built_in(self.walker, self.node, word));
        }
        let trait_ = self.named(nesting, true)?;
        if !self.takes("{}") {
            self.takes("()");
        }
        Some(trait_)
    }

    /// `a::b<C, D>`. `::value` behind a trait says nothing more.
    fn named(&mut self, nesting: u32, is_trait: bool) -> Option<TypeId> {
        self.takes("typename");
        self.takes("::");
        let mut path = Vec::new();
        let mut args = Vec::new();
        loop {
            let word = self.peek();
            let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
            if !is_name || !args.is_empty() && (word != "value" || !is_trait) {
                return None;
            }
            self.at += 1;
            if word == "value" && !args.is_empty() {
                break;
            }
            path.push(self.walker.b.intern_owned_name(word));
            if self.takes("<") {
                args = self.arguments(nesting)?;
            }
            if !self.takes("::") {
                break;
            }
        }
        let scope = self.walker.b.current_scope();
        self.add(TypeExpr::Named {
            path: path.into(),
            args: args.into(),
            scope,
            at: self.node.start_byte() as u32,
        })
    }

    fn arguments(&mut self, nesting: u32) -> Option<Vec<TypeId>> {
        let mut out = Vec::new();
        loop {
            out.push(self.argument(nesting + 1)?);
            if self.takes(">") {
                return Some(out);
            }
            if !self.takes(",") {
                return None;
            }
        }
    }

    fn argument(&mut self, nesting: u32) -> Option<TypeId> {
        if nesting > MOST_NESTING {
            return None;
        }
        let mut is_const = self.takes("const");
        let mut words = Vec::new();
        while BUILT_IN.contains(&self.peek()) {
            words.push(self.peek());
            self.at += 1;
        }
        let mut ty = if words.is_empty() {
            self.named(nesting, false)?
        } else {
            types::built_in_of_words(self.walker, self.node, words)
        };
        is_const |= self.takes("const");
        if is_const {
            ty = self.add(TypeExpr::Optional(ty))?;
        }
        while self.takes("*") {
            ty = self.add(TypeExpr::Array(ty))?;
        }
        if self.takes("&&") {
            let inner = self.add(TypeExpr::Reference(ty))?;
            return self.add(TypeExpr::Reference(inner));
        }
        if self.takes("&") {
            ty = self.add(TypeExpr::Reference(ty))?;
        }
        Some(ty)
    }
}
