//! Resolves import paths: Go modules of the repository (`go.mod`, `go.work`, `replace`), vendored packages, the
//! standard library, and external modules.

use linker::paths::{ancestors, file_name, join, parent_dir};
use linker::repo::Repo;
use linker::ty::External;
use rustc_hash::{FxHashMap, FxHashSet};

/// A `go.mod` of the repository.
#[derive(Debug, Default)]
struct Module {
    /// Its folder; empty for the root.
    dir: String,
    /// Its module path.
    path: String,
    /// Paths of required modules.
    requires: FxHashSet<String>,
    /// Replaced module paths, with the local folders that replace them.
    replaces: Folders,
}

/// Folders by module path, in order.
type Folders = FxHashMap<String, Vec<String>>;

/// A `go.work` of the repository.
#[derive(Debug, Default)]
struct Workspace {
    /// Its folder; empty for the root.
    dir: String,
    /// Folders of the modules that it uses.
    uses: FxHashSet<String>,
    /// Replaced module paths, with the local folders that replace them.
    replaces: Folders,
    /// The modules that it uses, by path.
    used: FxHashMap<String, Vec<usize>>,
    /// The modules that it uses, by the paths that they replace.
    replacing: FxHashMap<String, Vec<usize>>,
}

/// The target of an import path.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ResolvedImport {
    /// A folder of the repository.
    Dir(String),
    /// An external package.
    Outside(External),
}

/// The modules of a repository.
#[derive(Debug)]
pub(super) struct Modules {
    /// Deepest folder first.
    modules: Vec<Module>,
    /// Deepest folder first.
    workspaces: Vec<Workspace>,
    /// The first module of each folder.
    by_dir: FxHashMap<String, usize>,
    /// The last module of each path.
    by_path: FxHashMap<String, usize>,
    /// The first workspace that uses each folder.
    workspace_of: FxHashMap<String, usize>,
    /// Whether some replacements of modules were left out of workspaces.
    is_cut: bool,
}

/// Most replacements that all workspaces together take from their modules, since several may use one module.
const MOST_SHARED: usize = 200_000;

/// Longer module paths are not looked up.
const MAX_PATH: usize = 1_000;

/// The possible module paths of an import path, the longest first.
fn module_path_prefixes(path: &str) -> impl Iterator<Item = &str> {
    let ends = std::iter::once(path.len()).chain(path.rmatch_indices('/').map(|(at, _)| at));
    let ends = ends.filter(|end| (1..=MAX_PATH).contains(end));
    ends.map(|end| &path[..end])
}

impl Modules {
    /// Reads every `go.mod` and `go.work`.
    pub(super) fn new(repo: &Repo) -> Modules {
        let named = |name: &'static str| {
            let manifests = repo.manifests.iter();
            manifests.filter(move |m| file_name(&m.path) == name)
        };
        let mut modules: Vec<Module> = named("go.mod")
            .map(|m| parse_go_mod(parent_dir(&m.path), &m.text))
            .filter(|m| !m.path.is_empty())
            .collect();
        modules.sort_by(|a, b| (b.dir.len(), &a.dir).cmp(&(a.dir.len(), &b.dir)));
        let mut workspaces: Vec<Workspace> = named("go.work")
            .map(|m| parse_go_work(parent_dir(&m.path), &m.text))
            .collect();
        workspaces.sort_by(|a, b| (b.dir.len(), &a.dir).cmp(&(a.dir.len(), &b.dir)));
        let mut all = Modules {
            modules,
            workspaces,
            by_dir: FxHashMap::default(),
            by_path: FxHashMap::default(),
            workspace_of: FxHashMap::default(),
            is_cut: false,
        };
        all.build_lookup();
        all
    }

    /// Paths that more modules have or replace than the limit.
    pub(super) fn limits(&self) -> Vec<String> {
        let mut limits = Vec::new();
        if self.is_cut {
            let most = format!("more than {MOST_SHARED} replacements");
            limits.push(format!("the modules that go.work files use have {most}"));
        }
        for workspace in &self.workspaces {
            let named = workspace.used.iter().chain(&workspace.replacing);
            // A module does not search itself.
            let many = named.filter(|(_, modules)| modules.len() > MOST_REPLACING + 1);
            let mut paths: Vec<&String> = many.map(|(path, _)| path).collect();
            paths.sort_unstable();
            paths.dedup();
            let work = join(&workspace.dir, "go.work");
            limits.extend(paths.into_iter().map(|path| {
                format!("{work}: more than {MOST_REPLACING} modules have or replace {path}")
            }));
        }
        limits
    }

    /// Fills the look-up tables.
    fn build_lookup(&mut self) {
        for (at, module) in self.modules.iter().enumerate() {
            self.by_dir.entry(module.dir.clone()).or_insert(at);
            self.by_path.insert(module.path.clone(), at);
        }
        let mut of_dir: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (at, module) in self.modules.iter().enumerate() {
            of_dir.entry(&module.dir).or_default().push(at);
        }
        let mut left = MOST_SHARED;
        for (at, workspace) in self.workspaces.iter_mut().enumerate() {
            let uses = workspace.uses.iter();
            let mut used: Vec<usize> = uses
                .filter_map(|dir| of_dir.get(dir.as_str()))
                .flatten()
                .copied()
                .collect();
            used.sort_unstable();
            for module in used {
                let it = &self.modules[module];
                workspace
                    .used
                    .entry(it.path.clone())
                    .or_default()
                    .push(module);
                if it.replaces.len() > left {
                    self.is_cut = true;
                    continue;
                }
                left -= it.replaces.len();
                for path in it.replaces.keys() {
                    let replacing = workspace.replacing.entry(path.clone());
                    replacing.or_default().push(module);
                }
            }
            for dir in &workspace.uses {
                self.workspace_of.entry(dir.clone()).or_insert(at);
            }
        }
    }

    /// The module that contains a folder.
    fn module_containing(&self, from: &str) -> Option<&Module> {
        let at = ancestors(from).find_map(|dir| self.by_dir.get(dir))?;
        Some(&self.modules[*at])
    }

    /// The target of `path`, imported by a file in the folder `from`. `packages` knows the folders that contain Go
    /// files.
    pub(super) fn resolve<T>(
        &self,
        packages: &FxHashMap<String, T>,
        from: &str,
        path: &str,
    ) -> ResolvedImport {
        let home = self.module_containing(from);
        let named = self.candidate_dirs(home, path);
        let there = named.iter().find(|dir| packages.contains_key(*dir));
        if let Some(dir) = there {
            return ResolvedImport::Dir(dir.clone());
        }
        if let Some(dir) = find_vendored_dir(packages, from, path) {
            return ResolvedImport::Dir(dir);
        }
        // Another module of the repository; the longest path counts.
        let other = module_path_prefixes(path).find_map(|path| self.by_path.get(path));
        if let Some(dir) = other.and_then(|m| self.modules[*m].local_dir(path))
            && packages.contains_key(&dir)
        {
            return ResolvedImport::Dir(dir);
        }
        // The importing module's own package, which is generated or excluded.
        if let Some(dir) = home.and_then(|m| m.local_dir(path)) {
            return ResolvedImport::Dir(dir);
        }
        ResolvedImport::Outside(external_package(home, path))
    }

    /// The folders that an import path may mean in the build of a module: replacements of the workspace or the module,
    /// the module itself, and the other modules of its workspace. The longest module path comes first.
    fn candidate_dirs(&self, home: Option<&Module>, path: &str) -> Vec<String> {
        let Some(home) = home else {
            return Vec::new();
        };
        let workspace = self.workspace_of.get(&home.dir);
        let workspace = workspace.map(|at| &self.workspaces[*at]);
        let mut found = Vec::new();
        for module in module_path_prefixes(path) {
            let rest = path[module.len()..].trim_start_matches('/');
            let mut add = |dir: &String| {
                if found.len() < MOST_CANDIDATES {
                    found.push(join(dir, rest));
                }
            };
            let others = |at: &&usize| self.modules[**at].dir != home.dir;
            // The replacement of a workspace precedes that of the module for the same path.
            if let Some(workspace) = workspace {
                workspace
                    .replaces
                    .get(module)
                    .into_iter()
                    .flatten()
                    .for_each(&mut add);
                let replacing = workspace.replacing.get(module).into_iter().flatten();
                for other in replacing.filter(others).take(MOST_REPLACING) {
                    let replaces = &self.modules[*other].replaces;
                    let folders = replaces.get(module).into_iter().flatten();
                    folders.take(MOST_CANDIDATES).for_each(&mut add);
                }
            }
            home.replaces
                .get(module)
                .into_iter()
                .flatten()
                .for_each(&mut add);
            if home.path == module {
                add(&home.dir);
            }
            if let Some(workspace) = workspace {
                let used = workspace.used.get(module).into_iter().flatten();
                let used = used.filter(others).take(MOST_REPLACING);
                used.for_each(|other| add(&self.modules[*other].dir));
            }
        }
        found
    }
}

/// Most folders that one import may mean; the rest is left out. The number could be modules times replacements times
/// prefixes of the path.
const MOST_CANDIDATES: usize = 64;

/// Most modules that replace or have one path; the rest is left out.
const MOST_REPLACING: usize = 64;

impl Module {
    /// The folder of an import path that is in this module or one of its replacements.
    fn local_dir(&self, path: &str) -> Option<String> {
        module_path_prefixes(path).find_map(|module| {
            let replaced = self.replaces.get(module).and_then(|dirs| dirs.last());
            let dir = replaced.or((self.path == module).then_some(&self.dir))?;
            Some(join(dir, path[module.len()..].trim_start_matches('/')))
        })
    }
}

/// Most folders above a file in which a `vendor` folder is looked for: each look-up makes a path as long as the file's.
const MOST_VENDORS: usize = 16;

/// The folder below a `vendor` folder beside or above the importing file.
fn find_vendored_dir<T>(packages: &FxHashMap<String, T>, from: &str, path: &str) -> Option<String> {
    let mut folders = ancestors(from).take(MOST_VENDORS);
    folders.find_map(|dir| {
        let candidate = join(&join(dir, "vendor"), path);
        packages.contains_key(&candidate).then_some(candidate)
    })
}

/// The external module that contains a package: a required one, or the one that the form of the path suggests. The
/// symbol begins with the rest of the path.
fn external_package(home: Option<&Module>, path: &str) -> External {
    let required =
        home.and_then(|m| module_path_prefixes(path).find(|path| m.requires.contains(*path)));
    let first = path.split('/').next().unwrap_or(path);
    let length = match required {
        Some(module) => module.len(),
        // The standard library: each of its packages counts as a module.
        None if !first.contains('.') => path.len(),
        None => guess_module_path_length(path),
    };
    let (module, rest) = path.split_at(length);
    External::new(module, rest.trim_start_matches('/'))
}

/// `host/owner/name` on the hosts that use this form, followed by a major version if there is one.
fn guess_module_path_length(path: &str) -> usize {
    let hosted = ["github.com/", "gitlab.com/", "bitbucket.org/"];
    let segments = if hosted.iter().any(|h| path.starts_with(h)) {
        3
    } else {
        2
    };
    let mut ends = path.match_indices('/').map(|(i, _)| i).skip(segments - 1);
    let Some(end) = ends.next() else {
        return path.len();
    };
    let next = ends.next().unwrap_or(path.len());
    let version = path[end + 1..next].strip_prefix('v');
    match version {
        Some(n) if !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()) => next,
        _ => end,
    }
}

fn parse_go_mod(dir: &str, text: &str) -> Module {
    let mut module = Module {
        dir: dir.to_owned(),
        ..Module::default()
    };
    for_each_directive(text, |verb, words| match (verb, words) {
        ("module", [path, ..]) => module.path = (*path).to_owned(),
        ("require", [path, ..]) => {
            module.requires.insert((*path).to_owned());
        }
        ("replace", words) => {
            add_replacement(&mut module.replaces, parse_local_replacement(dir, words))
        }
        _ => {}
    });
    module
}

fn parse_go_work(dir: &str, text: &str) -> Workspace {
    let mut workspace = Workspace {
        dir: dir.to_owned(),
        ..Workspace::default()
    };
    for_each_directive(text, |verb, words| match (verb, words) {
        ("use", [folder, ..]) => {
            workspace.uses.insert(join(dir, folder));
        }
        ("replace", words) => {
            add_replacement(&mut workspace.replaces, parse_local_replacement(dir, words))
        }
        _ => {}
    });
    workspace
}

/// Adds a replacement, if it is one by a folder.
fn add_replacement(folders: &mut Folders, replaced: Option<(String, String)>) {
    if let Some((path, dir)) = replaced {
        // There is one for each version of a module; real files have only a few.
        let dirs = folders.entry(path).or_default();
        if dirs.len() < MOST_REPLACING {
            dirs.push(dir);
        }
    }
}

/// A replacement by a local folder.
fn parse_local_replacement(dir: &str, words: &[&str]) -> Option<(String, String)> {
    let arrow = words.iter().position(|w| *w == "=>")?;
    let target = words.get(arrow + 1)?;
    let local =
        target.starts_with("./") || target.starts_with("../") || matches!(*target, "." | "..");
    local.then(|| (words[0].to_owned(), join(dir, target)))
}

/// Calls `each` with the verb and the words of every directive; blocks are expanded.
fn for_each_directive(text: &str, mut each: impl FnMut(&str, &[&str])) {
    let mut block = None;
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or("").trim();
        if line == ")" {
            block = None;
        } else if let Some(opened) = line.strip_suffix('(') {
            block = Some(opened.trim());
        } else {
            let words: Vec<&str> = line
                .split_whitespace()
                .map(|w| w.trim_matches(['"', '`']))
                .collect();
            match (block, &words[..]) {
                (Some(verb), [_, ..]) => each(verb, &words),
                (None, [verb, rest @ ..]) => each(verb, rest),
                (_, []) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linker::repo::Manifest;

    fn modules(files: &[(&str, &str)]) -> Modules {
        let manifests = files
            .iter()
            .map(|(path, text)| Manifest {
                path: (*path).into(),
                text: (*text).into(),
            })
            .collect();
        Modules::new(&Repo::new(Vec::new(), manifests))
    }

    #[test]
    fn a_workspace_joins_the_modules_it_uses() {
        let modules = modules(&[
            (
                "go.work",
                "go 1.22\n\nuse ./app // the program\nuse (\n\t./lib\n\t\"./lib/v2\"\n)\nreplace example.com/fork v1.2.0 => ./forks/one\n",
            ),
            (
                "app/go.mod",
                "module example.com/app\nreplace example.com/fork => ../forks/two\n",
            ),
            ("lib/go.mod", "module example.com/lib\n"),
            ("lib/v2/go.mod", "module example.com/lib/v2\n"),
            ("copy/go.mod", "module example.com/lib\n"),
            (
                "copy/use/go.mod",
                "module example.com/use\nreplace example.com/fork => ../../forks/two\n",
            ),
            ("sdk/go.mod", "module example.com/app/sdk\n"),
        ]);
        let packages: FxHashMap<String, ()> = [
            "app",
            "lib",
            "lib/v2/a",
            "copy",
            "copy/use",
            "forks/one",
            "forks/two",
            "sdk/x",
        ]
        .into_iter()
        .map(|d| (d.to_owned(), ()))
        .collect();
        for (from, path, expected) in [
            ("app", "example.com/lib", "lib"),
            ("app", "example.com/lib/v2/a", "lib/v2/a"),
            ("app", "example.com/fork", "forks/one"),
            ("copy/use", "example.com/fork", "forks/two"),
            // A module that no workspace uses.
            ("app", "example.com/app/sdk/x", "sdk/x"),
            ("app", "example.com/app/generated", "app/generated"),
        ] {
            let expected = ResolvedImport::Dir(expected.to_owned());
            assert_eq!(
                modules.resolve(&packages, from, path),
                expected,
                "{path} from {from}"
            );
        }
    }

    #[test]
    fn import_paths_lead_to_folders_or_modules_outside() {
        let root = "module example.com/root // the root\n\ngo 1.22\n\nrequire github.com/x/y/v2 v2.0.0\nrequire (\n\tgo.opentelemetry.io/otel v1.0.0 // indirect\n\tgo.opentelemetry.io/otel/trace v1.0.0\n)\nreplace example.com/lib => ./third/lib\n";
        let nested = "module example.com/tool\n\nreplace (\n\texample.com/root => ../\n)\n";
        let modules = modules(&[("go.mod", root), ("tool/go.mod", nested)]);
        let packages: FxHashMap<String, ()> = [
            "",
            "pkg",
            "third/lib/a",
            "tool/cmd",
            "vendor/github.com/x/y/v2/z",
        ]
        .into_iter()
        .map(|d| (d.to_owned(), ()))
        .collect();
        let dir = |d: &str| ResolvedImport::Dir(d.to_owned());
        let outside = |p: &str, s: &str| ResolvedImport::Outside(External::new(p, s));
        for (from, path, expected) in [
            ("pkg", "example.com/root", dir("")),
            ("", "example.com/root/pkg", dir("pkg")),
            (
                "",
                "example.com/rootless",
                outside("example.com/rootless", ""),
            ),
            ("", "example.com/lib/a", dir("third/lib/a")),
            ("tool/cmd", "example.com/root/pkg", dir("pkg")),
            ("pkg", "example.com/tool/cmd", dir("tool/cmd")),
            (
                "pkg",
                "github.com/x/y/v2/z",
                dir("vendor/github.com/x/y/v2/z"),
            ),
            (
                "pkg",
                "github.com/x/y/v2/w",
                outside("github.com/x/y/v2", "w"),
            ),
            ("pkg", "net/http", outside("net/http", "")),
            (
                "pkg",
                "go.opentelemetry.io/otel/trace/noop",
                outside("go.opentelemetry.io/otel/trace", "noop"),
            ),
            (
                "pkg",
                "github.com/a/b/v3/c/d",
                outside("github.com/a/b/v3", "c/d"),
            ),
            ("pkg", "golang.org/x", outside("golang.org/x", "")),
        ] {
            assert_eq!(
                modules.resolve(&packages, from, path),
                expected,
                "{path} from {from}"
            );
        }
    }
}
