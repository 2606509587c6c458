//! Resolves modules to files: `a.b` is `a/b.lua` or `a/b/init.lua` below a folder that Lua searches.

use base::Language;
use linker::repo::{FileId, Repo};
use rustc_hash::FxHashMap;

/// Folders that are searched first if several files fit: the root, and the folders that tools add to the path.
const ROOTS: [&str; 4] = ["", "src/", "lua/", "lib/"];

/// With more files of one name, the module is not resolved.
const MOST: usize = 64;

/// Files by the last segment of their module name.
pub(super) struct Paths {
    by_name: FxHashMap<Box<str>, Vec<FileId>>,
}

impl Paths {
    pub(super) fn new(repo: &Repo) -> Paths {
        let mut by_name: FxHashMap<Box<str>, Vec<FileId>> = FxHashMap::default();
        for (id, file) in repo.files() {
            if file.facts.language == Language::Lua {
                by_name
                    .entry(last_part(module_path(&file.path)).into())
                    .or_default()
                    .push(id);
            }
        }
        Paths { by_name }
    }

    /// Whether the repository has a file with the module's name anywhere.
    pub(super) fn is_inside(&self, module: &str) -> bool {
        let path = module.replace('.', "/");
        self.by_name.contains_key(last_part(&path))
    }

    /// The file of a module, as seen from another: below one of the usual roots, or else the nearest.
    pub(super) fn file(&self, repo: &Repo, from: FileId, module: &str) -> Option<FileId> {
        let path = module.replace('.', "/");
        let named = self.by_name.get(last_part(&path))?;
        if named.len() > MOST {
            return None;
        }
        let fits = |id: &&FileId| {
            let rest = module_path(&repo.file(**id).path).strip_suffix(path.as_str());
            rest.is_some_and(|root| root.is_empty() || root.ends_with('/'))
        };
        let found: Vec<FileId> = named.iter().filter(fits).copied().collect();
        let root = |id: &FileId| {
            let whole = module_path(&repo.file(*id).path);
            whole[..whole.len() - path.len()].to_owned()
        };
        for known in ROOTS {
            if let Some(id) = found.iter().find(|id| root(id) == known) {
                return Some(*id);
            }
        }
        nearest(repo, from, &found)
    }
}

/// The file that shares the longest path with another, if there is just one.
fn nearest(repo: &Repo, from: FileId, found: &[FileId]) -> Option<FileId> {
    let home = &repo.file(from).path;
    let shared = |id: &FileId| {
        let both = home.split('/').zip(repo.file(*id).path.split('/'));
        both.take_while(|(a, b)| a == b).count()
    };
    let most = found.iter().map(shared).max()?;
    let mut best = found.iter().filter(|id| shared(id) == most);
    match (best.next(), best.next()) {
        (Some(one), None) => Some(*one),
        _ => None,
    }
}

/// The module path of a file.
fn module_path(path: &str) -> &str {
    let path = path.strip_suffix(".lua").unwrap_or(path);
    path.strip_suffix("/init").unwrap_or(path)
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
