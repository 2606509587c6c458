//! Facts of C: the definitions, includes, calls, references and writes of a file.
//!
//! What is assigned to a field, in an initialiser or by an assignment, is kept as an [`Expr::Dict`] of the field and the value. Pointers and
//! arrays are transparent: their type is that of what they lead to. A field that an initialiser names by its position is called
//! by the values before it: `#2v:v`, see `initializers`.

pub(crate) mod conditions;
mod definitions;
mod exprs;
mod initializers;
mod macros;
mod statements;
mod types;
mod undefined;

pub(crate) use definitions::is_entry;
pub(crate) use macros::{call_of as call_of_macro, macro_definition, passed_macros};
pub(super) use undefined::{bind_macros, hide_declared_static};

use super::walk;
use crate::outline::Walker;
use base::Visibility;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Whether the node was handled here with all its contents: code outside of functions.
pub(super) fn special(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    match node.kind_name() {
        "function_definition" => definitions::function(walker, node),
        "declaration" | "field_declaration" => definitions::declaration(walker, node),
        "type_definition" => definitions::type_definition(walker, node),
        "struct_specifier" | "union_specifier" | "enum_specifier" => {
            definitions::type_specifier(walker, node)
        }
        "enumerator" => walk::enumerator(walker, node, statements::visit),
        "preproc_def" | "preproc_function_def" => macros::macro_definition(walker, node),
        "preproc_include" => include(walker, node),
        "preproc_if" | "preproc_ifdef" => conditions::branches(walker, node, read_inside),
        "preproc_call" => {
            undefined::directive(walker, node);
            true
        }
        "parameter_list" | "attribute_specifier" => true,
        "expression_statement" | "compound_statement" => {
            statements::visit(walker, node);
            true
        }
        _ => false,
    }
}

/// `#include "a.h"`, `#include <a.h>`. The latter keeps its angle brackets.
pub(crate) fn include(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    let Some(path) = node.field("path") else {
        return true;
    };
    let text = walker.b.text(path);
    let text = match path.kind_name() {
        "string_literal" => text.trim_matches('"'),
        "system_lib_string" => text,
        _ => return true,
    };
    if text.is_empty() {
        return true;
    }
    // Compilers of Windows also take the separator of that system.
    let module = if text.contains('\\') {
        walker.b.intern_owned_name(&text.replace('\\', "/"))
    } else {
        walker.b.intern_name(text)
    };
    let (scope, owner) = (walker.b.current_scope(), walker.b.current_owner());
    walker.b.add_import(Import {
        module,
        what: Imported::Glob,
        local: None,
        scope,
        owner,
        level: 0,
        type_only: false,
        unused: false,
        visibility: Visibility::Public,
        line: node.start_position().row as u32 + 1,
        condition: None,
    });
    true
}

/// Reads what stands in a branch of the preprocessor inside a function.
fn read_inside(walker: &mut Walker<'_, '_>, node: Node<'_>) {
    statements::visit(walker, node);
}
