//! `impl` blocks by the type that they are for.

use super::Rust;
use super::builtins;
use super::resolve::ResolutionTrail;
use base::facts::*;
use base::{Language, SymbolKind};
use linker::fuel::Fuel;
use linker::lang::DefinitionChanges;
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use linker::ty::Entity;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// The impls of one type.
#[derive(Default, Clone)]
pub(super) struct TypeImpls {
    /// Impls without a trait.
    pub inherent: Vec<GlobalDef>,
    /// Impls of a trait.
    pub traits: Vec<GlobalDef>,
}

/// All `impl` blocks of the repository.
#[derive(Default)]
pub(super) struct Impls {
    /// Impls for types (and trait objects) of the repository.
    pub of: FxHashMap<GlobalDef, TypeImpls>,
    /// Impls for external types, by [`builtins::external_type_key`].
    pub outside: FxHashMap<String, Vec<GlobalDef>>,
    /// Impls for any type: `impl<T: Bound> Trait for T`, with the number of the type parameter.
    pub blanket: Vec<(GlobalDef, u32)>,
    /// The trait of each impl, if it is in the repository.
    pub trait_of: FxHashMap<GlobalDef, GlobalDef>,
    /// Type parameters of impls as those of the type that they are for.
    pub params: FxHashMap<(GlobalDef, u32), (GlobalDef, u32)>,
    /// Built when first needed, and again after each change.
    by_member: OnceLock<ByMember>,
}

/// If there are more impls than this, they are found by the names of their members.
const FEW_IMPLS: usize = 16;

/// The impls that have a member of each name, for types with many impls.
#[derive(Default)]
struct ByMember {
    of: FxHashMap<(GlobalDef, Sym), TypeImpls>,
    outside: FxHashMap<(Sym, String), Vec<GlobalDef>>,
    /// By index in the list of blanket impls.
    blanket: FxHashMap<Sym, Vec<u32>>,
    /// Impls by external type and trait.
    outside_of_trait: FxHashMap<(GlobalDef, String), Vec<GlobalDef>>,
    blanket_of_trait: FxHashMap<GlobalDef, Vec<u32>>,
    /// Traits by the names of their members.
    traits: FxHashMap<Sym, Vec<GlobalDef>>,
}

impl ByMember {
    fn new(repo: &Repo, impls: &Impls) -> ByMember {
        let mut all = ByMember::default();
        for (ty, of) in &impls.of {
            if of.inherent.len() + of.traits.len() <= FEW_IMPLS {
                continue;
            }
            for of_impl in &of.inherent {
                for name in member_names(repo, *of_impl) {
                    all.of
                        .entry((*ty, name))
                        .or_default()
                        .inherent
                        .push(*of_impl);
                }
            }
            for of_impl in &of.traits {
                for name in member_names(repo, *of_impl) {
                    all.of.entry((*ty, name)).or_default().traits.push(*of_impl);
                }
            }
        }
        for (key, of) in impls.outside.iter().filter(|(_, of)| of.len() > FEW_IMPLS) {
            for of_impl in of {
                for name in member_names(repo, *of_impl) {
                    let own = all.outside.entry((name, key.clone())).or_default();
                    own.push(*of_impl);
                }
                if let Some(of_trait) = impls.trait_of.get(of_impl) {
                    let own = all.outside_of_trait.entry((*of_trait, key.clone()));
                    own.or_default().push(*of_impl);
                }
            }
        }
        if impls.blanket.len() > FEW_IMPLS {
            for ((of_impl, _), at) in impls.blanket.iter().zip(0..) {
                for name in member_names(repo, *of_impl) {
                    all.blanket.entry(name).or_default().push(at);
                }
                if let Some(of_trait) = impls.trait_of.get(of_impl) {
                    all.blanket_of_trait.entry(*of_trait).or_default().push(at);
                }
            }
        }
        let outside = all.outside_of_trait.keys().map(|(of, _)| *of);
        let traits = outside.chain(all.blanket_of_trait.keys().copied());
        let traits: BTreeSet<GlobalDef> = traits.collect();
        for of_trait in traits {
            for name in member_names(repo, of_trait) {
                all.traits.entry(name).or_default().push(of_trait);
            }
        }
        all
    }

    /// The traits with a member of that name.
    fn traits_with(&self, name: Sym) -> impl Iterator<Item = &GlobalDef> {
        self.traits.get(&name).into_iter().flatten()
    }
}

/// The distinct names of the members of an impl or trait.
fn member_names(repo: &Repo, of_impl: GlobalDef) -> impl Iterator<Item = Sym> + '_ {
    let mut last = None;
    let names = repo.children(of_impl);
    let names = names.map(move |d| repo.sym_of_name(d.file, repo.def(d).name));
    names.filter(move |name| last.replace(*name) != Some(*name))
}

enum ImplTarget {
    Def(GlobalDef),
    Outside(String),
    Any(u32),
    Unknown,
}

impl Impls {
    /// Updates definitions of a file whose indexes moved.
    pub(super) fn follow(&mut self, file: FileId, moved: &IndexRemap) {
        self.by_member = OnceLock::new();
        moved.remap_keys(file, &mut self.of);
        let of_types = self.of.values_mut();
        moved.remap_all(
            file,
            of_types.flat_map(|of| of.inherent.iter_mut().chain(&mut of.traits)),
        );
        moved.remap_all(file, self.outside.values_mut().flatten());
        moved.remap_all(file, self.blanket.iter_mut().map(|(of_impl, _)| of_impl));
        moved.remap_keys(file, &mut self.trait_of);
        moved.remap_all(file, self.trait_of.values_mut());
        let params = std::mem::take(&mut self.params).into_iter();
        let param = |(def, n)| (moved.remap_gdef(file, def), n);
        self.params = params.map(|(from, to)| (param(from), param(to))).collect();
    }
}

impl Impls {
    fn by_member(&self, repo: &Repo) -> &ByMember {
        self.by_member.get_or_init(|| ByMember::new(repo, self))
    }

    /// The impls for an external type that may have a member of that name, in order.
    pub(super) fn external_impls_with(
        &self,
        repo: &Repo,
        key: &str,
        name: Sym,
    ) -> Cow<'_, [GlobalDef]> {
        let all = self.outside.get(key).map_or(&[][..], |all| all);
        if all.len() <= FEW_IMPLS {
            return Cow::Borrowed(all);
        }
        let known = self.by_member(repo);
        let own = known.outside.get(&(name, key.to_owned())).into_iter();
        let of_trait = |t: &GlobalDef| known.outside_of_trait.get(&(*t, key.to_owned()));
        Cow::Owned(sorted_unique(
            own.chain(known.traits_with(name).filter_map(of_trait)),
        ))
    }

    /// The blanket impls that may have a member of that name, in order.
    pub(super) fn blanket_impls_with(&self, repo: &Repo, name: Sym) -> Cow<'_, [(GlobalDef, u32)]> {
        if self.blanket.len() <= FEW_IMPLS {
            return Cow::Borrowed(&self.blanket);
        }
        let known = self.by_member(repo);
        let own = known.blanket.get(&name).into_iter();
        let of_trait = |t: &GlobalDef| known.blanket_of_trait.get(t);
        let found = sorted_unique(own.chain(known.traits_with(name).filter_map(of_trait)));
        found.iter().map(|at| self.blanket[*at as usize]).collect()
    }
}

/// The distinct elements of the lists, in order.
fn sorted_unique<'l, T: Ord + Copy + 'l>(lists: impl Iterator<Item = &'l Vec<T>>) -> Vec<T> {
    let mut all: Vec<T> = lists.flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl Rust {
    /// Finds the type of each impl.
    pub(super) fn collect_impls(&self, repo: &Repo) -> Impls {
        let mut impls = Impls::default();
        for (file, source) in repo.files() {
            if source.facts.language != Language::Rust {
                continue;
            }
            for (i, def) in source.facts.defs.iter().enumerate() {
                if def.kind == SymbolKind::Impl {
                    let def = DefId(i as u32);
                    self.add_impl(repo, GlobalDef { file, def }, &mut impls);
                }
            }
        }
        impls
    }

    /// Updates the table after definitions were added and removed. If an impl of a trait changes, all files are linked
    /// instead.
    pub(super) fn update_impls(
        &self,
        repo: &Repo,
        news: &DefinitionChanges<'_>,
        impls: &mut Impls,
    ) {
        let there = IndexRemap::is_live;
        impls.by_member = OnceLock::new();
        impls.of.retain(|ty, of| {
            of.inherent.retain(there);
            there(ty) && !(of.inherent.is_empty() && of.traits.is_empty())
        });
        for of in impls.outside.values_mut() {
            of.retain(there);
        }
        impls.params.retain(|(from, _), _| there(from));
        for id in news.fresh {
            if repo.def(*id).kind == SymbolKind::Impl {
                self.add_impl(repo, *id, impls);
            }
        }
        let of_types = impls.of.values_mut().map(|of| &mut of.inherent);
        for all in of_types.chain(impls.outside.values_mut()) {
            if !all.is_sorted() {
                all.sort_unstable();
            }
        }
    }

    fn add_impl(&self, repo: &Repo, id: GlobalDef, impls: &mut Impls) {
        let def = repo.def(id);
        let Some(ty) = def.ty else { return };
        let trail = &ResolutionTrail::new(&Fuel::for_table_entry());
        let mut of_trait = false;
        if let Some((written, _)) = def.supers.first() {
            of_trait = true;
            if let Entity::Defs(defs) = self.resolve_written_type(repo, id.file, *written, trail)
                && let Some(found) = defs
                    .iter()
                    .find(|d| repo.def(**d).kind == SymbolKind::Trait)
            {
                impls.trait_of.insert(id, *found);
            }
        }
        match self.resolve_extended_type(repo, (id.file, ty), 0, trail) {
            // `impl T for Rc<dyn T>` only delegates to the methods of the trait itself.
            ImplTarget::Def(of) if impls.trait_of.get(&id) == Some(&of) => {}
            ImplTarget::Def(of) => {
                let entry = impls.of.entry(of).or_default();
                if of_trait {
                    entry.traits.push(id)
                } else {
                    entry.inherent.push(id)
                }
                self.map_impl_params(repo, id, of, ty, impls);
            }
            ImplTarget::Outside(key) => impls.outside.entry(key).or_default().push(id),
            ImplTarget::Any(n) if impls.trait_of.contains_key(&id) => impls.blanket.push((id, n)),
            _ => {}
        }
    }

    fn resolve_extended_type(
        &self,
        repo: &Repo,
        (file, ty): (FileId, TypeId),
        depth: u32,
        trail: &ResolutionTrail,
    ) -> ImplTarget {
        if depth > 8 {
            return ImplTarget::Unknown;
        }
        let facts = repo.facts(file);
        match facts.ty(ty) {
            TypeExpr::Reference(inner) => {
                self.resolve_extended_type(repo, (file, *inner), depth + 1, trail)
            }
            TypeExpr::All(parts) => match parts.first() {
                Some(first) => self.resolve_extended_type(repo, (file, *first), depth + 1, trail),
                None => ImplTarget::Unknown,
            },
            TypeExpr::Primitive(primitive) => {
                ImplTarget::Outside(builtins::primitive_key(*primitive).into())
            }
            TypeExpr::Array(_) => ImplTarget::Outside("Vec".into()),
            TypeExpr::Named {
                path,
                args,
                scope,
                at,
            } => {
                if let [one] = path[..]
                    && let Some(Bound::TypeParam(_, n)) = repo
                        .lookup(file, one, *scope, *at, Namespace::TYPE, true)
                        .map(|b| b.to)
                {
                    // An impl for pointers to any type only delegates to the methods of that type.
                    return match depth {
                        0 => ImplTarget::Any(n),
                        _ => ImplTarget::Unknown,
                    };
                }
                match self.resolve_written_type(repo, file, ty, trail) {
                    Entity::Defs(defs) => {
                        match defs
                            .first()
                            .and_then(|d| self.resolve_alias(repo, *d, trail))
                        {
                            Some(def) => ImplTarget::Def(def),
                            None => ImplTarget::Unknown,
                        }
                    }
                    Entity::External(external) => match args.first() {
                        Some(inner) if builtins::is_transparent_pointer(&external) => {
                            self.resolve_extended_type(repo, (file, *inner), depth + 1, trail)
                        }
                        _ => ImplTarget::Outside(builtins::external_type_key(&external)),
                    },
                    _ => ImplTarget::Unknown,
                }
            }
            _ => ImplTarget::Unknown,
        }
    }

    /// `impl<A, B> Type<B, A>`: `A` is the type's second parameter.
    fn map_impl_params(
        &self,
        repo: &Repo,
        id: GlobalDef,
        of: GlobalDef,
        ty: TypeId,
        impls: &mut Impls,
    ) {
        let facts = repo.facts(id.file);
        let mut ty = ty;
        while let TypeExpr::Reference(inner) = facts.ty(ty) {
            ty = *inner;
        }
        let TypeExpr::Named { args, .. } = facts.ty(ty) else {
            return;
        };
        for (m, arg) in args.iter().enumerate() {
            let TypeExpr::Named {
                path, scope, at, ..
            } = facts.ty(*arg)
            else {
                continue;
            };
            if let [one] = path[..]
                && let Some(Bound::TypeParam(def, n)) = repo
                    .lookup(id.file, one, *scope, *at, Namespace::TYPE, true)
                    .map(|b| b.to)
                && def == id.def
            {
                impls.params.insert((id, n), (of, m as u32));
            }
        }
    }

    /// Members of that name in the impls of a type: inherent ones before those of traits.
    pub(super) fn impl_members(
        &self,
        repo: &Repo,
        ty: GlobalDef,
        name: Sym,
        fuel: &Fuel,
    ) -> Vec<GlobalDef> {
        let Some(of) = self.impls_with(repo, ty, name, fuel) else {
            return Vec::new();
        };
        let named = |impls: &[GlobalDef]| -> Vec<GlobalDef> {
            impls
                .iter()
                .flat_map(|i| repo.children_named(*i, name))
                .collect()
        };
        let own = named(&of.inherent);
        if own.is_empty() {
            named(&of.traits)
        } else {
            own
        }
    }

    /// Members of that name in the impls of traits for a type.
    pub(super) fn trait_impl_members(
        &self,
        repo: &Repo,
        ty: GlobalDef,
        name: Sym,
        fuel: &Fuel,
    ) -> Vec<GlobalDef> {
        let impls = self.impls_with(repo, ty, name, fuel).into_iter();
        let of_traits = impls.flat_map(|of| &of.traits);
        of_traits
            .flat_map(|i| repo.children_named(*i, name))
            .collect()
    }

    /// The impls of a type that may have a member of that name; empty if there are too many.
    fn impls_with(&self, repo: &Repo, ty: GlobalDef, name: Sym, fuel: &Fuel) -> Option<&TypeImpls> {
        let of = self.impls.of.get(&ty)?;
        if of.inherent.len() + of.traits.len() <= FEW_IMPLS {
            return Some(of);
        }
        let with_it = self.impls.by_member(repo).of.get(&(ty, name))?;
        let most = with_it.inherent.len().max(with_it.traits.len());
        fuel.spend_on_namesakes(most).then_some(with_it)
    }

    /// The trait of the repository whose member a definition implements, if any.
    pub(super) fn trait_of_member(&self, repo: &Repo, member: GlobalDef) -> Option<GlobalDef> {
        let parent = repo.def(member).parent?;
        let holder = GlobalDef {
            file: member.file,
            def: parent,
        };
        self.impls.trait_of.get(&holder).copied()
    }
}
