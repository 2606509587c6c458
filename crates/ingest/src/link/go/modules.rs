//! Import paths: Go modules of the repository (`go.mod`, `replace`), vendored packages, the standard
//! library, and modules outside.

use crate::link::repo::Repo;
use crate::link::ty::External;
use rustc_hash::FxHashMap;

/// A `go.mod` of the repository.
#[derive(Debug, Default)]
struct Module {
    /// Its folder; empty for the root.
    dir: String,
    /// Its module path.
    path: String,
    /// Paths of required modules.
    requires: Vec<String>,
    /// Replaced module paths and the local folders that stand for them.
    replaces: Vec<(String, String)>,
}

/// Where an import path leads.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A folder of the repository.
    Dir(String),
    /// Outside.
    Outside(External),
}

/// The modules of a repository.
#[derive(Debug)]
pub(super) struct Modules {
    /// Deepest folder first.
    modules: Vec<Module>,
}

impl Modules {
    /// Reads every `go.mod`.
    pub(super) fn new(repo: &Repo) -> Modules {
        let mut modules: Vec<Module> = repo
            .manifests
            .iter()
            .filter(|m| file_name(&m.path) == "go.mod")
            .map(|m| parse(dir_of(&m.path), &m.text))
            .filter(|m| !m.path.is_empty())
            .collect();
        modules.sort_by(|a, b| (b.dir.len(), &a.dir).cmp(&(a.dir.len(), &b.dir)));
        Modules { modules }
    }

    /// Where `path` leads, imported by a file in the folder `from`. `packages` knows the folders that hold Go files.
    pub(super) fn resolve<T>(
        &self,
        packages: &FxHashMap<String, T>,
        from: &str,
        path: &str,
    ) -> Place {
        let home = self.modules.iter().find(|m| is_below(from, &m.dir));
        if let Some(dir) = home.and_then(|m| m.local(path)) {
            return Place::Dir(dir);
        }
        if let Some(dir) = vendored(packages, from, path) {
            return Place::Dir(dir);
        }
        // Another module of the repository; the longest path wins.
        let other = self
            .modules
            .iter()
            .filter(|m| is_below(path, &m.path))
            .max_by_key(|m| m.path.len());
        if let Some(dir) = other.and_then(|m| m.local(path))
            && packages.contains_key(&dir)
        {
            return Place::Dir(dir);
        }
        Place::Outside(outside(home, path))
    }
}

impl Module {
    /// The folder of an import path that this module or one of its replacements holds.
    fn local(&self, path: &str) -> Option<String> {
        let own = std::iter::once((self.path.as_str(), self.dir.as_str()));
        let replaced = self
            .replaces
            .iter()
            .map(|(path, dir)| (path.as_str(), dir.as_str()));
        own.chain(replaced)
            .filter(|(module, _)| is_below(path, module))
            .max_by_key(|(module, _)| module.len())
            .map(|(module, dir)| join(dir, path[module.len()..].trim_start_matches('/')))
    }
}

/// The folder below a `vendor` folder beside or above the importing file.
fn vendored<T>(packages: &FxHashMap<String, T>, from: &str, path: &str) -> Option<String> {
    let mut dir = from;
    loop {
        let candidate = join(&join(dir, "vendor"), path);
        if packages.contains_key(&candidate) {
            return Some(candidate);
        }
        if dir.is_empty() {
            return None;
        }
        dir = dir_of(dir);
    }
}

/// The module outside that holds a package: a required one, or what the path's form suggests. The rest of the
/// path starts the symbol.
fn outside(home: Option<&Module>, path: &str) -> External {
    let required = home
        .into_iter()
        .flat_map(|m| &m.requires)
        .filter(|module| is_below(path, module))
        .max_by_key(|module| module.len());
    let first = path.split('/').next().unwrap_or(path);
    let length = match required {
        Some(module) => module.len(),
        // The standard library: its packages speak for themselves.
        None if !first.contains('.') => path.len(),
        None => guessed_length(path),
    };
    let (module, rest) = path.split_at(length);
    External::new(module, rest.trim_start_matches('/'))
}

/// `host/owner/name` on the hosts that work so, with a major version where there is one.
fn guessed_length(path: &str) -> usize {
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

fn parse(dir: &str, text: &str) -> Module {
    let mut module = Module {
        dir: dir.to_owned(),
        ..Module::default()
    };
    let mut block = String::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or("").trim();
        if line == ")" {
            block.clear();
        } else if let Some(opened) = line.strip_suffix('(') {
            block = opened.trim().to_owned();
        } else if !line.is_empty() {
            directive(&mut module, &block, line);
        }
    }
    module
}

fn directive(module: &mut Module, block: &str, line: &str) {
    let mut words = line.split_whitespace().map(|w| w.trim_matches(['"', '`']));
    let verb = if block.is_empty() {
        words.next().unwrap_or("")
    } else {
        block
    };
    let Some(path) = words.next() else {
        return;
    };
    match verb {
        "module" => module.path = path.to_owned(),
        "require" => module.requires.push(path.to_owned()),
        "replace" => {
            let target = words.skip_while(|w| *w != "=>").nth(1).unwrap_or("");
            if target.starts_with("./") || target.starts_with("../") || target == "." {
                let dir = join(&module.dir, target);
                module.replaces.push((path.to_owned(), dir));
            }
        }
        _ => {}
    }
}

/// Whether a path is `base` or stands below it.
fn is_below(path: &str, base: &str) -> bool {
    base.is_empty()
        || path
            .strip_prefix(base)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The folder of a path; empty for the root.
pub(super) fn dir_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

/// The last segment of a path.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Joins folders, `.` and `..` worked out.
fn join(base: &str, rest: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for segment in base.split('/').chain(rest.split('/')) {
        match segment {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::repo::Manifest;

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
        let dir = |d: &str| Place::Dir(d.to_owned());
        let outside = |p: &str, s: &str| Place::Outside(External::new(p, s));
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
