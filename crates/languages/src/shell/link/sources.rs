//! The files that scripts source and run, and what files reach through them.

use super::programs::Programs;
use crate::reach::Reach;
use base::Language;
use base::facts::*;
use linker::paths::{ancestors, file_name, parent_dir};
use linker::repo::{FileId, Repo};
use rustc_hash::FxHashMap;

/// With more files of one name, a path behind an unknown variable is not looked for.
const MOST_NAMESAKES: usize = 64;
/// Most sources that are followed from one file where what it reaches is not kept.
const MOST_FOLLOWED: usize = 1 << 12;
/// Most folders above a script in which a path is looked for.
const MOST_FOLDERS: usize = 32;

/// The target of a source or of a run script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sourced {
    /// A file of the repository.
    File(FileId),
    /// A file outside.
    Outside,
    /// It depends on what a variable holds.
    Unknown,
}

/// The sources of all scripts.
pub(super) struct Sources {
    /// By file and import.
    targets: Vec<Box<[Sourced]>>,
    reach: Reach,
    programs: Programs,
}

impl Sources {
    pub(super) fn new(repo: &Repo) -> Sources {
        let paths = Paths::new(repo);
        let mut targets: Vec<Box<[Sourced]>> = vec![Box::default(); repo.len()];
        let mut edges: Vec<Vec<u32>> = vec![Vec::new(); repo.len()];
        for (file, source) in repo.files() {
            let facts = &source.facts;
            if facts.language != Language::Shell {
                continue;
            }
            let all = facts.imports.iter();
            let found = all.map(|import| paths.find(repo, file, facts.name(import.module)));
            let found: Box<[Sourced]> = found.collect();
            for (import, target) in facts.imports.iter().zip(&found) {
                if let (Imported::Glob, Sourced::File(to)) = (import.what, target) {
                    edges[file.0 as usize].push(to.0);
                }
            }
            targets[file.0 as usize] = found;
        }
        Sources {
            targets,
            programs: Programs::new(&edges),
            reach: Reach::new(&edges, MOST_FOLLOWED),
        }
    }

    /// The target of an import.
    pub(super) fn target(&self, file: FileId, import: ImportId) -> Sourced {
        let found = self.targets.get(file.0 as usize);
        let found = found.and_then(|found| found.get(import.index()));
        found.copied().unwrap_or(Sourced::Unknown)
    }

    /// Whether sources lead from a file to another.
    pub(super) fn leads(&self, from: FileId, to: FileId) -> bool {
        self.reach.leads(from, to)
    }

    /// Whether every program that sources a file also sources another.
    pub(super) fn is_brought(&self, file: FileId, other: FileId) -> bool {
        self.programs.always_has(file, other)
    }

    /// The steps that it takes to tell whether a file reaches another.
    pub(super) fn steps(&self, file: FileId) -> usize {
        self.reach.steps(file)
    }
}

/// The scripts of the repository, by name.
struct Paths {
    by_name: FxHashMap<Box<str>, Vec<FileId>>,
}

impl Paths {
    fn new(repo: &Repo) -> Paths {
        let mut by_name: FxHashMap<Box<str>, Vec<FileId>> = FxHashMap::default();
        for (file, source) in repo.files() {
            if source.facts.language == Language::Shell {
                let name = file_name(&source.path);
                by_name.entry(name.into()).or_default().push(file);
            }
        }
        Paths { by_name }
    }

    /// The file that a path means: see `PathValue::module` of the facts.
    fn find(&self, repo: &Repo, from: FileId, module: &str) -> Sourced {
        if let Some(path) = module.strip_prefix("//") {
            return script_at(repo, "", path).map_or(Sourced::Unknown, Sourced::File);
        }
        if let Some(path) = module.strip_prefix('$') {
            let tail = path.split_once('/').map_or("", |(_, tail)| tail);
            return self.by_tail(repo, tail);
        }
        if module.starts_with(['/', '~']) {
            return Sourced::Outside;
        }
        let home = parent_dir(&repo.file(from).path);
        // A script runs in the folder of its caller, which is its own folder or one above.
        let mut folders = ancestors(home).take(MOST_FOLDERS);
        let found = folders.find_map(|folder| script_at(repo, folder, module));
        found.map_or(Sourced::Outside, Sourced::File)
    }

    /// The only script whose path ends so.
    fn by_tail(&self, repo: &Repo, tail: &str) -> Sourced {
        let mut rest = tail;
        while let Some(inner) = rest.strip_prefix("../").or_else(|| rest.strip_prefix("./")) {
            rest = inner;
        }
        let named = self.by_name.get(file_name(rest));
        let named = named.map_or(&[][..], |files| files);
        if !rest.contains('/') || named.len() > MOST_NAMESAKES {
            return Sourced::Unknown;
        }
        let fits = |file: &&FileId| {
            let root = repo.file(**file).path.strip_suffix(rest);
            root.is_some_and(|root| root.is_empty() || root.ends_with('/'))
        };
        let mut found = named.iter().filter(fits);
        match (found.next(), found.next()) {
            (Some(one), None) => Sourced::File(*one),
            _ => Sourced::Unknown,
        }
    }
}

/// The script at a path below a folder. The ending `.bash` may be left out, as `load` of Bats allows.
fn script_at(repo: &Repo, folder: &str, path: &str) -> Option<FileId> {
    let joined = linker::paths::join(folder, path);
    let is_script = |file: &FileId| repo.language(*file) == Language::Shell;
    let exact = repo.file_at(&joined).filter(is_script);
    exact.or_else(|| repo.file_at(&format!("{joined}.bash")).filter(is_script))
}
