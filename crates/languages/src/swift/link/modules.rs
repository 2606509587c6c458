//! Modules: the targets of packages. A file sees all of its module, and what the modules that it imports make public.

use base::facts::*;
use base::{Language, Visibility};
use linker::repo::{FileId, GlobalDef, Repo};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most modules that are seen through another that passes them on.
const MOST_PASSED_ON: usize = 64;

/// A module.
struct Target {
    /// The folder of its package.
    package: Box<str>,
}

/// A module that a file sees.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    pub(super) module: u32,
    /// Whether its internal definitions are seen, too (`@testable`).
    pub(super) is_testable: bool,
}

/// The modules of a repository.
#[derive(Default)]
pub(super) struct ModuleTable {
    targets: Vec<Target>,
    /// The module of each file of the repository.
    of_file: Vec<u32>,
    by_name: FxHashMap<Box<str>, Vec<u32>>,
    /// The modules that each file imports, with those that these pass on.
    seen: FxHashMap<FileId, Vec<Seen>>,
    /// A file of each module.
    first_file: FxHashMap<u32, FileId>,
}

/// A folder whose files belong to a module.
struct Folder {
    path: String,
    module: u32,
}

impl ModuleTable {
    /// Finds the modules of all files.
    pub(super) fn new(repo: &Repo) -> ModuleTable {
        let mut out = ModuleTable::default();
        // Files outside of all targets are one module.
        out.target("", "");
        let mut folders: FxHashMap<String, u32> = FxHashMap::default();
        for (_, source) in repo.files() {
            let is_manifest = source.path.rsplit('/').next() == Some("Package.swift");
            if source.facts.language != Language::Swift || !is_manifest {
                continue;
            }
            let root = source.path.strip_suffix("Package.swift").unwrap_or("");
            for folder in out.declared(&source.facts, root) {
                folders.entry(folder.path).or_insert(folder.module);
            }
        }
        for (file, source) in repo.files() {
            let module = if source.facts.language == Language::Swift {
                out.module_of_path(&source.path, &folders)
            } else {
                0
            };
            out.of_file.push(module);
            if source.facts.language == Language::Swift {
                out.first_file.entry(module).or_insert(file);
            }
        }
        out.find_seen(repo);
        out
    }

    fn target(&mut self, name: &str, package: &str) -> u32 {
        let known = self.by_name.get(name).into_iter().flatten().copied();
        for module in known {
            if &*self.targets[module as usize].package == package {
                return module;
            }
        }
        let module = self.targets.len() as u32;
        self.targets.push(Target {
            package: package.into(),
        });
        self.by_name.entry(name.into()).or_default().push(module);
        module
    }

    /// The folders of the targets that a manifest declares.
    fn declared(&mut self, facts: &FileFacts, root: &str) -> Vec<Folder> {
        let mut out = Vec::new();
        for export in &facts.exports {
            let (Some(name_id), Exported::Local(path)) = (export.name, export.what) else {
                continue;
            };
            // The name of a module has no signs.
            let name = facts.name(name_id).replace(['-', ' ', '.'], "_");
            let module = self.target(&name, root);
            let path = facts.name(path).trim_matches('/').trim_start_matches("./");
            let path = if matches!(path, "" | ".") {
                root.to_owned()
            } else {
                format!("{root}{path}/")
            };
            let is_usual = ["Sources", "Tests", "Plugins"]
                .iter()
                .any(|parent| path == format!("{root}{parent}/{}/", facts.name(name_id)));
            out.push((is_usual, Folder { path, module }));
        }
        // A target that is named once more, as a dependency, seems to lie in the usual folder.
        let is_told = |module: u32| {
            out.iter()
                .any(|(is_usual, f)| !is_usual && f.module == module)
        };
        let kept: Vec<bool> = out
            .iter()
            .map(|(is_usual, f)| !is_usual || !is_told(f.module))
            .collect();
        let mut kept = kept.into_iter();
        out.retain(|_| kept.next().unwrap_or(true));
        out.into_iter().map(|(_, folder)| folder).collect()
    }

    /// The module of a file: the target with the longest folder around it, or that which the usual folders tell.
    fn module_of_path(&mut self, path: &str, folders: &FxHashMap<String, u32>) -> u32 {
        let mut end = path.rfind('/');
        while let Some(at) = end {
            if let Some(module) = folders.get(&path[..=at]) {
                return *module;
            }
            end = path[..at].rfind('/');
        }
        if let Some(module) = folders.get("").filter(|_| !path.ends_with("Package.swift")) {
            return *module;
        }
        for parent in ["Sources/", "Tests/"] {
            let at = match path.find(&format!("/{parent}")) {
                Some(at) => Some(at + 1),
                None => path.starts_with(parent).then_some(0),
            };
            let Some(at) = at else { continue };
            let rest = &path[at + parent.len()..];
            if let Some((name, _)) = rest.split_once('/') {
                let (name, root) = (name.replace(['-', ' ', '.'], "_"), path[..at].to_owned());
                return self.target(&name, &root);
            }
        }
        0
    }

    fn find_seen(&mut self, repo: &Repo) {
        let mut direct: FxHashMap<FileId, Vec<Seen>> = FxHashMap::default();
        let mut passed_on: FxHashMap<u32, FxHashSet<u32>> = FxHashMap::default();
        for (file, source) in repo.files() {
            if source.facts.language != Language::Swift {
                continue;
            }
            let mut seen: Vec<Seen> = Vec::new();
            for import in &source.facts.imports {
                let name = source.facts.name(import.module);
                let Some(module) = self.near(file, name) else {
                    continue;
                };
                let is_testable = import.level > 0;
                match seen.iter_mut().find(|s| s.module == module) {
                    Some(known) => known.is_testable |= is_testable,
                    None => seen.push(Seen {
                        module,
                        is_testable,
                    }),
                }
                if import.visibility == Visibility::Public {
                    let own = self.module(file);
                    passed_on.entry(own).or_default().insert(module);
                }
            }
            direct.insert(file, seen);
        }
        for seen in direct.values_mut() {
            let mut at = 0;
            while let Some(next) = seen.get(at).copied() {
                at += 1;
                for module in passed_on.get(&next.module).into_iter().flatten() {
                    if seen.len() < MOST_PASSED_ON && !seen.iter().any(|s| s.module == *module) {
                        seen.push(Seen {
                            module: *module,
                            is_testable: false,
                        });
                    }
                }
            }
            seen.sort_by_key(|s| s.module);
        }
        self.seen = direct;
    }

    /// The module of a file.
    pub(super) fn module(&self, file: FileId) -> u32 {
        self.of_file.get(file.0 as usize).copied().unwrap_or(0)
    }

    /// The module with a name, that of the file's own package first.
    pub(super) fn near(&self, file: FileId, name: &str) -> Option<u32> {
        let known = self.by_name.get(name).filter(|_| !name.is_empty())?;
        let package = &self.targets[self.module(file) as usize].package;
        let own = known
            .iter()
            .find(|m| self.targets[**m as usize].package == *package);
        match known[..] {
            [one] => Some(one),
            _ => own.copied(),
        }
    }

    /// The modules that a file imports.
    pub(super) fn seen(&self, file: FileId) -> &[Seen] {
        self.seen.get(&file).map_or(&[], |seen| seen)
    }

    /// A file of a module.
    pub(super) fn file_of(&self, module: u32) -> Option<FileId> {
        self.first_file.get(&module).copied()
    }

    /// The only module outside the repository that a file imports, as far as none of them is the standard library.
    pub(super) fn outside_module<'r>(&self, repo: &'r Repo, file: FileId) -> Option<&'r str> {
        let facts = repo.facts(file);
        let mut names = facts.imports.iter().map(|i| facts.name(i.module));
        let mut only = None;
        for name in names.by_ref() {
            if self.near(file, name).is_some() || super::platform::is_standard_module(name) {
                continue;
            }
            if only.is_some_and(|only| only != name) {
                return Some("");
            }
            only = Some(name);
        }
        only
    }

    /// Whether a file imports anything from outside the repository.
    pub(super) fn imports_outside(&self, repo: &Repo, file: FileId) -> bool {
        let facts = repo.facts(file);
        facts
            .imports
            .iter()
            .any(|i| self.near(file, facts.name(i.module)).is_none())
    }

    /// Whether a file may name a definition of its own module or of one that it imports. `is_member`: public members are
    /// seen wherever their type is.
    pub(super) fn sees(&self, repo: &Repo, from: FileId, def: GlobalDef, is_member: bool) -> bool {
        if def.file == from {
            return true;
        }
        let it = repo.def(def);
        if it.visibility == Visibility::Private {
            return false;
        }
        let (own, other) = (self.module(from), self.module(def.file));
        if own == other {
            return true;
        }
        let is_public = it.visibility == Visibility::Public;
        if is_public && is_member {
            return true;
        }
        let seen = self.seen(from).iter().find(|s| s.module == other);
        let same_package = || {
            let package = |m: u32| &self.targets[m as usize].package;
            package(own) == package(other) && has_package_access(it)
        };
        match seen {
            Some(seen) => is_public || seen.is_testable || same_package(),
            None => is_member && same_package(),
        }
    }
}

/// Whether a definition is written with `package`.
fn has_package_access(def: &Def) -> bool {
    let words = def.signature_text.split_whitespace().take(8);
    let mut words = words.take_while(|word| !matches!(*word, "func" | "var" | "let" | "init"));
    words.any(|word| word == "package")
}
