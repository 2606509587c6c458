//! Ruby, of which only names are read: modules, classes, methods, attributes and constants.

mod scanner;
#[cfg(test)]
mod tests;

use crate::outline::{self, Definition, FoundDefinition, Name, Outline, Walker};
use crate::support::Support;
use base::SymbolKind;
use syntax::complexity::Rules;
use syntax::fields::Fields;
use syntax::parse::ScannerLimits;
use tree_sitter::Node;

/// The code.
pub(crate) const SUPPORT: Support = Support {
    scanner: ScannerLimits {
        readable: scanner::length_before_long_heredoc,
        ..ScannerLimits::NONE
    },
    ..Support::new(
        || grammars::RUBY.language(),
        |builder, root| outline::walk(builder, root, &OUTLINE),
    )
};

static OUTLINE: Outline = Outline {
    definitions: &[
        Definition::new("class", SymbolKind::Class),
        Definition::new("module", SymbolKind::Module),
        Definition::function("method"),
        Definition {
            is_static: true,
            ..Definition::function("singleton_method")
        },
        Definition {
            name: Name::FieldOf("left", "constant"),
            ..Definition::new("assignment", SymbolKind::Constant)
        },
    ],
    special,
    complexity: &COMPLEXITY,
    results_follow: false,
    module_methods: true,
    ..Outline::NEUTRAL
};

/// Methods defined by a call: `attr_reader :a`, `alias_method :b, :a`, `define_method(:c) { … }`; and `alias b a`.
fn special(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    match node.kind_name() {
        "alias" => {
            if let Some(at) = node.field("name") {
                let mut found = FoundDefinition::new(node, at, SymbolKind::Method);
                found.name = Some(walker.b.text(at).trim_start_matches(':'));
                walker.declare(&found);
            }
        }
        "call" if node.field("receiver").is_none() && !walker.is_local() => {
            made_by_call(walker, node)
        }
        _ => {}
    }
    false
}

fn made_by_call(walker: &mut Walker<'_, '_>, node: Node<'_>) {
    let called = node.field("method").map(|name| walker.b.text(name));
    let (kind, most) = match called {
        Some("attr_reader" | "attr_writer" | "attr_accessor") => (SymbolKind::Property, usize::MAX),
        Some("alias_method" | "define_method") => (SymbolKind::Method, 1),
        _ => return,
    };
    let Some(arguments) = node.field("arguments") else {
        return;
    };
    let mut cursor = arguments.walk();
    let symbols = arguments.named_children(&mut cursor).take(most);
    let symbols: Vec<Node<'_>> = symbols
        .filter(|s| s.kind_name() == "simple_symbol")
        .collect();
    for symbol in symbols {
        let name = walker.b.text(symbol).trim_start_matches(':');
        let mut found = FoundDefinition::new(node, symbol, kind);
        found.name = Some(name);
        walker.declare(&found);
    }
}

static COMPLEXITY: Rules = Rules {
    nesting: &[
        "if",
        "unless",
        "while",
        "until",
        "for",
        "case",
        "case_match",
        "conditional",
        "if_modifier",
        "unless_modifier",
        "while_modifier",
        "until_modifier",
        "rescue",
        "rescue_modifier",
    ],
    no_path: &["case", "case_match"],
    arms: &["when", "in_clause"],
    elses: &["elsif", "else"],
    else_paths: &["elsif"],
    logical: (&["binary"], &["&&", "||", "and", "or"]),
    jumps: &[],
    functions: &["lambda", "method", "singleton_method"],
    words: &[
        "if", "unless", "while", "until", "for", "case", "when", "in", "elsif", "else", "rescue",
        "and", "or", "lambda", "def",
    ],
    signs: &["?", "&&", "||", "->"],
};
