//! Definitions outside of their classes, and declarations without a body.

use super::Family;
use super::lookup::{Owner, Wanted, is_type};
use super::shapes;
use crate::c::link::preference;
use base::facts::*;
use linker::eval::{Eval, MANY};
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;

/// Maximum number of names in the path of a definition that are followed.
const MOST_NAMES: usize = 16;

impl Family {
    /// The class or namespace that a definition names before its own name: `A` in `void A::f() {`. `None` if it stands inside.
    pub(super) fn owner(&self, ev: &mut Eval<'_>, id: GlobalDef) -> Option<Owner> {
        let repo = ev.repo;
        let def = repo.def(id);
        let receiver = def.callable.as_ref()?.receiver?;
        let path = repo.facts(id.file).name(receiver);
        let mut found: Option<Owner> = None;
        for part in path.split('.').take(MOST_NAMES) {
            let name = repo.find_sym(part)?;
            let wanted = Wanted {
                file: id.file,
                name,
                namespace: Namespace::TYPE,
            };
            let entity = match found {
                None => ev.guard_recursion(|ev| self.find(ev, wanted, def.scope, None).0),
                Some(Owner::Class(class)) => self.in_class(ev, wanted, class).0,
                Some(Owner::Namespace(at)) => self.in_namespace(ev, wanted, at),
            };
            found = Some(self.as_owner(ev, entity)?);
        }
        found.and_then(|found| self.special_owner(ev, id, found))
    }

    /// The specialised class of a definition with arguments before `::`; none where there are several.
    fn special_owner(&self, ev: &Eval<'_>, id: GlobalDef, found: Owner) -> Option<Owner> {
        let def = ev.repo.def(id);
        let Owner::Class(class) = found else {
            return Some(found);
        };
        if !def.kind.is_callable() || !def.flags.has(DefFlags::SPECIAL) {
            return Some(found);
        }
        let name = ev.repo.sym_of_name(class.file, ev.repo.def(class).name);
        match self.names.specialised(name) {
            [] => Some(found),
            [one] => Some(Owner::Class(*one)),
            _ => None,
        }
    }

    fn as_owner(&self, ev: &mut Eval<'_>, entity: Entity) -> Option<Owner> {
        match entity {
            Entity::Module(module) => {
                let number = module.index & !super::NAMESPACE;
                (module.index & super::NAMESPACE != 0).then_some(Owner::Namespace(number))
            }
            Entity::Defs(defs) => {
                let first = *defs.first()?;
                if ev.repo.def(first).kind.is_type() {
                    return Some(Owner::Class(first));
                }
                if !is_type(ev.repo.def(first)) {
                    return None;
                }
                match ev.type_of_def(first) {
                    Ty::Class(class, _) => Some(Owner::Class(class)),
                    _ => None,
                }
            }
            Entity::Value(Ty::Class(class, _) | Ty::Instance(class, _)) => {
                Some(Owner::Class(class))
            }
            _ => None,
        }
    }

    /// The class around a class.
    pub(super) fn outer_class(&self, ev: &mut Eval<'_>, class: GlobalDef) -> Option<GlobalDef> {
        let def = ev.repo.def(class);
        if def.callable.is_some() {
            return match self.owner(ev, class)? {
                Owner::Class(outer) => Some(outer),
                Owner::Namespace(_) => None,
            };
        }
        let parent = def.parent?;
        let outer = GlobalDef {
            def: parent,
            ..class
        };
        ev.repo.def(outer).kind.is_type().then_some(outer)
    }

    /// Members of a class that stand outside of it: types that are defined outside, constants of its enums, names that `using`
    /// brings.
    pub(super) fn members_outside(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        name: linker::repo::Sym,
    ) -> Vec<GlobalDef> {
        let mut out = self.names.constants(class, name).to_vec();
        for brought in self.names.in_class(class, name) {
            let found = ev.guard_recursion(|ev| {
                ev.resolve_expr(brought.file, brought.what, Namespace::VALUE)
                    .0
            });
            if let Entity::Defs(defs) = found {
                out.extend(defs.iter().copied());
            }
        }
        let repo = ev.repo;
        let own = repo.sym_of_name(class.file, repo.def(class).name);
        let types = self.names.outside_types(own, name);
        if !ev.spend(types.len() / MANY) {
            return out;
        }
        for def in types.iter().copied() {
            if self.owner(ev, def) == Some(Owner::Class(class)) {
                out.push(def);
            }
        }
        out
    }

    /// The definitions with a body that belong to a declaration; the declaration itself if there are none.
    pub(super) fn defined(&self, ev: &mut Eval<'_>, declared: GlobalDef) -> Vec<GlobalDef> {
        let repo = ev.repo;
        let def = repo.def(declared);
        let is_open =
            def.flags.has(DefFlags::DECLARATION_ONLY) || def.flags.has(DefFlags::ABSTRACT);
        if !is_open || !def.kind.is_callable() {
            return vec![declared];
        }
        let candidates = self.candidates_for(ev, declared);
        let fitting: Vec<GlobalDef> = candidates
            .into_iter()
            .filter(|d| shapes::have_same_arity(repo, *d, declared))
            .collect();
        let same = fitting.iter().copied();
        let same: Vec<GlobalDef> = same
            .filter(|d| shapes::have_same_parameters(repo, *d, declared))
            .collect();
        let found = if same.is_empty() { fitting } else { same };
        let found = preference::by_default(repo, found);
        match found[..] {
            [] => vec![declared],
            [one] => vec![one],
            _ => self.nearest_definitions(ev, declared, &found),
        }
    }

    /// Chooses among definitions that have the same parameters: those that are built together with the declaration.
    fn nearest_definitions(
        &self,
        ev: &mut Eval<'_>,
        declared: GlobalDef,
        found: &[GlobalDef],
    ) -> Vec<GlobalDef> {
        let best = self.c.built_with(ev.repo, declared.file, found);
        // `lexer.in.cc` and `lexer.cc` have the same stem.
        let whole = |file: FileId| {
            let path = &*ev.repo.file(file).path;
            let name = linker::paths::file_name(path);
            name.rsplit_once('.').map_or(name, |(whole, _)| whole)
        };
        let is_named = |d: &&GlobalDef| whole(d.file) == whole(declared.file);
        let named: Vec<GlobalDef> = best.iter().filter(is_named).copied().collect();
        match (&best[..], &named[..]) {
            ([one], _) | (_, [one]) => vec![*one],
            _ => vec![declared],
        }
    }

    /// Definitions with the name of a declaration, in the same class or namespace.
    fn candidates_for(&self, ev: &mut Eval<'_>, declared: GlobalDef) -> Vec<GlobalDef> {
        let repo = ev.repo;
        let def = repo.def(declared);
        let name = repo.sym_of_name(declared.file, def.name);
        let around = def.parent.map(|def| GlobalDef { def, ..declared });
        let class = around.filter(|around| repo.def(*around).kind.is_type());
        let (owner, named) = match class {
            Some(class) => {
                let last = repo.sym_of_name(class.file, repo.def(class).name);
                (Owner::Class(class), Some(last))
            }
            None => {
                let namespace = self.names.around(repo, declared);
                let last = around.map(|def| repo.sym_of_name(def.file, repo.def(def).name));
                (Owner::Namespace(namespace), last)
            }
        };
        // What is defined for some arguments of a template is no definition for all.
        let is_special = def.flags.has(DefFlags::SPECIAL)
            || class.is_some_and(|class| shapes::is_special(repo.def(class)));
        let is_whole = |d: &GlobalDef| {
            let def = repo.def(*d);
            def.kind.is_callable()
                && !def.flags.has(DefFlags::DECLARATION_ONLY)
                && !preference::is_absent(repo, *d)
                && (is_special || !def.flags.has(DefFlags::SPECIAL))
        };
        let outside = named.map_or(&[][..], |last| self.names.outside(last, name));
        let beside = match owner {
            Owner::Namespace(namespace) => self.names.members(namespace, name),
            Owner::Class(_) => &[],
        };
        if !ev.spend_on_namesakes(outside.len() + beside.len()) {
            return Vec::new();
        }
        let is_private = |d: &GlobalDef| repo.def(*d).visibility == base::Visibility::Private;
        let mut all: Vec<GlobalDef> = beside
            .iter()
            .copied()
            .filter(|d| is_whole(d) && (!is_private(d) || d.file == declared.file))
            .collect();
        for def in outside.iter().copied().filter(is_whole) {
            if self.owner(ev, def) == Some(owner) {
                all.push(def);
            }
        }
        all
    }
}
