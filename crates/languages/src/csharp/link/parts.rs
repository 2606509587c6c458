//! Types that are written in several parts (`partial`).

use super::namespaces::{Namespaces, is_type};
use base::facts::*;
use linker::repo::{GlobalDef, Repo, Sym};
use rustc_hash::FxHashMap;

/// The parts of each type that has several.
#[derive(Default)]
pub(super) struct Parts {
    /// The part that stands for the whole type, by each of the other parts.
    whole: FxHashMap<GlobalDef, GlobalDef>,
    /// All parts, by the part that stands for the whole type.
    of: FxHashMap<GlobalDef, Vec<GlobalDef>>,
    /// The parts with supertypes, of types in several parts.
    with_supertypes: FxHashMap<GlobalDef, Vec<GlobalDef>>,
    /// The members of each name in all parts, of types in several parts.
    members: FxHashMap<(GlobalDef, Sym), Vec<GlobalDef>>,
}

impl Parts {
    /// Finds the parts of all types.
    pub(super) fn new(repo: &Repo, names: &Namespaces) -> Parts {
        let mut out = Parts::default();
        let mut open: Vec<Vec<GlobalDef>> = Vec::new();
        for namespace in names.all() {
            for types in namespace.types() {
                out.group(repo, types, |def| names.project(def.file), &mut open);
            }
        }
        while let Some(parts) = open.pop() {
            let mut inner: FxHashMap<Sym, Vec<GlobalDef>> = FxHashMap::default();
            for part in &parts {
                for child in repo.children(*part).filter(|c| is_type(repo, *c)) {
                    let sym = repo.sym_of_name(child.file, repo.def(child).name);
                    inner.entry(sym).or_default().push(child);
                }
            }
            for types in inner.values() {
                out.group(repo, types, |_| 0, &mut open);
            }
        }
        out
    }

    /// Joins the parts among types of one name. `place` separates types of different projects.
    fn group(
        &mut self,
        repo: &Repo,
        types: &[GlobalDef],
        place: impl Fn(&GlobalDef) -> u32,
        open: &mut Vec<Vec<GlobalDef>>,
    ) {
        let mut groups: FxHashMap<(u32, usize), Vec<GlobalDef>> = FxHashMap::default();
        for def in types {
            let it = repo.def(*def);
            let is_part = it.kind.is_type() && it.flags.has(DefFlags::PARTIAL);
            if is_part {
                let key = (place(def), it.type_params.len());
                groups.entry(key).or_default().push(*def);
            } else {
                open.push(vec![*def]);
            }
        }
        for mut parts in groups.into_values() {
            parts.sort_unstable();
            if let [first, others @ ..] = &parts[..]
                && !others.is_empty()
            {
                self.whole.extend(others.iter().map(|part| (*part, *first)));
                self.collect_members(repo, *first, &parts);
                self.of.insert(*first, parts.clone());
            }
            open.push(parts);
        }
    }

    fn collect_members(&mut self, repo: &Repo, first: GlobalDef, parts: &[GlobalDef]) {
        let has_supers = |part: &&GlobalDef| !repo.def(**part).supers.is_empty();
        let with_supertypes = parts.iter().filter(has_supers).copied();
        self.with_supertypes
            .insert(first, with_supertypes.collect());
        for part in parts {
            for child in repo.children(*part) {
                let name = repo.sym_of_name(child.file, repo.def(child).name);
                self.members.entry((first, name)).or_default().push(child);
            }
        }
    }

    /// The members of a name in all parts of a type. `whole` is the part that stands for it.
    pub(super) fn members<'a>(
        &'a self,
        repo: &'a Repo,
        whole: GlobalDef,
        name: Sym,
    ) -> Box<dyn ExactSizeIterator<Item = GlobalDef> + 'a> {
        if !self.of.contains_key(&whole) {
            return Box::new(repo.children_named(whole, name));
        }
        let listed = self.members.get(&(whole, name));
        Box::new(listed.map_or(&[][..], Vec::as_slice).iter().copied())
    }

    /// The parts of a type that name supertypes.
    pub(super) fn parts_with_supertypes<'a>(&'a self, whole: &'a GlobalDef) -> &'a [GlobalDef] {
        match self.with_supertypes.get(whole) {
            Some(parts) => parts,
            None => std::slice::from_ref(whole),
        }
    }

    /// The part that stands for the whole type.
    pub(super) fn whole(&self, part: GlobalDef) -> GlobalDef {
        self.whole.get(&part).copied().unwrap_or(part)
    }

    /// All parts of a type. `whole` is the part that stands for it.
    pub(super) fn parts_of<'a>(&'a self, whole: &'a GlobalDef) -> &'a [GlobalDef] {
        match self.of.get(whole) {
            Some(parts) => parts,
            None => std::slice::from_ref(whole),
        }
    }
}
