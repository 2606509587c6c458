//! Linking of C: a file sees its own names and those of the headers that it includes, and a declaration leads to a
//! definition elsewhere in the repository.

mod builds;
mod fields;
pub(crate) mod includes;
mod names;
mod order;
mod positions;
pub(crate) mod preference;
mod systems;

use crate::names::NameLists;
use base::Language;
use base::facts::*;
use includes::{Included, Includes};
use linker::eval::Eval;
use linker::lang::{
    CallView, Calls, Container, DefinitionChanges, Incremental, Members, Modules, Platform,
};
use linker::repo::{FileId, GlobalDef, Repo};
use linker::surface::IndexRemap;
use linker::ty::*;
use names::{MacroAt, Names};
pub(crate) use names::{is_global, is_macro, is_standard};
use std::sync::LazyLock;
use systems::Systems;

/// The package of the standard library.
pub(crate) const STANDARD: &str = "c";

static STANDARD_NAMES: LazyLock<NameLists> =
    LazyLock::new(|| NameLists::parse(include_str!("../stdlib.txt")));

/// Includes and names of C, and of C++, which is of the same family.
pub(crate) struct C {
    pub(crate) includes: Includes,
    names: Names,
    systems: Systems,
}

impl C {
    /// Builds the tables: the include graph, and the definitions of each name.
    pub(crate) fn new(repo: &Repo) -> C {
        let systems = Systems::new(repo);
        C {
            includes: Includes::new(repo, &systems),
            names: Names::new(repo),
            systems,
        }
    }
}

impl Modules for C {
    fn import(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        import: ImportId,
        _namespace: Namespace,
    ) -> Entity {
        match self.includes.target(file, import) {
            Included::File(found) => Entity::Module(ModuleId {
                family: Language::C,
                index: found.0,
            }),
            Included::Outside => {
                let facts = ev.repo.facts(file);
                let written = facts.name(facts.import(import).module);
                Entity::external(includes::header_name(written), "")
            }
            Included::Unknown => Entity::Unknown,
        }
    }

    /// A name that no scope of the file binds is looked up in the files that it sees.
    fn lexical(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: NameId,
        scope: ScopeId,
        at: u32,
        namespace: Namespace,
    ) -> Option<(Entity, Option<Ty>)> {
        let repo = ev.repo;
        let mut around = repo
            .scopes_binding(file, name, scope)
            .filter(|id| *id != FILE_SCOPE);
        let found = around.find_map(|id| repo.binding_at(file, id, name, at, namespace));
        if let Some(binding) = found {
            let (home, to) = (binding.scope, binding.to);
            return Some((ev.resolve_binding(file, name, home, to, namespace), None));
        }
        let sym = repo.sym_of_name(file, name);
        match names::macro_at(repo, file, name, at) {
            MacroAt::Unknown => {}
            MacroAt::OfHeader => {
                if let Some(found) = self.macro_of_header(ev, file, sym) {
                    return Some((Entity::def(found), None));
                }
            }
            MacroAt::Given(found) => return Some((Entity::def(found), None)),
            MacroAt::Gone => {
                let seen = ev.memoize_export(file, sym, Namespace::MACRO, |ev| {
                    self.seen_without_macros(ev, file, sym, namespace)
                });
                return Some((seen, None));
            }
        }
        let seen = ev.memoize_export(file, sym, namespace, |ev| {
            self.seen(ev, file, sym, namespace)
        });
        Some((seen, None))
    }

    fn module_member(
        &self,
        ev: &mut Eval<'_>,
        module: u32,
        name: &str,
        namespace: Namespace,
    ) -> Entity {
        match ev.repo.find_sym(name) {
            Some(sym) => self.seen(ev, FileId(module), sym, namespace),
            None => Entity::Unknown,
        }
    }

    fn module_file(&self, _repo: &Repo, module: u32) -> Option<FileId> {
        Some(FileId(module))
    }

    fn named_file(&self, _repo: &Repo, file: FileId, import: ImportId) -> Option<FileId> {
        match self.includes.target(file, import) {
            Included::File(found) => Some(found),
            _ => None,
        }
    }

    fn only_linked(&self, ev: &mut Eval<'_>, file: FileId, name: NameId) -> Option<GlobalDef> {
        let sym = ev.repo.sym_of_name(file, name);
        self.seen_in_unit(ev, file, sym)
            .or_else(|| self.unseen(ev, sym))
    }
}

impl Members for C {
    /// `#2v:v` is the field of a struct behind two values, `#a+1v:v` the one behind its field `a`.
    fn member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Entity> {
        let position = name.strip_prefix('#')?;
        let (Ty::Instance(def, _) | Ty::Class(def, _)) = object else {
            return Some(Entity::Unknown);
        };
        let found = self.field_at(ev, *def, position);
        Some(found.map_or(Entity::Unknown, Entity::def))
    }

    fn held_by_members(&self, ev: &mut Eval<'_>, file: FileId) -> Vec<(GlobalDef, GlobalDef)> {
        fields::functions_given_to_fields(ev, file)
    }
}

impl Calls for C {
    /// All definitions that a usual build may have: several only if switches of the build decide.
    fn choose(&self, ev: &mut Eval<'_>, written: &[GlobalDef], _: CallView<'_>) -> Vec<GlobalDef> {
        preference::in_usual_build(ev.repo, written)
    }

    fn has_build_alternatives(&self) -> bool {
        true
    }
}

impl Platform for C {
    /// A number, which has no members.
    fn primitive(&self, _primitive: Primitive) -> Ty {
        Ty::external(STANDARD, "", Vec::new())
    }

    fn container(&self, _kind: Container, args: Vec<Ty>) -> Ty {
        args.into_iter().next().unwrap_or_default()
    }
}

impl Incremental for C {
    fn follow(&mut self, _repo: &Repo, file: FileId, moved: &IndexRemap) -> bool {
        self.names.follow(file, moved);
        true
    }

    fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) -> bool {
        self.names.renew(repo, news);
        true
    }
}
