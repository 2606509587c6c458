//! Extension functions: those that objects around a place, its file and its imports offer for a value.

use super::Kotlin;
use super::calls::{ScopePosition, called};
use super::names::Level;
use super::platform;
use super::select::{Candidate, Fit};
use base::facts::*;
use linker::eval::Eval;
use linker::lang::{CallView, Called};
use linker::repo::GlobalDef;
use linker::ty::*;

impl Kotlin {
    /// Extensions for a value: members of the objects around, then what the file sees, nearest first.
    pub(super) fn extension_call(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
        levels: &[Level],
        scope: Option<ScopePosition>,
        view: CallView<'_>,
    ) -> Option<Called> {
        let repo = ev.repo;
        let object = &self.as_object(ev, object);
        let sym = repo.find_sym(name)?;
        if let Some(scope) = scope.filter(|_| self.packages.may_extend_in_class(sym)) {
            let found = self.local_extensions(ev, scope, object, name, view);
            if found.is_some() {
                return found;
            }
        }
        for level in levels {
            let Level::Defs(defs) = level else { continue };
            let mut fitting = Vec::new();
            for def in defs {
                let it = repo.def(*def);
                if it.kind.is_callable()
                    && it.flags.has(DefFlags::EXTENSION)
                    && ev.spend(1)
                    && self.takes(ev, *def, object)
                {
                    fitting.push(Candidate {
                        def: *def,
                        owner: Some(object.clone()),
                        level: 0,
                    });
                }
            }
            let chosen = self.select(ev, &fitting, view);
            if !chosen.is_empty() {
                return Some(called(chosen));
            }
        }
        None
    }

    /// Whether an extension certainly takes a value as its receiver.
    fn takes(&self, ev: &mut Eval<'_>, def: GlobalDef, object: &Ty) -> bool {
        let Some(wanted) = self.receiver_type(ev, def) else {
            return false;
        };
        let wanted = platform::kotlin_type(&wanted);
        self.receiver_fit(ev, def, &wanted, object) == Fit::Strict
    }

    /// Extensions that are local functions or members of the objects around a place.
    fn local_extensions(
        &self,
        ev: &mut Eval<'_>,
        (scope, at): ScopePosition,
        object: &Ty,
        name: &str,
        view: CallView<'_>,
    ) -> Option<Called> {
        let repo = ev.repo;
        let file = view.file;
        let mut walk = self.walk(file, scope, at);
        while let Some(id) = walk.next_scope(repo) {
            if !ev.spend(1) {
                return None;
            }
            let mut found = self.local_functions(ev, id, at, view);
            for implicit in self.implicit_at(ev, &mut walk, id) {
                let holder = match (&implicit.ty, implicit.is_static) {
                    (Ty::Instance(class, _), true) => match super::companion(repo, *class) {
                        Some(companion) => Ty::instance(companion),
                        None => continue,
                    },
                    (ty, _) => ty.clone(),
                };
                if matches!(holder, Ty::Instance(..)) {
                    found.extend(self.methods(ev, &holder, name, file, true).0);
                }
            }
            found.retain(|one| self.takes(ev, one.def, object));
            for one in &mut found {
                one.owner = Some(object.clone());
            }
            let chosen = self.select(ev, &found, view);
            if !chosen.is_empty() {
                return Some(called(chosen));
            }
        }
        None
    }

    /// The functions that a scope of a function defines under the name of a call's callee.
    fn local_functions(
        &self,
        ev: &mut Eval<'_>,
        id: ScopeId,
        at: u32,
        view: CallView<'_>,
    ) -> Vec<Candidate> {
        let repo = ev.repo;
        let facts = repo.facts(view.file);
        let name = facts.called_name(view.expr);
        let is_class = facts.scope(id).kind == ScopeKind::Class;
        let Some(name) = name.filter(|_| !is_class) else {
            return Vec::new();
        };
        let named = repo.bindings_named(view.file, id, name);
        if !ev.spend_on_namesakes(named.len()) {
            return Vec::new();
        }
        let defs = named.filter(|binding| binding.from <= at);
        let defs = defs.filter_map(|binding| match binding.to {
            Bound::Def(def) => Some(GlobalDef {
                file: view.file,
                def,
            }),
            _ => None,
        });
        let is_extension = |def: &GlobalDef| {
            let it = repo.def(*def);
            it.kind.is_callable() && it.flags.has(DefFlags::EXTENSION)
        };
        let candidate = |def: GlobalDef| Candidate {
            def,
            owner: None,
            level: 0,
        };
        defs.filter(is_extension).map(candidate).collect()
    }

    /// An extension property that is called.
    pub(super) fn extension_value(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        levels: &[Level],
        view: CallView<'_>,
    ) -> Option<Called> {
        let object = self.as_object(ev, object);
        let (entity, owner) = self.extension_property(ev, &object, levels)?;
        let ty = ev.type_of_entity(&entity, owner.as_ref());
        Some(self.called_value(ev, &ty, view))
    }
}
