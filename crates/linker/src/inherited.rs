//! Methods that a type inherits from one supertype and that so override those of another.
//!
//! `class Job extends Base implements Runner` has no method `run` of its own where `Base` has it. A call through `Runner` then
//! runs that of `Base`, which may know nothing of `Runner`.

use crate::eval::Eval;
use crate::repo::{GlobalDef, Sym};
use crate::ty::{Entity, Ty};
use crate::{Relation, overrides};
use base::facts::DefFlags;
use base::{SymbolKind, Visibility};
use rustc_hash::FxHashSet;

/// Adds that methods which the type inherits override those of its later supertypes.
pub(crate) fn overrides_of_inherited(ev: &mut Eval<'_>, ty: GlobalDef, out: &mut Vec<Relation>) {
    let repo = ev.repo;
    let facts = repo.facts(ty.file);
    let written = &facts.def(ty.def).supers;
    if written.len() < 2 || !facts.language.profile().linking.inherited_methods_override {
        return;
    }
    let supers: Vec<Ty> = written
        .iter()
        .map(|(written, _)| ev.lower_type(ty.file, *written))
        .collect();
    let mut seen: FxHashSet<Sym> = repo
        .children(ty)
        .map(|def| repo.sym_of_name(def.file, repo.def(def).name))
        .collect();
    for (at, above) in supers.iter().enumerate().skip(1) {
        for name in method_names(ev, above) {
            if !seen.insert(name) {
                continue;
            }
            let methods = inherited_methods(ev, &supers[..at], name);
            if methods.is_empty() {
                // A later supertype may have it.
                seen.remove(&name);
            } else {
                supers[at..]
                    .iter()
                    .for_each(|above| overrides(ev, &methods, above, out));
            }
        }
    }
}

/// The names of the methods of a type of the repository, with those that it inherits.
fn method_names(ev: &mut Eval<'_>, of: &Ty) -> Vec<Sym> {
    let repo = ev.repo;
    let mut names = Vec::new();
    for part in ev.member_search_order(of) {
        let Ty::Instance(class, _) = part else {
            continue;
        };
        let methods = repo
            .children(class)
            .filter(|d| repo.def(*d).kind == SymbolKind::Method);
        for method in methods {
            if !ev.spend(1) {
                return names;
            }
            names.push(repo.sym_of_name(method.file, repo.def(method).name));
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// The methods of that name in the first of the supertypes that has one, if they have bodies.
fn inherited_methods(ev: &mut Eval<'_>, supers: &[Ty], name: Sym) -> Vec<GlobalDef> {
    let repo = ev.repo;
    for of in supers {
        let (found, _) = ev.resolve_member(of, repo.sym_text(name));
        let Entity::Defs(defs) = found else {
            continue;
        };
        let has_body = |d: &GlobalDef| {
            let def = repo.def(*d);
            let of_interface = def.parent.is_some_and(|parent| {
                let parent = repo.def(GlobalDef { def: parent, ..*d });
                matches!(parent.kind, SymbolKind::Interface | SymbolKind::Trait)
            });
            def.kind == SymbolKind::Method
                && def.visibility != Visibility::Private
                && !of_interface
                && ![
                    DefFlags::ABSTRACT,
                    DefFlags::STATIC,
                    DefFlags::DECLARATION_ONLY,
                ]
                .into_iter()
                .any(|flag| def.flags.has(flag))
        };
        return defs.iter().copied().filter(has_body).collect();
    }
    Vec::new()
}
