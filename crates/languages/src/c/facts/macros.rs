//! Macros. The body of one is text: names in it that are called are found by their parentheses.

use crate::outline::{FoundDefinition, Walker};
use base::list::{self, WordList};
use base::{SymbolKind, Visibility};
use std::sync::LazyLock;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Bytes of a body that are read.
const MOST: usize = 64 << 10;

/// Parameters that are told from other names.
const MOST_PARAMETERS: usize = 64;

/// Words of the language, which name nothing.
static KEYWORDS: WordList = LazyLock::new(|| {
    list::words(list::section(include_str!("../keywords.txt"), "words")).collect()
});

/// A macro belongs to the file, wherever it stands.
pub(super) fn macro_definition(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
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
        return true;
    };
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

/// A word or a sign of a macro's body.
struct Token<'s> {
    text: &'s str,
    at: usize,
    is_word: bool,
}

/// Notes what a body calls and mentions.
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
        add_mention(walker, def, token.text, &place, after == "(");
    }
}

/// Whether a word behind these tokens is a member or a tag, or part of a text or of another word.
fn is_member_or_tag(before: &[Token<'_>]) -> bool {
    match before {
        [.., minus, arrow] if arrow.text == ">" => minus.text == "-",
        [.., last] => matches!(last.text, "#" | "." | "struct" | "union" | "enum"),
        [] => false,
    }
}

/// Where a name stands in the source.
struct MentionSite {
    line: u32,
    column: u32,
    byte: u32,
}

fn add_mention(
    walker: &mut Walker<'_, '_>,
    def: DefId,
    word: &str,
    place: &MentionSite,
    is_call: bool,
) {
    let name = walker.b.intern_owned_name(word);
    let expr = walker.b.add_expr(Expr::Name {
        name,
        scope: FILE_SCOPE,
        at: place.byte,
    });
    let (owner, line, column) = (Some(def), place.line, place.column);
    if is_call {
        let call = walker.b.add_expr(Expr::Call {
            callee: expr,
            args: Box::default(),
            type_args: Box::default(),
        });
        walker.b.facts_mut().calls.push(CallSite {
            expr: call,
            owner,
            line,
            column,
            argc: 0,
            kind: CallKind::Call,
        });
    } else {
        walker.b.facts_mut().references.push(RefSite {
            what: RefTarget::Expr(expr),
            owner,
            line,
            column,
        });
    }
}

/// Words and signs; texts, comments and numbers give none.
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
