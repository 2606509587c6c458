//! Written types: the specifier before a declarator, and the changes that the declarator makes.

use super::super::walk::{self, declared, nested_declarators};
use crate::outline::Walker;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// The type that a declaration writes for a declarator; `None` if it writes none.
pub(super) fn written_type(
    walker: &mut Walker<'_, '_>,
    declaration: Node<'_>,
    declarator: Option<Node<'_>>,
) -> Option<TypeId> {
    let base = specifier(walker, declaration.field("type")?);
    Some(of_declarator(walker, base, declarator))
}

/// The type of a declarator, given the type before it. For a function, the type of its result.
pub(super) fn of_declarator(
    walker: &mut Walker<'_, '_>,
    base: TypeId,
    declarator: Option<Node<'_>>,
) -> TypeId {
    let holds_function = declarator.is_some_and(|d| {
        has_parameters(d) && declared(d).is_none_or(|declared| declared.parameters.is_none())
    });
    if holds_function {
        walk::function_type(walker, base)
    } else {
        base
    }
}

/// The type of a field, or what a name for a type stands for: pointers and arrays stay in it, since values without braces are counted
/// through arrays and not through pointers.
pub(super) fn of_whole_declarator(
    walker: &mut Walker<'_, '_>,
    base: TypeId,
    declarator: Node<'_>,
) -> TypeId {
    let mut ty = base;
    for node in nested_declarators(declarator) {
        ty = match node.kind_name() {
            "pointer_declarator" => walker.b.add_type(TypeExpr::Reference(ty)),
            "array_declarator" => walker.b.add_type(TypeExpr::Array(ty)),
            "function_declarator" => walk::function_type(walker, ty),
            _ => ty,
        };
    }
    ty
}

/// Whether a declarator contains parameters.
fn has_parameters(declarator: Node<'_>) -> bool {
    nested_declarators(declarator).any(|node| node.field("parameters").is_some())
}

/// The number of array dimensions of a declarator; 0 if it is no array.
pub(super) fn dimensions(declarator: Node<'_>) -> u32 {
    let arrays = nested_declarators(declarator).filter(|n| n.kind_name() == "array_declarator");
    arrays.count() as u32
}

/// `(struct a *)`, `sizeof(struct a)`.
pub(super) fn descriptor(walker: &mut Walker<'_, '_>, node: Node<'_>) -> TypeId {
    let base = match node.field("type") {
        Some(ty) => specifier(walker, ty),
        None => walker.b.add_type(TypeExpr::Unknown),
    };
    if node.field("declarator").is_some_and(has_parameters) {
        walk::function_type(walker, base)
    } else {
        base
    }
}

/// `struct a`, `a`, `int`.
pub(super) fn specifier(walker: &mut Walker<'_, '_>, node: Node<'_>) -> TypeId {
    match node.kind_name() {
        "type_identifier" => type_by_name(walker, node),
        "struct_specifier" | "union_specifier" | "enum_specifier" => match node.field("name") {
            Some(name) => type_by_name(walker, name),
            None => walker.b.add_type(TypeExpr::Unknown),
        },
        "primitive_type" | "sized_type_specifier" => {
            walker.b.add_type(TypeExpr::Primitive(Primitive::Int))
        }
        "macro_type_specifier" => {
            if let Some(name) = node.field("name") {
                let text = walker.b.text(name);
                super::macros::call_of(walker, name, text);
            }
            walker.b.add_type(TypeExpr::Unknown)
        }
        _ => walker.b.add_type(TypeExpr::Unknown),
    }
}

fn type_by_name(walker: &mut Walker<'_, '_>, name: Node<'_>) -> TypeId {
    let path = [walker.b.intern_node_text(name)];
    let scope = walker.b.current_scope();
    let ty = walker.b.add_type(TypeExpr::Named {
        path: path.into(),
        args: Box::default(),
        scope,
        at: name.start_byte() as u32,
    });
    walker.b.add_reference(RefTarget::Type(ty), name);
    ty
}
