//! Types with members: classes, structs, unions, enums.

use super::{path_parts, templates, types};
use crate::c::walk::{self, children, declared};
use crate::outline::{FoundDefinition, Walker, child_of_kind};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// A struct, class, union or enum with its members.
pub(super) fn type_specifier(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    define_type(walker, node).is_some()
}

/// Reads a type with its members. Returns the definition; `None` if it has no name or no body.
pub(super) fn define_type(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<DefId> {
    let (name, body) = (node.field("name")?, node.field("body")?);
    let declared = declared(name)?;
    let params = templates::take(walker);
    let mut found = FoundDefinition::new(node, declared.name, walk::kind_of_type(node));
    found.body = Some(body);
    if walker.is_local() {
        found.flags.set(DefFlags::LOCAL);
    }
    let is_enum = found.kind == SymbolKind::Enum;
    let (parts, _) = path_parts(name);
    let arguments = parts.last().and_then(|last| last.field("arguments"));
    let is_special =
        is_enum && child_of_kind(node, &["class", "struct"]).is_some() || arguments.is_some();
    if is_special {
        found.flags.set(DefFlags::SPECIAL);
    }
    let def = walker.declare(&found);
    walk::bind_local_type(walker, def, Namespace::BOTH);
    let scopes = walk::scope_texts(walker, &declared);
    if !scopes.is_empty() {
        // `class A::B {`
        let receiver = walker.b.intern_owned_name(&scopes.join("."));
        walker.b.def_mut(def).callable = Some(Box::new(Callable {
            receiver: Some(receiver),
            ..Callable::default()
        }));
    }
    walker.b.open_scope(ScopeKind::Block, None);
    templates::bind(walker, def, params);
    if let Some(arguments) = arguments {
        // What a template is specialised for.
        let args = types::arguments(walker, arguments);
        let ty = types::named(walker, declared.name, args);
        walker.b.def_mut(def).ty = Some(ty);
    }
    let supers = bases(walker, node);
    walker.b.def_mut(def).supers = supers.into();
    read_members(walker, def, body);
    walker.b.close_scope();
    Some(def)
}

/// Reads the members of a type.
pub(super) fn read_members(walker: &mut Walker<'_, '_>, def: DefId, body: Node<'_>) {
    let is_class = walker.b.facts().def(def).kind == SymbolKind::Class;
    let inner = is_class.then_some(Visibility::Private);
    let section = std::mem::replace(&mut walker.section, inner);
    let wrapper = walker.wrapper.take();
    walker.b.open_def(def, ScopeKind::Class);
    walker.children(body);
    walker.b.close_def();
    (walker.section, walker.wrapper) = (section, wrapper);
}

/// `: public B, private C`.
fn bases(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Vec<(TypeId, SuperKind)> {
    let Some(clause) = child_of_kind(node, &["base_class_clause"]) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for base in children(clause) {
        let is_type = matches!(
            base.kind_name(),
            "type_identifier" | "qualified_identifier" | "template_type" | "dependent_type"
        );
        if is_type {
            let ty = types::specifier(walker, base);
            out.extend(ty.map(|ty| (ty, SuperKind::Extends)));
        }
    }
    out
}

/// Reads the type with a body in a declaration within a function.
pub(super) fn local_type(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<DefId> {
    if node.field("name").is_some() {
        return define_type(walker, node);
    }
    let def = walk::define_anonymous(walker, node);
    read_members(walker, def, node.field("body")?);
    Some(def)
}

/// `concept A = …`.
pub(super) fn concept(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    let Some(name) = node.field("name") else {
        return false;
    };
    templates::take(walker);
    if !walker.b.text(name).is_empty() {
        walker.declare(&FoundDefinition::new(node, name, SymbolKind::Interface));
    }
    true
}
