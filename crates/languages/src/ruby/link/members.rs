//! Methods, fields and constants of classes.

use super::Ruby;
use super::hierarchy::{Above, Lookup, Resolved};
use super::names::{Class, TOP};
use super::platform::{self, RUBY};
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::ty::*;

/// Most classes below a class or module that are looked through for a method that it lacks.
const MOST_USERS: usize = 256;
/// Most methods that such a call may lead to.
const MOST_TARGETS: usize = 4;
/// Longest chain of names that stand for methods.
const MAX_ALIASES: u32 = 8;

/// What a search for a method gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MethodLookup {
    Found(GlobalDef),
    /// Several places define it, and nothing tells which one counts.
    Ambiguous(Vec<GlobalDef>),
    /// What lies outside of the repository has it, or may have it.
    Outside(External),
    /// No class in sight has it.
    Missing,
}

/// Whose methods are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Those of objects.
    Instance,
    /// Those of the class itself.
    Class,
}

impl Ruby {
    /// The method of an object of a class. `skip` passes over the places up to the class of that number.
    pub(super) fn instance_method(
        &self,
        ev: &mut Eval<'_>,
        class: Class,
        name: &str,
        skip: Option<Class>,
    ) -> MethodLookup {
        let order = self.hierarchy.order(class);
        let start = match skip {
            Some(class) => order
                .iter()
                .position(|above| *above == Above::Inside(class))
                .map_or(order.len(), |at| at + 1),
            None => 0,
        };
        let mut outside = None;
        for above in &order[start..] {
            if !ev.spend(1) {
                return MethodLookup::Missing;
            }
            match above {
                Above::Inside(holder) => {
                    if let Some(found) = self.own_method(ev, *holder, name, Side::Instance) {
                        return found;
                    }
                }
                Above::Outside(external) => {
                    let found = self.method_of_outside_class(ev, external, name);
                    if found.is_some() {
                        return found.unwrap_or(MethodLookup::Missing);
                    }
                    outside = outside.or_else(|| Some(external.member(name)));
                }
                // It may have the method, whatever the classes behind it have.
                Above::Unknown if !platform::is_method_of_objects(name) => {
                    return MethodLookup::Outside(External::new("?", name));
                }
                Above::Unknown => {}
            }
        }
        if let Some(found) = self.method_of_every(ev, &["Object", "Kernel", "BasicObject"], name) {
            return found;
        }
        if let Some(found) = self.method_at_top(ev, name) {
            return found;
        }
        match outside {
            Some(external) => MethodLookup::Outside(external),
            None if platform::is_method_of_objects(name) => {
                MethodLookup::Outside(External::new(RUBY, "Object").member(name))
            }
            None => MethodLookup::Missing,
        }
    }

    /// The method of a class itself. `skip` passes over the places up to the class of that number.
    pub(super) fn class_method(
        &self,
        ev: &mut Eval<'_>,
        class: Class,
        name: &str,
        skip: Option<Class>,
    ) -> MethodLookup {
        let mut outside = None;
        let mut is_above = skip.is_none();
        for above in self.hierarchy.chain(class) {
            if !ev.spend(1) {
                return MethodLookup::Missing;
            }
            match above {
                Above::Inside(holder) => {
                    let is_skipped = !is_above;
                    is_above |= skip == Some(*holder);
                    if !is_skipped
                        && let Some(found) = self.own_method(ev, *holder, name, Side::Class)
                    {
                        return found;
                    }
                    if !is_above {
                        continue;
                    }
                    if let Some(found) = self.attribute_of_concern(ev, *holder, name) {
                        return found;
                    }
                    match self.extended_method(ev, *holder, name) {
                        Some(MethodLookup::Outside(found)) => outside = outside.or(Some(found)),
                        Some(found) => return found,
                        None => {}
                    }
                }
                Above::Outside(external) => {
                    outside = outside.or_else(|| Some(external.member(name)));
                }
                Above::Unknown => {
                    outside = outside.or_else(|| Some(External::new("?", name)));
                }
            }
        }
        let every = ["Class", "Module", "Object", "Kernel"];
        if let Some(found) = self.method_of_every(ev, &every, name) {
            return found;
        }
        match outside {
            Some(external) => MethodLookup::Outside(external),
            None if platform::is_method_of_classes(name)
                || platform::is_method_of_objects(name) =>
            {
                MethodLookup::Outside(External::new(RUBY, "Module").member(name))
            }
            None => MethodLookup::Missing,
        }
    }

    /// A method that a class has from a module that it is extended with.
    fn extended_method(&self, ev: &mut Eval<'_>, class: Class, name: &str) -> Option<MethodLookup> {
        let mut outside = None;
        for above in self.hierarchy.extended(class) {
            match above {
                Above::Inside(module) => {
                    for holder in self.hierarchy.order(*module) {
                        if !ev.spend(1) {
                            return None;
                        }
                        if let Above::Inside(holder) = holder
                            && let Some(found) = self.own_method(ev, *holder, name, Side::Instance)
                        {
                            return Some(found);
                        }
                    }
                }
                Above::Outside(external) if &*external.package != RUBY => {
                    outside = Some(MethodLookup::Outside(external.member(name)));
                }
                _ => {}
            }
        }
        outside
    }

    /// An attribute that the `included` block of a concern gives to the classes that include it.
    fn attribute_of_concern(
        &self,
        ev: &mut Eval<'_>,
        class: Class,
        name: &str,
    ) -> Option<MethodLookup> {
        let repo = ev.repo;
        for above in self.hierarchy.included(class) {
            let Above::Inside(module) = above else {
                continue;
            };
            if !ev.spend(1) {
                return None;
            }
            let found = self.own_method(ev, *module, name, Side::Class);
            if let Some(MethodLookup::Found(def)) = &found
                && repo.def(*def).kind == SymbolKind::Property
            {
                return found;
            }
        }
        None
    }

    /// A method that the repository adds to a class from outside, or to one above it.
    fn method_of_outside_class(
        &self,
        ev: &mut Eval<'_>,
        external: &External,
        name: &str,
    ) -> Option<MethodLookup> {
        if &*external.package != RUBY || external.symbol.contains('.') {
            return None;
        }
        let own = [&*external.symbol];
        let above = platform::ancestors(&external.symbol);
        self.method_of_every(ev, &own, name)
            .or_else(|| self.method_of_every(ev, above, name))
    }

    /// A method that the repository adds to one of several classes of Ruby.
    pub(super) fn method_of_every(
        &self,
        ev: &mut Eval<'_>,
        classes: &[&str],
        name: &str,
    ) -> Option<MethodLookup> {
        let home = self.home(ev);
        let repo = ev.repo;
        classes.iter().find_map(|class| {
            let sym = repo.find_sym(class)?;
            let class = self.names.class_in(TOP, sym, home)?;
            self.own_method(ev, class, name, Side::Instance)
        })
    }

    /// A method of a module that a script includes.
    pub(super) fn method_at_top(&self, ev: &mut Eval<'_>, name: &str) -> Option<MethodLookup> {
        let home = self.home(ev);
        let modules: Vec<Class> = self.names.included_at_top(home).collect();
        modules.into_iter().find_map(|module| {
            let order = self.inside_order(module).into_iter();
            let mut order = order.take(MOST_TARGETS * MOST_TARGETS);
            order.find_map(|holder| self.own_method(ev, holder, name, Side::Instance))
        })
    }

    /// The methods that the repository adds to a class of Ruby itself.
    pub(super) fn class_method_of_outside(
        &self,
        ev: &mut Eval<'_>,
        class: &str,
        name: &str,
    ) -> Option<MethodLookup> {
        let home = self.home(ev);
        let sym = ev.repo.find_sym(class)?;
        let class = self.names.class_in(TOP, sym, home)?;
        self.own_method(ev, class, name, Side::Class).or_else(|| {
            match self.extended_method(ev, class, name) {
                Some(MethodLookup::Outside(_)) => None,
                found => found,
            }
        })
    }

    fn home(&self, ev: &Eval<'_>) -> FileId {
        ev.current_file().unwrap_or(FileId(0))
    }

    /// The method that a class or module defines by itself.
    pub(super) fn own_method(
        &self,
        ev: &mut Eval<'_>,
        class: Class,
        name: &str,
        side: Side,
    ) -> Option<MethodLookup> {
        self.own_method_inside(ev, class, name, side, 0)
    }

    fn own_method_inside(
        &self,
        ev: &mut Eval<'_>,
        class: Class,
        name: &str,
        side: Side,
        aliases: u32,
    ) -> Option<MethodLookup> {
        let repo = ev.repo;
        let mut found = match repo.find_sym(name) {
            Some(sym) => self.candidates(ev, class, sym, side, false),
            None => Vec::new(),
        };
        if found.is_empty()
            && let Some(sym) = name.strip_suffix('=').and_then(|name| repo.find_sym(name))
        {
            found = self.candidates(ev, class, sym, side, true);
        }
        let found = self.preferred(ev, found);
        match found[..] {
            [] => None,
            [one] => Some(self.behind_alias(ev, class, one, side, aliases)),
            _ => Some(MethodLookup::Ambiguous(found)),
        }
    }

    /// The members of that name in a class. `writes` asks for attributes that may be assigned.
    fn candidates(
        &self,
        ev: &mut Eval<'_>,
        class: Class,
        name: Sym,
        side: Side,
        writes: bool,
    ) -> Vec<GlobalDef> {
        let repo = ev.repo;
        let all = self.members.get(&(class, name)).map_or(&[][..], |all| all);
        if !ev.spend_on_namesakes(all.len()) {
            return Vec::new();
        }
        let fits = |id: &&GlobalDef| {
            let def = repo.def(**id);
            let is_static = def.flags.has(DefFlags::STATIC);
            let is_side = match side {
                Side::Instance => !is_static,
                Side::Class => is_static || def.flags.has(DefFlags::MODULE_FUNCTION),
            };
            let is_kind = match (def.kind, writes) {
                (SymbolKind::Property, true) => !def.flags.has(DefFlags::GETTER),
                (SymbolKind::Property, false) => !def.flags.has(DefFlags::SETTER),
                (SymbolKind::Method, false) => true,
                _ => false,
            };
            is_side && is_kind
        };
        all.iter().filter(fits).copied().collect()
    }

    /// Of several definitions of a name: those of the same file, else those of the product, and of one file the last.
    fn preferred(&self, ev: &Eval<'_>, found: Vec<GlobalDef>) -> Vec<GlobalDef> {
        if found.len() < 2 {
            return found;
        }
        let home = self.home(ev);
        let mut last: Vec<GlobalDef> = Vec::new();
        for def in found {
            match last.last_mut() {
                Some(known) if known.file == def.file => *known = def,
                _ => last.push(def),
            }
        }
        if let Some(own) = last.iter().find(|d| d.file == home) {
            return vec![*own];
        }
        let product: Vec<GlobalDef> = last
            .iter()
            .filter(|d| !self.names.is_test(d.file))
            .copied()
            .collect();
        if product.is_empty() { last } else { product }
    }

    /// The method that a name stands for.
    fn behind_alias(
        &self,
        ev: &mut Eval<'_>,
        class: Class,
        found: GlobalDef,
        side: Side,
        aliases: u32,
    ) -> MethodLookup {
        let repo = ev.repo;
        let def = repo.def(found);
        if !def.flags.has(DefFlags::ALIAS) || aliases > MAX_ALIASES {
            return MethodLookup::Found(found);
        }
        let facts = repo.facts(found.file);
        let Some(Expr::Member { name, .. }) = def.value.map(|value| facts.expr(value)) else {
            return MethodLookup::Found(found);
        };
        let old = facts.name(*name);
        let sym = repo.sym_of_name(found.file, *name);
        // A method that is defined behind the alias is another one.
        let own: Vec<GlobalDef> = self
            .candidates(ev, class, sym, side, false)
            .into_iter()
            .filter(|d| d.file == found.file)
            .collect();
        let before = own.iter().rev().find(|d| d.def < found.def);
        match before {
            Some(before) => self.behind_alias(ev, class, *before, side, aliases + 1),
            None if !own.is_empty() => MethodLookup::Found(found),
            None => self.aliased_elsewhere(ev, class, (found, old), side, aliases),
        }
    }

    fn aliased_elsewhere(
        &self,
        ev: &mut Eval<'_>,
        class: Class,
        (alias, old): (GlobalDef, &str),
        side: Side,
        aliases: u32,
    ) -> MethodLookup {
        let order = match side {
            Side::Instance => self.hierarchy.order(class),
            Side::Class => self.hierarchy.chain(class),
        };
        for above in order {
            if !ev.spend(1) {
                break;
            }
            if let Above::Inside(holder) = above {
                match self.own_method_inside(ev, *holder, old, side, aliases + 1) {
                    Some(MethodLookup::Found(found)) => return MethodLookup::Found(found),
                    Some(_) => break,
                    None => {}
                }
            }
        }
        MethodLookup::Found(alias)
    }

    /// The methods of that name in the classes that inherit from a class or include a module: `self` is one of them.
    pub(super) fn methods_of_users(
        &self,
        ev: &mut Eval<'_>,
        class: Class,
        name: &str,
        side: Side,
    ) -> Vec<GlobalDef> {
        let mut found: Vec<GlobalDef> = Vec::new();
        let Some(sym) = ev.repo.find_sym(name) else {
            return found;
        };
        let mut below = vec![class];
        let mut at = 0;
        while let Some(next) = below.get(at).copied() {
            at += 1;
            if at > MOST_USERS || !ev.spend(1) {
                return Vec::new();
            }
            for user in self.hierarchy.users(next) {
                if !below.contains(user) && below.len() <= MOST_USERS {
                    below.push(*user);
                }
            }
        }
        let in_test = self.names.is_test(self.home(ev));
        for user in &below[1..] {
            // The product does not know the classes of its tests.
            let part = self.names.canonical(*user);
            if !in_test && part.is_some_and(|part| self.names.is_test(part.file)) {
                continue;
            }
            let is_there = self.members.contains_key(&(*user, sym));
            let above = self.hierarchy.order(*user).iter().any(|above| match above {
                Above::Inside(holder) => self.members.contains_key(&(*holder, sym)),
                _ => false,
            });
            if !is_there && !above {
                continue;
            }
            let method = match side {
                Side::Instance => self.instance_method(ev, *user, name, None),
                Side::Class => self.class_method(ev, *user, name, None),
            };
            if let MethodLookup::Found(method) = method
                && !found.contains(&method)
            {
                found.push(method);
            }
        }
        if found.len() > MOST_TARGETS {
            return Vec::new();
        }
        found
    }

    /// The fields of that name in a class and in what it inherits.
    pub(super) fn fields(&self, ev: &mut Eval<'_>, class: Class, name: &str) -> Vec<GlobalDef> {
        let repo = ev.repo;
        let Some(sym) = repo.find_sym(name) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for above in self.hierarchy.order(class) {
            let Above::Inside(holder) = above else {
                continue;
            };
            if !ev.spend(1) {
                break;
            }
            let all = self.members.get(&(*holder, sym)).map_or(&[][..], |all| all);
            if ev.spend_on_namesakes(all.len()) {
                let fields = all
                    .iter()
                    .filter(|d| repo.def(**d).kind == SymbolKind::Field);
                found.extend(fields.copied());
            }
        }
        if found.is_empty() {
            for user in self.hierarchy.users(class).iter().take(MOST_TARGETS) {
                let all = self.members.get(&(*user, sym)).map_or(&[][..], |all| all);
                let fields = all
                    .iter()
                    .filter(|d| repo.def(**d).kind == SymbolKind::Field);
                found.extend(fields.copied());
            }
        }
        found
    }

    /// The class of a definition that stands for it.
    pub(super) fn class_number(&self, def: GlobalDef) -> Option<Class> {
        self.names.class_of(def)
    }

    /// A constant as an entity.
    pub(super) fn entity(&self, resolved: Resolved) -> Entity {
        match resolved {
            Resolved::Class(class) => {
                let def = self.names.canonical(class);
                def.map_or(Entity::Unknown, Entity::def)
            }
            Resolved::Constant(def) => Entity::def(def),
            Resolved::Outside(external) => Entity::External(external),
            Resolved::Unknown => Entity::Unknown,
        }
    }

    pub(super) fn lookup<'r>(&'r self, repo: &'r Repo, file: FileId) -> Lookup<'r> {
        Lookup {
            repo,
            names: &self.names,
            file,
        }
    }

    /// A class and those above it, without what is outside.
    pub(super) fn inside_order(&self, class: Class) -> Vec<Class> {
        let order = self.hierarchy.order(class).iter();
        order
            .filter_map(|above| match above {
                Above::Inside(class) => Some(*class),
                _ => None,
            })
            .collect()
    }
}
