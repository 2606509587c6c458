//! Exports of modules: names, `export *`, default exports, `module.exports`.

use super::{Target, TypeScript, module};
use base::facts::*;
use linker::eval::{Eval, MANY};
use linker::lang::DefinitionChanges;
use linker::repo::{FileId, Repo, Sym};
use linker::ty::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest chain of star exports.
const MAX_STARS: u32 = 64;

/// Exports of all files, by name.
pub(super) struct Exports {
    named: FxHashMap<(FileId, Sym), Vec<Exported>>,
    stars: FxHashMap<FileId, Vec<ImportId>>,
    whole: FxHashMap<FileId, ExprId>,
}

impl Exports {
    pub(super) fn new(repo: &Repo) -> Exports {
        let mut all = Exports {
            named: FxHashMap::default(),
            stars: FxHashMap::default(),
            whole: FxHashMap::default(),
        };
        for (id, file) in repo.files() {
            if file.facts.language.family() != base::Language::TypeScript {
                continue;
            }
            for export in &file.facts.exports {
                all.add(repo, id, export);
            }
        }
        all
    }

    fn add(&mut self, repo: &Repo, file: FileId, export: &Export) {
        match (export.name, export.what) {
            (Some(name), what) => {
                let key = (file, repo.sym_of_name(file, name));
                self.named.entry(key).or_default().push(what);
            }
            (None, Exported::Import(import)) => {
                self.stars.entry(file).or_default().push(import);
            }
            (None, Exported::Whole(value)) => {
                self.whole.insert(file, value);
            }
            _ => {}
        }
    }

    /// Updates the exports of a file whose exported names are the same.
    pub(super) fn follow(&mut self, repo: &Repo, file: FileId) {
        let facts = repo.facts(file);
        for name in facts.exports.iter().filter_map(|e| e.name) {
            self.named.remove(&(file, repo.sym_of_name(file, name)));
        }
        self.stars.remove(&file);
        self.whole.remove(&file);
        for export in &facts.exports {
            self.add(repo, file, export);
        }
    }

    /// Reads exports anew for names of added and removed definitions.
    pub(super) fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) {
        for file in news.files {
            for name in news.names {
                self.named.remove(&(*file, *name));
            }
            for export in &repo.facts(*file).exports {
                let name = export.name.map(|name| repo.sym_of_name(*file, name));
                if name.is_some_and(|name| news.names.contains(&name)) {
                    self.add(repo, *file, export);
                }
            }
        }
    }

    /// An exported name, through re-exports.
    pub(super) fn resolve_export(
        &self,
        lang: &TypeScript,
        ev: &mut Eval<'_>,
        file: FileId,
        name: &str,
        namespace: Namespace,
    ) -> Entity {
        let Some(sym) = ev.repo.find_sym(name) else {
            return Entity::Unknown;
        };
        let mut seen = FxHashSet::from_iter([file]);
        self.search_export(lang, ev, file, sym, namespace, (&mut seen, 0))
            .unwrap_or_default()
    }

    /// `None` if star exports give the name several meanings: then the module does not export it.
    fn search_export(
        &self,
        lang: &TypeScript,
        ev: &mut Eval<'_>,
        file: FileId,
        sym: Sym,
        namespace: Namespace,
        (seen, depth): (&mut FxHashSet<FileId>, u32),
    ) -> Option<Entity> {
        if let Some(found) = self.own_export(ev, file, sym, namespace) {
            return Some(found);
        }
        // Star exports leave the default out.
        if ev.repo.sym_text(sym) == "default" {
            return Some(Entity::Unknown);
        }
        let mut outside = Entity::Unknown;
        let mut inside = Entity::Unknown;
        let stars = self.stars.get(&file).map_or(&[][..], |stars| stars);
        if depth > MAX_STARS {
            ev.fuel().record_too_large();
            return Some(outside);
        }
        if !ev.spend(stars.len() / MANY) {
            return Some(outside);
        }
        for import in stars {
            match lang.import_target(file, *import) {
                Target::File(next) if seen.insert(*next) => {
                    if seen.len() % MANY == 0 && !ev.spend(1) {
                        return Some(outside);
                    }
                    let deeper = (&mut *seen, depth + 1);
                    let found = self.search_export(lang, ev, *next, sym, namespace, deeper)?;
                    match (&inside, &found) {
                        (_, Entity::Unknown) => {}
                        (_, Entity::External(_)) => outside = outside.or_else(|| found),
                        (Entity::Unknown, _) => inside = found,
                        (known, _) if *known == found => {}
                        _ => return None,
                    }
                }
                Target::External(package) => {
                    let name = ev.repo.sym_text(sym);
                    outside = outside.or_else(|| Entity::external(package, name));
                }
                _ => {}
            }
        }
        Some(inside.or_else(|| outside))
    }

    /// The file's own export under a name.
    fn own_export(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        sym: Sym,
        namespace: Namespace,
    ) -> Option<Entity> {
        if let Some(exported) = self.named.get(&(file, sym)) {
            let found = ev.memoize_export(file, sym, namespace, |ev| {
                let mut found = Entity::Unknown;
                // Of several assignments to one name, the last counts.
                for what in exported.iter().rev() {
                    found = found.or_else(|| resolve_exported(ev, file, *what, namespace));
                }
                found
            });
            return Some(found);
        }
        let value = *self.whole.get(&file)?;
        Some(ev.memoize_export(file, sym, namespace, |ev| {
            let (entity, receiver) = ev.resolve_expr(file, value, namespace);
            let name = ev.repo.sym_text(sym);
            ev.resolve_entity_member(file, entity, receiver.as_ref(), name, namespace)
                .0
        }))
    }

    /// The default export; of a CommonJS module, its whole value.
    pub(super) fn default_export(
        &self,
        lang: &TypeScript,
        ev: &mut Eval<'_>,
        file: FileId,
        namespace: Namespace,
    ) -> Entity {
        let sym = ev.repo.find_sym("default");
        let own = sym.and_then(|sym| {
            let named = self.named.contains_key(&(file, sym));
            named.then(|| {
                let mut seen = FxHashSet::from_iter([file]);
                self.search_export(lang, ev, file, sym, namespace, (&mut seen, 0))
                    .unwrap_or_default()
            })
        });
        own.unwrap_or_else(|| self.module_value(ev, file, namespace))
    }

    /// A module as a value: its whole export, or the module itself.
    pub(super) fn module_value(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        namespace: Namespace,
    ) -> Entity {
        let itself = Entity::Module(module(file));
        let Some(value) = self.whole.get(&file) else {
            return itself;
        };
        match ev.repo.facts(file).expr(*value) {
            Expr::Object(_) => itself,
            _ => ev
                .resolve_expr(file, *value, namespace)
                .0
                .or_else(|| itself),
        }
    }
}

fn resolve_exported(
    ev: &mut Eval<'_>,
    file: FileId,
    what: Exported,
    namespace: Namespace,
) -> Entity {
    match what {
        Exported::Local(name) => ev.resolve_name(file, name, FILE_SCOPE, u32::MAX, namespace),
        Exported::Expr(value) | Exported::Whole(value) => ev.resolve_expr(file, value, namespace).0,
        Exported::Import(import) => ev.resolve_import(file, import, namespace),
    }
}
