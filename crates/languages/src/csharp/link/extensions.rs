//! Extension methods: static methods that are called like members of their first parameter.

use super::CSharp;
use super::access::CallPlace;
use super::fit::Fit;
use super::names::TypeName;
use super::namespaces::{GLOBAL, Namespaces};
use super::overloads::Candidate;
use super::tables::tables;
use super::usings::Usings;
use base::Language;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::CallView;
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::ty::*;
use rustc_hash::FxHashMap;

/// Maximum number of extension methods of one name that are compared.
const MAX_NAMESAKES: usize = 300;

/// Every extension method, by name.
#[derive(Default)]
pub(super) struct Extensions {
    /// The methods of each name, with the namespace of their class.
    by_name: FxHashMap<Sym, Vec<(u32, GlobalDef)>>,
}

impl Extensions {
    /// Finds the extension methods of all files.
    pub(super) fn new(repo: &Repo, names: &Namespaces) -> Extensions {
        let mut out = Extensions::default();
        for (file, source) in repo.files() {
            if source.facts.language != Language::CSharp {
                continue;
            }
            for (def, at) in source.facts.defs.iter().zip(0..) {
                if !def.flags.has(DefFlags::EXTENSION) || !def.kind.is_callable() {
                    continue;
                }
                let Some(class) = def.parent else {
                    continue;
                };
                let namespace = names.of_definition(repo, GlobalDef { file, def: class });
                let method = GlobalDef {
                    file,
                    def: DefId(at),
                };
                let name = repo.sym_of_name(file, def.name);
                out.by_name
                    .entry(name)
                    .or_default()
                    .push((namespace, method));
            }
        }
        out
    }
}

impl CSharp {
    /// The extension methods that a call on a value means: those of the nearest level that has one that fits.
    pub(super) fn extension_call(
        &self,
        ev: &mut Eval<'_>,
        receiver: &Ty,
        name: &str,
        view: CallView<'_>,
    ) -> Vec<Candidate> {
        let repo = ev.repo;
        let known = repo
            .find_sym(name)
            .and_then(|sym| self.extensions.by_name.get(&sym));
        let Some(known) = known.filter(|k| k.len() <= MAX_NAMESAKES) else {
            return Vec::new();
        };
        if receiver.is_unknown() || !ev.spend(known.len()) {
            return Vec::new();
        }
        let place = self.place_of_call(repo, view);
        let mut open: Vec<Candidate> = Vec::new();
        for level in self.extension_levels(repo, &place, known) {
            // The methods of a class that stands in for one of .NET are those of .NET elsewhere.
            let is_own = |def: &GlobalDef| {
                let class = class_of(repo, *def);
                let stands_in = class.is_some_and(|class| self.lookup(repo).is_stand_in(class));
                def.file == view.file || !stands_in
            };
            let is_seen = |def: &GlobalDef| {
                let holder = class_of(repo, *def).map(|class| self.parts.whole(class));
                holder.is_none_or(|h| self.is_accessible(repo, *def, h, &Ty::Unknown, &place))
            };
            let mut certain: Vec<Candidate> = Vec::new();
            let mut possible: Vec<Candidate> = Vec::new();
            for def in level.into_iter().filter(is_own).filter(is_seen) {
                let list = match self.receiver_fit(ev, def, receiver) {
                    Fit::Strict => &mut certain,
                    Fit::Maybe => &mut possible,
                    Fit::No => continue,
                };
                list.push(Candidate {
                    def,
                    owner: receiver.clone(),
                    is_extension: true,
                    level: 0,
                });
            }
            let chosen = self.select_seen(ev, &certain, view);
            if !chosen.is_empty() {
                // A nearer method that may fit would hide these.
                open.extend(chosen);
                return open;
            }
            if !receiver_is_open(receiver) {
                open.extend(self.select_seen(ev, &possible, view));
            }
        }
        Vec::new()
    }

    /// The extension methods among `known` that a call sees, by level, nearest first: for each namespace around the call its own,
    /// then those that its usings bring.
    fn extension_levels(
        &self,
        repo: &Repo,
        place: &CallPlace,
        known: &[(u32, GlobalDef)],
    ) -> Vec<Vec<GlobalDef>> {
        let facts = repo.facts(place.file);
        let in_namespace = |wanted: u32| -> Vec<GlobalDef> {
            let own = known.iter().filter(|(namespace, _)| *namespace == wanted);
            own.map(|(_, def)| *def).collect()
        };
        let mut homes: Vec<u32> = known.iter().map(|(namespace, _)| *namespace).collect();
        homes.sort_unstable();
        homes.dedup();
        let mut levels = Vec::new();
        let owner = place.owner.map(|owner| facts.def(owner).scope);
        let mut next = Some(owner.unwrap_or(FILE_SCOPE));
        while let Some(scope) = next {
            let here = facts.scope(scope);
            next = here.parent;
            if !matches!(here.kind, ScopeKind::Module | ScopeKind::File) {
                continue;
            }
            let own = self.names.of_scope(place.file, scope).unwrap_or(GLOBAL);
            let until = here
                .parent
                .map(|parent| self.names.around(repo, place.file, parent));
            // `namespace A.B` stands for a namespace inside another, and only the inner one has the usings.
            let mut outer = Some(own);
            while let Some(namespace) = outer.filter(|n| Some(*n) != until || *n == own) {
                if homes.contains(&namespace) {
                    levels.push(in_namespace(namespace));
                }
                if namespace == own {
                    levels.push(self.used_extensions(repo, place.file, scope, known));
                }
                outer = self.names.outer(namespace).filter(|n| *n != GLOBAL);
            }
        }
        levels
    }

    /// The extension methods among `known` that the usings of a scope bring.
    fn used_extensions(
        &self,
        repo: &Repo,
        file: FileId,
        scope: ScopeId,
        known: &[(u32, GlobalDef)],
    ) -> Vec<GlobalDef> {
        let mut of_project = Vec::new();
        let mut classes = Vec::new();
        if scope == FILE_SCOPE {
            for using in self.names.usings_of_project_file(file) {
                if !using.is_static {
                    of_project.extend(self.names.find(&using.name));
                } else if let TypeName::Type(class) =
                    self.lookup(repo).qualified(file, FILE_SCOPE, &using.name)
                {
                    classes.push(class);
                }
            }
        }
        let usings: Vec<&Usings> = self.usings.around(&self.names, file, scope).collect();
        for usings in &usings {
            classes.extend(usings.statics().iter().map(|(_, class)| *class));
        }
        let is_used = |(namespace, def): &&(u32, GlobalDef)| {
            let class = class_of(repo, *def).map(|class| self.parts.whole(class));
            usings.iter().any(|u| u.position(*namespace).is_some())
                || of_project.contains(namespace)
                || class.is_some_and(|class| classes.contains(&class))
        };
        known.iter().filter(is_used).map(|(_, def)| *def).collect()
    }

    /// How well a value fits as the first argument of an extension method.
    fn receiver_fit(&self, ev: &mut Eval<'_>, method: GlobalDef, receiver: &Ty) -> Fit {
        let Some(wanted) = receiver_type(ev, method) else {
            return Fit::No;
        };
        if let Ty::Param(def, n) = &wanted
            && *def == method
        {
            if self.violates(ev, (*def, *n), receiver) {
                return Fit::No;
            }
            return self.constraint_fit(ev, (*def, *n), receiver);
        }
        let mut env = Vec::new();
        ev.unify(&wanted, receiver, &mut env);
        for (param, ty) in &env {
            if param.0 == method && self.violates(ev, *param, ty) {
                return Fit::No;
            }
        }
        let wanted = ev.substitute_env(&wanted, &env);
        self.fit(ev, receiver, &wanted)
    }

    /// Binds the type parameters of an extension method from the object on which it is called.
    pub(super) fn bind_receiver(
        &self,
        ev: &mut Eval<'_>,
        function: GlobalDef,
        receiver: Option<&Ty>,
        env: &mut Vec<((GlobalDef, u32), Ty)>,
    ) {
        let is_extension = ev.repo.def(function).flags.has(DefFlags::EXTENSION);
        let is_value = |ty: &&Ty| !matches!(ty, Ty::Class(..) | Ty::External(_));
        let Some(receiver) = receiver.filter(is_value).filter(|_| is_extension) else {
            return;
        };
        if let Some(wanted) = receiver_type(ev, function) {
            ev.unify(&wanted, receiver, env);
        }
    }
}

/// The type of the first parameter of an extension method.
fn receiver_type(ev: &mut Eval<'_>, method: GlobalDef) -> Option<Ty> {
    let callable = ev.repo.def(method).callable.as_deref()?;
    let first = callable.params.first()?;
    first.ty.map(|ty| ev.lower_type(method.file, ty))
}

/// The class that a method belongs to.
fn class_of(repo: &Repo, method: GlobalDef) -> Option<GlobalDef> {
    repo.def(method).parent.map(|def| GlobalDef {
        file: method.file,
        def,
    })
}

/// Whether nothing is known of a receiver's kind, so that every method may fit it.
fn receiver_is_open(receiver: &Ty) -> bool {
    match receiver {
        Ty::ExternalInstance(external, _) => !tables().knows(external),
        Ty::Instance(..) => false,
        _ => true,
    }
}
