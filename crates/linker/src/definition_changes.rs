//! Which files have to be linked again after definitions were added to files or removed from them.

use crate::exposed::{ExposedChanges, path_has_any_name};
use crate::repo::Sym;
use crate::repo::{FileId, GlobalDef, Repo};
use crate::surface::{Surface, path_segments};
use base::facts::{DefId, Import, Imported};
use base::{Language, SymbolKind};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// The definitions that were added and removed, over all changed files.
#[derive(Debug, Default)]
pub struct DefinitionDelta {
    /// Added definitions.
    pub fresh: Vec<GlobalDef>,
    /// The names of added and removed definitions, sorted.
    pub names: Vec<Sym>,
    /// Every file that has or had one of the names, in order.
    pub files: Vec<FileId>,
    /// The changed files whose imports differ from before.
    pub imports: Vec<FileId>,
}

/// A file that changed.
pub struct FileDelta<'a> {
    /// Its id, in the repository that has the new facts.
    pub file: FileId,
    /// The definitions added and removed; `None` if other files see no change.
    pub exposed: Option<&'a ExposedChanges>,
}

/// Collects the definitions that were added and removed; `repo` holds the new facts. `None` if other files may be
/// affected by more than the names of these definitions, or if too many files are.
pub fn collect_definition_delta(repo: &Repo, changed: &[FileDelta<'_>]) -> Option<DefinitionDelta> {
    let (mut names, mut shared) = (FxHashSet::default(), FxHashSet::default());
    let mut delta = DefinitionDelta::default();
    let mut families: Vec<Language> = Vec::new();
    for one in changed {
        let Some(exposed) = one.exposed else { continue };
        names.extend(exposed.names.iter().cloned());
        shared.extend(exposed.shared.iter().cloned());
        families.push(repo.language(one.file).family());
        let file = one.file;
        if exposed.imports {
            let apart = |family: &Language| family.profile().linking.packages_named_apart;
            if families.last().is_some_and(apart) && has_package_named_apart(repo, &exposed.own) {
                return None;
            }
            delta.imports.push(file);
        }
        delta.fresh.extend(
            exposed
                .added
                .iter()
                .map(|def| GlobalDef { file, def: *def }),
        );
    }
    if families.is_empty() {
        return Some(delta);
    }
    delta.fresh.sort_unstable();
    delta.names = names
        .iter()
        .filter_map(|name| repo.find_sym(name))
        .collect();
    delta.names.sort_unstable();
    let mut wanted = delta.names.clone();
    if families
        .iter()
        .any(|f| f.profile().linking.paths_name_definitions)
    {
        let found = repo
            .dotted_names()
            .filter(|(_, path)| path_has_any_name(path, &names));
        wanted.extend(found.map(|(sym, _)| sym));
    }
    delta.files = repo.files_with(&wanted);
    for one in changed {
        if let Some(exposed) = one.exposed {
            delta.files.extend(files_importing_through(
                repo,
                one.file,
                &exposed.reimported_names,
            )?);
            names.extend(exposed.reimported_names.iter().cloned());
        }
    }
    if has_namesake_in_other_type(repo, changed, &delta.files) {
        delta.files.extend(repo.files_combining_supertypes());
    }
    // The changed file itself may no longer have a removed name.
    let own = changed.iter().filter(|one| one.exposed.is_some());
    delta.files.extend(own.map(|one| one.file));
    delta.files.sort_unstable();
    delta.files.dedup();
    let of_family = |file: &FileId| families.contains(&repo.language(*file).family());
    delta.files.retain(of_family);
    if delta.files.len() > max_files_to_relink(repo) {
        return None;
    }
    let unseen = |file: &FileId| {
        let facts = repo.facts(*file);
        let seen = |surface: &Surface| {
            surface.refers_to_any(facts, &names) || surface.mentions_any(facts, &shared)
        };
        let own = changed.iter().find(|one| one.file == *file);
        match own.and_then(|one| one.exposed) {
            // The added and removed definitions may refer to one another, so only the rest counts.
            Some(exposed) => !seen(exposed.surface_after()),
            None => !seen(&Surface::from_facts(facts)),
        }
    };
    delta.files.par_iter().all(unseen).then_some(delta)
}

/// Whether a method that was added to a type or removed from it has the name of another type's method, so that a type that
/// inherits both may have one override the other. `files` has every file with the name.
fn has_namesake_in_other_type(repo: &Repo, changed: &[FileDelta<'_>], files: &[FileId]) -> bool {
    let exposed = changed.iter().filter_map(|one| one.exposed);
    let names: FxHashSet<&str> = exposed
        .clone()
        .flat_map(|exposed| exposed.inherited.iter().map(|name| &**name))
        .collect();
    if names.is_empty() {
        return false;
    }
    let is_fresh = |file: FileId, def: DefId| {
        let own = changed.iter().find(|one| one.file == file);
        own.and_then(|one| one.exposed)
            .is_some_and(|exposed| exposed.added.contains(&def))
    };
    let has_namesake = |file: &FileId| {
        let facts = repo.facts(*file);
        let named = (0..).map(DefId).zip(&facts.defs).filter(|(_, def)| {
            def.kind == SymbolKind::Method && names.contains(facts.name(def.name))
        });
        named.into_iter().any(|(id, _)| !is_fresh(*file, id))
    };
    files.par_iter().any(has_namesake) || has_fresh_namesakes(repo, changed, &names)
}

/// Whether methods with one of these names were added to several types.
fn has_fresh_namesakes(repo: &Repo, changed: &[FileDelta<'_>], names: &FxHashSet<&str>) -> bool {
    let mut types: FxHashMap<&str, (FileId, Option<DefId>)> = FxHashMap::default();
    for one in changed {
        let added = one
            .exposed
            .map_or(&[][..], |exposed| exposed.added.as_slice());
        let facts = repo.facts(one.file);
        let methods = added
            .iter()
            .map(|id| facts.def(*id))
            .filter(|def| def.kind == SymbolKind::Method);
        for def in methods {
            let name = facts.name(def.name);
            let here = (one.file, def.parent);
            if names.contains(name) && *types.entry(name).or_insert(here) != here {
                return true;
            }
        }
    }
    false
}

/// Whether there is a package whose folder is one of the segments, but whose own name is another.
fn has_package_named_apart(repo: &Repo, segments: &FxHashSet<Box<str>>) -> bool {
    let mut such = repo
        .files()
        .filter(|(_, f)| f.facts.language.profile().linking.packages_named_apart);
    such.any(|(_, file)| {
        let folder = file.path.rsplit('/').nth(1).unwrap_or_default();
        let name = file.facts.package.map_or("", |n| file.facts.name(n));
        let shown = path_has_any_name(folder, segments) && !segments.contains(name);
        shown && !name.ends_with("_test") && name != "main"
    })
}

/// The files that may import names through a Python file: they have one of the names and the name of the module. `None`
/// if a file may import all names.
fn files_importing_through(
    repo: &Repo,
    file: FileId,
    passed_on: &FxHashSet<Box<str>>,
) -> Option<Vec<FileId>> {
    if passed_on.is_empty() {
        return Some(Vec::new());
    }
    let path = &repo.file(file).path;
    let name = path.rsplit('/').next()?;
    let module = name.split('.').next()?;
    // Neighbouring modules import from a package without naming it.
    if module == "__init__" {
        return None;
    }
    let modules: FxHashSet<Box<str>> = [Box::from(module)].into_iter().collect();
    let paths = repo
        .dotted_names()
        .filter(|(_, path)| path_has_any_name(path, &modules));
    let of_module: Vec<Sym> = paths
        .map(|(sym, _)| sym)
        .chain(repo.find_sym(module))
        .collect();
    let beside = repo.files_with(&of_module);
    let takes_all = |id: &FileId| {
        let facts = repo.facts(*id);
        let from_it = |i: &Import| {
            i.what == Imported::Glob && path_segments(facts.name(i.module)).last() == Some(module)
        };
        facts.imports.iter().any(from_it)
    };
    if beside.iter().any(takes_all) {
        return None;
    }
    let names: Vec<Sym> = passed_on
        .iter()
        .filter_map(|name| repo.find_sym(name))
        .collect();
    let with = repo.files_with(&names);
    Some(
        with.into_iter()
            .filter(|id| beside.binary_search(id).is_ok())
            .collect(),
    )
}

/// The most files that are linked again one by one: a quarter of all files, at least 16.
fn max_files_to_relink(repo: &Repo) -> usize {
    (repo.len() / 4).max(16)
}
