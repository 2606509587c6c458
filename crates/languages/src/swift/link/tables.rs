//! Definitions at the top of files, extensions of types, and supertypes. They are found from written names only, before
//! anything else is linked.

use super::modules::ModuleTable;
use crate::ancestry::{Ancestry, MAX_ANCESTORS, Supertype};
use base::facts::*;
use base::{Language, SymbolKind};
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::ty::External;
use rustc_hash::FxHashMap;

/// Rounds in which targets of extensions are found: each may need those that the one before found.
const ROUNDS: usize = 6;
/// Longest chain of aliases.
const MAX_ALIASES: u32 = 8;
/// Most definitions of one name that are compared by their paths.
const MOST_NAMESAKES: usize = 400;

/// What a written type name denotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TypeName {
    /// A type or alias of the repository.
    Type(GlobalDef),
    /// A type parameter, or an associated type of a protocol.
    Param(GlobalDef, u32),
    /// A type that a scope gives a name.
    Written(FileId, TypeId),
    /// A module of the repository.
    Module(u32),
    /// Outside.
    External(External),
    /// Not known, or several.
    Unknown,
}

/// The type that an extension extends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Extended {
    Inside(GlobalDef),
    Outside(External),
}

/// A place from which a name is looked up.
#[derive(Debug, Clone, Copy)]
pub(super) struct NamePosition {
    pub(super) file: FileId,
    pub(super) scope: ScopeId,
    pub(super) at: u32,
}

/// Definitions, extensions and supertypes of all files.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) modules: ModuleTable,
    /// Definitions at the top of files, by name.
    tops: FxHashMap<Sym, Vec<GlobalDef>>,
    /// The type of each extension.
    extended: FxHashMap<GlobalDef, Extended>,
    /// The extensions of each type.
    inside: FxHashMap<GlobalDef, Vec<GlobalDef>>,
    /// The extensions of each type outside the repository, by its name.
    outside: FxHashMap<Box<str>, Vec<GlobalDef>>,
    /// The protocols of the repository that extensions give to each type outside of it, by its name.
    outside_supers: FxHashMap<Box<str>, Vec<GlobalDef>>,
    /// Names of members that extensions give to types outside the repository.
    outside_members: FxHashMap<Sym, u32>,
    pub(super) ancestry: Ancestry,
}

impl Tables {
    /// Builds the tables.
    pub(super) fn new(repo: &Repo) -> Tables {
        let mut out = Tables {
            modules: ModuleTable::new(repo),
            ..Tables::default()
        };
        let mut extensions = Vec::new();
        for (file, source) in repo.files() {
            if source.facts.language != Language::Swift {
                continue;
            }
            for (def, at) in source.facts.defs.iter().zip(0..) {
                let id = GlobalDef {
                    file,
                    def: DefId(at),
                };
                if def.kind == SymbolKind::Impl {
                    extensions.push(id);
                } else if def.parent.is_none() && !def.flags.has(DefFlags::ANONYMOUS) {
                    let sym = repo.sym_of_name(file, def.name);
                    out.tops.entry(sym).or_default().push(id);
                }
            }
        }
        out.find_extended(repo, extensions);
        out.find_supertypes(repo);
        out.find_outside_supertypes(repo);
        out
    }

    fn find_extended(&mut self, repo: &Repo, mut open: Vec<GlobalDef>) {
        for round in 0..ROUNDS {
            let is_last = round + 1 == ROUNDS;
            let mut left = Vec::new();
            let mut found = Vec::new();
            for extension in open {
                match self.target(repo, extension, is_last) {
                    Some(target) => found.push((extension, target)),
                    None => left.push(extension),
                }
            }
            let is_done = found.is_empty() && round > 0 && !is_last;
            for (extension, target) in found {
                self.add_extension(repo, extension, target);
            }
            open = left;
            if open.is_empty() {
                break;
            }
            if is_done {
                // Nothing new will be found: what is left is outside.
                for extension in std::mem::take(&mut open) {
                    if let Some(target) = self.target(repo, extension, true) {
                        self.add_extension(repo, extension, target);
                    }
                }
                break;
            }
        }
        for list in self.inside.values_mut().chain(self.outside.values_mut()) {
            list.sort_unstable();
        }
    }

    fn add_extension(&mut self, repo: &Repo, extension: GlobalDef, target: Extended) {
        match &target {
            Extended::Inside(def) => self.inside.entry(*def).or_default().push(extension),
            Extended::Outside(external) => {
                for member in repo.children(extension) {
                    let sym = repo.sym_of_name(member.file, repo.def(member).name);
                    *self.outside_members.entry(sym).or_default() += 1;
                }
                let symbol = external.symbol.as_ref().into();
                self.outside.entry(symbol).or_default().push(extension);
            }
        }
        self.extended.insert(extension, target);
    }

    /// The type of an extension. Names that are not found are outside the repository, once `is_last`.
    fn target(&self, repo: &Repo, extension: GlobalDef, is_last: bool) -> Option<Extended> {
        let ty = repo.def(extension).ty?;
        match self.written(repo, extension.file, ty, 0) {
            TypeName::Type(def) => Some(Extended::Inside(def)),
            TypeName::External(external) if is_last || !external.symbol.contains('.') => {
                Some(Extended::Outside(external))
            }
            _ => None,
        }
    }

    fn find_supertypes(&mut self, repo: &Repo) {
        let mut types = Vec::new();
        let mut direct: Vec<(GlobalDef, Vec<Supertype>)> = Vec::new();
        for (file, source) in repo.files() {
            if source.facts.language != Language::Swift {
                continue;
            }
            for (def, at) in source.facts.defs.iter().zip(0..) {
                if !def.kind.is_type() || def.kind == SymbolKind::Impl {
                    continue;
                }
                let id = GlobalDef {
                    file,
                    def: DefId(at),
                };
                let mut supers = Vec::new();
                for part in std::iter::once(&id).chain(self.extensions(id)) {
                    for (ty, _) in &repo.def(*part).supers {
                        self.add_supertype(repo, part.file, *ty, 0, &mut supers);
                    }
                }
                direct.push((id, supers));
                types.push(id);
            }
        }
        for (id, supers) in direct {
            self.ancestry.set_direct(id, supers);
        }
        let is_protocol = |def: &GlobalDef| repo.def(*def).kind == SymbolKind::Interface;
        for id in types {
            self.ancestry
                .find_ancestors(id, |supers| supers.sort_by_key(is_protocol));
        }
    }

    fn find_outside_supertypes(&mut self, repo: &Repo) {
        let mut found: FxHashMap<Box<str>, Vec<GlobalDef>> = FxHashMap::default();
        for (symbol, extensions) in &self.outside {
            let mut supers = Vec::new();
            for extension in extensions {
                for (ty, _) in &repo.def(*extension).supers {
                    self.add_supertype(repo, extension.file, *ty, 0, &mut supers);
                }
            }
            let inside = supers.into_iter().filter_map(|s| match s {
                Supertype::Inside(def) => Some(def),
                _ => None,
            });
            found.insert(symbol.clone(), inside.collect());
        }
        self.outside_supers = found;
    }

    /// The protocols of the repository that a type outside of it has by extensions.
    pub(super) fn outside_protocols(&self, symbol: &str) -> &[GlobalDef] {
        self.outside_supers.get(symbol).map_or(&[], |found| found)
    }

    fn add_supertype(
        &self,
        repo: &Repo,
        file: FileId,
        ty: TypeId,
        depth: u32,
        out: &mut Vec<Supertype>,
    ) {
        if depth > MAX_ALIASES || out.len() > MAX_ANCESTORS {
            return;
        }
        if let TypeExpr::All(parts) = repo.facts(file).ty(ty) {
            for part in parts {
                self.add_supertype(repo, file, *part, depth + 1, out);
            }
            return;
        }
        let found = match self.written(repo, file, ty, 0) {
            TypeName::Type(def) if repo.def(def).kind == SymbolKind::TypeAlias => {
                // An alias of several protocols.
                if let Some(ty) = repo.def(def).ty {
                    self.add_supertype(repo, def.file, ty, depth + 1, out);
                }
                return;
            }
            TypeName::Type(def) => Supertype::Inside(def),
            TypeName::External(external) => Supertype::Outside(external),
            _ => Supertype::Unknown,
        };
        if !out.contains(&found) {
            out.push(found);
        }
    }

    /// The extensions of a type.
    pub(super) fn extensions(&self, of: GlobalDef) -> &[GlobalDef] {
        self.inside.get(&of).map_or(&[], |found| found)
    }

    /// The extensions of a type outside the repository.
    pub(super) fn outside_extensions(&self, symbol: &str) -> &[GlobalDef] {
        self.outside.get(symbol).map_or(&[], |found| found)
    }

    /// Whether an extension gives a member of that name to a type outside the repository.
    pub(super) fn extends_outside_by(&self, name: Sym) -> bool {
        self.outside_members.contains_key(&name)
    }

    /// The type of an extension.
    pub(super) fn extended(&self, extension: GlobalDef) -> Option<&Extended> {
        self.extended.get(&extension)
    }

    /// The type that a part stands for: that of an extension, or itself.
    pub(super) fn whole(&self, part: GlobalDef) -> GlobalDef {
        match self.extended.get(&part) {
            Some(Extended::Inside(def)) => *def,
            _ => part,
        }
    }

    /// What a written type names, aliases followed.
    pub(super) fn written(&self, repo: &Repo, file: FileId, ty: TypeId, depth: u32) -> TypeName {
        if depth > MAX_ALIASES {
            return TypeName::Unknown;
        }
        let (path, place) = match repo.facts(file).ty(ty) {
            TypeExpr::Named {
                path, scope, at, ..
            } => {
                let place = NamePosition {
                    file,
                    scope: *scope,
                    at: *at,
                };
                (path, place)
            }
            TypeExpr::Array(_) => return TypeName::External(External::new("Swift", "Array")),
            TypeExpr::Map(..) => return TypeName::External(External::new("Swift", "Dictionary")),
            TypeExpr::Optional(_) => {
                return TypeName::External(External::new("Swift", "Optional"));
            }
            _ => return TypeName::Unknown,
        };
        let found = self.path(repo, path, place, depth);
        self.follow_alias(repo, found, depth)
    }

    /// The type that an alias stands for, if it is a plain name.
    pub(super) fn follow_alias(&self, repo: &Repo, found: TypeName, depth: u32) -> TypeName {
        let TypeName::Type(def) = found else {
            if let TypeName::Written(file, ty) = found {
                return self.written(repo, file, ty, depth + 1);
            }
            return found;
        };
        let it = repo.def(def);
        if it.kind != SymbolKind::TypeAlias {
            return TypeName::Type(def);
        }
        match it.ty {
            Some(ty) => match self.written(repo, def.file, ty, depth + 1) {
                // Several protocols, functions, tuples: the alias itself.
                TypeName::Unknown => TypeName::Type(def),
                found => found,
            },
            None => TypeName::Type(def),
        }
    }

    /// What a path of names denotes.
    pub(super) fn path(
        &self,
        repo: &Repo,
        path: &[NameId],
        place: NamePosition,
        depth: u32,
    ) -> TypeName {
        let facts = repo.facts(place.file);
        let Some((first, rest)) = path.split_first() else {
            return TypeName::Unknown;
        };
        let mut found = self.simple(repo, *first, place, depth);
        for name in rest {
            let text = facts.name(*name);
            found = match self.follow_alias(repo, found, depth) {
                TypeName::Type(def) => match self.nested(repo, def, text, place.file) {
                    Some(inner) => inner,
                    None => TypeName::Unknown,
                },
                TypeName::Module(module) => self.in_module(repo, module, text, place.file),
                TypeName::External(external) => TypeName::External(external.member(text)),
                _ => TypeName::Unknown,
            };
        }
        found
    }

    /// What a single name denotes at a place.
    pub(super) fn simple(
        &self,
        repo: &Repo,
        name: NameId,
        place: NamePosition,
        depth: u32,
    ) -> TypeName {
        let facts = repo.facts(place.file);
        let text = facts.name(name);
        let mut next = Some(place.scope);
        while let Some(id) = next {
            let here = facts.scope(id);
            next = here.parent;
            match (here.kind, here.owner) {
                (ScopeKind::Class, Some(owner)) => {
                    let owner = GlobalDef {
                        file: place.file,
                        def: owner,
                    };
                    if let Some(found) = self.in_type_scope(repo, owner, text, place.file) {
                        return found;
                    }
                }
                (ScopeKind::File | ScopeKind::Module, _) => {}
                _ => {
                    let bound = repo.binding_at(place.file, id, name, place.at, Namespace::TYPE);
                    match bound.map(|b| b.to) {
                        Some(Bound::Def(def)) => {
                            return TypeName::Type(GlobalDef {
                                file: place.file,
                                def,
                            });
                        }
                        Some(Bound::TypeParam(def, n)) => {
                            let def = GlobalDef {
                                file: place.file,
                                def,
                            };
                            return TypeName::Param(def, n);
                        }
                        Some(Bound::Local { ty: Some(ty), .. }) if depth <= MAX_ALIASES => {
                            return TypeName::Written(place.file, ty);
                        }
                        _ => {}
                    }
                }
            }
        }
        self.top(repo, text, place.file)
    }

    /// A type that a name denotes in the body of a type or extension.
    fn in_type_scope(
        &self,
        repo: &Repo,
        owner: GlobalDef,
        name: &str,
        from: FileId,
    ) -> Option<TypeName> {
        let is_extension = repo.def(owner).kind == SymbolKind::Impl;
        if !is_extension {
            if let Some(found) = self.nested(repo, owner, name, from) {
                return Some(found);
            }
            return (repo.def_name(owner) == name).then_some(TypeName::Type(owner));
        }
        match self.extended.get(&owner) {
            Some(Extended::Inside(def)) => {
                if let Some(found) = self.nested(repo, *def, name, from) {
                    return Some(found);
                }
                let params = &repo.def(*def).type_params;
                let facts = repo.facts(def.file);
                let at = params.iter().position(|p| facts.name(p.name) == name);
                if let Some(at) = at {
                    return Some(TypeName::Param(*def, at as u32));
                }
                // An extension sees what surrounds its type, if it is nested.
                let outer = repo.def(*def).parent.map(|parent| {
                    self.whole(GlobalDef {
                        file: def.file,
                        def: parent,
                    })
                });
                outer.and_then(|outer| self.nested(repo, outer, name, from))
            }
            Some(Extended::Outside(external)) => {
                if let Some(found) = self.nested_outside(repo, &external.symbol, name, from) {
                    return Some(found);
                }
                let at = super::platform::type_param(&external.symbol, name)?;
                Some(TypeName::Param(owner, at))
            }
            None => {
                let sym = repo.find_sym(name)?;
                let mut own = repo.children_named(owner, sym);
                let found = own.find(|d| is_type(repo, *d))?;
                Some(TypeName::Type(found))
            }
        }
    }

    /// A type inside a type outside the repository.
    pub(super) fn nested_outside(
        &self,
        repo: &Repo,
        symbol: &str,
        name: &str,
        from: FileId,
    ) -> Option<TypeName> {
        let sym = repo.find_sym(name)?;
        for extension in self.outside_extensions(symbol) {
            let found = repo
                .children_named(*extension, sym)
                .find(|d| is_type(repo, *d) && self.modules.sees(repo, from, *d, true));
            if let Some(found) = found {
                return Some(TypeName::Type(found));
            }
        }
        None
    }

    /// A type inside a type, its extensions or its supertypes.
    pub(super) fn nested(
        &self,
        repo: &Repo,
        of: GlobalDef,
        name: &str,
        from: FileId,
    ) -> Option<TypeName> {
        let sym = repo.find_sym(name)?;
        for holder in self.ancestry.self_and_ancestors(of) {
            let parts = std::iter::once(&holder).chain(self.extensions(holder));
            for part in parts {
                let named = repo.children_named(*part, sym);
                if named.len() > MOST_NAMESAKES {
                    return None;
                }
                let mut found: Vec<GlobalDef> = named
                    .filter(|d| is_type(repo, *d) && self.modules.sees(repo, from, *d, true))
                    .collect();
                drop_left_out(repo, &mut found);
                let Some(first) = found.first() else { continue };
                if let Some(param) = associated_type(repo, holder, name)
                    && repo.def(*first).ty.is_none()
                    && repo.def(*first).kind == SymbolKind::TypeAlias
                {
                    return Some(TypeName::Param(holder, param));
                }
                // `typealias Element = Element` names the parameter.
                if let Some(param) = self.own_param(repo, holder, *first, name) {
                    return Some(param);
                }
                return Some(TypeName::Type(*first));
            }
        }
        None
    }

    /// The type parameter that an alias of its own name stands for.
    fn own_param(
        &self,
        repo: &Repo,
        holder: GlobalDef,
        alias: GlobalDef,
        name: &str,
    ) -> Option<TypeName> {
        let facts = repo.facts(alias.file);
        let TypeExpr::Named { path, .. } = facts.ty(repo.def(alias).ty?) else {
            return None;
        };
        let [one] = path[..] else {
            return None;
        };
        let home = repo.facts(holder.file);
        let params = &repo.def(holder).type_params;
        let at = params.iter().position(|p| home.name(p.name) == name);
        let at = at.filter(|_| facts.name(one) == name)?;
        Some(TypeName::Param(holder, at as u32))
    }

    /// What a name denotes outside of all types.
    pub(super) fn top(&self, repo: &Repo, name: &str, from: FileId) -> TypeName {
        let found = self.visible_tops(repo, name, from, |d| is_type(repo, d));
        if let Some(found) = found.first() {
            return match self.nearest(repo, &found[..], from) {
                Some(one) => TypeName::Type(one),
                None => TypeName::Unknown,
            };
        }
        if let Some(module) = self.modules.near(from, name) {
            let is_seen = self.modules.seen(from).iter().any(|s| s.module == module);
            if is_seen || self.modules.module(from) == module {
                return TypeName::Module(module);
            }
        }
        TypeName::External(self.external(repo, name, from))
    }

    /// Something outside the repository that a file names.
    pub(super) fn external(&self, repo: &Repo, name: &str, from: FileId) -> External {
        if let Some(package) = super::platform::package_of(name) {
            return External::new(package, name);
        }
        let package = self.modules.outside_module(repo, from).unwrap_or("");
        External::new(package, name)
    }

    /// Definitions of a name outside of all types that a file sees: those of its own module, then those of each module
    /// that it imports. `counts` accepts those that are meant.
    pub(super) fn visible_tops(
        &self,
        repo: &Repo,
        name: &str,
        from: FileId,
        counts: impl Fn(GlobalDef) -> bool,
    ) -> Vec<Vec<GlobalDef>> {
        let Some(all) = repo.find_sym(name).and_then(|sym| self.tops.get(&sym)) else {
            return Vec::new();
        };
        if all.len() > MOST_NAMESAKES {
            return Vec::new();
        }
        let own_module = self.modules.module(from);
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for def in all.iter().copied() {
            if counts(def) && self.modules.sees(repo, from, def, false) {
                if self.modules.module(def.file) == own_module {
                    own.push(def);
                } else {
                    others.push(def);
                }
            }
        }
        let mut out = vec![own, others];
        out.iter_mut().for_each(|level| drop_left_out(repo, level));
        out.retain(|level| !level.is_empty());
        out
    }

    /// The only type of several; of those with one name in one module, the one whose path is nearest.
    fn nearest(&self, repo: &Repo, types: &[GlobalDef], from: FileId) -> Option<GlobalDef> {
        if let [one] = types {
            return Some(*one);
        }
        let path = &*repo.file(from).path;
        let shared = |def: &GlobalDef| {
            let other = &*repo.file(def.file).path;
            let same = path.split('/').zip(other.split('/'));
            let is_own = usize::from(def.file == from);
            same.take_while(|(a, b)| a == b).count() + is_own
        };
        let best = types.iter().map(shared).max()?;
        let mut nearest = types.iter().filter(|def| shared(def) == best);
        let first = nearest.next().copied();
        first.filter(|_| nearest.next().is_none())
    }

    /// A type at the top of a module.
    pub(super) fn in_module(&self, repo: &Repo, module: u32, name: &str, from: FileId) -> TypeName {
        let of_module = |d: GlobalDef| self.modules.module(d.file) == module && is_type(repo, d);
        let found = self.visible_tops(repo, name, from, of_module);
        match found.first().map(|level| &level[..]) {
            Some([one]) => TypeName::Type(*one),
            _ => TypeName::Unknown,
        }
    }

    /// Definitions at the top of a module.
    pub(super) fn members_of_module(
        &self,
        repo: &Repo,
        module: u32,
        name: &str,
        from: FileId,
    ) -> Vec<GlobalDef> {
        let of_module = |d: GlobalDef| self.modules.module(d.file) == module;
        let found = self.visible_tops(repo, name, from, of_module);
        found.into_iter().next().unwrap_or_default()
    }
}

/// Whether a definition is a type or an alias of one.
pub(super) fn is_type(repo: &Repo, def: GlobalDef) -> bool {
    let kind = repo.def(def).kind;
    (kind.is_type() && kind != SymbolKind::Impl) || kind == SymbolKind::TypeAlias
}

/// The number of an associated type of a protocol.
pub(super) fn associated_type(repo: &Repo, protocol: GlobalDef, name: &str) -> Option<u32> {
    let def = repo.def(protocol);
    if def.kind != SymbolKind::Interface {
        return None;
    }
    let facts = repo.facts(protocol.file);
    let at = def
        .type_params
        .iter()
        .position(|p| facts.name(p.name) == name);
    at.map(|at| at as u32)
}

/// Drops definitions in branches of `#if` that are not built, if others are left.
pub(super) fn drop_left_out(repo: &Repo, defs: &mut Vec<GlobalDef>) {
    let is_built = |d: &GlobalDef| !repo.def(*d).flags.has(DefFlags::CONDITIONAL);
    if defs.len() > 1 && defs.iter().any(is_built) {
        defs.retain(is_built);
    }
}
