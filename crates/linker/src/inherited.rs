//! Methods that a type inherits from one supertype and that so override those of another.
//!
//! `class Job extends Base implements Runner` has no method `run` of its own where `Base` has it. A call through `Runner` then
//! runs that of `Base`, which may know nothing of `Runner`.

use crate::eval::Eval;
use crate::lang::Overloading;
use crate::repo::{GlobalDef, Sym};
use crate::ty::{Entity, Ty};
use crate::{Relation, have_other_param_types, overrides};
use base::facts::DefFlags;
use base::{SymbolKind, Visibility};
use rustc_hash::FxHashSet;

/// Adds that methods which the type inherits override those of its later supertypes.
pub(crate) fn overrides_of_inherited(ev: &mut Eval<'_>, ty: GlobalDef, out: &mut Vec<Relation>) {
    let repo = ev.repo;
    let facts = repo.facts(ty.file);
    let is_wanted = facts.language.profile().linking.inherited_methods_override;
    if facts.def(ty.def).supers.is_empty() || !is_wanted {
        return;
    }
    let lang = ev.lang_of_file(ty.file);
    // A type in parts has those of all parts.
    let supers = lang.supers(ev, ty);
    if supers.len() < 2 {
        return;
    }
    let overloading = lang.overloading();
    // Where methods may share a name, one of the type hides only those with its parameters.
    let mut seen: FxHashSet<Sym> = match overloading {
        Overloading::None => repo
            .children(ty)
            .map(|def| repo.sym_of_name(def.file, repo.def(def).name))
            .collect(),
        _ => FxHashSet::default(),
    };
    for (at, above) in supers.iter().enumerate().skip(1) {
        for name in method_names(ev, above) {
            if !seen.insert(name) {
                continue;
            }
            let mut methods = inherited_methods(ev, &supers[..at], name);
            match overloading {
                Overloading::None => methods.retain(|method| runs(ev, ty, *method)),
                _ => methods.retain(|method| !is_hidden(ev, ty, *method)),
            }
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

/// Whether a method is the one of its name that an instance of the type has. The search order of Python may pass over the
/// first supertype that has one.
fn runs(ev: &mut Eval<'_>, ty: GlobalDef, method: GlobalDef) -> bool {
    let name = ev.repo.def_name(method).to_owned();
    match ev.resolve_member(&Ty::instance(ty), &name).0 {
        Entity::Defs(found) => found.contains(&method),
        _ => true,
    }
}

/// Whether the type has a method of its own with the name and as many parameters, which overrides an inherited one.
fn is_hidden(ev: &mut Eval<'_>, ty: GlobalDef, method: GlobalDef) -> bool {
    let repo = ev.repo;
    let count = |d: GlobalDef| repo.def(d).callable.as_ref().map(|c| c.params.len());
    let is_same = |own: &GlobalDef| {
        repo.def(*own).kind == SymbolKind::Method
            && repo.def_name(*own) == repo.def_name(method)
            && count(*own) == count(method)
    };
    let own: Vec<GlobalDef> = repo.children(ty).filter(is_same).collect();
    let by_types = ev.lang_of_file(ty.file).overloading() == Overloading::ByTypes;
    ev.spend(own.len());
    own.into_iter()
        .any(|own| !by_types || !have_other_param_types(ev, own, (method, None)))
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
