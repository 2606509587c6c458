//! What names mean at a place: scopes, inherited members, imports, packages, the standard library.

use super::{Scala, is_in, stdlib};
use base::SymbolKind;
use base::facts::*;
use linker::eval::{Eval, MANY};
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;
use rustc_hash::FxHashSet;

/// First names of packages outside the repository that are used by their full names.
const ROOTS: &[&str] = &[
    "java", "javax", "jakarta", "scala", "com", "org", "net", "io",
];

/// What a name denotes, and the object that it was taken from.
pub(super) type Denoted = (Entity, Option<Ty>);

impl Scala {
    /// What a name means in a scope. Where no value has the name, a class of it counts: Java's static members, and classes
    /// that are made without `new`.
    pub(super) fn lookup(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: NameId,
        scope: ScopeId,
        at: u32,
        namespace: Namespace,
    ) -> Denoted {
        let repo = ev.repo;
        let facts = repo.facts(file);
        let text = facts.name(name);
        let mut next = Some(scope);
        while let Some(id) = next {
            let here = facts.scope(id);
            if let Some(found) = self.bound_in(ev, file, (id, name), at, namespace) {
                return found;
            }
            if let (ScopeKind::Class, Some(owner)) = (here.kind, here.owner) {
                let class = GlobalDef { file, def: owner };
                let found = self.member_of_this(ev, class, text, namespace);
                if matches!(found.0, Entity::Defs(_) | Entity::Value(_)) {
                    return found;
                }
            }
            if let Some(found) = self.glob_member(ev, file, id, text, namespace) {
                return found;
            }
            let package = match (here.kind, here.owner) {
                (ScopeKind::Module, _) => self.packages.of_scope(facts, id),
                (ScopeKind::Class, Some(owner)) => self.packages.of_object(facts, owner),
                _ => None,
            };
            if let Some(package) = package
                && let Some(found) = self.known_member(ev, package, text, namespace, file)
            {
                return found;
            }
            next = here.parent;
        }
        self.outside_scopes(ev, file, text, scope, namespace)
    }

    /// What a scope binds a name to.
    fn bound_in(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        (scope, name): (ScopeId, NameId),
        at: u32,
        namespace: Namespace,
    ) -> Option<Denoted> {
        let repo = ev.repo;
        let facts = repo.facts(file);
        let here = facts.scope(scope);
        if let Some(binding) = repo.binding_at(file, scope, name, at, namespace) {
            let to = binding.to;
            if let (Bound::Def(_), ScopeKind::Class, Some(owner)) = (to, here.kind, here.owner) {
                // Inherited overloads count, too.
                let class = GlobalDef { file, def: owner };
                let found = self.member_of_this(ev, class, facts.name(name), namespace);
                if !found.0.is_unknown() {
                    return Some(found);
                }
            }
            let found = ev.resolve_binding(file, name, scope, to, namespace);
            let is_import = matches!(to, Bound::Import(_));
            if !(is_import && found.is_unknown()) {
                return Some((found, None));
            }
        }
        if namespace != Namespace::VALUE {
            return None;
        }
        let class = repo.binding_at(file, scope, name, at, Namespace::TYPE)?;
        let Bound::Def(def) = class.to else {
            return None;
        };
        let def = GlobalDef { file, def };
        repo.def(def)
            .kind
            .is_type()
            .then(|| (Entity::def(def), None))
    }

    /// A name that an import of everything in this scope brings.
    fn glob_member(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        scope: ScopeId,
        text: &str,
        namespace: Namespace,
    ) -> Option<Denoted> {
        let table = self.packages.of_file(file)?;
        let here = table.globs.iter().rev().filter(|g| g.0 == scope);
        for (_, import) in here {
            let path = ev.resolve_import(file, *import, Namespace::VALUE);
            let found = match &path {
                Entity::Module(module) => {
                    match self.known_member(ev, module.index, text, namespace, file) {
                        Some(found) => found,
                        None => continue,
                    }
                }
                Entity::Unknown | Entity::External(_) => continue,
                _ => {
                    let object = ev.type_of_entity(&path, None);
                    self.member_of_type(ev, &object, text, namespace)
                }
            };
            if matches!(
                found.0,
                Entity::Defs(_) | Entity::Module(_) | Entity::Value(_)
            ) {
                return Some(found);
            }
        }
        None
    }

    /// A member of a package, if it has one of that name.
    fn known_member(
        &self,
        ev: &mut Eval<'_>,
        package: u32,
        text: &str,
        namespace: Namespace,
        near: FileId,
    ) -> Option<Denoted> {
        let found = self.package_member(ev, package, text, namespace, near);
        match found.0 {
            Entity::Unknown | Entity::External(_) => None,
            _ => Some(found),
        }
    }

    /// A name of a package: a definition of one of its files, a member of its package object, or a package inside it.
    pub(super) fn package_member(
        &self,
        ev: &mut Eval<'_>,
        package: u32,
        text: &str,
        namespace: Namespace,
        near: FileId,
    ) -> Denoted {
        let repo = ev.repo;
        if let Some(sym) = repo.find_sym(text) {
            let all = self.packages.members(repo, package, sym, near);
            if !ev.spend_on_namesakes(all.len()) {
                return (Entity::Unknown, None);
            }
            let fits = |d: &GlobalDef| is_in(repo.def(*d), namespace);
            let own: Vec<GlobalDef> = all.iter().copied().filter(fits).collect();
            if !own.is_empty() {
                return (Entity::defs(own), None);
            }
            let objects = self.packages.get(package).map(|p| p.objects.clone());
            for object in objects.unwrap_or_default() {
                let of = Ty::instance(object);
                let found = self.member_of_type(ev, &of, text, namespace);
                if matches!(found.0, Entity::Defs(_)) {
                    return found;
                }
            }
            let types = all.iter().filter(|d| repo.def(**d).kind.is_type());
            let types: Vec<GlobalDef> = types.copied().collect();
            if namespace == Namespace::VALUE && !types.is_empty() {
                return (Entity::defs(types), None);
            }
        }
        match self.packages.find_inside(package, text) {
            Some(inside) => (Scala::module(inside), None),
            None => {
                let name = self.packages.get(package).map(|p| p.name.clone());
                let name = name.unwrap_or_default();
                if stdlib::is_outside(&name) {
                    (Entity::external(&name, text), None)
                } else {
                    (Entity::Unknown, None)
                }
            }
        }
    }

    /// A name that no scope of the file has: of the packages of its clauses, of the root, of the standard library, or of a
    /// supertype outside the repository.
    fn outside_scopes(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        text: &str,
        scope: ScopeId,
        namespace: Namespace,
    ) -> Denoted {
        let table = self.packages.of_file(file);
        for package in table.map_or(&[][..], |t| &t.packages) {
            if let Some(found) = self.known_member(ev, *package, text, namespace, file) {
                return found;
            }
        }
        if let Some(root) = self.packages.find("")
            && table.is_none_or(|t| t.packages.is_empty())
            && let Some(found) = self.known_member(ev, root, text, namespace, file)
        {
            return found;
        }
        if let Some(package) = self.packages.find(text) {
            return (Scala::module(package), None);
        }
        if let Some(known) = stdlib::known_name(text, namespace) {
            return (Entity::External(known), None);
        }
        if ROOTS.contains(&text) {
            return (Entity::external(text, ""), None);
        }
        self.outside_name(ev, file, text, scope)
    }

    /// A name that only a supertype outside the repository or an import from there can have.
    fn outside_name(&self, ev: &mut Eval<'_>, file: FileId, text: &str, scope: ScopeId) -> Denoted {
        let facts = ev.repo.facts(file);
        let mut next = Some(scope);
        while let Some(id) = next {
            let here = facts.scope(id);
            if let (ScopeKind::Class, Some(owner)) = (here.kind, here.owner) {
                let class = GlobalDef { file, def: owner };
                if let Some(above) = self.supertype_outside(ev, class) {
                    return (Entity::External(above.member(text)), None);
                }
            }
            next = here.parent;
        }
        let globs = self.packages.of_file(file).map(|t| t.globs.clone());
        let mut outside = Vec::new();
        for (_, import) in globs.unwrap_or_default() {
            if !ev.spend(1) {
                return (Entity::Unknown, None);
            }
            if let Entity::External(of) = ev.resolve_import(file, import, Namespace::VALUE) {
                outside.push(of);
            }
        }
        match &outside[..] {
            [one] => (Entity::External(one.member(text)), None),
            _ => (Entity::Unknown, None),
        }
    }

    /// What an import brings: for an import of everything, what its path denotes.
    pub(super) fn imported(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        import: ImportId,
        namespace: Namespace,
    ) -> Entity {
        let facts = ev.repo.facts(file);
        let it = facts.import(import);
        let Some(head) = it.condition else {
            return Entity::Unknown;
        };
        let mut segments = facts.name(it.module).split('.');
        let first = segments.next().unwrap_or_default();
        let mut path = match first {
            "_root_" => match self.packages.find("") {
                Some(root) => (Scala::module(root), None),
                None => (Entity::Unknown, None),
            },
            _ => self.lookup(ev, file, head, it.scope, u32::MAX, Namespace::VALUE),
        };
        if path.0.is_unknown() && first != "this" {
            path = (Entity::external(first, ""), None);
        }
        for segment in segments {
            if !ev.spend(1) {
                return Entity::Unknown;
            }
            path = self.member_of(ev, path, segment, Namespace::VALUE, file);
        }
        match it.what {
            Imported::Name(name) => {
                let text = facts.name(name);
                self.member_of(ev, path, text, namespace, file).0
            }
            _ => path.0,
        }
    }

    /// A member of what a path denotes.
    pub(super) fn member_of(
        &self,
        ev: &mut Eval<'_>,
        (entity, receiver): Denoted,
        name: &str,
        namespace: Namespace,
        near: FileId,
    ) -> Denoted {
        match &entity {
            Entity::Module(module) => self.package_member(ev, module.index, name, namespace, near),
            Entity::External(external) => (
                Entity::External(stdlib::canonical(&external.member(name))),
                None,
            ),
            Entity::Unknown => (Entity::Unknown, Some(Ty::Unknown)),
            _ => {
                let object = ev.type_of_entity(&entity, receiver.as_ref());
                let object = match object {
                    Ty::Function(defs, of) => match &defs[..] {
                        [one] => {
                            let result = ev.result_type(*one);
                            ev.substitute(&result, of.as_deref())
                        }
                        _ => Ty::Unknown,
                    },
                    other => other,
                };
                self.member_of_type(ev, &object, name, namespace)
            }
        }
    }

    /// The definition that a written type names.
    pub(super) fn named_entity(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        ty: TypeId,
    ) -> Option<Entity> {
        let facts = ev.repo.facts(file);
        let TypeExpr::Named {
            path, scope, at, ..
        } = facts.ty(ty)
        else {
            return None;
        };
        let (first, rest) = path.split_first()?;
        let Some((last, between)) = rest.split_last() else {
            return Some(
                self.lookup(ev, file, *first, *scope, *at, Namespace::TYPE)
                    .0,
            );
        };
        let mut found = self.lookup(ev, file, *first, *scope, *at, Namespace::VALUE);
        for name in between {
            if !ev.spend(1) {
                return Some(Entity::Unknown);
            }
            found = self.member_of(ev, found, facts.name(*name), Namespace::VALUE, file);
        }
        Some(
            self.member_of(ev, found, facts.name(*last), Namespace::TYPE, file)
                .0,
        )
    }

    /// The type of a value of a written type.
    pub(super) fn value_of_written(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        ty: TypeId,
    ) -> Option<Ty> {
        let entity = self.named_entity(ev, file, ty)?;
        let facts = ev.repo.facts(file);
        let TypeExpr::Named { args, .. } = facts.ty(ty) else {
            return None;
        };
        let args = ev.lower_types(file, args);
        Some(match &entity {
            // A value is no type.
            Entity::Defs(defs) if defs.iter().all(|d| !ev.is_type_def(*d)) => {
                let is_case = |d: &&GlobalDef| ev.repo.def(**d).kind == SymbolKind::EnumMember;
                match defs.iter().find(is_case) {
                    Some(_) => ev.instance_of_entity(file, &entity, args),
                    None => Ty::Unknown,
                }
            }
            _ => ev.instance_of_entity(file, &entity, args),
        })
    }

    /// The definitions that a file uses from an import of a whole package.
    pub(super) fn used_of_package(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        import: ImportId,
    ) -> Vec<GlobalDef> {
        let repo = ev.repo;
        let facts = repo.facts(file);
        let Entity::Module(module) = ev.resolve_import(file, import, Namespace::VALUE) else {
            return Vec::new();
        };
        if !ev.spend((facts.types.len() + facts.exprs.len()) / MANY) {
            return Vec::new();
        }
        let types = facts.types.iter().filter_map(|ty| match ty {
            TypeExpr::Named {
                path, scope, at, ..
            } => Some((*path.first()?, *scope, *at, Namespace::TYPE)),
            _ => None,
        });
        let values = facts.exprs.iter().filter_map(|expr| match expr {
            Expr::Name { name, scope, at } => Some((*name, *scope, *at, Namespace::VALUE)),
            _ => None,
        });
        let mut seen = FxHashSet::default();
        let mut used = FxHashSet::default();
        for (name, scope, at, namespace) in types.chain(values) {
            let sym = repo.sym_of_name(file, name);
            let members = self.packages.members(repo, module.index, sym, file);
            if members.is_empty() || !seen.insert((name, namespace.0)) {
                continue;
            }
            ev.begin_site(file);
            if let Entity::Defs(found) = self.lookup(ev, file, name, scope, at, namespace).0 {
                used.extend(found.iter().copied().filter(|d| members.contains(d)));
            }
        }
        let mut used: Vec<GlobalDef> = used.into_iter().collect();
        used.sort_unstable();
        used
    }
}
