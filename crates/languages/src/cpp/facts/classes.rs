//! Types with members: classes, structs, unions, enums.

use super::{children, statements, templates, types};
use crate::c::walk::{self, declared};
use crate::outline::{FoundDefinition, Walker, child_of_kind};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// A struct, class, union or enum with its members.
pub(super) fn type_specifier(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    define_type(walker, node).is_some()
}

pub(super) fn kind_of(node: Node<'_>) -> SymbolKind {
    match node.kind_name() {
        "class_specifier" => SymbolKind::Class,
        "union_specifier" => SymbolKind::Union,
        "enum_specifier" => SymbolKind::Enum,
        _ => SymbolKind::Struct,
    }
}

/// The same, with what was defined; none where it has no name or no body.
pub(super) fn define_type(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<DefId> {
    let (name, body) = (node.field("name")?, node.field("body")?);
    let declared = declared(name)?;
    let params = templates::take(walker);
    let mut found = FoundDefinition::new(node, declared.name, kind_of(node));
    found.body = Some(body);
    if walker.is_local() {
        found.flags.set(DefFlags::LOCAL);
    }
    let is_enum = found.kind == SymbolKind::Enum;
    let is_special = is_enum && child_of_kind(node, &["class", "struct"]).is_some()
        || name.kind_name() == "template_type";
    if is_special {
        found.flags.set(DefFlags::SPECIAL);
    }
    let def = walker.declare(&found);
    bind_local_type(walker, def);
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

/// The type with a body that a declaration in a function has.
pub(super) fn local_type(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<DefId> {
    if node.field("name").is_some() {
        return define_type(walker, node);
    }
    let name = walker.b.intern_owned_name("<anonymous>");
    let def = walker.b.add_def(name, kind_of(node), node, node);
    let made = walker.b.def_mut(def);
    made.flags.set(DefFlags::ANONYMOUS);
    made.flags.set(DefFlags::LOCAL);
    read_members(walker, def, node.field("body")?);
    Some(def)
}

/// A type that is defined in a function is seen there alone.
pub(super) fn bind_local_type(walker: &mut Walker<'_, '_>, def: DefId) {
    if walker.is_local() {
        let name = walker.b.facts().def(def).name;
        walker.b.bind(name, Namespace::BOTH, Bound::Def(def));
    }
}

/// A constant of an enum.
pub(super) fn enumerator(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    let Some(name) = node.field("name") else {
        return false;
    };
    if walker.b.text(name).is_empty() {
        return false;
    }
    let found = FoundDefinition::new(node, name, SymbolKind::EnumMember);
    walker.declare(&found);
    if let Some(value) = node.field("value") {
        statements::visit(walker, value);
    }
    true
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
