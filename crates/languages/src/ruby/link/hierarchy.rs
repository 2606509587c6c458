//! What classes inherit and take over from modules.

use super::names::{Class, ClassInfo, Named, Names, TOP};
use crate::ruby::facts::{EXTENDED, GLOBAL_MIXIN, INCLUDED, PREPENDED};
use base::facts::*;
use base::{Language, SymbolKind};
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::ty::External;
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest list of ancestors.
const MAX_ANCESTORS: usize = 200;
/// Deepest chain of classes while supertypes are being resolved.
const MAX_DEPTH: u32 = 60;
/// Longest chain of constants that stand for each other.
const MAX_ALIASES: u32 = 8;

/// A place in the order in which methods are looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Above {
    Inside(Class),
    Outside(External),
    /// Something that was not found.
    Unknown,
}

/// What a class has directly above it.
#[derive(Debug, Clone, Default)]
struct Direct {
    superclass: Option<Above>,
    included: Vec<Above>,
    prepended: Vec<Above>,
    extended: Vec<Above>,
}

/// The order of all classes.
#[derive(Default)]
pub(super) struct Hierarchy {
    direct: Vec<Direct>,
    /// For each class, itself and everything above it, in the order in which methods are looked for.
    order: Vec<Vec<Above>>,
    /// For each class, itself and the classes above it.
    chain: Vec<Vec<Above>>,
    /// The classes that have a class or module directly above them.
    users: FxHashMap<Class, Vec<Class>>,
}

impl Hierarchy {
    pub(super) fn new(repo: &Repo, names: &Names) -> Hierarchy {
        let globals = top_mixins(repo, GLOBAL_MIXIN);
        let mut builder = Builder {
            repo,
            names,
            globals,
            direct: names.classes.iter().map(|_| None).collect(),
            open: FxHashSet::default(),
        };
        for class in 0..names.classes.len() as Class {
            builder.direct_of(class, 0);
        }
        let direct = builder.direct.into_iter().map(Option::unwrap_or_default);
        let mut out = Hierarchy {
            direct: direct.collect(),
            ..Hierarchy::default()
        };
        out.find_users();
        out.find_orders();
        out
    }

    fn find_users(&mut self) {
        for (direct, class) in self.direct.iter().zip(0..) {
            let above = direct.superclass.iter();
            let above = above.chain(&direct.included).chain(&direct.prepended);
            for one in above.chain(&direct.extended) {
                if let Above::Inside(above) = one {
                    let users = self.users.entry(*above).or_default();
                    if users.last() != Some(&class) {
                        users.push(class);
                    }
                }
            }
        }
    }

    fn find_orders(&mut self) {
        for class in 0..self.direct.len() as Class {
            let mut open = Vec::new();
            let mut order = Vec::new();
            self.add_order(class, &mut order, &mut open);
            // Of a module that is met again, the last place counts.
            let mut seen = Vec::new();
            for above in order.into_iter().rev() {
                if !seen.contains(&above) {
                    seen.push(above);
                }
            }
            seen.reverse();
            self.order.push(seen);
            let mut chain = vec![Above::Inside(class)];
            let mut next = self.direct[class as usize].superclass.clone();
            while let Some(above) = next {
                if chain.contains(&above) || chain.len() >= MAX_ANCESTORS {
                    break;
                }
                next = match &above {
                    Above::Inside(class) => self.direct[*class as usize].superclass.clone(),
                    _ => None,
                };
                chain.push(above);
            }
            self.chain.push(chain);
        }
    }

    fn add_order(&self, class: Class, out: &mut Vec<Above>, open: &mut Vec<Class>) {
        if out.len() >= MAX_ANCESTORS || open.len() >= MAX_DEPTH as usize || open.contains(&class) {
            return;
        }
        open.push(class);
        let direct = &self.direct[class as usize];
        for above in direct.prepended.iter().rev() {
            self.add_above(above, out, open);
        }
        out.push(Above::Inside(class));
        for above in direct.included.iter().rev() {
            self.add_above(above, out, open);
        }
        if let Some(above) = &direct.superclass {
            self.add_above(above, out, open);
        }
        open.pop();
    }

    fn add_above(&self, above: &Above, out: &mut Vec<Above>, open: &mut Vec<Class>) {
        match above {
            Above::Inside(class) => self.add_order(*class, out, open),
            other if out.len() < MAX_ANCESTORS => out.push(other.clone()),
            _ => {}
        }
    }

    /// A class and everything above it.
    pub(super) fn order(&self, class: Class) -> &[Above] {
        self.order.get(class as usize).map_or(&[], |order| order)
    }

    /// A class and the classes above it, without modules.
    pub(super) fn chain(&self, class: Class) -> &[Above] {
        self.chain.get(class as usize).map_or(&[], |chain| chain)
    }

    /// The modules whose methods a class itself has, the first to look at first.
    pub(super) fn extended(&self, class: Class) -> impl Iterator<Item = &Above> {
        let direct = self.direct.get(class as usize);
        direct.into_iter().flat_map(|d| d.extended.iter().rev())
    }

    /// The modules that a class includes itself.
    pub(super) fn included(&self, class: Class) -> &[Above] {
        self.direct.get(class as usize).map_or(&[], |d| &d.included)
    }

    /// The class that a class extends.
    pub(super) fn superclass(&self, class: Class) -> Option<&Above> {
        self.direct.get(class as usize)?.superclass.as_ref()
    }

    /// The classes that have a class or module directly above them.
    pub(super) fn users(&self, class: Class) -> &[Class] {
        self.users.get(&class).map_or(&[], |users| users)
    }
}

/// The modules that scripts include.
pub(super) fn top_included(repo: &Repo, names: &Names) -> Vec<(FileId, Class)> {
    let mut out = Vec::new();
    for (file, ty) in top_mixins(repo, INCLUDED) {
        let TypeExpr::Named { path, scope, .. } = repo.facts(file).ty(ty) else {
            continue;
        };
        let lookup = Lookup { repo, names, file };
        let found = lookup.path(path, *scope, &mut |class| vec![class], 0);
        if let Resolved::Class(class) = found {
            out.push((file, class));
        }
    }
    out
}

/// The modules in properties of files, with the files that say so.
fn top_mixins(repo: &Repo, name: &str) -> Vec<(FileId, TypeId)> {
    let Some(sym) = repo.find_sym(name) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for (file, source) in repo.files() {
        if source.facts.language != Language::Ruby {
            continue;
        }
        for def in repo.top_level(file) {
            let it = repo.def(def);
            if repo.sym_of_name(file, it.name) == sym
                && let Some(ty) = it.ty
            {
                out.push((file, ty));
            }
        }
    }
    out
}

struct Builder<'r> {
    repo: &'r Repo,
    names: &'r Names,
    globals: Vec<(FileId, TypeId)>,
    direct: Vec<Option<Direct>>,
    open: FxHashSet<Class>,
}

impl Builder<'_> {
    /// Resolves what stands directly above a class.
    fn direct_of(&mut self, class: Class, depth: u32) {
        if self.direct[class as usize].is_some() || depth > MAX_DEPTH || !self.open.insert(class) {
            return;
        }
        let mut out = Direct::default();
        let info: &ClassInfo = &self.names.classes[class as usize];
        let has_product = info.parts.iter().any(|part| !self.names.is_test(part.file));
        for part in &info.parts {
            // What a test adds to a class of the product holds in that test.
            if has_product && self.names.is_test(part.file) {
                continue;
            }
            self.add_part(class, *part, &mut out, depth);
        }
        if self.is_outermost_group(class, &out) {
            let all = std::mem::take(&mut self.globals);
            for (file, ty) in &all {
                out.included.extend(self.above((*file, *ty), depth));
            }
            self.globals = all;
        }
        self.add_class_methods(&mut out, depth);
        self.direct[class as usize] = Some(out);
        self.open.remove(&class);
    }

    fn add_part(&mut self, class: Class, part: GlobalDef, out: &mut Direct, depth: u32) {
        let repo = self.repo;
        let facts = repo.facts(part.file);
        let prepended = self.hidden(part, PREPENDED);
        for (ty, kind) in &facts.def(part.def).supers {
            let Some(above) = self.above((part.file, *ty), depth) else {
                continue;
            };
            if above == Above::Inside(class) {
                continue;
            }
            match kind {
                SuperKind::Extends => out.superclass = Some(above),
                _ if prepended.contains(ty) => out.prepended.push(above),
                _ if out.included.contains(&above) => {}
                _ => out.included.push(above),
            }
        }
        for ty in self.hidden(part, EXTENDED) {
            // `extend self` is the module itself.
            out.extended.extend(self.above((part.file, ty), depth));
        }
    }

    /// The types of the hidden properties of a part.
    fn hidden(&self, part: GlobalDef, name: &str) -> Vec<TypeId> {
        let Some(sym) = self.repo.find_sym(name) else {
            return Vec::new();
        };
        let found = self.repo.children_named(part, sym);
        found.filter_map(|def| self.repo.def(def).ty).collect()
    }

    /// Groups of examples that stand in no other group.
    fn is_outermost_group(&self, class: Class, direct: &Direct) -> bool {
        let info = &self.names.classes[class as usize];
        let Some(part) = info.parts.first().filter(|_| info.place.is_none()) else {
            return false;
        };
        let def = self.repo.def(*part);
        direct.superclass.is_none()
            && def.kind == SymbolKind::Class
            && self.names.is_test(part.file)
            && !self.globals.is_empty()
    }

    /// A class also has the methods of `ClassMethods` in the modules that it includes, if they say so, and what these modules
    /// are extended with.
    fn add_class_methods(&mut self, out: &mut Direct, depth: u32) {
        let name = self.repo.find_sym("ClassMethods");
        let mut modules: Vec<Class> = Vec::new();
        for above in &out.included {
            if let Above::Inside(module) = above {
                self.direct_of(*module, depth + 1);
                modules.extend(self.open_order(*module));
            }
        }
        modules.dedup();
        for module in modules.into_iter().take(MAX_ANCESTORS) {
            let Some(part) = self.names.canonical(module) else {
                continue;
            };
            if !self.passes_class_methods(module) {
                continue;
            }
            let found = name.and_then(|name| self.names.class_in(module, name, part.file));
            out.extended.extend(found.map(Above::Inside));
            if let Some(Some(direct)) = self.direct.get(module as usize) {
                let inside = |above: &&Above| matches!(above, Above::Inside(one) if *one != module);
                let more: Vec<Above> = direct.extended.iter().filter(inside).cloned().collect();
                out.extended.extend(more);
            }
        }
    }

    /// Whether a module extends the classes that include it: it is a concern, or has `included`.
    fn passes_class_methods(&self, module: Class) -> bool {
        let repo = self.repo;
        let has = |part: &GlobalDef, name: &str| {
            let sym = repo.find_sym(name);
            sym.is_some_and(|sym| repo.children_named(*part, sym).len() > 0)
        };
        let parts = &self.names.classes[module as usize].parts;
        parts.iter().any(|part| {
            has(part, "included")
                || has(part, "append_features")
                || self.hidden(*part, EXTENDED).iter().any(|ty| {
                    match repo.facts(part.file).ty(*ty) {
                        TypeExpr::Named { path, .. } => path
                            .last()
                            .is_some_and(|last| repo.facts(part.file).name(*last) == "Concern"),
                        _ => false,
                    }
                })
        })
    }

    /// What a written supertype denotes.
    fn above(&mut self, (file, ty): (FileId, TypeId), depth: u32) -> Option<Above> {
        let repo = self.repo;
        match repo.facts(file).ty(ty) {
            TypeExpr::Named { path, scope, .. } => {
                Some(match self.resolve_path(file, path, *scope, depth) {
                    Resolved::Class(class) => Above::Inside(class),
                    // A shared group that no file defines under a literal name.
                    Resolved::Outside(external) if external.package.starts_with('<') => {
                        return None;
                    }
                    Resolved::Outside(external) => Above::Outside(external),
                    Resolved::Constant(_) | Resolved::Unknown => Above::Unknown,
                })
            }
            TypeExpr::Anonymous(def) | TypeExpr::SelfType(def) => {
                let class = self.names.class_of(GlobalDef { file, def: *def });
                class.map(Above::Inside)
            }
            _ => Some(Above::Unknown),
        }
    }

    fn resolve_path(
        &mut self,
        file: FileId,
        path: &[NameId],
        scope: ScopeId,
        depth: u32,
    ) -> Resolved {
        let (repo, names) = (self.repo, self.names);
        let mut order = |class: Class| {
            self.direct_of(class, depth + 1);
            self.open_order(class)
        };
        let lookup = Lookup { repo, names, file };
        lookup.path(path, scope, &mut order, 0)
    }

    /// The classes above a class, as far as they are resolved.
    fn open_order(&self, class: Class) -> Vec<Class> {
        let mut out = vec![class];
        let mut at = 0;
        while let Some(next) = out.get(at).copied() {
            at += 1;
            let Some(Some(direct)) = self.direct.get(next as usize) else {
                continue;
            };
            let above = direct.prepended.iter().chain(&direct.included);
            for one in above.chain(&direct.superclass) {
                if let Above::Inside(class) = one
                    && !out.contains(class)
                    && out.len() < MAX_ANCESTORS
                {
                    out.push(*class);
                }
            }
        }
        out
    }
}

/// What a constant denotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Resolved {
    Class(Class),
    Constant(GlobalDef),
    Outside(External),
    Unknown,
}

/// Looks constants up from a file.
#[derive(Clone, Copy)]
pub(super) struct Lookup<'r> {
    pub(super) repo: &'r Repo,
    pub(super) names: &'r Names,
    pub(super) file: FileId,
}

impl Lookup<'_> {
    /// A path of constants. `order` gives a class and those above it.
    pub(super) fn path(
        &self,
        path: &[NameId],
        scope: ScopeId,
        order: &mut dyn FnMut(Class) -> Vec<Class>,
        aliases: u32,
    ) -> Resolved {
        let Some((first, rest)) = path.split_first() else {
            return Resolved::Unknown;
        };
        let mut found = self.first(*first, scope, order, aliases);
        for name in rest {
            let sym = self.repo.sym_of_name(self.file, *name);
            found = match found {
                Resolved::Class(class) => self.inside(class, sym, order, aliases),
                Resolved::Outside(external) => {
                    Resolved::Outside(external.member(self.repo.facts(self.file).name(*name)))
                }
                _ => return Resolved::Unknown,
            };
        }
        found
    }

    /// The first name of a path: in the classes around, in what the innermost inherits, at the top, or outside.
    pub(super) fn first(
        &self,
        name: NameId,
        scope: ScopeId,
        order: &mut dyn FnMut(Class) -> Vec<Class>,
        aliases: u32,
    ) -> Resolved {
        let facts = self.repo.facts(self.file);
        let sym = self.repo.sym_of_name(self.file, name);
        let around = self.names.lexical(facts, scope, self.file);
        for class in &around {
            if let Some(found) = self.names.named_in(*class, sym, self.file) {
                return self.followed(found, order, aliases);
            }
        }
        if let Some(innermost) = around.first() {
            for class in order(*innermost).into_iter().skip(1) {
                if let Some(found) = self.names.named_in(class, sym, self.file) {
                    return self.followed(found, order, aliases);
                }
            }
        }
        self.at_top(sym, facts.name(name), order, aliases)
    }

    /// A name at the top of the program.
    pub(super) fn at_top(
        &self,
        sym: Sym,
        text: &str,
        order: &mut dyn FnMut(Class) -> Vec<Class>,
        aliases: u32,
    ) -> Resolved {
        if super::platform::is_constant(text) {
            return Resolved::Outside(External::new(super::platform::RUBY, text));
        }
        if let Some(found) = self.names.named_in(TOP, sym, self.file) {
            return self.followed(found, order, aliases);
        }
        for class in self.names.included_at_top(self.file) {
            if let Some(found) = self.names.named_in(class, sym, self.file) {
                return self.followed(found, order, aliases);
            }
        }
        if self.names.is_known(TOP, sym) {
            return Resolved::Unknown;
        }
        Resolved::Outside(External::new(text, ""))
    }

    /// A name in a class, or in what the class inherits.
    pub(super) fn inside(
        &self,
        class: Class,
        name: Sym,
        order: &mut dyn FnMut(Class) -> Vec<Class>,
        aliases: u32,
    ) -> Resolved {
        for class in order(class) {
            if let Some(found) = self.names.named_in(class, name, self.file) {
                return self.followed(found, order, aliases);
            }
        }
        // What no file defines comes from outside, if the class itself does.
        let info = &self.names.classes[class as usize];
        match (info.place, info.parts.is_empty()) {
            (Some((_, own)), true) => Resolved::Outside(
                External::new(self.repo.sym_text(own), "").member(self.repo.sym_text(name)),
            ),
            _ => Resolved::Unknown,
        }
    }

    /// A constant that stands for a class is that class.
    fn followed(
        &self,
        found: Named,
        order: &mut dyn FnMut(Class) -> Vec<Class>,
        aliases: u32,
    ) -> Resolved {
        let constant = match found {
            Named::Class(class) => {
                let info = &self.names.classes[class as usize];
                return match (info.place, info.parts.is_empty()) {
                    (Some((TOP, name)), true) => {
                        let text = self.repo.sym_text(name);
                        Resolved::Outside(External::new(text, ""))
                    }
                    _ => Resolved::Class(class),
                };
            }
            Named::Constant(constant) => constant,
        };
        if aliases > MAX_ALIASES {
            return Resolved::Unknown;
        }
        let facts = self.repo.facts(constant.file);
        let there = Lookup {
            file: constant.file,
            ..*self
        };
        let Some((path, scope)) = written_path(facts, facts.def(constant.def).value) else {
            return Resolved::Constant(constant);
        };
        there.path(&path, scope, order, aliases + 1)
    }
}

/// The path that an expression consists of, and the scope from which its first name is looked up.
fn written_path(facts: &FileFacts, value: Option<ExprId>) -> Option<(Vec<NameId>, ScopeId)> {
    let mut path = Vec::new();
    let mut next = value?;
    for _ in 0..MAX_DEPTH {
        match facts.expr(next) {
            Expr::Name { name, scope, .. } => {
                let is_constant = facts.name(*name).starts_with(|c: char| c.is_uppercase());
                path.push(*name);
                path.reverse();
                return is_constant.then_some((path, *scope));
            }
            Expr::Scoped { object, name } => {
                let is_constant = facts.name(*name).starts_with(|c: char| c.is_uppercase());
                if !is_constant {
                    return None;
                }
                path.push(*name);
                next = *object;
            }
            _ => return None,
        }
    }
    None
}
