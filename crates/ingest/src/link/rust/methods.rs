//! Methods found by other ways than a type's own impls: blanket impls, extension traits on types
//! outside the repository, and the only method of a name.

use super::super::eval::Eval;
use super::super::repo::{FileId, GDef, Repo, Sym};
use super::super::ty::*;
use super::choose::takes_self;
use super::{Rust, builtins};
use base::Language;
use rustc_hash::FxHashMap;
use syntax::facts::*;

/// Methods of the repository by name.
pub(super) fn by_name(repo: &Repo) -> FxHashMap<Sym, Vec<GDef>> {
    let mut out: FxHashMap<Sym, Vec<GDef>> = FxHashMap::default();
    for (file, source) in repo.files() {
        if source.facts.language != Language::Rust {
            continue;
        }
        for (i, def) in source.facts.defs.iter().enumerate() {
            if takes_self(def) {
                let sym = repo.global(file, def.name);
                let def = DefId(i as u32);
                out.entry(sym).or_default().push(GDef { file, def });
            }
        }
    }
    out
}

impl Rust {
    /// A member that an impl of a trait for every (bounded) type gives.
    pub(super) fn blanket_member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Entity {
        let Some(sym) = ev.repo.sym(name) else {
            return Entity::Unknown;
        };
        let mut found: Vec<GDef> = Vec::new();
        for (of_impl, param) in &self.impls.blanket {
            let Some(member) = self.provided(ev.repo, *of_impl, sym) else {
                continue;
            };
            if self.satisfies(ev, object, *of_impl, *param) && !found.contains(&member) {
                found.push(member);
            }
        }
        match found[..] {
            [one] => Entity::def(one),
            _ => Entity::Unknown,
        }
    }

    /// What an impl of a trait gives under a name: its own member, else the trait's default.
    fn provided(&self, repo: &Repo, of_impl: GDef, name: Sym) -> Option<GDef> {
        let own = repo.children_named(of_impl, name).next();
        own.or_else(|| {
            let of = self.impls.trait_of.get(&of_impl)?;
            repo.children_named(*of, name).next()
        })
    }

    /// Whether a type has the bounds of an impl's type parameter, as far as traits of the
    /// repository are concerned.
    fn satisfies(&self, ev: &mut Eval<'_>, object: &Ty, of_impl: GDef, param: u32) -> bool {
        let bounds = match ev.repo.def(of_impl).type_params.get(param as usize) {
            Some(param) => param.bounds.clone(),
            None => return false,
        };
        bounds.iter().all(|bound| {
            let bound = ev.written(of_impl.file, *bound);
            match bound {
                Ty::Instance(of, _) => ev.inherits(object, of),
                _ => true,
            }
        })
    }

    /// A method of a trait of the repository on a value whose type is outside.
    pub(super) fn extension_member(
        &self,
        ev: &mut Eval<'_>,
        _file: FileId,
        object: &Ty,
        name: &str,
    ) -> Option<Entity> {
        let sym = ev.repo.sym(name)?;
        self.methods.get(&sym)?;
        let key = match object {
            Ty::ExternalInstance(external, _) | Ty::External(external) => builtins::key(external),
            Ty::Tuple(_) | Ty::Callable(..) => "",
            _ => return None,
        };
        let mut found: Vec<GDef> = Vec::new();
        for of_impl in self.impls.outside.get(key).into_iter().flatten() {
            if let Some(member) = self.provided(ev.repo, *of_impl, sym)
                && !found.contains(&member)
            {
                found.push(member);
            }
        }
        match found.len() {
            0 if builtins::is_known_method(key, name) => None,
            0 => match self.blanket_member(ev, object, name) {
                Entity::Unknown => None,
                other => Some(other),
            },
            1 => Some(Entity::defs(found)),
            _ => Some(Entity::defs(found)),
        }
    }
}
