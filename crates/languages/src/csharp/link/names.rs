//! Resolves names of types and namespaces at a position, from written names only.

use super::counted::count;
use super::namespaces::{GLOBAL, Namespaces, is_type};
use super::parts::Parts;
use super::tables::{self, tables};
use super::usings::{OutsideName, UsingTable};
use base::facts::*;
use linker::fuel::NAMESAKES;
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::ty::External;

/// Maximum number of supertypes that are searched for an inherited type.
const MAX_ANCESTORS: usize = 200;

/// The meaning of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TypeName {
    /// A type of the repository.
    Type(GlobalDef),
    /// A type parameter.
    Param(GlobalDef, u32),
    /// A namespace of the repository.
    Namespace(u32),
    /// Another name for a written type.
    Alias(FileId, TypeId),
    /// A type or namespace outside of the repository.
    External(External),
    /// Unknown.
    Unknown,
}

/// The position at which a name is used.
#[derive(Debug, Clone, Copy)]
pub(super) struct NamePosition {
    pub(super) file: FileId,
    pub(super) scope: ScopeId,
    pub(super) at: u32,
}

/// Gives the supertypes of a type. They may still be in the process of being resolved.
pub(super) trait Above {
    fn above(&mut self, class: GlobalDef) -> Vec<GlobalDef>;
}

/// Gives no supertypes.
pub(super) struct NothingAbove;

impl Above for NothingAbove {
    fn above(&mut self, _: GlobalDef) -> Vec<GlobalDef> {
        Vec::new()
    }
}

/// The tables that names are looked up in.
#[derive(Clone, Copy)]
pub(super) struct Lookup<'a> {
    pub(super) repo: &'a Repo,
    pub(super) names: &'a Namespaces,
    pub(super) parts: &'a Parts,
    pub(super) usings: &'a UsingTable,
}

impl<'a> Lookup<'a> {
    /// The type or namespace that a dotted path denotes. `arity` is the number of its type arguments.
    pub(super) fn path(
        self,
        path: &[NameId],
        arity: usize,
        place: NamePosition,
        above: &mut dyn Above,
    ) -> TypeName {
        let Some((first, rest)) = path.split_first() else {
            return TypeName::Unknown;
        };
        let wanted = rest.is_empty().then_some(arity);
        let mut found = self.simple(*first, wanted, place, above);
        if found == TypeName::Unknown && !rest.is_empty() {
            let facts = self.repo.facts(place.file);
            let whole: Vec<&str> = path.iter().map(|n| facts.name(*n)).collect();
            return external_path(&whole.join("."));
        }
        for (segment, n) in rest.iter().zip(1..) {
            let wanted = (n == rest.len()).then_some(arity);
            found = self.member(found, (place.file, *segment), wanted, above);
        }
        match found {
            TypeName::External(external) => TypeName::External(tables::normalize(&external)),
            other => other,
        }
    }

    /// A type or namespace inside another one.
    fn member(
        self,
        of: TypeName,
        (file, name): (FileId, NameId),
        arity: Option<usize>,
        above: &mut dyn Above,
    ) -> TypeName {
        let text = self.repo.facts(file).name(name);
        let sym = self.repo.sym_of_name(file, name);
        match of {
            TypeName::Type(class) => self
                .nested(class, sym, arity, above)
                .map_or(TypeName::Unknown, TypeName::Type),
            TypeName::Namespace(namespace) => self.in_namespace(namespace, text, arity, file),
            TypeName::External(external) => TypeName::External(external.member(text)),
            _ => TypeName::Unknown,
        }
    }

    /// A type or namespace inside a namespace. If the repository does not have it, it is external.
    pub(super) fn in_namespace(
        self,
        namespace: u32,
        name: &str,
        arity: Option<usize>,
        near: FileId,
    ) -> TypeName {
        let sym = self.repo.find_sym(name);
        let found = sym.and_then(|sym| self.type_in(namespace, sym, arity, near));
        if let Some(found) = found {
            return TypeName::Type(found);
        }
        if let Some(inner) = self.names.inside(namespace, name) {
            return TypeName::Namespace(inner);
        }
        match self.names.get(namespace) {
            Some(outer) => external_path(&format!("{}.{name}", outer.name)),
            None => TypeName::Unknown,
        }
    }

    fn type_in(
        self,
        namespace: u32,
        sym: Sym,
        arity: Option<usize>,
        near: FileId,
    ) -> Option<GlobalDef> {
        let wanted = (sym, arity);
        let found = self
            .names
            .find_type(self.repo, self.parts, namespace, wanted, near)?;
        (found.file == near || !self.is_stand_in(found)).then_some(found)
    }

    /// Whether a type replaces a type of .NET where that is missing: it has the same name and stands under a condition.
    pub(super) fn is_stand_in(self, def: GlobalDef) -> bool {
        self.repo.def(def).flags.has(DefFlags::CONDITIONAL)
            && tables().has_any(self.repo.def_name(def))
    }

    /// A type inside a class, or inside one of its supertypes.
    pub(super) fn nested(
        self,
        class: GlobalDef,
        sym: Sym,
        arity: Option<usize>,
        above: &mut dyn Above,
    ) -> Option<GlobalDef> {
        // Most names are those of no nested type.
        if !self.names.names_nested_type(sym) {
            return None;
        }
        let mut stack = vec![class];
        let mut seen = Vec::new();
        while let Some(next) = stack.pop() {
            count(1);
            if seen.contains(&next) || seen.len() >= MAX_ANCESTORS {
                continue;
            }
            seen.push(next);
            if let Some(found) = self.directly_nested(next, sym, arity) {
                return Some(found);
            }
            stack.extend(above.above(next).into_iter().rev());
        }
        None
    }

    fn directly_nested(
        self,
        class: GlobalDef,
        sym: Sym,
        arity: Option<usize>,
    ) -> Option<GlobalDef> {
        let repo = self.repo;
        let named = self.parts.members(repo, class, sym);
        if named.len() > NAMESAKES {
            return None;
        }
        let count = |def: &GlobalDef| repo.def(*def).type_params.len();
        let fits = |def: &GlobalDef| {
            is_type(repo, *def)
                && arity.is_none_or(|arity| count(def) == arity)
                && !self.is_stand_in(*def)
        };
        let found = named.filter(fits).min_by_key(count);
        found.map(|def| self.parts.whole(def))
    }

    /// The type or namespace that a simple name denotes. Inner scopes are searched before outer ones.
    pub(super) fn simple(
        self,
        name: NameId,
        arity: Option<usize>,
        place: NamePosition,
        above: &mut dyn Above,
    ) -> TypeName {
        let facts = self.repo.facts(place.file);
        let mut next = Some(place.scope);
        while let Some(id) = next {
            let here = facts.scope(id);
            let found = self.in_scope(name, arity, NamePosition { scope: id, ..place }, above);
            if let Some(found) = found {
                return found;
            }
            next = here.parent;
        }
        let is_generic = arity.is_some_and(|arity| arity > 0);
        self.outside(place, facts.name(name), is_generic)
    }

    fn in_scope(
        self,
        name: NameId,
        arity: Option<usize>,
        place: NamePosition,
        above: &mut dyn Above,
    ) -> Option<TypeName> {
        let (file, scope) = (place.file, place.scope);
        let here = self.repo.facts(file).scope(scope);
        let binding = self
            .repo
            .binding_at(file, scope, name, place.at, Namespace::TYPE);
        let is_plain = arity.is_none_or(|arity| arity == 0);
        match binding.map(|b| b.to) {
            Some(Bound::TypeParam(def, n)) if is_plain => {
                let whole = self.parts.whole(GlobalDef { file, def });
                return Some(TypeName::Param(whole, n));
            }
            Some(Bound::Local { ty: Some(ty), .. }) if is_plain => {
                return Some(TypeName::Alias(file, ty));
            }
            Some(Bound::Import(import)) if is_plain => {
                return Some(self.alias(file, import, above)).filter(|f| *f != TypeName::Unknown);
            }
            _ => {}
        }
        if scope == FILE_SCOPE
            && is_plain
            && let Some(found) = self.global_alias(file, name, above)
        {
            return Some(found);
        }
        let sym = self.repo.sym_of_name(file, name);
        match here.kind {
            ScopeKind::Class => {
                let class = self.parts.whole(GlobalDef {
                    file,
                    def: here.owner?,
                });
                self.nested(class, sym, arity, above).map(TypeName::Type)
            }
            ScopeKind::Module | ScopeKind::File => {
                self.in_namespace_scope(name, arity, place, above)
            }
            _ => None,
        }
    }

    /// An alias that another file defines for the whole project.
    fn global_alias(self, file: FileId, name: NameId, above: &mut dyn Above) -> Option<TypeName> {
        let name = self.repo.sym_of_name(file, name);
        let (home, import) = self.usings.global_alias(self.names, file, name)?;
        Some(self.alias(home, import, above)).filter(|found| *found != TypeName::Unknown)
    }

    /// Looks a name up in a namespace, in those around it up to the next written one, and in the usings there.
    fn in_namespace_scope(
        self,
        name: NameId,
        arity: Option<usize>,
        place: NamePosition,
        above: &mut dyn Above,
    ) -> Option<TypeName> {
        let (file, scope) = (place.file, place.scope);
        let facts = self.repo.facts(file);
        let sym = self.repo.sym_of_name(file, name);
        let own = self.names.of_scope(file, scope).unwrap_or(GLOBAL);
        let is_namespace = self.names.is_part_of_name(facts.name(name));
        if !is_namespace && self.names.namespaces_with(sym).is_empty() {
            // No namespace has it. A namespace may have hundreds of others around it.
            return self.used(place, sym, arity, above).map(TypeName::Type);
        }
        let until = match facts.scope(scope).parent {
            Some(parent) => self.names.around(self.repo, file, parent),
            None => GLOBAL,
        };
        let mut next = Some(own);
        while let Some(namespace) = next {
            count(1);
            if namespace == until && namespace != own {
                break;
            }
            if let Some(found) = self.type_in(namespace, sym, arity, file) {
                return Some(TypeName::Type(found));
            }
            let is_plain = arity.is_none_or(|arity| arity == 0);
            if let Some(inner) = self.names.inside(namespace, facts.name(name))
                && is_plain
            {
                return Some(TypeName::Namespace(inner));
            }
            if namespace == own
                && let Some(found) = self.used(place, sym, arity, above)
            {
                return Some(TypeName::Type(found));
            }
            next = self.names.outer(namespace);
        }
        None
    }

    /// A type that the usings of a scope bring.
    fn used(
        self,
        place: NamePosition,
        sym: Sym,
        arity: Option<usize>,
        above: &mut dyn Above,
    ) -> Option<GlobalDef> {
        let homes = self.names.namespaces_with(sym);
        for usings in self.usings.around(self.names, place.file, place.scope) {
            let mut namespaces = usings.namespaces_among(homes).into_iter();
            let found = namespaces.find_map(|namespace| {
                let found = self.type_in(namespace, sym, arity, place.file)?;
                Some((usings.position(namespace)?, found))
            });
            let limit = found.map_or(u32::MAX, |(at, _)| at);
            let mut before = usings.statics().iter().take_while(|(at, _)| *at < limit);
            let nested = before.find_map(|(_, class)| self.nested(*class, sym, arity, above));
            if let Some(found) = nested.or(found.map(|(_, found)| found)) {
                return Some(found);
            }
        }
        if place.scope == FILE_SCOPE {
            return self.used_by_project(place.file, sym, arity, above);
        }
        None
    }

    /// A type that the usings of a project file bring.
    fn used_by_project(
        self,
        file: FileId,
        sym: Sym,
        arity: Option<usize>,
        above: &mut dyn Above,
    ) -> Option<GlobalDef> {
        let mut usings = self.names.usings_of_project_file(file).iter();
        usings.find_map(|using| {
            if !using.is_static {
                let namespace = self.names.find(&using.name)?;
                return self.type_in(namespace, sym, arity, file);
            }
            match self.qualified(file, FILE_SCOPE, &using.name) {
                TypeName::Type(class) => self.nested(class, sym, arity, above),
                _ => None,
            }
        })
    }

    /// The namespace of a `using`. Its name may begin inside the namespaces around it.
    pub(super) fn namespace_by_name(self, file: FileId, scope: ScopeId, name: &str) -> Option<u32> {
        let mut next = Some(self.names.around(self.repo, file, scope));
        while let Some(outer) = next {
            count(1);
            if let Some(found) = self.names.inside(outer, name) {
                return Some(found);
            }
            next = self.names.outer(outer);
        }
        None
    }

    /// The target of an alias.
    pub(super) fn alias(self, file: FileId, import: ImportId, _: &mut dyn Above) -> TypeName {
        let facts = self.repo.facts(file);
        let it = facts.import(import);
        let Imported::Name(name) = it.what else {
            return TypeName::Unknown;
        };
        let (module, name) = (facts.name(it.module), facts.name(name));
        if module.is_empty() {
            return self.qualified(file, it.scope, name);
        }
        self.qualified(file, it.scope, &format!("{module}.{name}"))
    }

    /// Resolves a dotted name in a `using`: a namespace, or a type in the longest namespace with which the name begins.
    pub(super) fn qualified(self, file: FileId, scope: ScopeId, name: &str) -> TypeName {
        if let Some(namespace) = self.namespace_by_name(file, scope, name) {
            return TypeName::Namespace(namespace);
        }
        let mut cut = name.len();
        loop {
            let dot = name[..cut].rfind('.');
            let head = dot.map_or("", |dot| &name[..dot]);
            let namespace = match dot {
                Some(_) => self.namespace_by_name(file, scope, head),
                None => Some(GLOBAL),
            };
            let rest = dot.map_or(name, |dot| &name[dot + 1..]);
            if let Some(namespace) = namespace
                && let Some(found) = self.nested_path(namespace, rest, file)
            {
                return TypeName::Type(found);
            }
            match dot {
                Some(dot) => cut = dot,
                None => return external_path(name),
            }
        }
    }

    /// `Outer.Inner` in a namespace.
    fn nested_path(self, namespace: u32, path: &str, near: FileId) -> Option<GlobalDef> {
        let mut segments = path.split('.');
        let first = self.repo.find_sym(segments.next()?)?;
        let mut at = self.type_in(namespace, first, None, near)?;
        for segment in segments {
            at = self.directly_nested(at, self.repo.find_sym(segment)?, None)?;
        }
        Some(at)
    }

    /// A name that the repository does not define at that position.
    fn outside(self, place: NamePosition, name: &str, is_generic: bool) -> TypeName {
        let (file, scope) = (place.file, place.scope);
        if let Some(predefined) = tables::predefined(name) {
            return TypeName::External(External::new("System", predefined));
        }
        if matches!(name, "var" | "dynamic" | "_") {
            return TypeName::Unknown;
        }
        let name = name.trim_start_matches('@');
        let mut unknown: Vec<&str> = Vec::new();
        let mut next = Some(scope);
        let facts = self.repo.facts(file);
        while let Some(id) = next {
            for usings in self.usings.around(self.names, file, id) {
                match usings.outside(name, is_generic) {
                    Some(OutsideName::Type(module)) => {
                        return TypeName::External(External::new(module, name));
                    }
                    Some(OutsideName::Root) => {
                        return TypeName::External(External::new(name, ""));
                    }
                    None => unknown.extend(usings.unknown().iter().map(|module| &**module)),
                }
            }
            next = facts.scope(id).parent;
        }
        if let Some(namespace) = tables().only_namespace_of(name, is_generic) {
            return TypeName::External(External::new(namespace, name));
        }
        if tables::is_root(name) {
            return TypeName::External(External::new(name, ""));
        }
        let is_capital = name.starts_with(|c: char| c.is_uppercase());
        match unknown[..] {
            [] => TypeName::Unknown,
            _ if !is_capital => TypeName::Unknown,
            [one] => TypeName::External(External::new(one, name)),
            _ => TypeName::External(External::new("", name)),
        }
    }
}

/// A dotted name outside of the repository.
fn external_path(name: &str) -> TypeName {
    TypeName::External(tables::split_external(name))
}
