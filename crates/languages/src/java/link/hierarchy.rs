//! Type names and the hierarchy of classes, resolved from written names alone.

use super::packages::{NameResolution, Packages, find_member_type, split_external_name};
pub(super) use crate::ancestry::Supertype;
use crate::ancestry::{Ancestry, MAX_ANCESTORS};
use base::facts::*;
use base::{Language, SymbolKind};
use linker::lang::DefinitionChanges;
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use linker::ty::External;
use rustc_hash::FxHashMap;
use std::ops::Deref;

/// The meaning of a simple name as a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TypeName {
    /// A type of the repository.
    Type(GlobalDef),
    /// A type parameter.
    Param(GlobalDef, u32),
    /// A type outside.
    External(External),
    /// An unknown type.
    Unknown,
}

/// The supertypes of every class.
#[derive(Default)]
pub(super) struct Hierarchy {
    ancestry: Ancestry,
}

impl Deref for Hierarchy {
    type Target = Ancestry;

    fn deref(&self) -> &Ancestry {
        &self.ancestry
    }
}

impl Hierarchy {
    /// Resolves the supertypes of every class.
    pub(super) fn new(repo: &Repo, packages: &Packages) -> Hierarchy {
        let mut builder = Builder {
            repo,
            packages,
            direct: FxHashMap::default(),
        };
        let mut classes = Vec::new();
        for (file, source) in repo.files() {
            if source.facts.language != Language::Java {
                continue;
            }
            for (i, def) in source.facts.defs.iter().enumerate() {
                if def.kind.is_type() {
                    let class = GlobalDef {
                        file,
                        def: DefId(i as u32),
                    };
                    builder.resolve_supertypes(class, 0);
                    classes.push(class);
                }
            }
        }
        let mut ancestry = Ancestry::default();
        for (class, supers) in builder.direct {
            ancestry.set_direct(class, supers.unwrap_or_default());
        }
        for class in classes {
            ancestry.find_ancestors(class, |_| ());
        }
        Hierarchy { ancestry }
    }

    /// Updates definitions of a file whose indexes moved.
    pub(super) fn follow(&mut self, file: FileId, moved: &IndexRemap) {
        self.ancestry.follow(file, moved);
    }

    /// Updates the hierarchy after definitions were added and removed. A removed type is a supertype of none that
    /// stays.
    pub(super) fn renew(&mut self, repo: &Repo, packages: &Packages, news: &DefinitionChanges<'_>) {
        self.ancestry.drop_removed();
        let mut builder = Builder {
            repo,
            packages,
            direct: FxHashMap::default(),
        };
        let is_type = |id: &&GlobalDef| {
            repo.def(**id).kind.is_type() && repo.language(id.file) == Language::Java
        };
        let classes: Vec<GlobalDef> = news.fresh.iter().filter(is_type).copied().collect();
        for class in &classes {
            let supers = builder.resolve_supertypes(*class, 0);
            self.ancestry.set_direct(*class, supers);
        }
        for class in classes {
            self.ancestry.find_ancestors(class, |_| ());
        }
    }

    /// The superclass of a class (not an interface), if one is written.
    pub(super) fn superclass(&self, repo: &Repo, class: GlobalDef) -> Option<&Supertype> {
        let def = repo.def(class);
        if def.kind != SymbolKind::Class {
            return None;
        }
        def.supers
            .iter()
            .zip(self.direct_supertypes(class))
            .find(|((_, kind), found)| {
                *kind == SuperKind::Extends
                    && match found {
                        Supertype::Inside(d) => repo.def(*d).kind != SymbolKind::Interface,
                        _ => true,
                    }
            })
            .map(|(_, found)| found)
    }

    /// A type of that name in a class or its ancestors.
    pub(super) fn member_type(
        &self,
        repo: &Repo,
        class: GlobalDef,
        name: Sym,
    ) -> Option<GlobalDef> {
        self.self_and_ancestors(class)
            .find_map(|c| find_member_type(repo, c, name))
    }
}

/// Access of a name resolver to inherited member types.
pub(super) trait MemberTypes {
    fn find_member_type(&mut self, class: GlobalDef, name: Sym) -> Option<GlobalDef>;
}

struct Builder<'r> {
    repo: &'r Repo,
    packages: &'r Packages,
    /// `None` while it is being resolved.
    direct: FxHashMap<GlobalDef, Option<Vec<Supertype>>>,
}

impl Builder<'_> {
    fn resolve_supertypes(&mut self, class: GlobalDef, depth: u32) -> Vec<Supertype> {
        if let Some(known) = self.direct.get(&class) {
            return known.clone().unwrap_or_default();
        }
        if depth > 60 {
            return Vec::new();
        }
        self.direct.insert(class, None);
        let facts = self.repo.facts(class.file);
        let supers: Vec<Supertype> = facts
            .def(class.def)
            .supers
            .iter()
            .map(|(ty, _)| self.resolve_written_supertype(class.file, *ty, depth))
            .collect();
        self.direct.insert(class, Some(supers.clone()));
        supers
    }

    fn resolve_written_supertype(&mut self, file: FileId, ty: TypeId, depth: u32) -> Supertype {
        let repo = self.repo;
        match repo.facts(file).ty(ty) {
            TypeExpr::SelfType(def) => Supertype::Inside(GlobalDef { file, def: *def }),
            TypeExpr::Named {
                path, scope, at, ..
            } => {
                let packages = self.packages;
                let mut members = BuilderMemberTypes {
                    builder: self,
                    depth: depth + 1,
                };
                let found =
                    resolve_type_path(repo, packages, file, path, *scope, *at, &mut members);
                match found {
                    TypeName::Type(def) => Supertype::Inside(def),
                    TypeName::External(external) => Supertype::Outside(external),
                    _ => Supertype::Unknown,
                }
            }
            _ => Supertype::Unknown,
        }
    }
}

struct BuilderMemberTypes<'a, 'r> {
    builder: &'a mut Builder<'r>,
    depth: u32,
}

impl MemberTypes for BuilderMemberTypes<'_, '_> {
    fn find_member_type(&mut self, class: GlobalDef, name: Sym) -> Option<GlobalDef> {
        let mut stack = vec![class];
        let mut seen = Vec::new();
        while let Some(next) = stack.pop() {
            if seen.contains(&next) || seen.len() >= MAX_ANCESTORS {
                continue;
            }
            seen.push(next);
            if let Some(found) = find_member_type(self.builder.repo, next, name) {
                return Some(found);
            }
            let supers = self.builder.resolve_supertypes(next, self.depth);
            stack.extend(
                supers
                    .into_iter()
                    .take(MAX_ANCESTORS)
                    .rev()
                    .filter_map(|s| match s {
                        Supertype::Inside(def) => Some(def),
                        _ => None,
                    }),
            );
        }
        None
    }
}

/// The finished hierarchy as a source of member types.
pub(super) struct HierarchyMemberTypes<'a> {
    pub(super) repo: &'a Repo,
    pub(super) hierarchy: &'a Hierarchy,
}

impl MemberTypes for HierarchyMemberTypes<'_> {
    fn find_member_type(&mut self, class: GlobalDef, name: Sym) -> Option<GlobalDef> {
        self.hierarchy.member_type(self.repo, class, name)
    }
}

/// The type that a dotted path denotes.
fn resolve_type_path(
    repo: &Repo,
    packages: &Packages,
    file: FileId,
    path: &[NameId],
    scope: ScopeId,
    at: u32,
    members: &mut dyn MemberTypes,
) -> TypeName {
    let Some((first, rest)) = path.split_first() else {
        return TypeName::Unknown;
    };
    let mut found = resolve_simple_type(repo, packages, file, *first, scope, at, members);
    if found == TypeName::Unknown && !rest.is_empty() {
        let facts = repo.facts(file);
        let whole: Vec<&str> = path.iter().map(|n| facts.name(*n)).collect();
        return from_found(packages.resolve_qualified(repo, &whole.join("."), file));
    }
    for segment in rest {
        found = match found {
            TypeName::Type(class) => members
                .find_member_type(class, repo.sym_of_name(file, *segment))
                .map_or(TypeName::Unknown, TypeName::Type),
            TypeName::External(e) => TypeName::External(e.member(repo.facts(file).name(*segment))),
            _ => TypeName::Unknown,
        };
    }
    found
}

/// The type that a simple name denotes in a scope.
pub(super) fn resolve_simple_type(
    repo: &Repo,
    packages: &Packages,
    file: FileId,
    name: NameId,
    scope: ScopeId,
    at: u32,
    members: &mut dyn MemberTypes,
) -> TypeName {
    let facts = repo.facts(file);
    let sym = repo.sym_of_name(file, name);
    let mut next = Some(scope);
    while let Some(id) = next {
        let binding = repo.binding_at(file, id, name, at, Namespace::TYPE);
        if let Some(binding) = binding {
            let found = resolve_bound_type(repo, packages, file, binding.to, members);
            if found != TypeName::Unknown {
                return found;
            }
        }
        let here = facts.scope(id);
        if let (ScopeKind::Class, Some(owner)) = (here.kind, here.owner)
            && let Some(found) = members.find_member_type(GlobalDef { file, def: owner }, sym)
        {
            return TypeName::Type(found);
        }
        next = here.parent;
    }
    resolve_unbound_type(repo, packages, file, facts.name(name), sym, members)
}

fn resolve_bound_type(
    repo: &Repo,
    packages: &Packages,
    file: FileId,
    to: Bound,
    members: &mut dyn MemberTypes,
) -> TypeName {
    match to {
        Bound::Def(def) => TypeName::Type(GlobalDef { file, def }),
        Bound::TypeParam(def, n) => TypeName::Param(GlobalDef { file, def }, n),
        Bound::Import(import) => resolve_imported_type(repo, packages, file, import, members),
        _ => TypeName::Unknown,
    }
}

/// The type that an import denotes: one of a package, or a member of a type.
pub(super) fn resolve_imported_type(
    repo: &Repo,
    packages: &Packages,
    file: FileId,
    import: ImportId,
    members: &mut dyn MemberTypes,
) -> TypeName {
    let facts = repo.facts(file);
    let import = facts.import(import);
    let (Imported::Name(name) | Imported::Static(name)) = import.what else {
        return TypeName::Unknown;
    };
    let module = facts.name(import.module);
    let text = facts.name(name);
    match packages.resolve_qualified(repo, &format!("{module}.{text}"), file) {
        NameResolution::Missing => match packages.resolve_qualified(repo, module, file) {
            NameResolution::Type(class) => members
                .find_member_type(class, repo.sym_of_name(file, name))
                .map_or(TypeName::Unknown, TypeName::Type),
            _ => TypeName::Unknown,
        },
        found => from_found(found),
    }
}

fn from_found(found: NameResolution) -> TypeName {
    match found {
        NameResolution::Type(def) => TypeName::Type(def),
        NameResolution::External(external) => TypeName::External(external),
        NameResolution::Package(_) | NameResolution::Missing => TypeName::Unknown,
    }
}

/// A name that no scope binds: from the same package, imports on demand, `java.lang`.
fn resolve_unbound_type(
    repo: &Repo,
    packages: &Packages,
    file: FileId,
    name: &str,
    sym: Sym,
    members: &mut dyn MemberTypes,
) -> TypeName {
    let own = packages
        .package_of_file(file)
        .and_then(|p| packages.find_type(repo, p, sym, file));
    if let Some(own) = own {
        return TypeName::Type(own);
    }
    if super::builtins::is_primitive(name) {
        return TypeName::External(External::new("java", name));
    }
    let facts = repo.facts(file);
    let mut outside: Vec<&str> = Vec::new();
    for import in &facts.imports {
        if !matches!(import.what, Imported::Glob | Imported::StaticGlob) {
            continue;
        }
        let module = facts.name(import.module);
        let found = match packages.resolve_qualified(repo, module, file) {
            NameResolution::Package(package) => packages.find_type(repo, package, sym, file),
            NameResolution::Type(class) => members.find_member_type(class, sym),
            NameResolution::External(_) => {
                if import.what == Imported::Glob {
                    outside.push(module);
                }
                None
            }
            NameResolution::Missing => None,
        };
        if let Some(found) = found {
            return TypeName::Type(found);
        }
    }
    resolve_external_type(name, &outside)
}

/// A type of `java.lang`, or of an imported package that is known to have it, or of the only one imported.
fn resolve_external_type(name: &str, globs: &[&str]) -> TypeName {
    if super::builtins::is_java_lang(name) {
        return TypeName::External(External::new("java.lang", name));
    }
    let known = globs
        .iter()
        .find(|g| super::builtins::is_known_class(&format!("{g}.{name}")));
    let capital = name.starts_with(|c: char| c.is_uppercase());
    match (known, globs) {
        (Some(package), _) => TypeName::External(split_external_name(&format!("{package}.{name}"))),
        (None, [one]) if capital => {
            TypeName::External(split_external_name(&format!("{one}.{name}")))
        }
        _ => TypeName::Unknown,
    }
}
