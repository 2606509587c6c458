//! Names: scopes, classes around, imports, packages, names that need no import.

use super::Kotlin;
use super::packages::{Qualified, is_type, nested};
use super::platform;
use super::receivers::Implicit;
use base::SymbolKind;
use base::facts::*;
use linker::eval::{Eval, MANY};
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::ty::*;

/// A use of a name.
#[derive(Debug, Clone, Copy)]
pub(super) struct NameUse {
    pub(super) file: FileId,
    pub(super) name: NameId,
    pub(super) scope: ScopeId,
    pub(super) at: u32,
}

/// One step of the search in the names of files, nearest first.
pub(super) enum Level {
    /// Definitions of the repository.
    Defs(Vec<GlobalDef>),
    /// An import of something outside of the repository.
    Outside(External),
    /// An import that leads nowhere.
    Nowhere,
}

impl Kotlin {
    /// The definitions that a file sees at its top level under a name: explicit imports, the package, star imports.
    pub(super) fn file_levels(&self, ev: &mut Eval<'_>, file: FileId, name: NameId) -> Vec<Level> {
        let repo = ev.repo;
        let bound = repo.bindings_named(file, FILE_SCOPE, name);
        if !ev.spend_on_namesakes(bound.len()) {
            return Vec::new();
        }
        let imports = bound.filter_map(|binding| match binding.to {
            Bound::Import(import) => Some(import),
            _ => None,
        });
        let imports: Vec<ImportId> = imports.collect();
        self.levels(ev, file, &imports, repo.sym_of_name(file, name))
    }

    /// The same for a name that is given as text.
    pub(super) fn levels_of_text(&self, ev: &mut Eval<'_>, file: FileId, name: &str) -> Vec<Level> {
        let repo = ev.repo;
        let facts = repo.facts(file);
        let Some(sym) = repo.find_sym(name) else {
            return Vec::new();
        };
        if !ev.spend(facts.imports.len() / MANY) {
            return Vec::new();
        }
        let imports = (0..).map(ImportId).zip(&facts.imports);
        let named = |import: &Import| import.local.is_some_and(|l| facts.name(l) == name);
        let imports = imports
            .filter(|(_, import)| named(import))
            .map(|(id, _)| id);
        let imports: Vec<ImportId> = imports.collect();
        self.levels(ev, file, &imports, sym)
    }

    fn levels(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        imports: &[ImportId],
        sym: Sym,
    ) -> Vec<Level> {
        let repo = ev.repo;
        let facts = repo.facts(file);
        let mut out = Vec::new();
        let mut named = Vec::new();
        let mut other = None;
        for import in imports {
            match ev.resolve_import(file, *import, Namespace::ALL) {
                Entity::Defs(defs) => named.extend(defs.iter().copied()),
                Entity::External(external) => other = Some(Level::Outside(external)),
                _ => other = other.or(Some(Level::Nowhere)),
            }
        }
        if !named.is_empty() {
            named.sort_unstable();
            named.dedup();
            out.push(Level::Defs(named));
        }
        out.extend(other);
        if let Some(package) = self.packages.package_of_file(file) {
            let own = self.seen(ev, file, self.packages.members(package, sym));
            if !own.is_empty() {
                out.push(Level::Defs(own));
            }
        }
        let globs = facts.imports.iter().filter(|i| i.what == Imported::Glob);
        let mut starred = Vec::new();
        for glob in globs {
            if !ev.spend(1) {
                return out;
            }
            let module = facts.name(glob.module);
            match self.packages.resolve(repo, module, file) {
                Qualified::Package(package) => {
                    let found = self.seen(ev, file, self.packages.members(package, sym));
                    starred.extend(found);
                }
                Qualified::Type(class) => {
                    starred.extend(self.members_for_import(ev, class, sym));
                }
                _ => {}
            }
        }
        if !starred.is_empty() {
            starred.sort_unstable();
            starred.dedup();
            out.push(Level::Defs(starred));
        }
        out
    }

    /// The definitions that a file can name: private ones belong to their files.
    fn seen(&self, ev: &mut Eval<'_>, file: FileId, all: &[GlobalDef]) -> Vec<GlobalDef> {
        let repo = ev.repo;
        if !ev.spend_on_namesakes(all.len()) {
            return Vec::new();
        }
        let is_seen = |def: &&GlobalDef| {
            let it = repo.def(**def);
            let is_private = it.visibility == base::Visibility::Private && def.file != file;
            !is_private && !it.flags.has(DefFlags::HIDDEN)
        };
        all.iter().filter(is_seen).copied().collect()
    }

    /// What can be imported from a class by its name: types inside, constants of enums, members of objects, static members of
    /// Java.
    fn members_for_import(&self, ev: &mut Eval<'_>, class: GlobalDef, name: Sym) -> Vec<GlobalDef> {
        let repo = ev.repo;
        let named = repo.children_named(class, name);
        if !ev.spend_on_namesakes(named.len()) {
            return Vec::new();
        }
        let is_object = repo.def(class).flags.has(DefFlags::OBJECT);
        let named = named.filter(|def| {
            let it = repo.def(*def);
            is_object
                || is_type(repo, *def)
                || it.kind == SymbolKind::EnumMember
                || it.flags.has(DefFlags::STATIC)
        });
        named.collect()
    }

    /// The entity that an import binds.
    pub(super) fn imported(&self, ev: &mut Eval<'_>, file: FileId, import: ImportId) -> Entity {
        let repo = ev.repo;
        let facts = repo.facts(file);
        let it = facts.import(import);
        let module = facts.name(it.module);
        let name = match it.what {
            Imported::Name(name) => facts.name(name),
            _ => {
                return match self.packages.resolve(repo, module, file) {
                    Qualified::Package(index) => Entity::Module(super::module(index)),
                    Qualified::Type(class) => Entity::def(class),
                    Qualified::Missing => Entity::Unknown,
                    Qualified::Outside => Entity::external(module, ""),
                };
            }
        };
        let outside = || Entity::External(platform::outside(module, name));
        let Some(sym) = repo.find_sym(name) else {
            return outside();
        };
        match self.packages.resolve(repo, module, file) {
            Qualified::Package(package) => {
                let found = self.seen(ev, file, self.packages.members(package, sym));
                let found = self.nearest_of_kinds(repo, file, found);
                if found.is_empty() && !self.packages.has_members(package) {
                    return outside();
                }
                Entity::defs(found)
            }
            Qualified::Type(class) => {
                let mut found = self.members_for_import(ev, class, sym);
                if found.is_empty()
                    && let Some(companion) = super::companion(repo, class)
                {
                    found = self.members_for_import(ev, companion, sym);
                }
                Entity::defs(found)
            }
            Qualified::Missing => Entity::Unknown,
            Qualified::Outside => outside(),
        }
    }

    /// Of several types of one name, the nearest one; all functions and properties.
    fn nearest_of_kinds(&self, repo: &Repo, file: FileId, found: Vec<GlobalDef>) -> Vec<GlobalDef> {
        let (types, mut others): (Vec<GlobalDef>, Vec<GlobalDef>) =
            found.into_iter().partition(|def| is_type(repo, *def));
        others.extend(super::nearest(repo, file, types));
        others
    }

    /// A name as a type.
    pub(super) fn type_name(&self, ev: &mut Eval<'_>, used: NameUse) -> Entity {
        let repo = ev.repo;
        let NameUse {
            file,
            name,
            scope,
            at,
        } = used;
        let facts = repo.facts(file);
        let sym = repo.sym_of_name(file, name);
        let may_be_nested = self.packages.may_be_nested(sym);
        let mut next = Some(scope);
        while let Some(id) = next {
            let here = facts.scope(id);
            next = here.parent;
            if here.kind == ScopeKind::File {
                break;
            }
            if let Some(binding) = repo.binding_at(file, id, name, at, Namespace::TYPE) {
                let to = binding.to;
                return ev.resolve_binding(file, name, id, to, Namespace::TYPE);
            }
            if !ev.spend(1) {
                return Entity::Unknown;
            }
            if let (ScopeKind::Class, Some(owner), true) = (here.kind, here.owner, may_be_nested) {
                let class = GlobalDef { file, def: owner };
                if let Some(found) = self.inherited_type(ev, class, sym) {
                    return Entity::def(found);
                }
            }
        }
        self.type_of_file(ev, file, name)
    }

    /// A type inside of a class, its companion or a supertype.
    pub(super) fn inherited_type(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        name: Sym,
    ) -> Option<GlobalDef> {
        let repo = ev.repo;
        if !self.packages.may_be_nested(name) {
            return None;
        }
        let order = ev.member_search_order(&Ty::instance(class));
        for holder in order {
            let Ty::Instance(holder, _) = holder else {
                continue;
            };
            if !ev.spend(1) {
                return None;
            }
            if let Some(found) = nested(repo, holder, name) {
                return Some(found);
            }
            let companion = super::companion(repo, holder);
            if let Some(found) = companion.and_then(|c| nested(repo, c, name)) {
                return Some(found);
            }
        }
        None
    }

    /// A type that a file sees at its top level.
    pub(super) fn type_of_file(&self, ev: &mut Eval<'_>, file: FileId, name: NameId) -> Entity {
        let repo = ev.repo;
        for level in self.file_levels(ev, file, name) {
            match level {
                Level::Defs(defs) => {
                    let types = defs.into_iter().filter(|def| is_type(repo, *def));
                    if let Some(found) = super::nearest(repo, file, types.collect()) {
                        return Entity::def(found);
                    }
                }
                Level::Outside(external) if platform::names_type(&external) => {
                    return Entity::External(external);
                }
                Level::Outside(_) => {}
                Level::Nowhere => return Entity::Unknown,
            }
        }
        let text = repo.facts(file).name(name);
        if let Some(known) = platform::default_type(text) {
            return Entity::External(known);
        }
        self.starred_outside(repo, file, text)
    }

    /// A name that only a star import from outside of the repository can bring; unknown if there is none.
    fn starred_outside(&self, repo: &Repo, file: FileId, name: &str) -> Entity {
        let facts = repo.facts(file);
        let is_type = name.starts_with(char::is_uppercase);
        let mut globs = facts.imports.iter().filter(|i| i.what == Imported::Glob);
        let outside = globs.find(|glob| {
            let module = facts.name(glob.module);
            self.packages.resolve(repo, module, file) == Qualified::Outside
        });
        match outside.filter(|_| is_type) {
            Some(glob) => Entity::External(platform::outside(facts.name(glob.module), name)),
            None => Entity::Unknown,
        }
    }

    /// A name as a value.
    pub(super) fn value_name(&self, ev: &mut Eval<'_>, used: NameUse) -> (Entity, Option<Ty>) {
        let repo = ev.repo;
        let NameUse {
            file, name, scope, ..
        } = used;
        let facts = repo.facts(file);
        let text = facts.name(name);
        if text == "this" || text.starts_with("this@") {
            return (
                Entity::Value(self.this(ev, file, scope, name, used.at)),
                None,
            );
        }
        if !ev.spend(1 + facts.imports.len() / MANY) {
            return (Entity::Unknown, None);
        }
        let mut receivers = Vec::new();
        let mut walk = self.walk(file, scope, used.at);
        while let Some(id) = walk.next_scope(repo) {
            if !ev.spend(1) {
                return (Entity::Unknown, None);
            }
            if let Some(found) = self.local_value(ev, used, id) {
                return (found, None);
            }
            for implicit in self.implicit_at(ev, &mut walk, id) {
                if let Some(found) = self.property_of_implicit(ev, &implicit, text, file) {
                    return found;
                }
                receivers.push(implicit);
            }
        }
        self.value_of_file(ev, used, &receivers)
    }

    /// A local variable, parameter, function or class of one scope.
    pub(super) fn local_value(
        &self,
        ev: &mut Eval<'_>,
        used: NameUse,
        id: ScopeId,
    ) -> Option<Entity> {
        let repo = ev.repo;
        let NameUse { file, name, at, .. } = used;
        let here = repo.facts(file).scope(id);
        let binding = repo.binding_at(file, id, name, at, Namespace::VALUE)?;
        let to = binding.to;
        if here.kind == ScopeKind::Class {
            // Members are found by the type of the object. Types are visible by their names alone.
            let Bound::Def(def) = to else { return None };
            let def = GlobalDef { file, def };
            return is_type(repo, def).then(|| Entity::def(def));
        }
        if let Bound::Param(def, n) = to
            && self.is_missing_it(ev, GlobalDef { file, def }, n)
        {
            return None;
        }
        Some(ev.resolve_binding(file, name, id, to, Namespace::VALUE))
    }

    fn property_of_implicit(
        &self,
        ev: &mut Eval<'_>,
        implicit: &Implicit,
        name: &str,
        file: FileId,
    ) -> Option<(Entity, Option<Ty>)> {
        if implicit.is_static
            && let Ty::Instance(class, _) = &implicit.ty
        {
            return self.static_value(ev, *class, name, file);
        }
        self.own_property(ev, &implicit.ty, name, file)
    }

    /// A property, object or class that a file sees at its top level.
    fn value_of_file(
        &self,
        ev: &mut Eval<'_>,
        used: NameUse,
        receivers: &[Implicit],
    ) -> (Entity, Option<Ty>) {
        let repo = ev.repo;
        let NameUse {
            file, name, scope, ..
        } = used;
        let text = repo.facts(file).name(name);
        let levels = self.file_levels(ev, file, name);
        for implicit in receivers.iter().filter(|implicit| !implicit.is_static) {
            if let Some(found) = self.extension_property(ev, &implicit.ty, &levels) {
                return found;
            }
        }
        let mut outside = None;
        for level in levels {
            match level {
                Level::Defs(defs) => {
                    let plain = |def: &GlobalDef| {
                        let it = repo.def(*def);
                        !it.flags.has(DefFlags::EXTENSION) && !it.kind.is_callable()
                    };
                    let values: Vec<GlobalDef> =
                        defs.iter().copied().filter(|d| plain(d)).collect();
                    if let Some(found) = super::nearest(repo, file, values) {
                        return (Entity::def(found), None);
                    }
                    let functions = defs.into_iter().filter(|d| {
                        let it = repo.def(*d);
                        it.kind.is_callable() && !it.flags.has(DefFlags::EXTENSION)
                    });
                    let functions: Vec<GlobalDef> = functions.collect();
                    if !functions.is_empty() {
                        return (Entity::defs(functions), None);
                    }
                }
                Level::Outside(external) => outside = outside.or(Some(external)),
                Level::Nowhere => return (Entity::Unknown, None),
            }
        }
        if let Some(external) = outside {
            return (Entity::External(external), None);
        }
        let sym = repo.sym_of_name(file, name);
        let found = self.enclosing_type(ev, file, scope, sym);
        if let Some(found) = found {
            return (Entity::def(found), None);
        }
        if let Some(known) = platform::default_type(text) {
            return (Entity::External(known), None);
        }
        if let Some(index) = self.packages.find_package(text) {
            return (Entity::Module(super::module(index)), None);
        }
        if platform::is_root(text) {
            return (Entity::external(text, ""), None);
        }
        (self.starred_outside(repo, file, text), None)
    }

    /// A type inside of an enclosing class or its supertypes.
    fn enclosing_type(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        scope: ScopeId,
        name: Sym,
    ) -> Option<GlobalDef> {
        if !self.packages.may_be_nested(name) {
            return None;
        }
        let repo = ev.repo;
        let mut next = Some(scope);
        while let Some(id) = next {
            let here = repo.facts(file).scope(id);
            next = here.parent;
            if let (ScopeKind::Class, Some(owner)) = (here.kind, here.owner) {
                let class = GlobalDef { file, def: owner };
                if let Some(found) = self.inherited_type(ev, class, name) {
                    return Some(found);
                }
            }
        }
        None
    }
}
