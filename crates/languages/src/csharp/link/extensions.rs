//! Extension methods: static methods that are called like members of their first parameter.

use super::CSharp;
use super::fit::Fit;
use super::names::TypeName;
use super::namespaces::{GLOBAL, Namespaces};
use super::overloads::Candidate;
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
        for level in self.extension_levels(repo, view.file) {
            let here: Vec<GlobalDef> = known
                .iter()
                .filter(|(namespace, def)| level.has(repo, self, *namespace, *def))
                .map(|(_, def)| *def)
                .collect();
            // The methods of a class that stands in for one of .NET are those of .NET elsewhere.
            let is_own = |def: &GlobalDef| {
                let class = repo.def(*def).parent.map(|parent| GlobalDef {
                    file: def.file,
                    def: parent,
                });
                let stands_in = class.is_some_and(|class| self.lookup(repo).is_stand_in(class));
                def.file == view.file || !stands_in
            };
            let fitting: Vec<Candidate> = here
                .into_iter()
                .filter(is_own)
                .filter(|def| self.receiver_fit(ev, *def, receiver) == Fit::Strict)
                .map(|def| Candidate {
                    def,
                    owner: receiver.clone(),
                    is_extension: true,
                    level: 0,
                })
                .collect();
            let chosen = self.select(ev, &fitting, view);
            if !chosen.is_empty() {
                return chosen;
            }
        }
        Vec::new()
    }

    /// The levels at which a file sees extension methods, nearest first.
    fn extension_levels(&self, repo: &Repo, file: FileId) -> Vec<Level> {
        let facts = repo.facts(file);
        let lookup = self.lookup(repo);
        let mut own: Vec<u32> = Vec::new();
        for scope in (0..facts.scopes.len() as u32).map(ScopeId) {
            let mut next = self.names.of_scope(file, scope);
            while let Some(namespace) = next {
                if !own.contains(&namespace) {
                    own.push(namespace);
                }
                next = self.names.outer(namespace);
            }
        }
        own.sort_by_key(|namespace| {
            let name = self.names.get(*namespace).map_or("", |n| &n.name);
            usize::MAX - name.len()
        });
        let mut levels: Vec<Level> = own
            .into_iter()
            .filter(|namespace| *namespace != GLOBAL)
            .map(|namespace| Level {
                namespaces: vec![namespace],
                classes: Vec::new(),
            })
            .collect();
        let mut used = Level {
            namespaces: vec![GLOBAL],
            classes: Vec::new(),
        };
        let imports = (0..facts.imports.len() as u32).map(|at| (file, ImportId(at)));
        let global = self.names.global_usings(file).iter().copied();
        for (home, import) in imports.chain(global) {
            let it = repo.facts(home).import(import);
            let module = repo.facts(home).name(it.module);
            match it.what {
                Imported::Glob => used
                    .namespaces
                    .extend(lookup.namespace_by_name(home, it.scope, module)),
                Imported::StaticGlob => {
                    if let TypeName::Type(class) = lookup.qualified(home, it.scope, module) {
                        used.classes.push(class);
                    }
                }
                _ => {}
            }
        }
        for using in self.names.usings_of_project_file(file) {
            if !using.is_static {
                used.namespaces.extend(self.names.find(&using.name));
            } else if let TypeName::Type(class) = lookup.qualified(file, FILE_SCOPE, &using.name) {
                used.classes.push(class);
            }
        }
        levels.push(used);
        levels
    }

    /// How well a value fits as the first argument of an extension method.
    fn receiver_fit(&self, ev: &mut Eval<'_>, method: GlobalDef, receiver: &Ty) -> Fit {
        let Some(wanted) = receiver_type(ev, method) else {
            return Fit::No;
        };
        if let Ty::Param(def, n) = &wanted
            && *def == method
        {
            return self.constraint_fit(ev, (*def, *n), receiver);
        }
        let mut env = Vec::new();
        ev.unify(&wanted, receiver, &mut env);
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

/// Namespaces and classes whose extension methods have the same rank.
struct Level {
    namespaces: Vec<u32>,
    classes: Vec<GlobalDef>,
}

impl Level {
    fn has(&self, repo: &Repo, tables: &CSharp, namespace: u32, method: GlobalDef) -> bool {
        let class = repo.def(method).parent.map(|def| GlobalDef {
            file: method.file,
            def,
        });
        let class = class.map(|class| tables.parts.whole(class));
        self.namespaces.contains(&namespace)
            || class.is_some_and(|class| self.classes.contains(&class))
    }
}
