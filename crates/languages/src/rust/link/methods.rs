//! Methods that are not found in a type's own impls: blanket impls, extension traits on external types, and the only
//! method of a name.

use super::choose::takes_self;
use super::code_position::CodePosition;
use super::{Rust, builtins, inherent, prelude};
use base::facts::*;
use base::{Language, SymbolKind};
use linker::eval::Eval;
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::ty::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// With more methods of one name, none is chosen.
const MOST_METHODS: usize = 24;

/// Methods of the repository by name.
pub(super) fn methods_by_name(repo: &Repo) -> FxHashMap<Sym, Vec<GlobalDef>> {
    let mut out: FxHashMap<Sym, Vec<GlobalDef>> = FxHashMap::default();
    for (file, source) in repo.files() {
        if source.facts.language != Language::Rust {
            continue;
        }
        for (i, def) in source.facts.defs.iter().enumerate() {
            if takes_self(def) {
                let sym = repo.sym_of_name(file, def.name);
                let def = DefId(i as u32);
                out.entry(sym).or_default().push(GlobalDef { file, def });
            }
        }
    }
    out
}

impl Rust {
    /// A member from a blanket impl of a trait.
    pub(super) fn blanket_member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Entity {
        let Some(sym) = ev.repo.find_sym(name) else {
            return Entity::Unknown;
        };
        let mut found: Vec<GlobalDef> = Vec::new();
        let blanket = self.impls.blanket_impls_with(ev.repo, sym);
        if !ev.spend_on_namesakes(blanket.len()) {
            return Entity::Unknown;
        }
        for (of_impl, param) in blanket.iter() {
            let Some(member) = self.member_given_by_impl(ev.repo, *of_impl, sym) else {
                continue;
            };
            let seen = ev.current_file().is_none_or(|home| {
                self.is_trait_method_visible(ev, CodePosition::file(home), member)
            });
            if seen
                && !found.contains(&member)
                && self.satisfies_bounds(ev, object, *of_impl, *param)
            {
                found.push(member);
            }
        }
        match found[..] {
            [one] => Entity::def(one),
            _ => Entity::Unknown,
        }
    }

    /// The member of that name from an impl of a trait: its own, else the trait's default.
    fn member_given_by_impl(
        &self,
        repo: &Repo,
        of_impl: GlobalDef,
        name: Sym,
    ) -> Option<GlobalDef> {
        let own = repo.children_named(of_impl, name).next();
        own.or_else(|| {
            let of = self.impls.trait_of.get(&of_impl)?;
            repo.children_named(*of, name).next()
        })
    }

    /// Whether a type satisfies the bounds of an impl's type parameter, as far as known.
    pub(super) fn satisfies_bounds(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        of_impl: GlobalDef,
        param: u32,
    ) -> bool {
        let bounds = match ev.repo.def(of_impl).type_params.get(param as usize) {
            Some(param) => param.bounds.clone(),
            None => return false,
        };
        bounds.iter().all(|bound| {
            let bound = ev.lower_type(of_impl.file, *bound);
            match &bound {
                Ty::Instance(of, _) => {
                    ev.is_subtype_of(object, *of) || self.is_implemented_for_external(object, *of)
                }
                Ty::ExternalInstance(of, _) => implements_external_trait(ev, object, of),
                Ty::Callable(..) => matches!(object, Ty::Callable(..) | Ty::Function(..)),
                _ => true,
            }
        })
    }

    /// Whether an external type implements a trait of the repository.
    fn is_implemented_for_external(&self, object: &Ty, of_trait: GlobalDef) -> bool {
        let (Ty::ExternalInstance(external, _) | Ty::External(external)) = object else {
            return false;
        };
        let impls = self
            .impls
            .outside
            .get(&builtins::external_type_key(external));
        let mut impls = impls.into_iter().flatten();
        impls.any(|i| self.impls.trait_of.get(i) == Some(&of_trait))
    }

    /// A method of a trait of the repository on a value of an external type.
    pub(super) fn extension_member(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        object: &Ty,
        name: &str,
    ) -> Option<Entity> {
        let sym = ev.repo.find_sym(name)?;
        // A path can also mean functions without `self`.
        if !matches!(object, Ty::External(_)) {
            self.methods.get(&sym)?;
        }
        let (outside, key) = match object {
            // A path of modules is not a type.
            Ty::External(external) if !builtins::looks_like_type(external) => return None,
            Ty::ExternalInstance(external, _) | Ty::External(external) => (
                builtins::external_type_key(external),
                builtins::last_segment(external),
            ),
            Ty::Tuple(_) | Ty::Callable(..) => (String::new(), ""),
            _ => return None,
        };
        // An inherent method precedes that of a trait.
        if inherent::is_own_method(key, name) {
            return None;
        }
        let mut found: Vec<GlobalDef> = Vec::new();
        let given = self.external_impls_giving(ev, &outside, sym)?;
        let mut known = FxHashSet::default();
        for of_impl in given.iter() {
            if let Some(member) = self.member_given_by_impl(ev.repo, *of_impl, sym)
                && known.insert(member)
            {
                found.push(member);
            }
        }
        let is_own = |d: &GlobalDef| ev.repo.def(*d).flags.has(DefFlags::DELEGATES);
        if found.iter().any(is_own) {
            // It calls the inherent method, which takes precedence.
            return None;
        }
        let by_path = |d: &GlobalDef| {
            takes_self(ev.repo.def(*d)) || self.trait_of_method(ev.repo, *d).is_some()
        };
        found.retain(by_path);
        if found.is_empty() && !builtins::is_known_method(key, name) {
            match self.blanket_member(ev, object, name) {
                Entity::Defs(defs) => found.extend(defs.iter()),
                _ => return None,
            }
        }
        let home = ev.current_file().unwrap_or(file);
        found.retain(|d| self.is_trait_method_visible(ev, CodePosition::file(home), *d));
        (!found.is_empty()).then(|| Entity::defs(found))
    }

    /// The impls for an external type that may have a member; empty if there are too many. `String` also has the
    /// methods of `str`.
    fn external_impls_giving(
        &self,
        ev: &mut Eval<'_>,
        outside: &str,
        member: Sym,
    ) -> Option<Cow<'_, [GlobalDef]>> {
        let repo = ev.repo;
        let own = self.impls.external_impls_with(repo, outside, member);
        if !ev.spend_on_namesakes(own.len()) {
            return None;
        }
        let gives = |i: &GlobalDef| self.member_given_by_impl(repo, *i, member).is_some();
        if outside != "String" || own.iter().any(gives) {
            return Some(own);
        }
        let of_str = self.impls.external_impls_with(repo, "str", member);
        ev.spend_on_namesakes(of_str.len()).then_some(of_str)
    }

    /// The only method that `x.name()` can mean at a position, if the type of `x` is unknown: that of the only trait in
    /// scope with such a method.
    pub(super) fn only_method_in_scope(
        &self,
        ev: &mut Eval<'_>,
        place: CodePosition,
        name: NameId,
    ) -> Option<GlobalDef> {
        let file = place.file;
        let text = ev.repo.facts(file).name(name);
        if prelude::is_common_method_name(text) {
            return None;
        }
        let all = self.methods.get(&ev.repo.find_sym(text)?)?;
        if all.len() > MOST_METHODS {
            return None;
        }
        let reached = |d: &&GlobalDef| self.modules.can_see(file, d.file);
        let all: Vec<GlobalDef> = all.iter().filter(reached).copied().collect();
        let first = self.trait_of_method(ev.repo, *all.first()?)?;
        if !all
            .iter()
            .all(|d| self.trait_of_method(ev.repo, *d) == Some(first))
        {
            return None;
        }
        let is_declared = |d: &&GlobalDef| {
            let parent = ev.repo.def(**d).parent;
            parent.map(|def| GlobalDef { def, ..**d }) == Some(first)
        };
        let declared = *all.iter().find(is_declared)?;
        let is_abstract = ev.repo.def(declared).flags.has(DefFlags::ABSTRACT);
        let meant = match all[..] {
            [_] => declared,
            [a, b] if is_abstract => {
                if a == declared {
                    b
                } else {
                    a
                }
            }
            _ => return None,
        };
        self.is_trait_visible(ev, place, first).then_some(meant)
    }

    /// The trait of the repository that declares a method, or that the surrounding impl implements.
    pub(super) fn trait_of_method(&self, repo: &Repo, member: GlobalDef) -> Option<GlobalDef> {
        let holder = GlobalDef {
            def: repo.def(member).parent?,
            ..member
        };
        let declares = repo.def(holder).kind == SymbolKind::Trait;
        self.trait_of_member(repo, member)
            .or(declares.then_some(holder))
    }
}

/// Whether a type implements an external trait, as far as known.
fn implements_external_trait(ev: &mut Eval<'_>, object: &Ty, of: &External) -> bool {
    let wanted = builtins::last_segment(of);
    if builtins::is_common_trait(wanted) {
        return true;
    }
    let is_it = |ty: &Ty| match ty {
        Ty::ExternalInstance(external, _) | Ty::External(external) => {
            builtins::implements_std_trait(builtins::last_segment(external), wanted)
        }
        _ => false,
    };
    match object {
        Ty::Instance(..) | Ty::Class(..) => ev.member_search_order(object).iter().any(is_it),
        Ty::Union(parts) => parts.iter().any(is_it),
        other => is_it(other),
    }
}
