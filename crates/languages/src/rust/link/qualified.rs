//! Members of qualified paths: `<A as Trait>::m` means the member of the trait for that type, even if the type has
//! others of that name.

use super::choose::{trait_around, types_match};
use super::{Rust, builtins};
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::ty::*;

impl Rust {
    /// The meaning of `<A as Trait>::name`, and the type it was taken from, if `A` is a type of the repository. Type
    /// parameters and trait objects are left to the common search.
    pub(super) fn member_of_qualified_type(
        &self,
        ev: &mut Eval<'_>,
        (file, written): (FileId, TypeId),
        name: &str,
    ) -> Option<(Entity, Option<Ty>)> {
        let (of_written, of_trait) = parts_of_qualified(ev.repo, file, written)?;
        let of = ev.lower_type(file, of_written);
        let Ty::Instance(class, _) = &of else {
            return None;
        };
        if ev.repo.def(*class).kind == SymbolKind::Trait {
            return None;
        }
        let of_trait = ev.lower_type(file, of_trait);
        let sym = ev.repo.find_sym(name)?;
        let mut found = self.trait_impl_members(ev.repo, *class, sym, ev.fuel());
        found.retain(|d| is_of_impl(ev, *d, &of, &of_trait));
        if found.len() > 1 {
            let facts = ev.repo.facts(file);
            let by_reference = matches!(facts.ty(of_written), TypeExpr::Reference(_));
            let same = self.select_by_reference(ev.repo, &found, by_reference);
            if !same.is_empty() {
                found = same;
            }
        }
        if found.is_empty() {
            return self.member_without_impl(ev, &of, (&of_trait, sym), name);
        }
        let owner = owner_of_member(&of, &of_trait);
        Some((Entity::defs(found), Some(owner)))
    }

    /// The member of a trait for a type whose impls do not define it: from a blanket impl, or the default.
    fn member_without_impl(
        &self,
        ev: &mut Eval<'_>,
        of: &Ty,
        (of_trait, sym): (&Ty, Sym),
        name: &str,
    ) -> Option<(Entity, Option<Ty>)> {
        match of_trait {
            Ty::Instance(declared, _) => {
                let owner = owner_of_member(of, of_trait);
                if let Entity::Defs(defs) = self.blanket_member(ev, of, name) {
                    let mut given = defs.iter();
                    if given.all(|d| self.trait_of_method(ev.repo, *d) == Some(*declared)) {
                        return Some((Entity::Defs(defs), Some(owner)));
                    }
                }
                let named = ev.repo.children_named(*declared, sym);
                if !ev.spend_on_namesakes(named.len()) {
                    return None;
                }
                let found: Vec<GlobalDef> = named.collect();
                (!found.is_empty()).then(|| (Entity::defs(found), Some(owner)))
            }
            Ty::ExternalInstance(external, _) => {
                let Ty::Instance(class, _) = of else {
                    return None;
                };
                // The type's own members of that name come from no such impl.
                let own = ev.members_declared_by(*class, sym);
                let outside = Entity::External(external.member(name));
                (!own.is_empty()).then(|| (outside, Some(of_trait.clone())))
            }
            _ => None,
        }
    }
}

/// The type and the trait of `<A as Trait>`.
fn parts_of_qualified(repo: &Repo, file: FileId, written: TypeId) -> Option<(TypeId, TypeId)> {
    let TypeExpr::All(parts) = repo.facts(file).ty(written) else {
        return None;
    };
    match parts[..] {
        [of, of_trait] => Some((of, of_trait)),
        _ => None,
    }
}

/// The type that fills in the parameters of a member, with those of the trait if they are written.
fn owner_of_member(of: &Ty, of_trait: &Ty) -> Ty {
    match of_trait {
        Ty::Instance(_, args) if !args.is_empty() => Ty::union([of.clone(), of_trait.clone()]),
        _ => of.clone(),
    }
}

/// Whether a member is in an impl of that trait for that type, as far as type arguments are known.
fn is_of_impl(ev: &mut Eval<'_>, member: GlobalDef, of: &Ty, of_trait: &Ty) -> bool {
    let around = trait_around(ev, member);
    let (same, written, wanted) = match (&around, of_trait) {
        (Ty::Instance(a, written), Ty::Instance(b, wanted)) => (a == b, written, wanted),
        (Ty::ExternalInstance(a, written), Ty::ExternalInstance(b, wanted)) => {
            let same = builtins::last_segment(a) == builtins::last_segment(b);
            (same, written, wanted)
        }
        _ => return false,
    };
    same && !differ(written, wanted) && !is_for_other_arguments(ev, member, of)
}

/// Whether the impl around a member is for the type with other type arguments.
fn is_for_other_arguments(ev: &mut Eval<'_>, member: GlobalDef, of: &Ty) -> bool {
    let repo = ev.repo;
    let holder = repo
        .def(member)
        .parent
        .map(|def| GlobalDef { def, ..member });
    let Some(written) = holder.and_then(|holder| repo.def(holder).ty) else {
        return false;
    };
    match (ev.lower_type(member.file, written), of) {
        (Ty::Instance(a, written), Ty::Instance(b, wanted)) => a == *b && differ(&written, wanted),
        _ => false,
    }
}

/// Whether type arguments are known to differ.
fn differ(written: &Args, wanted: &Args) -> bool {
    let mut pairs = written.iter().zip(wanted.iter());
    pairs.any(|(a, b)| types_match(a, b) == Some(false))
}
