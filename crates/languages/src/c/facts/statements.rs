//! The contents of functions: statements, local declarations, and the expressions in them.

use super::super::walk::{self, declarators, declared};
use super::{conditions, definitions, exprs, initializers, macros, types, undefined};
use crate::outline::Walker;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Reads a node with all its contents; returns its value if it is an expression with known facts.
pub(super) fn visit(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    if !walker.b.enter_level() {
        return None;
    }
    let value = read(walker, node);
    walker.b.leave_level();
    value
}

fn read(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    match node.kind_name() {
        "identifier" => Some(walk::name_reference(walker, node)),
        "field_expression" => exprs::member(walker, node),
        "call_expression" => exprs::call(walker, node),
        "assignment_expression" => exprs::assignment(walker, node),
        "update_expression" => {
            exprs::write(walker, node.field("argument")?);
            None
        }
        "subscript_expression" => {
            walk::visit_field(walker, node, "index", visit);
            walk::visit_field(walker, node, "argument", visit)
        }
        "pointer_expression" => walk::visit_field(walker, node, "argument", visit),
        "parenthesized_expression" => walk::visit_children(walker, node, visit),
        "comma_expression" => {
            walk::visit_field(walker, node, "left", visit);
            walk::visit_field(walker, node, "right", visit)
        }
        "cast_expression" => exprs::cast(walker, node),
        "conditional_expression" => {
            walk::visit_field(walker, node, "condition", visit);
            walk::alternatives(walker, node, visit)
        }
        "binary_expression" => exprs::binary(walker, node),
        "compound_literal_expression" => exprs::compound_literal(walker, node),
        "initializer_list" => {
            initializers::read_value(walker, node, None, 0);
            None
        }
        "type_descriptor" => {
            types::descriptor(walker, node);
            None
        }
        "compound_statement" | "for_statement" => {
            walker.b.open_scope(ScopeKind::Block, None);
            walk::visit_children(walker, node, visit);
            walker.b.close_scope();
            None
        }
        other => {
            statement(walker, node, other);
            None
        }
    }
}

fn statement(walker: &mut Walker<'_, '_>, node: Node<'_>, kind: &str) {
    match kind {
        "declaration" => declaration(walker, node),
        "type_definition" => {
            definitions::type_definition(walker, node);
        }
        "struct_specifier" | "union_specifier" | "enum_specifier" => {
            definitions::type_specifier(walker, node);
        }
        "preproc_def" | "preproc_function_def" => {
            macros::macro_definition(walker, node);
        }
        "preproc_include" => {
            super::include(walker, node);
        }
        "preproc_if" | "preproc_ifdef" => {
            conditions::branches(walker, node, super::read_inside);
        }
        "while_statement" | "if_statement" => {
            loop_macro(walker, node, kind);
            walk::visit_children(walker, node, visit);
        }
        "concatenated_string" => walk::visit_concatenated(walker, node),
        "comment"
        | "number_literal"
        | "char_literal"
        | "string_literal"
        | "statement_identifier"
        | "attribute_specifier"
        | "parameter_list"
        | "primitive_type"
        | "field_identifier"
        | "goto_statement"
        | "break_statement" => {}
        "preproc_call" => undefined::directive(walker, node),
        "type_identifier" => {
            types::specifier(walker, node);
        }
        _ => {
            walk::visit_children(walker, node, visit);
        }
    }
}

/// A macro before a statement that was mended into a loop keyword.
fn loop_macro(walker: &mut Walker<'_, '_>, node: Node<'_>, kind: &str) {
    let rest = walker.b.source.get(node.start_byte()..).unwrap_or("");
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let word = &rest[..end.unwrap_or(rest.len())];
    if !kind.starts_with(word) {
        macros::call_of(walker, node, word);
    }
}

/// Local variables, and declarations of functions and variables defined elsewhere.
fn declaration(walker: &mut Walker<'_, '_>, node: Node<'_>) {
    let defined = walk::type_with_body(node).map(|ty| definitions::local_type(walker, ty));
    let base = match (defined.flatten(), node.field("type")) {
        (Some(def), _) => Some(walker.b.add_type(TypeExpr::Anonymous(def))),
        (None, Some(ty)) => Some(types::specifier(walker, ty)),
        (None, None) => None,
    };
    for declarator in declarators(node) {
        let Some(found) = declared(declarator) else {
            visit(walker, declarator);
            continue;
        };
        // A function that is declared here is defined elsewhere.
        if found.parameters.is_some() {
            continue;
        }
        let ty = base.map(|base| types::of_declarator(walker, base, Some(declarator)));
        let name = walker.b.intern_node_text(found.name);
        let scope = walker.b.current_scope();
        let (from, to) = (
            found.name.end_byte() as u32,
            Bound::Local { ty, value: None },
        );
        if !walk::is_extern(walker, node) {
            walker.b.bind_in(scope, name, Namespace::VALUE, from, to);
        }
        walk::visit_array_sizes(walker, declarator, visit);
        initializers::of_declarator(walker, declarator, ty);
    }
}
