//! Files by the paths with which they are loaded, and functions of scripts.

use base::facts::*;
use base::{Language, is_test_path};
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest path that is looked for.
const LONGEST_PATH: usize = 400;
/// Most files of one name that are compared.
const MOST_NAMESAKES: usize = 1_000;
/// Most files through which a function is looked for.
const MOST_LOADED: usize = 64;

/// The files of each name.
#[derive(Default)]
pub(super) struct Files {
    by_name: FxHashMap<Box<str>, Vec<FileId>>,
}

impl Files {
    pub(super) fn new(repo: &Repo) -> Files {
        let mut out = Files::default();
        for (id, file) in repo.files() {
            if file.facts.language == Language::Ruby {
                let name = file.path.rsplit('/').next().unwrap_or(&file.path);
                out.by_name.entry(name.into()).or_default().push(id);
            }
        }
        out
    }

    /// The file that an import loads.
    pub(super) fn loaded(&self, repo: &Repo, from: FileId, import: &Import) -> Option<FileId> {
        let path = repo.facts(from).name(import.module);
        if path.len() > LONGEST_PATH {
            return None;
        }
        if import.level > 0 {
            return relative(repo, from, path);
        }
        let path = path.strip_suffix(".rb").unwrap_or(path);
        let path = format!("{}.rb", path.trim_start_matches("./"));
        let name = path.rsplit('/').next().unwrap_or(&path);
        let all = self.by_name.get(name)?;
        if all.len() > MOST_NAMESAKES {
            return None;
        }
        let here = &repo.file(from).path;
        let fits = |id: &&FileId| {
            let whole = &repo.file(**id).path;
            let before = whole.strip_suffix(path.as_str());
            before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        // A folder of a library comes first, then what is near.
        let far = |id: &&FileId| {
            let whole = &repo.file(**id).path;
            let folder = &whole[..whole.len() - path.len()];
            let is_root = is_load_folder(folder);
            (
                !is_root,
                usize::MAX - common_segments(here, whole),
                whole.len(),
            )
        };
        let found = all.iter().filter(fits).min_by_key(far).copied()?;
        let whole = &repo.file(found).path;
        let folder = &whole[..whole.len() - path.len()];
        // A name alone may also mean a library, unless a folder for such files has it.
        (is_load_folder(folder) || path.contains('/')).then_some(found)
    }

    /// The function of a script that a name in a file means: its own, or one of a file that it loads.
    pub(super) fn function(
        &self,
        repo: &Repo,
        functions: &FxHashMap<Sym, Vec<GlobalDef>>,
        file: FileId,
        name: Sym,
    ) -> Option<GlobalDef> {
        let all = functions.get(&name)?;
        if let Some(own) = all.iter().rev().find(|d| d.file == file) {
            return Some(*own);
        }
        let mut seen = FxHashSet::default();
        let mut next = vec![file];
        let mut found: Vec<GlobalDef> = Vec::new();
        while let Some(file) = next.pop() {
            if seen.len() > MOST_LOADED {
                return None;
            }
            for import in &repo.facts(file).imports {
                let Some(loaded) = self.loaded(repo, file, import) else {
                    continue;
                };
                if seen.insert(loaded) {
                    next.push(loaded);
                    found.extend(all.iter().rev().find(|d| d.file == loaded));
                }
            }
        }
        match found[..] {
            [one] => Some(one),
            [] => only_of_libraries(repo, all),
            _ => None,
        }
    }
}

/// The only function of that name in the libraries of the repository: once its file is loaded, every object has it.
fn only_of_libraries(repo: &Repo, all: &[GlobalDef]) -> Option<GlobalDef> {
    let is_library = |def: &&GlobalDef| {
        let path = &repo.file(def.file).path;
        let in_folder = path
            .split('/')
            .any(|segment| matches!(segment, "lib" | "app"));
        in_folder && !is_test_path(path) && !repo.facts(def.file).is_program
    };
    let mut found = all.iter().filter(is_library);
    let first = found.next().copied()?;
    found.next().is_none().then_some(first)
}

/// Whether a folder is one from which files are loaded by their names.
fn is_load_folder(folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    let last = folder.rsplit('/').next().unwrap_or(folder);
    matches!(last, "" | "lib" | "test" | "spec" | "app" | "ext")
}

fn relative(repo: &Repo, from: FileId, path: &str) -> Option<FileId> {
    let here = &repo.file(from).path;
    let folder = here.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut segments: Vec<&str> = folder.split('/').filter(|s| !s.is_empty()).collect();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop()?;
            }
            name => segments.push(name),
        }
    }
    let whole = segments.join("/");
    let with_ending = format!("{whole}.rb");
    repo.file_at(&with_ending).or_else(|| repo.file_at(&whole))
}

fn common_segments(a: &str, b: &str) -> usize {
    a.split('/')
        .zip(b.split('/'))
        .take_while(|(a, b)| a == b)
        .count()
}
