//! The shell, of which only names are read: functions, aliases, constants of the script, tests of Bats.

#[cfg(test)]
mod tests;

use crate::outline::{self, Definition, FoundDefinition, Outline, Walker};
use crate::support::Support;
use base::SymbolKind;
use syntax::complexity::Rules;
use syntax::fields::Fields;
use tree_sitter::Node;

/// The code.
pub(crate) const SUPPORT: Support = Support::new(
    || tree_sitter_bash::LANGUAGE.into(),
    |builder, root| outline::walk(builder, root, &OUTLINE),
);

static OUTLINE: Outline = Outline {
    definitions: &[Definition::new("function_definition", SymbolKind::Function)],
    special,
    complexity: &COMPLEXITY,
    ..Outline::NEUTRAL
};

fn special(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    match node.kind_name() {
        "declaration_command" => constants(walker, node),
        "command" => alias(walker, node),
        _ => {}
    }
    false
}

/// `readonly A=1`, `declare -r A=1`: values that the script sets once.
fn constants(walker: &mut Walker<'_, '_>, node: Node<'_>) {
    if walker.is_local() {
        return;
    }
    let mut cursor = node.walk();
    let word = node.child(0).map(|word| walker.b.text(word));
    let mut is_constant = word == Some("readonly");
    for child in node.named_children(&mut cursor) {
        match child.kind_name() {
            "word" => {
                let text = walker.b.text(child);
                is_constant |= text.starts_with('-') && text.contains('r');
            }
            "variable_assignment" if is_constant => {
                if let Some(name) = child.field("name") {
                    walker.declare(&FoundDefinition::new(node, name, SymbolKind::Constant));
                }
            }
            _ => {}
        }
    }
}

/// `alias a='b c'`.
fn alias(walker: &mut Walker<'_, '_>, node: Node<'_>) {
    let called = node.field("name").map(|name| walker.b.text(name));
    if called != Some("alias") {
        return;
    }
    let mut cursor = node.walk();
    let arguments: Vec<Node<'_>> = node.fields("argument", &mut cursor).collect();
    for argument in arguments {
        let text = walker.b.text(argument);
        if let Some((name, _)) = text.split_once('=')
            && !name.is_empty()
            && !name.starts_with(['-', '"', '\'', '$'])
        {
            let mut found = FoundDefinition::new(node, argument, SymbolKind::Function);
            found.name = Some(name);
            walker.declare(&found);
        }
    }
}

static COMPLEXITY: Rules = Rules {
    nesting: &[
        "if_statement",
        "for_statement",
        "c_style_for_statement",
        "while_statement",
        "case_statement",
        "ternary_expression",
    ],
    no_path: &["case_statement"],
    arms: &["case_item"],
    elses: &["elif_clause", "else_clause"],
    else_paths: &["elif_clause"],
    logical: (&["list", "binary_expression"], &["&&", "||"]),
    jumps: &[],
    functions: &["function_definition"],
    words: &[
        "if", "for", "while", "until", "select", "case", "elif", "else",
    ],
    signs: &["?", "&&", "||", ")"],
};
