//! Rows of a file's marks: decorators of its definitions, and how errors are handled.

use super::Emitter;
use base::{MarkKind, NodeId, SymbolKind, Visibility};
use std::collections::BTreeMap;
use store::{GraphMark, NodeFlags};
use syntax::facts::*;

impl Emitter<'_> {
    /// Equal marks of one node share a row.
    pub(super) fn emit_marks(&mut self) {
        let facts = self.repo.file(self.file).facts.get().clone();
        let mut found: BTreeMap<(NodeId, MarkKind, &str, &str), Vec<u32>> = BTreeMap::new();
        for mark in &facts.marks {
            let here = self.own_nodes();
            let source = match mark.owner {
                None => Some(here.file),
                // `impl` blocks and overload signatures have no node of their own, so their marks are left out.
                Some(def) => here.of_def[def.index()].filter(|_| here.own[def.index()]),
            };
            let Some(source) = source else { continue };
            let text = |name: Option<NameId>| name.map_or("", |name| facts.name(name));
            let key = (source, mark.kind, text(mark.name), text(mark.detail));
            found.entry(key).or_default().push(mark.line);
        }
        let marks = found
            .into_iter()
            .map(|((source, kind, name, detail), mut lines)| {
                lines.sort_unstable();
                GraphMark {
                    source,
                    kind,
                    name: name.to_owned(),
                    detail: detail.to_owned(),
                    lines,
                }
            });
        self.rows.graph.marks = marks.collect();
    }
}

/// Flags of a definition's row.
pub(super) fn node_flags(facts: &FileFacts, id: DefId) -> NodeFlags {
    let def = facts.def(id);
    let of_trait = def.parent.map(|parent| facts.def(parent));
    let of_trait = of_trait.is_some_and(|p| p.kind == SymbolKind::Impl && !p.supers.is_empty());
    let private = matches!(def.visibility, Visibility::Private | Visibility::Protected);
    let has = |flag: DefFlags| def.flags.has(flag);
    collect_flags(&[
        (has(DefFlags::EXPORTED), NodeFlags::EXPORTED),
        (has(DefFlags::TEST), NodeFlags::TEST),
        (has(DefFlags::LOCAL), NodeFlags::LOCAL),
        (has(DefFlags::ABSTRACT), NodeFlags::ABSTRACT),
        (private, NodeFlags::PRIVATE),
        (names_supertype(facts, def), NodeFlags::INHERITS),
        (has(DefFlags::OVERRIDES) || of_trait, NodeFlags::OVERRIDES),
        (has(DefFlags::DECLARATION_ONLY), NodeFlags::DECLARED),
        (has(DefFlags::ENTRY), NodeFlags::ENTRY),
        (has(DefFlags::DEFAULT_EXPORT), NodeFlags::DEFAULT_EXPORT),
        (has(DefFlags::GROUPED), NodeFlags::GROUPED),
        (has(DefFlags::TYPE_ONLY), NodeFlags::TYPE_ONLY),
        (has(DefFlags::FROM_MACRO), NodeFlags::FROM_MACRO),
        (has(DefFlags::OWN_NAME), NodeFlags::OWN_NAME),
    ])
}

/// Flags of a file's row.
pub(super) fn file_flags(facts: &FileFacts) -> NodeFlags {
    let package = facts.package.map(|name| facts.name(name));
    let program = facts.language.profile().program_package;
    let is_main = program.is_some() && package == program;
    collect_flags(&[
        (facts.is_program || is_main, NodeFlags::ENTRY),
        (facts.is_blank, NodeFlags::BLANK),
    ])
}

fn collect_flags(all: &[(bool, u32)]) -> NodeFlags {
    let set = all.iter().filter(|(on, _)| *on);
    NodeFlags(set.fold(0, |flags, (_, bit)| flags | bit))
}

/// Whether a definition names a supertype other than the universal one.
fn names_supertype(facts: &FileFacts, def: &Def) -> bool {
    let is_object = |ty: TypeId| {
        let TypeExpr::Named { path, .. } = facts.ty(ty) else {
            return false;
        };
        let universal = facts.language.profile().universal_base;
        matches!(**path, [name] if Some(facts.name(name)) == universal)
    };
    def.flags.has(DefFlags::MORE_BASES) || {
        let mut written = def.supers.iter();
        written.any(|(ty, kind)| *kind != SuperKind::Derives && !is_object(*ty))
    }
}
