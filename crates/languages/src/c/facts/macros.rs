//! Macros. The body of a macro is text, so calls in it are found by the parentheses after a name.

use crate::c::mend::PASSED;
use crate::outline::{FoundDefinition, Walker};
use base::list::{self, WordList};
use base::{SymbolKind, Visibility};
use std::sync::LazyLock;
use syntax::builder::Builder;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Most bytes of a body that are read.
const MOST: usize = 64 << 10;

/// Most parameters that are distinguished from other names.
const MOST_PARAMETERS: usize = 64;

/// Keywords of the language, which name nothing.
static KEYWORDS: WordList = LazyLock::new(|| {
    list::words(list::section(include_str!("../keywords.txt"), "words")).collect()
});

/// A macro belongs to the file, wherever it is defined.
pub(crate) fn macro_definition(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    let Some(name) = node.field("name") else {
        return false;
    };
    if walker.b.text(name).is_empty() {
        return false;
    }
    let parameters = node.field("parameters");
    let kind = match parameters {
        Some(_) => SymbolKind::Macro,
        None => SymbolKind::Constant,
    };
    let mut found = FoundDefinition::new(node, name, kind);
    found.parameters = parameters.into_iter().collect();
    found.visibility = Some(Visibility::Public);
    let def = walker.declare(&found);
    walker.b.def_mut(def).parent = None;
    let Some(value) = node.field("value") else {
        walker.b.def_mut(def).flags.set(DefFlags::SEVERAL_VALUES);
        return true;
    };
    if parameters.is_none() {
        let flags = flags_of_value(walker.b.text(value));
        walker.b.def_mut(def).flags.set(flags);
    }
    let names: Vec<&str> = parameters
        .map(|list| walker.b.text(list).trim_matches(['(', ')']))
        .into_iter()
        .flat_map(|list| list.split(','))
        .map(str::trim)
        .take(MOST_PARAMETERS)
        .collect();
    read_body(walker, def, value, &names);
    true
}

/// What a macro without arguments stands for among the values of a list, as far as that is more than one value.
fn flags_of_value(text: &str) -> DefFlags {
    let tokens = tokens(syntax::builder::head(text, MOST));
    let mut open = 0i32;
    let mut is_several = false;
    for token in &tokens {
        match token.text {
            "(" | "{" | "[" => open += 1,
            ")" | "}" | "]" => open -= 1,
            "," => is_several |= open == 0,
            _ => {}
        }
        is_several |= open < 0;
    }
    // `PAIR(1, 2)` may be several in turn.
    let is_call = match tokens.as_slice() {
        [name, open, ..] => open.text == "(" && !name.text.contains(|c: char| c.is_lowercase()),
        _ => false,
    };
    let is_call = is_call && tokens.first().is_some_and(|first| first.is_word);
    if is_several || open != 0 || is_call {
        DefFlags::SEVERAL_VALUES
    } else if tokens.first().is_some_and(|first| first.text == "{") {
        DefFlags::BRACED
    } else {
        DefFlags::default()
    }
}

/// A word or a sign of a macro's body.
struct Token<'s> {
    text: &'s str,
    at: usize,
    is_word: bool,
}

/// Records the calls and references of a body.
fn read_body(walker: &mut Walker<'_, '_>, def: DefId, value: Node<'_>, parameters: &[&str]) {
    let text = syntax::builder::head(walker.b.text(value), MOST);
    let tokens = tokens(text);
    walker.b.count_steps(tokens.len() as u64 / 8);
    let start = value.start_position();
    let (mut line, mut line_start) = (start.row as u32 + 1, 0);
    let mut read_to = 0;
    for (at, token) in tokens.iter().enumerate() {
        let lines = text[read_to..token.at].bytes().enumerate();
        for (offset, _) in lines.filter(|(_, byte)| *byte == b'\n') {
            line += 1;
            line_start = read_to + offset + 1;
        }
        read_to = token.at;
        if !token.is_word || KEYWORDS.contains(&token.text) || parameters.contains(&token.text) {
            continue;
        }
        let after = tokens.get(at + 1).map_or("", |after| after.text);
        if after == "#" || is_member_or_tag(&tokens[..at]) {
            continue;
        }
        let column = match line_start {
            0 => start.column + token.at,
            from => token.at - from,
        };
        let place = MentionSite {
            line,
            column: column as u32,
            byte: (value.start_byte() + token.at) as u32,
        };
        add_mention(walker.b, Some(def), token.text, &place, after == "(");
    }
}

/// Whether the word after these tokens is a member or a tag, or part of a string or of another word.
fn is_member_or_tag(before: &[Token<'_>]) -> bool {
    match before {
        [.., minus, arrow] if arrow.text == ">" => minus.text == "-",
        [.., last] => matches!(last.text, "#" | "." | "struct" | "union" | "enum"),
        [] => false,
    }
}

/// The place of a name in the source.
struct MentionSite {
    line: u32,
    column: u32,
    byte: u32,
}

fn add_mention(
    b: &mut Builder<'_>,
    owner: Option<DefId>,
    word: &str,
    place: &MentionSite,
    is_call: bool,
) {
    let name = b.intern_owned_name(word);
    let expr = b.add_expr(Expr::Name {
        name,
        scope: FILE_SCOPE,
        at: place.byte,
    });
    let (line, column) = (place.line, place.column);
    if is_call {
        let call = b.add_expr(Expr::Call {
            callee: expr,
            args: Box::default(),
            type_args: Box::default(),
        });
        b.facts_mut().calls.push(CallSite {
            expr: call,
            owner,
            line,
            column,
            argc: 0,
            kind: CallKind::Call,
        });
    } else {
        b.facts_mut().references.push(RefSite {
            what: RefTarget::Expr(expr),
            owner,
            line,
            column,
        });
    }
}

/// Records the calls in macros that were blanked so that the grammar could read the text around them.
pub(crate) fn passed_macros(b: &mut Builder<'_>) {
    let Some(mended) = b.mended.take() else {
        return;
    };
    let source = b.source.as_bytes();
    let functions = function_spans(b.facts());
    let (mut line, mut line_start) = (1, 0);
    let (mut at, mut seen) = (0, 0);
    let is_passed = |at: usize| mended.as_bytes()[at] == PASSED && source[at] != PASSED;
    while at < source.len() {
        if !is_passed(at) {
            at += 1;
            continue;
        }
        let goes_on = |at: &usize| is_passed(*at) || matches!(source[*at], b'\n' | b'\r');
        let end = (at..source.len())
            .take_while(goes_on)
            .last()
            .map_or(at, |last| last + 1);
        let text = b.source.get(at..end).unwrap_or("");
        let tokens = tokens(text);
        b.count_steps(tokens.len() as u64 / 8);
        for (number, token) in tokens.iter().enumerate() {
            let byte = at + token.at;
            for offset in (seen..byte).filter(|offset| source[*offset] == b'\n') {
                line += 1;
                line_start = offset + 1;
            }
            seen = byte;
            let is_called = tokens
                .get(number + 1)
                .is_some_and(|after| after.text == "(");
            if token.is_word && is_called && !KEYWORDS.contains(&token.text) {
                let place = MentionSite {
                    line,
                    column: (byte - line_start) as u32,
                    byte: byte as u32,
                };
                let owner = owner_at(&functions, byte as u32);
                add_mention(b, owner, token.text, &place, true);
            }
        }
        at = end;
    }
}

/// The bytes of a function.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct FunctionSpan {
    start: u32,
    end: u32,
    def: DefId,
}

/// The functions of a file, by start.
fn function_spans(facts: &FileFacts) -> Vec<FunctionSpan> {
    let defs = facts.defs.iter().zip(0..);
    let functions = defs.filter(|(def, _)| def.kind == SymbolKind::Function && def.body.is_some());
    let mut all: Vec<FunctionSpan> = functions
        .map(|(def, at)| FunctionSpan {
            start: def.span.start_byte,
            end: def.span.end_byte,
            def: DefId(at),
        })
        .collect();
    all.sort_unstable();
    all
}

fn owner_at(functions: &[FunctionSpan], byte: u32) -> Option<DefId> {
    let after = functions.partition_point(|function| function.start <= byte);
    let function = functions.get(after.checked_sub(1)?)?;
    (byte < function.end).then_some(function.def)
}

/// A call of a macro, by a name without a call expression.
pub(crate) fn call_of(walker: &mut Walker<'_, '_>, at: Node<'_>, name: &str) {
    let start = at.start_position();
    let place = MentionSite {
        line: start.row as u32 + 1,
        column: start.column as u32,
        byte: at.start_byte() as u32,
    };
    let owner = walker.b.current_owner();
    add_mention(walker.b, owner, name, &place, true);
}

/// Words and symbols; strings, comments and numbers are left out.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let byte = rest[0];
        let is_word = byte.is_ascii_alphabetic() || byte == b'_';
        let length = match byte {
            b'"' | b'\'' => quoted_length(rest, byte),
            b'/' if rest.starts_with(b"//") => rest.len(),
            b'/' if rest.starts_with(b"/*") => {
                let end = rest.windows(2).skip(2).position(|two| two == b"*/");
                end.map_or(rest.len(), |end| end + 4)
            }
            _ if is_word || byte.is_ascii_digit() => {
                let end = rest
                    .iter()
                    .position(|b| !(b.is_ascii_alphanumeric() || *b == b'_'));
                end.unwrap_or(rest.len())
            }
            _ => 1,
        };
        let is_sign = length == 1 && byte.is_ascii_punctuation() && byte != b'\\';
        if (is_word || is_sign)
            && let Some(text) = text.get(at..at + length)
        {
            out.push(Token { text, at, is_word });
        }
        at += length;
    }
    out
}

fn quoted_length(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn words_and_signs_of_a_body_are_told_apart() {
        let read = |text: &str| -> Vec<String> {
            tokens(text)
                .iter()
                .map(|token| token.text.to_owned())
                .collect()
        };
        assert_eq!(
            read("do { f(x, \"a(\\\"b\") /* g( */ } \\\n 12u"),
            ["do", "{", "f", "(", "x", ",", ")", "}"]
        );
        assert_eq!(read("a##b 'c' // d(e)"), ["a", "#", "#", "b"]);
        assert_eq!(read("\"open"), [""; 0]);
    }
}
