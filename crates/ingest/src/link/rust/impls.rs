//! `impl` blocks by the type that they extend.

use super::super::fuel::Fuel;
use super::super::repo::{FileId, GDef, Repo, Sym};
use super::super::ty::Entity;
use super::Rust;
use super::builtins;
use super::resolve::Trail;
use crate::delta::Moved;
use crate::link::lang::News;
use base::{Language, SymbolKind};
use rustc_hash::FxHashMap;
use syntax::facts::*;

/// The impls of one type.
#[derive(Default, Clone)]
pub(super) struct OfType {
    /// Without a trait.
    pub inherent: Vec<GDef>,
    /// Of a trait.
    pub traits: Vec<GDef>,
}

/// All `impl` blocks of the repository.
#[derive(Default)]
pub(super) struct Impls {
    /// Of types (and trait objects) of the repository.
    pub of: FxHashMap<GDef, OfType>,
    /// Of types outside, by [`builtins::outside_key`].
    pub outside: FxHashMap<String, Vec<GDef>>,
    /// Of any type: `impl<T: Bound> Trait for T`, with the number of the type parameter.
    pub blanket: Vec<(GDef, u32)>,
    /// The trait of the repository that an impl is of.
    pub trait_of: FxHashMap<GDef, GDef>,
    /// Type parameters of impls as those of the type that they extend.
    pub params: FxHashMap<(GDef, u32), (GDef, u32)>,
}

enum Extended {
    Def(GDef),
    Outside(String),
    Any(u32),
    Unknown,
}

impl Impls {
    /// Follows definitions of a file whose indexes moved.
    pub(super) fn follow(&mut self, file: FileId, moved: &Moved) {
        moved.keys(file, &mut self.of);
        let of_types = self.of.values_mut();
        moved.each(
            file,
            of_types.flat_map(|of| of.inherent.iter_mut().chain(&mut of.traits)),
        );
        moved.each(file, self.outside.values_mut().flatten());
        moved.each(file, self.blanket.iter_mut().map(|(of_impl, _)| of_impl));
        moved.keys(file, &mut self.trait_of);
        moved.each(file, self.trait_of.values_mut());
        let params = std::mem::take(&mut self.params).into_iter();
        let param = |(def, n)| (moved.gdef(file, def), n);
        self.params = params.map(|(from, to)| (param(from), param(to))).collect();
    }
}

impl Rust {
    /// Finds what each impl extends.
    pub(super) fn find_impls(&self, repo: &Repo) -> Impls {
        let mut impls = Impls::default();
        for (file, source) in repo.files() {
            if source.facts.language != Language::Rust {
                continue;
            }
            for (i, def) in source.facts.defs.iter().enumerate() {
                if def.kind == SymbolKind::Impl {
                    let def = DefId(i as u32);
                    self.find_impl(repo, GDef { file, def }, &mut impls);
                }
            }
        }
        impls
    }

    /// Follows definitions that came and went; among them are no impls of traits.
    pub(super) fn renew_impls(&self, repo: &Repo, news: &News<'_>, impls: &mut Impls) {
        let there = Moved::is_there;
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
                self.find_impl(repo, *id, impls);
            }
        }
        let of_types = impls.of.values_mut().map(|of| &mut of.inherent);
        for all in of_types.chain(impls.outside.values_mut()) {
            if !all.is_sorted() {
                all.sort_unstable();
            }
        }
    }

    fn find_impl(&self, repo: &Repo, id: GDef, impls: &mut Impls) {
        let def = repo.def(id);
        let Some(ty) = def.ty else { return };
        let trail = &Trail::new(&Fuel::of_entry());
        let mut of_trait = false;
        if let Some((written, _)) = def.supers.first() {
            of_trait = true;
            if let Entity::Defs(defs) = self.written_def(repo, id.file, *written, trail)
                && let Some(found) = defs
                    .iter()
                    .find(|d| repo.def(**d).kind == SymbolKind::Trait)
            {
                impls.trait_of.insert(id, *found);
            }
        }
        match self.extended(repo, (id.file, ty), 0, trail) {
            Extended::Def(of) => {
                let entry = impls.of.entry(of).or_default();
                match of_trait {
                    true => entry.traits.push(id),
                    false => entry.inherent.push(id),
                }
                self.match_params(repo, id, of, ty, impls);
            }
            Extended::Outside(key) => impls.outside.entry(key).or_default().push(id),
            Extended::Any(n) if impls.trait_of.contains_key(&id) => impls.blanket.push((id, n)),
            _ => {}
        }
    }

    fn extended(
        &self,
        repo: &Repo,
        (file, ty): (FileId, TypeId),
        depth: u32,
        trail: &Trail,
    ) -> Extended {
        if depth > 8 {
            return Extended::Unknown;
        }
        let facts = repo.facts(file);
        match facts.ty(ty) {
            TypeExpr::Reference(inner) => self.extended(repo, (file, *inner), depth + 1, trail),
            TypeExpr::All(parts) => match parts.first() {
                Some(first) => self.extended(repo, (file, *first), depth + 1, trail),
                None => Extended::Unknown,
            },
            TypeExpr::Primitive(primitive) => {
                Extended::Outside(builtins::primitive_key(*primitive).into())
            }
            TypeExpr::Array(_) => Extended::Outside("Vec".into()),
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
                    // An impl for pointers to any type hands on what the type has itself.
                    return match depth {
                        0 => Extended::Any(n),
                        _ => Extended::Unknown,
                    };
                }
                match self.written_def(repo, file, ty, trail) {
                    Entity::Defs(defs) => {
                        match defs.first().and_then(|d| self.aliased(repo, *d, trail)) {
                            Some(def) => Extended::Def(def),
                            None => Extended::Unknown,
                        }
                    }
                    Entity::External(external) => match args.first() {
                        Some(inner) if builtins::is_transparent(&external) => {
                            self.extended(repo, (file, *inner), depth + 1, trail)
                        }
                        _ => Extended::Outside(builtins::outside_key(&external)),
                    },
                    _ => Extended::Unknown,
                }
            }
            _ => Extended::Unknown,
        }
    }

    /// `impl<A, B> Type<B, A>`: `A` is the type's second parameter.
    fn match_params(&self, repo: &Repo, id: GDef, of: GDef, ty: TypeId, impls: &mut Impls) {
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
    pub(super) fn impl_members(&self, repo: &Repo, ty: GDef, name: Sym) -> Vec<GDef> {
        let Some(of) = self.impls.of.get(&ty) else {
            return Vec::new();
        };
        let named = |impls: &[GDef]| -> Vec<GDef> {
            impls
                .iter()
                .flat_map(|i| repo.children_named(*i, name))
                .collect()
        };
        let own = named(&of.inherent);
        match own.is_empty() {
            true => named(&of.traits),
            false => own,
        }
    }

    /// The trait of the repository whose member a definition implements, if any.
    pub(super) fn trait_of_member(&self, repo: &Repo, member: GDef) -> Option<GDef> {
        let parent = repo.def(member).parent?;
        let holder = GDef {
            file: member.file,
            def: parent,
        };
        self.impls.trait_of.get(&holder).copied()
    }
}
