//! Members of classes that branches define: which of them count.

use base::facts::*;
use linker::repo::{GlobalDef, Repo};

/// Those of several members of one name in one class that its body binds at the end: one, or what branches choose between.
/// None where these are no such members, or only declarations.
pub(super) fn bound_members(repo: &Repo, members: &[GlobalDef]) -> Vec<GlobalDef> {
    let [first, others @ ..] = members else {
        return Vec::new();
    };
    let (file, def) = (first.file, repo.def(*first));
    let is_beside = |other: &GlobalDef| other.file == file && repo.def(*other).scope == def.scope;
    // A use in the class's body sees the one before it, which stands first then.
    let is_later = |other: &GlobalDef| other.def > first.def && is_real(repo, *other);
    let facts = repo.facts(file);
    if others.is_empty()
        || facts.scope(def.scope).kind != ScopeKind::Class
        || !others.iter().all(is_beside)
        || others.iter().any(is_later)
    {
        return Vec::new();
    }
    let last = repo.bindings_named(file, def.scope, def.name).next_back();
    let bound = last.map_or(&[][..], |binding| match &binding.to {
        Bound::Either(choice) => facts.choice(*choice),
        one => std::slice::from_ref(one),
    });
    let is_bound = |member: &&GlobalDef| bound.contains(&Bound::Def(member.def));
    let found = members.iter().filter(is_bound).copied();
    found.filter(|member| is_real(repo, *member)).collect()
}

/// Whether it is more than a declaration, and no setter.
pub(super) fn is_real(repo: &Repo, member: GlobalDef) -> bool {
    let flags = repo.def(member).flags;
    !flags.has(DefFlags::DECLARATION_ONLY) && !flags.has(DefFlags::SETTER)
}
