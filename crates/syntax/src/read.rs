//! Reads the facts of a file: parses it and lets the walk of its language go over the tree.

use crate::builder::{Builder, Stop};
use crate::facts::FileFacts;
use crate::parse::{self, Parsed};
use crate::remote;
use base::Language;
use std::cell::RefCell;
use tree_sitter::{Node, Parser, Tree};

/// How the sources of a language are read.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    /// The language.
    pub language: Language,
    /// Its grammar.
    pub grammar: fn() -> tree_sitter::Language,
    /// Collects the facts of a file from its tree.
    pub walk: for<'s> fn(&mut Builder<'s>, Node<'_>),
    /// Whether a node is documentation, though it is no comment.
    pub is_documentation: fn(Node<'_>) -> bool,
    /// A source that does not parse, with what the grammar does not know put otherwise in as many bytes; none where there is
    /// nothing to mend.
    pub mend: fn(&str) -> Option<String>,
}

thread_local! {
    static PARSERS: RefCell<Vec<(Language, Parser)>> = const { RefCell::new(Vec::new()) };
}

/// Parses without bounds and drops the tree: the reference that benchmarks compare with. Gives whether there
/// was a tree.
pub fn parse_only(reader: Reader, source: &str) -> bool {
    with_parser(reader, |parser| parser.parse(source, None)).is_some()
}

/// The facts of a file, and the number of steps that they took: reports of the parser, and nodes that were entered.
/// Files with syntax errors give what can be had. Of a file that takes the parser work out of all proportion, the
/// beginning is read, or nothing, and [`FileFacts::parse_gave_up`] says so. Where `stop` comes to say that nobody wants
/// them any more, they are of no use.
pub fn extract(reader: Reader, source: &str, stop: Stop<'_>) -> (FileFacts, u64) {
    let before = parse::parser_steps();
    let mut builder = Builder::new(reader.language, source, stop);
    let parsed = parse(reader, source, stop).map(|first| mended(reader, source, first, stop));
    match parsed {
        Some(Parsed { tree, whole }) => {
            (reader.walk)(&mut builder, tree.root_node());
            remote::add_remote_marks(&mut builder, tree.root_node());
            let facts = builder.facts_mut();
            facts.syntax_errors = count_errors(&tree);
            facts.parse_gave_up |= !whole;
        }
        None => builder.facts_mut().parse_gave_up = true,
    }
    let facts = builder.facts_mut();
    facts.syntax_errors = facts.syntax_errors.max(u32::from(facts.parse_gave_up));
    let steps = parse::parser_steps() - before + builder.enter_count();
    (builder.finish(), steps)
}

/// The tree of a text in a language that is none of ours, within the same bounds as sources, and whether it is of the whole
/// text. None where nothing could be parsed.
pub fn parse_text(
    grammar: &tree_sitter::Language,
    text: &str,
    stop: Stop<'_>,
) -> Option<(Tree, bool)> {
    let mut parser = Parser::new();
    parser.set_language(grammar).ok()?;
    let parsed = parse::parse_prefix(&mut parser, text, stop)?;
    Some((parsed.tree, parsed.whole))
}

/// The tree of the source with what the grammar does not know put otherwise, where that has fewer errors: after an error a
/// parser loses definitions that follow. Names are read from the source as it is, whose positions are the same.
fn mended(reader: Reader, source: &str, first: Parsed, stop: Stop<'_>) -> Parsed {
    if !first.tree.root_node().has_error() {
        return first;
    }
    let text = (reader.mend)(source).filter(|text| text.len() == source.len());
    let second = text.and_then(|text| parse(reader, &text, stop));
    match second {
        Some(second)
            if second.whole == first.whole
                && count_errors(&second.tree) < count_errors(&first.tree) =>
        {
            second
        }
        _ => first,
    }
}

/// Parses `source`, within bounds.
pub(crate) fn parse(reader: Reader, source: &str, stop: Stop<'_>) -> Option<Parsed> {
    with_parser(reader, |parser| parse::parse_prefix(parser, source, stop))
}

/// Runs `work` with this thread's parser for the language.
fn with_parser<T>(reader: Reader, work: impl FnOnce(&mut Parser) -> Option<T>) -> Option<T> {
    PARSERS.with_borrow_mut(|parsers| {
        let at = match parsers.iter().position(|(l, _)| *l == reader.language) {
            Some(at) => at,
            None => {
                let mut parser = Parser::new();
                parser.set_language(&(reader.grammar)()).ok()?;
                parsers.push((reader.language, parser));
                parsers.len() - 1
            }
        };
        work(&mut parsers[at].1)
    })
}

fn count_errors(tree: &Tree) -> u32 {
    if !tree.root_node().has_error() {
        return 0;
    }
    let mut cursor = tree.walk();
    let mut errors = 0;
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            errors += 1;
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return errors;
            }
        }
    }
}
