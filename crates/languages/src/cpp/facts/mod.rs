//! Facts of C++: what a file defines, includes, calls, mentions and writes.
//!
//! Of a type, references say nothing and are kept as written. A pointer is a list ([`TypeExpr::Array`], [`Expr::List`]) whose
//! element is what it leads to, and `*e` and `e->` enter it ([`Expr::Enter`]). A constant type is [`TypeExpr::Optional`]. Built-in
//! types are named by their words. The name `::` is the global namespace, and `this` is a name. A list in braces that is an argument
//! is a tuple. Of an object that is constructed with braces, the class is a reference or [`Expr::Borrowed`].
//!
//! A name that `using` or `namespace a = b` brings is an export. An export with a name brings one name, and one without a name
//! brings a whole namespace. The scope of its expression is the scope in which it holds.

mod calls;
mod classes;
pub(super) mod constraints;
mod definitions;
mod exprs;
mod functions;
mod lambdas;
mod operators;
mod statements;
mod templates;
mod types;

use crate::c::{conditions, include, walk};
use crate::outline::Walker;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Reads a node outside of functions. Returns whether everything inside has been read.
pub(super) fn special(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    match node.kind_name() {
        "function_definition" => functions::function(walker, node),
        "declaration" | "field_declaration" => definitions::declaration(walker, node),
        "type_definition" => definitions::type_definition(walker, node),
        "alias_declaration" => definitions::alias(walker, node),
        "struct_specifier" | "class_specifier" | "union_specifier" | "enum_specifier" => {
            classes::type_specifier(walker, node)
        }
        "enumerator" => walk::enumerator(walker, node, statements::visit),
        "concept_definition" => classes::concept(walker, node),
        "friend_declaration" => functions::friend(walker, node),
        "namespace_definition" => definitions::namespace(walker, node),
        "namespace_alias_definition" => definitions::namespace_alias(walker, node),
        "using_declaration" => definitions::using(walker, node),
        "template_parameter_list" => templates::parameters(walker, node),
        "requires_clause" => {
            templates::constrain(walker, node);
            true
        }
        "template_instantiation" => true,
        "preproc_def" | "preproc_function_def" => definitions::macro_of_file(walker, node),
        "preproc_include" => include(walker, node),
        "preproc_if" | "preproc_ifdef" => conditions::branches(walker, node, read_inside),
        "access_specifier" => walk::set_access(walker, node),
        "parameter_list" | "attribute_specifier" | "attribute_declaration" | "preproc_call" => true,
        "expression_statement" | "compound_statement" | "static_assert_declaration" => {
            statements::visit(walker, node);
            true
        }
        _ => false,
    }
}

/// Reads a branch of the preprocessor inside a function.
fn read_inside(walker: &mut Walker<'_, '_>, node: Node<'_>) {
    statements::visit(walker, node);
}

/// The parts of a path, outermost first, and whether it begins with `::`.
fn path_parts<'t>(node: Node<'t>) -> (Vec<Node<'t>>, bool) {
    let mut parts = Vec::new();
    let is_global = node.kind_name() == "qualified_identifier" && node.field("scope").is_none();
    let mut next = Some(node);
    for _ in 0..walk::MOST_STEPS {
        let Some(part) = next else { break };
        match part.kind_name() {
            "qualified_identifier" => {
                parts.extend(part.field("scope"));
                next = part.field("name");
            }
            "dependent_name" | "dependent_type" => next = part.named_child(0),
            _ => {
                parts.push(part);
                next = None;
            }
        }
    }
    (parts, is_global)
}

/// Records the names that `using` brings to the current scope.
fn bring(walker: &mut Walker<'_, '_>, name: Option<NameId>, what: ExprId, at: Node<'_>) {
    walker.b.add_export(Export {
        name,
        what: Exported::Expr(what),
        line: at.start_position().row as u32 + 1,
    });
}
