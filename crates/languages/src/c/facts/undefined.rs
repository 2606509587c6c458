//! What a later or earlier line of a file says of a name: `#undef`, and declarations that say `static`.
//!
//! The names that a file undefines are bound in the file's scope: to each of its macros from behind its definition on, and to nothing
//! from behind an `#undef` on. Other names of files are not bound.

use super::conditions;
use crate::outline::Walker;
use base::{SymbolKind, Visibility};
use rustc_hash::FxHashSet;
use syntax::builder::Builder;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Reads a directive. Where it is not known whether a build has it, it says nothing.
pub(super) fn directive(walker: &mut Walker<'_, '_>, node: Node<'_>) {
    let text = |field: &'static str| node.field(field).map_or("", |part| walker.b.text(part));
    let word = text("directive").trim_start_matches('#').trim();
    let name = text("argument").split_whitespace().next();
    let (Some(name), "undef") = (name, word) else {
        return;
    };
    if !is_met(walker, node, name) {
        return;
    }
    let name = walker.b.intern_owned_name(name);
    let gone = Bound::Local {
        ty: None,
        value: None,
    };
    let from = node.end_byte() as u32;
    walker
        .b
        .bind_in(FILE_SCOPE, name, Namespace::MACRO, from, gone);
}

/// Whether a usual build comes to it, or it stands where its own name is asked for.
fn is_met(walker: &Walker<'_, '_>, node: Node<'_>, name: &str) -> bool {
    let condition = walker.b.condition().map(|c| walker.b.facts().name(c));
    match condition {
        Some(conditions::ABSENT) => false,
        Some(conditions::OPEN) => {
            let asked = node.parent().and_then(|branch| branch.field("name"));
            asked.is_some_and(|asked| walker.b.text(asked) == name)
        }
        _ => true,
    }
}

/// Makes functions private that an earlier declaration calls `static`.
pub(crate) fn hide_declared_static(b: &mut Builder<'_>) {
    let facts = b.facts();
    let is_function = |def: &Def| def.kind == SymbolKind::Function && def.parent.is_none();
    let is_private = |def: &Def| def.visibility == Visibility::Private;
    let declared = facts.defs.iter().filter(|def| {
        is_function(def) && is_private(def) && def.flags.has(DefFlags::DECLARATION_ONLY)
    });
    let declared: FxHashSet<NameId> = declared.map(|def| def.name).collect();
    let all = facts.defs.iter().zip(0u32..);
    let hidden =
        all.filter(|(def, _)| is_function(def) && !is_private(def) && declared.contains(&def.name));
    let hidden: Vec<DefId> = hidden.map(|(_, at)| DefId(at)).collect();
    for def in hidden {
        let made = b.def_mut(def);
        made.visibility = Visibility::Private;
        made.flags.0 &= !DefFlags::EXPORTED.0;
    }
}

/// Binds the macros of the file whose names it undefines.
pub(crate) fn bind_macros(b: &mut Builder<'_>) {
    let facts = b.facts();
    let is_gone =
        |binding: &&Binding| binding.scope == FILE_SCOPE && binding.namespace == Namespace::MACRO;
    let gone: FxHashSet<NameId> = facts
        .bindings
        .iter()
        .filter(is_gone)
        .map(|b| b.name)
        .collect();
    if gone.is_empty() {
        return;
    }
    let is_macro = |def: &Def| {
        let kind =
            def.kind == SymbolKind::Macro || def.kind == SymbolKind::Constant && def.ty.is_none();
        let is_absent = def
            .condition
            .is_some_and(|c| facts.name(c) == conditions::ABSENT);
        kind && !is_absent && gone.contains(&def.name)
    };
    let all = facts
        .defs
        .iter()
        .zip(0u32..)
        .filter(|(def, _)| is_macro(def));
    let all: Vec<(NameId, u32, DefId)> = all
        .map(|(def, at)| (def.name, def.span.end_byte, DefId(at)))
        .collect();
    for (name, from, def) in all {
        b.bind_in(FILE_SCOPE, name, Namespace::MACRO, from, Bound::Def(def));
    }
}
