//! The list of languages. Adding one touches its folder, this list and `base::Language`.

mod go;
mod java;
mod python;
mod rust;
mod typescript;

use crate::builder::{Builder, Stop};
use crate::facts::FileFacts;
use crate::parse::{self, Parsed};
use base::Language;
use std::cell::RefCell;
use tree_sitter::{Node, Parser, Tree};

/// Goes up whenever facts of the same bytes change their shape or content: caches of older versions
/// are not read.
pub const FACTS_VERSION: u32 = 17;

/// Whether a `cfg` predicate of Rust holds on 64-bit Linux, by what is `known` of the keys (and values) that do not
/// speak of the platform; `None` where that is not known.
pub fn cfg_holds(
    predicate: &str,
    known: &dyn Fn(&str, Option<&str>) -> Option<bool>,
) -> Option<bool> {
    rust::cfg::holds(predicate, known)
}

/// What a language has to say.
struct Support {
    grammar: fn() -> tree_sitter::Language,
    walk: for<'s> fn(&mut Builder<'s>, Node<'_>),
}

fn support(language: Language) -> Support {
    match language {
        Language::TypeScript | Language::Tsx | Language::JavaScript => Support {
            grammar: typescript::grammar(language),
            walk: typescript::walk,
        },
        Language::Python => Support {
            grammar: python::grammar,
            walk: python::walk,
        },
        Language::Go => Support {
            grammar: go::grammar,
            walk: go::walk,
        },
        Language::Rust => Support {
            grammar: rust::grammar,
            walk: rust::walk,
        },
        Language::Java => Support {
            grammar: java::grammar,
            walk: java::walk,
        },
    }
}

thread_local! {
    static PARSERS: RefCell<Vec<(Language, Parser)>> = const { RefCell::new(Vec::new()) };
}

/// Parses without bounds and drops the tree: the reference that benchmarks compare with. Gives whether there
/// was a tree.
pub fn parse_only(language: Language, source: &str) -> bool {
    with_parser(language, |parser| parser.parse(source, None)).is_some()
}

/// The facts of a file. Files with syntax errors give what can be had; of a file that takes the
/// parser work out of all proportion, the beginning is read, or nothing, and
/// [`FileFacts::parse_gave_up`] says so.
pub fn extract(language: Language, source: &str) -> FileFacts {
    extract_unless(language, source, &|| false)
}

/// The same, with the number of steps that it took: reports of the parser, and nodes that were entered.
pub fn extract_counted(language: Language, source: &str) -> (FileFacts, u64) {
    let before = parse::steps();
    let (facts, entered) = extract_with(language, source, &|| false);
    (facts, parse::steps() - before + entered)
}

/// The same, unless `stop` comes to say that nobody wants them any more: then they are of no use.
pub fn extract_unless(language: Language, source: &str, stop: Stop<'_>) -> FileFacts {
    extract_with(language, source, stop).0
}

fn extract_with(language: Language, source: &str, stop: Stop<'_>) -> (FileFacts, u64) {
    let mut builder = Builder::new(language, source, stop);
    match parse(language, source, stop) {
        Some(Parsed { tree, whole }) => {
            (support(language).walk)(&mut builder, tree.root_node());
            let facts = builder.facts_mut();
            facts.syntax_errors = count_errors(&tree);
            facts.parse_gave_up |= !whole;
        }
        None => builder.facts_mut().parse_gave_up = true,
    }
    let facts = builder.facts_mut();
    facts.syntax_errors = facts.syntax_errors.max(u32::from(facts.parse_gave_up));
    let entered = builder.entered();
    (builder.finish(), entered)
}

/// Parses `source`, within bounds.
pub(crate) fn parse(language: Language, source: &str, stop: Stop<'_>) -> Option<Parsed> {
    with_parser(language, |parser| parse::parse(parser, source, stop))
}

/// Runs `work` with this thread's parser for the language.
fn with_parser<T>(language: Language, work: impl FnOnce(&mut Parser) -> Option<T>) -> Option<T> {
    PARSERS.with_borrow_mut(|parsers| {
        let at = match parsers.iter().position(|(l, _)| *l == language) {
            Some(at) => at,
            None => {
                let mut parser = Parser::new();
                parser.set_language(&(support(language).grammar)()).ok()?;
                parsers.push((language, parser));
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
