//! Linking of shell scripts: a command calls the function of its file, or one of a file that is sourced with it.

mod names;
mod programs;
mod sources;

use super::facts::VARIABLES;
use crate::names::NameLists;
use base::Language;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::{
    CallView, Called, Calls, DefinitionChanges, Incremental, Members, Modules, Platform,
};
use linker::repo::{FileId, GlobalDef, Repo};
use linker::surface::IndexRemap;
use linker::ty::*;
use names::{Names, SymbolSpace};
use sources::{Sourced, Sources};
use std::sync::LazyLock;

/// The package of builtins and keywords.
const SHELL: &str = "shell";
/// The package of all other commands that no script defines.
const PROGRAM: &str = "program";

static LISTS: LazyLock<NameLists> =
    LazyLock::new(|| NameLists::parse(include_str!("../builtins.txt")));

/// Functions and variables by name, and the files that are sourced.
pub(crate) struct Shell {
    names: Names,
    sources: Sources,
}

/// A place where a name is used.
#[derive(Clone, Copy)]
struct NameUse {
    name: NameId,
    scope: ScopeId,
    at: u32,
}

impl Shell {
    /// Builds the tables.
    pub(crate) fn new(repo: &Repo) -> Shell {
        Shell {
            names: Names::new(repo),
            sources: Sources::new(repo),
        }
    }

    /// The function that a command of that name calls.
    fn command(&self, ev: &mut Eval<'_>, file: FileId, used: NameUse) -> Entity {
        let NameUse { name, scope, at } = used;
        for home in ev.repo.scopes_binding(file, name, scope) {
            // What is defined behind a use is there if the use runs later.
            let at = if home == scope { at } else { u32::MAX };
            let own = names::own(ev, file, (home, name), at);
            if !own.is_empty() {
                return Entity::defs(own);
            }
        }
        let sym = ev.repo.sym_of_name(file, name);
        ev.memoize_export(file, sym, Namespace::VALUE, |ev| {
            let found = self.elsewhere(ev, file, sym, SymbolSpace::Functions);
            let text = ev.repo.sym_text(sym);
            match found {
                Entity::Unknown if LISTS.has("builtins", text) => Entity::external(SHELL, text),
                Entity::Unknown if !self.names.is_function(ev.repo, sym) => {
                    Entity::external(PROGRAM, text)
                }
                found => found,
            }
        })
    }

    /// The variable of that name.
    fn variable(&self, ev: &mut Eval<'_>, file: FileId, name: NameId) -> Entity {
        let own = names::own(ev, file, (VARIABLES, name), u32::MAX);
        if !own.is_empty() {
            return Entity::defs(own);
        }
        let sym = ev.repo.sym_of_name(file, name);
        ev.memoize_export(file, sym, Namespace::TYPE, |ev| {
            self.elsewhere(ev, file, sym, SymbolSpace::Variables)
        })
    }

    /// The callee of an expression that names a command.
    fn callee(&self, ev: &mut Eval<'_>, file: FileId, expr: ExprId) -> Entity {
        match *ev.repo.facts(file).expr(expr) {
            // What the variable holds is not known.
            Expr::Name { scope, .. } if scope == VARIABLES => Entity::Value(Ty::Unknown),
            Expr::Name { name, scope, at } => self.command(ev, file, NameUse { name, scope, at }),
            _ => Entity::Unknown,
        }
    }

    /// Whether `run` of a call's first argument is that of Bats.
    fn is_run_by_bats(&self, ev: &mut Eval<'_>, call: CallView<'_>) -> bool {
        let Some(runner) = call.args.first() else {
            return true;
        };
        let is_test = ev.repo.file(call.file).path.ends_with(".bats");
        is_test || !matches!(self.callee(ev, call.file, *runner), Entity::Defs(_))
    }
}

/// Whether definitions are of several files.
fn are_of_several_files(defs: &[GlobalDef]) -> bool {
    defs.windows(2).any(|two| two[0].file != two[1].file)
}

impl Modules for Shell {
    fn import(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        import: ImportId,
        _namespace: Namespace,
    ) -> Entity {
        match self.sources.target(file, import) {
            Sourced::File(found) => Entity::Module(ModuleId {
                family: Language::Shell,
                index: found.0,
            }),
            Sourced::Outside => {
                let facts = ev.repo.facts(file);
                Entity::external(facts.name(facts.import(import).module), "")
            }
            Sourced::Unknown => Entity::Unknown,
        }
    }

    fn lexical(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: NameId,
        scope: ScopeId,
        at: u32,
        _namespace: Namespace,
    ) -> Option<(Entity, Option<Ty>)> {
        let found = if scope == VARIABLES {
            self.variable(ev, file, name)
        } else {
            self.command(ev, file, NameUse { name, scope, at })
        };
        let found = match found {
            Entity::Defs(defs) if are_of_several_files(&defs) => Entity::Unknown,
            found => found,
        };
        Some((found, None))
    }

    fn module_member(
        &self,
        ev: &mut Eval<'_>,
        module: u32,
        name: &str,
        _namespace: Namespace,
    ) -> Entity {
        match ev.repo.find_sym(name) {
            Some(sym) => self.elsewhere(ev, FileId(module), sym, SymbolSpace::Functions),
            None => Entity::Unknown,
        }
    }

    fn module_file(&self, _repo: &Repo, module: u32) -> Option<FileId> {
        Some(FileId(module))
    }

    fn named_file(&self, _repo: &Repo, file: FileId, import: ImportId) -> Option<FileId> {
        match self.sources.target(file, import) {
            Sourced::File(found) => Some(found),
            _ => None,
        }
    }
}

impl Members for Shell {}

impl Calls for Shell {
    fn visit_callee(&self, ev: &mut Eval<'_>, call: CallView<'_>) -> Option<Called> {
        let facts = ev.repo.facts(call.file);
        let Expr::Call { callee, .. } = facts.expr(call.expr) else {
            return None;
        };
        if !self.is_run_by_bats(ev, call) {
            // It is an argument of another function that is named `run`.
            return Some(Called::Found(Entity::external(PROGRAM, ""), None));
        }
        let found = match facts.expr(*callee) {
            Expr::Either(parts) => {
                let parts: Vec<Entity> = parts
                    .iter()
                    .map(|part| self.callee(ev, call.file, *part))
                    .collect();
                Entity::either(parts)
            }
            _ => self.callee(ev, call.file, *callee),
        };
        Some(match found {
            Entity::Defs(defs) if are_of_several_files(&defs) => {
                Called::Ambiguous(defs.to_vec(), None)
            }
            found => Called::Found(found, None),
        })
    }

    /// All of them: conditions decide which one is there.
    fn choose(&self, _: &mut Eval<'_>, written: &[GlobalDef], _: CallView<'_>) -> Vec<GlobalDef> {
        written.to_vec()
    }

    fn has_build_alternatives(&self) -> bool {
        true
    }
}

impl Platform for Shell {}

impl Incremental for Shell {
    fn follow(&mut self, _repo: &Repo, file: FileId, moved: &IndexRemap) -> bool {
        self.names.follow(file, moved);
        true
    }

    fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) -> bool {
        self.names.renew(repo, news);
        news.imports.is_empty()
    }
}
