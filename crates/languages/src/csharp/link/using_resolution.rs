//! Resolves the usings of all files, each once.

use super::names::{Lookup, TypeName};
use super::namespaces::Namespaces;
use super::parts::Parts;
use super::usings::{UsingTable, Usings};
use base::Language;
use base::facts::*;
use linker::repo::{FileId, Repo};

/// Resolves the usings of all files.
pub(super) fn resolve(repo: &Repo, names: &Namespaces, parts: &Parts) -> UsingTable {
    let none = UsingTable::default();
    let lookup = Lookup {
        repo,
        names,
        parts,
        usings: &none,
    };
    let mut out = UsingTable::default();
    for (file, source) in repo.files() {
        if source.facts.language != Language::CSharp {
            continue;
        }
        for (import, at) in source.facts.imports.iter().zip(0..) {
            add(
                out.scope_mut(file, import.scope),
                lookup,
                file,
                ImportId(at),
            );
        }
    }
    for (project, usings) in names.all_global_usings() {
        for (file, import) in usings {
            add(out.project_mut(project), lookup, *file, *import);
            if let Some(local) = repo.facts(*file).import(*import).local {
                let name = repo.sym_of_name(*file, local);
                out.add_alias(project, name, (*file, *import));
            }
        }
    }
    out
}

fn add(usings: &mut Usings, lookup: Lookup<'_>, file: FileId, import: ImportId) {
    let it = lookup.repo.facts(file).import(import);
    let module = lookup.repo.facts(file).name(it.module);
    let at = usings.next_position();
    match it.what {
        Imported::StaticGlob => {
            if let TypeName::Type(class) = lookup.qualified(file, it.scope, module) {
                usings.add_static(at, class);
            }
        }
        Imported::Glob => {
            usings.add_namespace(at, lookup.namespace_by_name(file, it.scope, module));
            usings.add_outside(lookup.names, at, module);
        }
        _ => {}
    }
}
