//! Chooses among several definitions of one name by conditions, platforms in paths, and proximity.

use super::systems::Systems;
use crate::c::facts::conditions;
use base::list::{self, WordList};
use linker::paths::{file_name, parent_dir};
use linker::repo::{FileId, GlobalDef, Repo};
use std::cmp::Reverse;
use std::sync::LazyLock;

/// Words in paths of sources that are no part of the program, such as tests and examples, or stand in for others.
static BESIDE: WordList = LazyLock::new(|| {
    list::words(list::section(include_str!("../systems.txt"), "beside")).collect()
});

/// Whether a usual build lacks a definition.
pub(crate) fn is_absent(repo: &Repo, def: GlobalDef) -> bool {
    has_condition(repo, def, conditions::ABSENT)
}

/// Whether a definition has that condition.
pub(crate) fn has_condition(repo: &Repo, def: GlobalDef, which: &str) -> bool {
    let condition = repo.def(def).condition;
    condition.is_some_and(|name| repo.facts(def.file).name(name) == which)
}

/// Whether switches of the build decide whether a definition exists.
pub(crate) fn is_open(repo: &Repo, def: GlobalDef) -> bool {
    has_condition(repo, def, conditions::OPEN) || is_default(repo, def)
}

/// Whether a definition exists in a build without switches.
pub(crate) fn is_default(repo: &Repo, def: GlobalDef) -> bool {
    has_condition(repo, def, conditions::DEFAULT)
}

/// The definitions in a build without switches; if there is none, all.
pub(crate) fn by_default(repo: &Repo, mut defs: Vec<GlobalDef>) -> Vec<GlobalDef> {
    if defs.iter().any(|d| is_default(repo, *d)) {
        defs.retain(|d| !has_condition(repo, *d, conditions::OPEN));
    }
    defs
}

/// The first definition in a usual build; if there is none, the first of all.
pub(crate) fn first_in_usual_build(repo: &Repo, defs: &[GlobalDef]) -> Option<GlobalDef> {
    in_usual_build(repo, defs).first().copied()
}

/// The definitions in a usual build; if there is none, all.
pub(crate) fn in_usual_build(repo: &Repo, defs: &[GlobalDef]) -> Vec<GlobalDef> {
    let is_present = |d: &GlobalDef| !is_absent(repo, *d);
    let found: Vec<GlobalDef> = defs.iter().copied().filter(is_present).collect();
    if found.is_empty() {
        defs.to_vec()
    } else {
        found
    }
}

/// The preferred ones of several definitions of one name; several if nothing distinguishes them. `declared_in` are the
/// files that declare the name for `file`, and `sees` tells which file includes which.
pub(super) fn best_definitions(
    repo: &Repo,
    systems: &Systems,
    file: FileId,
    declared_in: &[FileId],
    candidates: &[GlobalDef],
    sees: &dyn Fn(FileId, FileId) -> bool,
) -> Vec<GlobalDef> {
    let home = &*repo.file(file).path;
    let declared: Vec<&str> = declared_in.iter().map(|f| &*repo.file(*f).path).collect();
    let rank = |d: &GlobalDef| {
        let path = &*repo.file(d.file).path;
        let includes = declared_in.iter().any(|f| *f != file && sees(d.file, *f));
        let is_absent = is_absent(repo, *d);
        let is_named = declared.iter().any(|header| stem(header) == stem(path));
        let near_header = declared
            .iter()
            .map(|header| shared_folders(header, path))
            .max();
        (
            is_beside(path) && !is_beside(home),
            systems.is_for_other(path, home),
            !names_this_system(path),
            is_absent,
            !includes,
            !is_named,
            Reverse(shared_folders(home, path)),
            Reverse(near_header),
        )
    };
    let mut found = least_ranked(candidates, rank);
    // A build has one of several definitions in one file.
    found.dedup_by_key(|d| d.file);
    found
}

/// The elements with the lowest rank, in order.
fn least_ranked<T: Copy, R: Ord>(all: &[T], rank: impl Fn(&T) -> R) -> Vec<T> {
    let ranks: Vec<R> = all.iter().map(rank).collect();
    let least = ranks.iter().min();
    let ranked = all.iter().zip(&ranks);
    let found = ranked.filter(|(_, rank)| Some(*rank) == least);
    found.map(|(one, _)| *one).collect()
}

fn is_beside(path: &str) -> bool {
    first_word(parent_dir(path), &BESIDE).is_some()
}

/// Whether a path names the system that is usual.
fn names_this_system(path: &str) -> bool {
    first_word(path, &["linux"]).is_some()
}

/// The first word of a path that is among some.
fn first_word<'p>(path: &'p str, words: &[&str]) -> Option<&'p str> {
    let mut all = path.split(['/', '-', '_', '.']);
    all.find(|word| words.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// The name of a file without its ending.
fn stem(path: &str) -> &str {
    let name = file_name(path);
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

/// The number of folders that two paths share.
fn shared_folders(a: &str, b: &str) -> usize {
    let both = parent_dir(a).split('/').zip(parent_dir(b).split('/'));
    both.take_while(|(a, b)| a == b).count()
}

/// Of several headers with the same path ending, the one that a file most likely includes: for this system, in a folder
/// around the file or in that folder's `include`, or else below the nearest folder.
pub(super) fn nearest_header(
    repo: &Repo,
    systems: &Systems,
    from: FileId,
    end: &str,
    found: &[FileId],
) -> Option<FileId> {
    let home = &*repo.file(from).path;
    let rank = |id: &FileId| {
        let path = &*repo.file(*id).path;
        let root = path.strip_suffix(end).unwrap_or(path).trim_end_matches('/');
        let inner = root
            .strip_suffix("include")
            .map(|r| r.trim_end_matches('/'));
        let is_around = |folder: &str| folder.is_empty() || is_below(home, folder);
        (
            is_beside(path) && !is_beside(home),
            systems.is_for_other(path, home),
            !(is_around(root) || inner.is_some_and(is_around)),
            Reverse(shared_folders(home, path)),
            path.matches('/').count(),
        )
    };
    match least_ranked(found, rank)[..] {
        [one] => Some(one),
        _ => None,
    }
}

fn is_below(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder);
    rest.is_some_and(|rest| rest.starts_with('/'))
}
