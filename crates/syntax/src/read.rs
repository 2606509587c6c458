//! Reads the facts of a file: parses it and runs the walk of its language over the tree.

use crate::builder::{Builder, Stop};
use crate::facts::FileFacts;
use crate::parse::{self, Parsed, ScannerLimits};
use crate::remote;
use base::Language;
use std::cell::RefCell;
use std::time::Duration;
use tree_sitter::{Node, Parser, Tree};

/// The parts of a language that reading its sources needs.
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
    /// A source that does not parse, with the syntax unknown to the grammar replaced by other bytes of the same length;
    /// `None` if there is nothing to mend.
    pub mend: fn(&str) -> Option<String>,
    /// A source with what the grammar or its scanner cannot take replaced by other bytes, of the same length; `None` if
    /// it is parsed as it stands. Names are read from the original source.
    pub prepare: fn(&str) -> Option<String>,
    /// Whether the grammar misreads something in a source without an error. Such a source is mended as well.
    pub is_misread: fn(&str) -> bool,
    /// The limits of the grammar's scanner.
    pub scanner: ScannerLimits,
}

thread_local! {
    static PARSERS: RefCell<Vec<(Language, Parser)>> = const { RefCell::new(Vec::new()) };
}

/// Parses without limits and drops the tree: the baseline for benchmarks. Returns whether there was a tree.
pub fn parse_only(reader: Reader, source: &str) -> bool {
    let prepared = prepared(reader, source);
    let text = prepared.as_deref().unwrap_or(source);
    with_parser(reader, |parser| parser.parse(text, None)).is_some()
}

/// The facts of a file, and the number of steps taken: reports of the parser, and nodes entered or measured. A file
/// with syntax errors has facts as far as they can be read. If a file takes the parser far too long, only its beginning
/// is read, or nothing, and [`FileFacts::parse_gave_up`] is set. If `stop` returned true, the facts are incomplete and
/// must not be used.
pub fn extract(reader: Reader, source: &str, stop: Stop<'_>) -> (FileFacts, u64) {
    let before = parse::parser_steps();
    let mut builder = Builder::new(reader.language, source, stop);
    let mut left = parse::parse_time_limit(source.len());
    let prepared = prepared(reader, source);
    let text = prepared.as_deref().unwrap_or(source);
    let first = parse(reader, text, (&mut left, stop));
    let parsed = first.map(|first| mended(reader, text, first, (&mut left, stop)));
    match parsed {
        Some((Parsed { tree, whole }, text)) => {
            builder.mended = text;
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
    let steps = parse::parser_steps() - before + builder.visit_count();
    (builder.finish(), steps)
}

/// The tree of a text in a language without a [`Reader`], within the same limits as sources, and whether it covers the
/// whole text. `None` if nothing could be parsed.
pub fn parse_text(
    grammar: &tree_sitter::Language,
    text: &str,
    stop: Stop<'_>,
) -> Option<(Tree, bool)> {
    let mut parser = Parser::new();
    parser.set_language(grammar).ok()?;
    let mut left = parse::parse_time_limit(text.len());
    let limits = (&mut left, stop);
    let parsed = parse::parse_prefix(&mut parser, text, ScannerLimits::NONE, limits)?;
    Some((parsed.tree, parsed.whole))
}

/// The source as the parser gets it, if it differs.
pub(crate) fn prepared(reader: Reader, source: &str) -> Option<String> {
    (reader.prepare)(source).filter(|text| text.len() == source.len())
}

/// The tree of the mended source, with that source, if it has fewer errors: after an error, a parser loses definitions
/// that follow. Names are read from the original source, whose positions are the same. A source that already exceeded
/// the limits is not parsed again.
fn mended(
    reader: Reader,
    source: &str,
    first: Parsed,
    limits: (&mut Duration, Stop<'_>),
) -> (Parsed, Option<String>) {
    let is_misread = first.whole && (reader.is_misread)(source);
    if !first.whole || !first.tree.root_node().has_error() && !is_misread {
        return (first, None);
    }
    let most_errors = count_errors(&first.tree) + u32::from(is_misread);
    let text = (reader.mend)(source).filter(|text| text.len() == source.len());
    let second = text.and_then(|text| Some((parse(reader, &text, limits)?, text)));
    match second {
        Some((second, text)) if second.whole && count_errors(&second.tree) < most_errors => {
            (second, Some(text))
        }
        _ => (first, None),
    }
}

/// Parses `source` within the limits and in the time that is left.
pub(crate) fn parse(
    reader: Reader,
    source: &str,
    limits: (&mut Duration, Stop<'_>),
) -> Option<Parsed> {
    let scanner = reader.scanner;
    with_parser(reader, |parser| {
        parse::parse_prefix(parser, source, scanner, limits)
    })
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
