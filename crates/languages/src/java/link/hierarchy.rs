//! Type names and the hierarchy of classes, from written names alone.

use super::packages::{NameResolution, Packages, external, member_type};
use base::facts::*;
use base::{Language, SymbolKind};
use linker::lang::DefinitionChanges;
use linker::repo::{FileId, GDef, Repo, Sym};
use linker::surface::Moved;
use linker::ty::External;
use rustc_hash::FxHashMap;

/// Longest list of ancestors.
const MAX_ANCESTORS: usize = 200;

/// A direct supertype.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Super {
    /// In the repository.
    Inside(GDef),
    /// Outside it.
    Outside(External),
    /// Not found.
    Unknown,
}

impl Super {
    fn inside_mut(&mut self) -> Option<&mut GDef> {
        match self {
            Super::Inside(def) => Some(def),
            _ => None,
        }
    }
}

/// What a simple name means as a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TypeName {
    /// A type of the repository.
    Type(GDef),
    /// A type parameter.
    Param(GDef, u32),
    /// A type outside.
    External(External),
    /// Nothing that is known.
    Unknown,
}

/// Supertypes of every class.
#[derive(Default)]
pub(super) struct Hierarchy {
    direct: FxHashMap<GDef, Vec<Super>>,
    /// Ancestors in the repository, depth first, without the class itself.
    above: FxHashMap<GDef, Vec<GDef>>,
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
                    let class = GDef {
                        file,
                        def: DefId(i as u32),
                    };
                    builder.resolve(class, 0);
                    classes.push(class);
                }
            }
        }
        let mut out = Hierarchy {
            direct: builder
                .direct
                .into_iter()
                .map(|(class, supers)| (class, supers.unwrap_or_default()))
                .collect(),
            above: FxHashMap::default(),
        };
        for class in classes {
            let above = out.collect(class);
            out.above.insert(class, above);
        }
        out
    }

    /// Follows definitions of a file whose indexes moved.
    pub(super) fn follow(&mut self, file: FileId, moved: &Moved) {
        moved.keys(file, &mut self.direct);
        moved.keys(file, &mut self.above);
        let direct = self.direct.values_mut().flatten();
        moved.each(file, direct.filter_map(Super::inside_mut));
        moved.each(file, self.above.values_mut().flatten());
    }

    /// Follows definitions that came and went; those that went are above none that stays.
    pub(super) fn renew(&mut self, repo: &Repo, packages: &Packages, news: &DefinitionChanges<'_>) {
        self.direct.retain(|class, _| Moved::is_there(class));
        self.above.retain(|class, _| Moved::is_there(class));
        let mut builder = Builder {
            repo,
            packages,
            direct: FxHashMap::default(),
        };
        let is_type = |id: &&GDef| repo.def(**id).kind.is_type();
        let classes: Vec<GDef> = news.fresh.iter().filter(is_type).copied().collect();
        for class in &classes {
            let supers = builder.resolve(*class, 0);
            self.direct.insert(*class, supers);
        }
        for class in classes {
            let above = self.collect(class);
            self.above.insert(class, above);
        }
    }

    fn collect(&self, class: GDef) -> Vec<GDef> {
        let mut order = Vec::new();
        let mut stack = vec![class];
        while let Some(next) = stack.pop() {
            if order.len() >= MAX_ANCESTORS {
                break;
            }
            if next != class {
                if order.contains(&next) {
                    continue;
                }
                order.push(next);
            }
            let direct = self.direct(next).iter().take(MAX_ANCESTORS).rev();
            stack.extend(direct.filter_map(|s| match s {
                Super::Inside(def) if *def != class => Some(*def),
                _ => None,
            }));
        }
        order
    }

    /// Direct supertypes as written.
    pub(super) fn direct(&self, class: GDef) -> &[Super] {
        self.direct.get(&class).map_or(&[], |s| s)
    }

    /// Ancestors in the repository.
    pub(super) fn above(&self, class: GDef) -> &[GDef] {
        self.above.get(&class).map_or(&[], |s| s)
    }

    /// The class, then its ancestors.
    pub(super) fn with_above(&self, class: GDef) -> impl Iterator<Item = GDef> + '_ {
        std::iter::once(class).chain(self.above(class).iter().copied())
    }

    /// Whether a class is that one or inherits from it.
    pub(super) fn inherits(&self, class: GDef, from: GDef) -> bool {
        class == from || self.above(class).contains(&from)
    }

    /// Supertypes outside the repository, of the class or an ancestor; `None` among them for one
    /// that was not found.
    pub(super) fn outside(&self, class: GDef) -> impl Iterator<Item = Option<&External>> + '_ {
        self.with_above(class)
            .flat_map(|c| self.direct(c))
            .filter_map(|s| match s {
                Super::Inside(_) => None,
                Super::Outside(external) => Some(Some(external)),
                Super::Unknown => Some(None),
            })
    }

    /// The superclass of a class (not an interface), if one is written.
    pub(super) fn superclass(&self, repo: &Repo, class: GDef) -> Option<&Super> {
        let def = repo.def(class);
        if def.kind != SymbolKind::Class {
            return None;
        }
        def.supers
            .iter()
            .zip(self.direct(class))
            .find(|((_, kind), found)| {
                *kind == SuperKind::Extends
                    && match found {
                        Super::Inside(d) => repo.def(*d).kind != SymbolKind::Interface,
                        _ => true,
                    }
            })
            .map(|(_, found)| found)
    }

    /// A type of that name in a class or an ancestor.
    pub(super) fn member_type(&self, repo: &Repo, class: GDef, name: Sym) -> Option<GDef> {
        self.with_above(class)
            .find_map(|c| member_type(repo, c, name))
    }
}

/// How a name resolver learns of inherited member types.
pub(super) trait MemberTypes {
    fn find(&mut self, class: GDef, name: Sym) -> Option<GDef>;
}

struct Builder<'r> {
    repo: &'r Repo,
    packages: &'r Packages,
    /// None while being resolved.
    direct: FxHashMap<GDef, Option<Vec<Super>>>,
}

impl Builder<'_> {
    fn resolve(&mut self, class: GDef, depth: u32) -> Vec<Super> {
        if let Some(known) = self.direct.get(&class) {
            return known.clone().unwrap_or_default();
        }
        if depth > 60 {
            return Vec::new();
        }
        self.direct.insert(class, None);
        let facts = self.repo.facts(class.file);
        let supers: Vec<Super> = facts
            .def(class.def)
            .supers
            .iter()
            .map(|(ty, _)| self.written(class.file, *ty, depth))
            .collect();
        self.direct.insert(class, Some(supers.clone()));
        supers
    }

    fn written(&mut self, file: FileId, ty: TypeId, depth: u32) -> Super {
        let repo = self.repo;
        match repo.facts(file).ty(ty) {
            TypeExpr::SelfType(def) => Super::Inside(GDef { file, def: *def }),
            TypeExpr::Named {
                path, scope, at, ..
            } => {
                let packages = self.packages;
                let mut members = Deeper {
                    builder: self,
                    depth: depth + 1,
                };
                let found = path_type(repo, packages, file, path, *scope, *at, &mut members);
                match found {
                    TypeName::Type(def) => Super::Inside(def),
                    TypeName::External(external) => Super::Outside(external),
                    _ => Super::Unknown,
                }
            }
            _ => Super::Unknown,
        }
    }
}

struct Deeper<'a, 'r> {
    builder: &'a mut Builder<'r>,
    depth: u32,
}

impl MemberTypes for Deeper<'_, '_> {
    fn find(&mut self, class: GDef, name: Sym) -> Option<GDef> {
        let mut stack = vec![class];
        let mut seen = Vec::new();
        while let Some(next) = stack.pop() {
            if seen.contains(&next) || seen.len() >= MAX_ANCESTORS {
                continue;
            }
            seen.push(next);
            if let Some(found) = member_type(self.builder.repo, next, name) {
                return Some(found);
            }
            let supers = self.builder.resolve(next, self.depth);
            stack.extend(
                supers
                    .into_iter()
                    .take(MAX_ANCESTORS)
                    .rev()
                    .filter_map(|s| match s {
                        Super::Inside(def) => Some(def),
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
    fn find(&mut self, class: GDef, name: Sym) -> Option<GDef> {
        self.hierarchy.member_type(self.repo, class, name)
    }
}

/// The type that a dotted path names.
fn path_type(
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
    let mut found = simple_type(repo, packages, file, *first, scope, at, members);
    if found == TypeName::Unknown && !rest.is_empty() {
        let facts = repo.facts(file);
        let whole: Vec<&str> = path.iter().map(|n| facts.name(*n)).collect();
        return from_found(packages.qualified(repo, &whole.join("."), file));
    }
    for segment in rest {
        found = match found {
            TypeName::Type(class) => members
                .find(class, repo.global(file, *segment))
                .map_or(TypeName::Unknown, TypeName::Type),
            TypeName::External(e) => TypeName::External(e.member(repo.facts(file).name(*segment))),
            _ => TypeName::Unknown,
        };
    }
    found
}

/// The type that a simple name names in a scope.
pub(super) fn simple_type(
    repo: &Repo,
    packages: &Packages,
    file: FileId,
    name: NameId,
    scope: ScopeId,
    at: u32,
    members: &mut dyn MemberTypes,
) -> TypeName {
    let facts = repo.facts(file);
    let sym = repo.global(file, name);
    let mut next = Some(scope);
    while let Some(id) = next {
        let binding = repo.binding_at(file, id, name, at, Namespace::TYPE);
        if let Some(binding) = binding {
            let found = bound_type(repo, packages, file, binding.to, members);
            if found != TypeName::Unknown {
                return found;
            }
        }
        let here = facts.scope(id);
        if let (ScopeKind::Class, Some(owner)) = (here.kind, here.owner)
            && let Some(found) = members.find(GDef { file, def: owner }, sym)
        {
            return TypeName::Type(found);
        }
        next = here.parent;
    }
    free_type(repo, packages, file, facts.name(name), sym, members)
}

fn bound_type(
    repo: &Repo,
    packages: &Packages,
    file: FileId,
    to: Bound,
    members: &mut dyn MemberTypes,
) -> TypeName {
    match to {
        Bound::Def(def) => TypeName::Type(GDef { file, def }),
        Bound::TypeParam(def, n) => TypeName::Param(GDef { file, def }, n),
        Bound::Import(import) => import_type(repo, packages, file, import, members),
        _ => TypeName::Unknown,
    }
}

/// The type that an import names: of a package, or a member of a type.
pub(super) fn import_type(
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
    match packages.qualified(repo, &format!("{module}.{text}"), file) {
        NameResolution::Missing => match packages.qualified(repo, module, file) {
            NameResolution::Type(class) => members
                .find(class, repo.global(file, name))
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

/// A name that no scope binds: the same package, imports on demand, `java.lang`.
fn free_type(
    repo: &Repo,
    packages: &Packages,
    file: FileId,
    name: &str,
    sym: Sym,
    members: &mut dyn MemberTypes,
) -> TypeName {
    let own = packages
        .of_file(file)
        .and_then(|p| packages.type_in(repo, p, sym, file));
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
        let found = match packages.qualified(repo, module, file) {
            NameResolution::Package(package) => packages.type_in(repo, package, sym, file),
            NameResolution::Type(class) => members.find(class, sym),
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
    outside_type(name, &outside)
}

/// A type of `java.lang`, or of an imported package that is known to have it, or of the only one.
fn outside_type(name: &str, globs: &[&str]) -> TypeName {
    if super::builtins::is_java_lang(name) {
        return TypeName::External(External::new("java.lang", name));
    }
    let known = globs
        .iter()
        .find(|g| super::builtins::is_known_class(&format!("{g}.{name}")));
    let capital = name.starts_with(|c: char| c.is_uppercase());
    match (known, globs) {
        (Some(package), _) => TypeName::External(external(&format!("{package}.{name}"))),
        (None, [one]) if capital => TypeName::External(external(&format!("{one}.{name}"))),
        _ => TypeName::Unknown,
    }
}
