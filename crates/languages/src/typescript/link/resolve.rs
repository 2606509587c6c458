//! Module resolution: from a specifier to a file of the repository or an external package.

use super::builtins::is_node_module;
use super::config::{TsConfig, Writers};
use super::manifest::{Manifests, Package};
use super::patterns::{MOST_TARGETS, Patterns};
use super::workspace::PackageLocation;
use linker::paths::{ancestors, join, parent_dir, strip_dir};
use linker::repo::{FileId, Repo};
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// The target of a specifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// A file of the repository.
    File(FileId),
    /// An external package (`node:fs`, `@scope/name`) with the path inside it.
    External(String),
    /// Unknown.
    None,
}

const EXTENSIONS: [&str; 11] = [
    ".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".d.mts", ".d.cts",
];

/// Source extensions that a compiled extension may come from.
const COMPILED: [(&str, &[&str]); 7] = [
    (".d.ts", &[".ts", ".tsx"]),
    (".d.mts", &[".mts", ".ts"]),
    (".d.cts", &[".cts", ".ts"]),
    (".js", &[".ts", ".tsx", ".d.ts", ".mts", ".jsx"]),
    (".mjs", &[".mts", ".ts", ".d.mts"]),
    (".cjs", &[".cts", ".ts", ".d.cts"]),
    (".jsx", &[".tsx"]),
];

/// A pattern of `paths` with its targets.
type Paths = (String, Vec<String>);

/// Resolves the specifiers of one repository.
pub(crate) struct Resolver<'r> {
    repo: &'r Repo,
    manifests: &'r Manifests,
    /// Indexed `paths`, by their address; many configurations share them.
    paths: RefCell<FxHashMap<*const Vec<Paths>, Rc<Patterns>>>,
    /// Indexed `exports` and `imports`, by their address.
    maps: RefCell<FxHashMap<*const Value, Rc<Patterns>>>,
    /// The outputs of a configuration's projects, by its address.
    writers: RefCell<FxHashMap<*const TsConfig, Rc<Writers>>>,
    /// Remaining number of paths to try for the current specifier.
    tries: Cell<u32>,
}

/// Most paths that are tried for one specifier. A path counts once, and once more for every 64 bytes of its length.
const MOST_TRIES: u32 = 128;

/// Most values of `exports` or `imports` that are examined for one specifier.
const MOST_CONDITIONS: usize = 64;

/// The longest target of `exports` or `imports`, and longest text for its `*`, in bytes.
const LONGEST_TARGET: usize = 1_024;

/// The most `*` of a target.
const MOST_STARS: usize = 8;

/// Most configurations whose projects' outputs are cached.
const MOST_TABLES: usize = 256;

impl<'r> Resolver<'r> {
    /// A resolver over the repository's files and manifests.
    pub(crate) fn new(repo: &'r Repo, manifests: &'r Manifests) -> Resolver<'r> {
        Resolver {
            repo,
            manifests,
            paths: RefCell::default(),
            maps: RefCell::default(),
            writers: RefCell::default(),
            tries: Cell::new(MOST_TRIES),
        }
    }

    /// The outputs of a configuration's projects.
    fn writers_of(&self, config: &TsConfig) -> Rc<Writers> {
        let mut known = self.writers.borrow_mut();
        if known.len() >= MOST_TABLES {
            known.clear();
        }
        let writers = known.entry(std::ptr::from_ref(config));
        let all = || Rc::new(self.manifests.configs.writers_of(config));
        writers.or_insert_with(all).clone()
    }

    /// The patterns of a configuration's `paths`.
    fn patterns_of(&self, config: &TsConfig) -> Rc<Patterns> {
        let mut known = self.paths.borrow_mut();
        let patterns = known.entry(Arc::as_ptr(&config.paths));
        let all = || Patterns::new(config.paths.iter().map(|(pattern, _)| pattern.as_str()));
        patterns.or_insert_with(|| Rc::new(all())).clone()
    }

    /// The targets of a key in `exports` or `imports`, best condition first.
    fn exported_targets(&self, map: &Value, key: &str) -> Vec<String> {
        let mut known = self.maps.borrow_mut();
        let patterns = known.entry(std::ptr::from_ref(map));
        let keys = || map.as_object().into_iter().flat_map(|map| map.keys());
        let patterns =
            patterns.or_insert_with(|| Rc::new(Patterns::new(keys().map(String::as_str))));
        exported_targets(map, key, patterns)
    }

    /// A resolver for the file at `path`.
    pub(crate) fn file_resolver(&self, path: &'r str) -> FileResolver<'r, '_> {
        let configs = &self.manifests.configs;
        let governing = configs.governing_config(path);
        let dir = parent_dir(path);
        let above = ancestors(dir).filter_map(|d| configs.of_folder.get(d));
        FileResolver {
            resolver: self,
            dir,
            governing,
            configs: governing.into_iter().chain(above).collect(),
        }
    }

    /// Resolves a path inside a package: through `exports`, else to the main file or the path itself.
    fn resolve_in_package(&self, package: &Package, rest: &str) -> Option<FileId> {
        let key = match rest {
            "" => ".".to_owned(),
            rest => format!("./{rest}"),
        };
        let mut targets = match &package.exports {
            Some(exports) => self.exported_targets(exports, &key),
            None => Vec::new(),
        };
        if rest.is_empty() {
            targets.extend(package.mains.iter().cloned());
        } else {
            targets.push(rest.to_owned());
        }
        let exact = targets
            .iter()
            .find_map(|t| self.find_file(&join(&package.dir, t)));
        exact
            .or_else(|| {
                targets
                    .iter()
                    .find_map(|t| self.source_of_built_file(package, t))
            })
            .or_else(|| match rest {
                "" => self.find_file(&join(&package.dir, "src/index")),
                rest => self.find_file(&join(&package.dir, &format!("src/{rest}"))),
            })
            .or_else(|| match rest {
                "" => self.find_file(&join(&package.dir, "index")),
                _ => None,
            })
    }

    /// The source of a built file that is not in the repository: by `outDir` and `rootDir`, else by the usual folders.
    fn source_of_built_file(&self, package: &Package, target: &str) -> Option<FileId> {
        let path = join(&package.dir, target);
        let configs = &self.manifests.configs;
        let mut configs = configs.writers_above(&path, Some(&package.dir));
        let source = configs.find_map(|config| {
            let mut sources = config.possible_sources(&path).into_iter();
            sources.find_map(|source| self.find_file(&source))
        });
        if source.is_some() {
            return source;
        }
        let inner = strip_dir(&path, &package.dir)?;
        let mut rest = inner;
        for skipped in 0..3 {
            for root in ["src", "", "lib"] {
                let unchanged = skipped == 0 && root.is_empty();
                let candidate = join(&join(&package.dir, root), rest);
                if let Some(file) = self.find_file(&candidate).filter(|_| !unchanged) {
                    return Some(file);
                }
            }
            rest = rest.split_once('/')?.1;
        }
        None
    }

    /// `#name` by the nearest package's `imports`.
    fn resolve_package_import(&self, dir: &str, specifier: &str) -> Option<FileId> {
        let package = ancestors(dir).find_map(|d| self.manifests.packages.get(d))?;
        let imports = package.imports.as_ref()?;
        let targets = self.exported_targets(imports, specifier);
        targets
            .iter()
            .find_map(|t| self.find_file(&join(&package.dir, t)))
            .or_else(|| {
                targets
                    .iter()
                    .find_map(|t| self.source_of_built_file(package, t))
            })
    }

    /// The file at a path without or with extension, or the index of a folder.
    fn find_file(&self, path: &str) -> Option<FileId> {
        // The attempts for one path make some twenty texts of its length.
        let cost = 1 + path.len() as u32 / 64;
        let Some(left) = self.tries.get().checked_sub(cost) else {
            self.tries.set(0);
            return None;
        };
        self.tries.set(left);
        self.find_with_extension(path)
            .or_else(|| self.find_index_file(path))
    }

    fn find_with_extension(&self, path: &str) -> Option<FileId> {
        for (compiled, sources) in COMPILED {
            let Some(stem) = path.strip_suffix(compiled) else {
                continue;
            };
            let found = sources
                .iter()
                .find_map(|s| self.repo.file_at(&format!("{stem}{s}")));
            if found.is_some() {
                return found;
            }
            break;
        }
        self.find_typescript_file(path).or_else(|| {
            EXTENSIONS
                .iter()
                .find_map(|e| self.repo.file_at(&format!("{path}{e}")))
        })
    }

    fn find_typescript_file(&self, path: &str) -> Option<FileId> {
        let file = self.repo.file_at(path)?;
        let family = self.repo.language(file).family();
        (family == base::Language::TypeScript).then_some(file)
    }

    fn find_index_file(&self, dir: &str) -> Option<FileId> {
        if let Some(package) = self.manifests.packages.get(dir) {
            let main = package
                .mains
                .iter()
                .find_map(|m| self.find_with_extension(&join(dir, m)));
            if main.is_some() {
                return main;
            }
        }
        EXTENSIONS
            .iter()
            .find_map(|e| self.repo.file_at(&join(dir, &format!("index{e}"))))
    }
}

/// Resolves the specifiers of one file.
pub(crate) struct FileResolver<'r, 'a> {
    resolver: &'a Resolver<'r>,
    /// The folder of the file.
    dir: &'r str,
    /// The configuration that compiles the file.
    governing: Option<&'r TsConfig>,
    /// That configuration, and those of the folder and the folders above.
    configs: Vec<&'r TsConfig>,
}

impl<'r> FileResolver<'r, '_> {
    /// The file's folder and configuration: if both are equal for two files, so are the targets of specifiers.
    pub(crate) fn place(&self) -> (&'r str, *const TsConfig) {
        let config = self.governing.map_or(std::ptr::null(), std::ptr::from_ref);
        (self.dir, config)
    }

    /// The target of a specifier.
    pub(crate) fn resolve(&self, specifier: &str) -> Target {
        self.resolver.tries.set(MOST_TRIES);
        let specifier = specifier.split(['?', '!']).next().unwrap_or(specifier);
        let found = if specifier.starts_with('.') {
            self.resolve_relative(specifier)
        } else if specifier.starts_with('#') {
            self.resolver.resolve_package_import(self.dir, specifier)
        } else {
            return self.resolve_bare(specifier);
        };
        found.map_or(Target::None, Target::File)
    }

    fn resolve_relative(&self, specifier: &str) -> Option<FileId> {
        let path = join(self.dir, specifier);
        self.resolver
            .find_file(&path)
            .or_else(|| self.resolve_by_root_dirs(&path))
            .or_else(|| self.resolve_by_outputs(&path))
            .or_else(|| self.resolve_built_file(&path))
    }

    /// Finds the source that a project in a folder above `path` compiles to it: tests import built files by path.
    fn resolve_built_file(&self, path: &str) -> Option<FileId> {
        let mut configs = self.resolver.manifests.configs.writers_above(path, None);
        configs.find_map(|config| {
            let sources = config.possible_sources(path);
            sources
                .iter()
                .find_map(|source| self.resolver.find_file(source))
        })
    }

    /// `rootDirs` merge several folders into one.
    fn resolve_by_root_dirs(&self, path: &str) -> Option<FileId> {
        let config = self.configs.first()?;
        let rest = config
            .root_dirs
            .iter()
            .take(MOST_TARGETS)
            .filter_map(|root| strip_dir(path, root))
            .min_by_key(|rest| rest.len())?;
        config
            .root_dirs
            .iter()
            .take(MOST_TARGETS)
            .find_map(|root| self.resolver.find_file(&join(root, rest)))
    }

    /// Finds the source that the file's project, or one that it refers to, compiles to `path`.
    fn resolve_by_outputs(&self, path: &str) -> Option<FileId> {
        let config = self.governing?;
        let writers = self.resolver.writers_of(config);
        let configs = &self.resolver.manifests.configs;
        let projects = configs.written_by(config, &writers, path).into_iter();
        let mut sources = projects.flat_map(|config| config.possible_sources(path));
        sources.find_map(|source| self.resolver.find_file(&source))
    }

    fn resolve_bare(&self, specifier: &str) -> Target {
        if specifier.starts_with("node:") {
            return Target::External(specifier.to_owned());
        }
        let mut configs = self.configs.iter();
        let found = configs
            .by_ref()
            .take_while(|_| self.resolver.tries.get() > 0)
            .find_map(|config| self.resolve_by_paths(config, specifier))
            .or_else(|| self.resolve_by_workspace(specifier));
        if let Some(file) = found {
            return Target::File(file);
        }
        let (package, _) = split_package(specifier);
        if package.is_empty() || specifier.contains(':') && !specifier.starts_with("bun:") {
            return Target::None;
        }
        if is_node_module(package) {
            return Target::External(format!("node:{specifier}"));
        }
        Target::External(package.to_owned())
    }

    fn resolve_by_paths(&self, config: &TsConfig, specifier: &str) -> Option<FileId> {
        let mut left = MOST_TARGETS;
        for (at, star) in self.resolver.patterns_of(config).matching(specifier) {
            let targets = config.paths[at].1.iter().take(left);
            let paths: Vec<String> = targets.map(|t| config.expand_target(t, star)).collect();
            left -= paths.len();
            let found = paths.iter().find_map(|p| self.resolver.find_file(p));
            let found = found.or_else(|| paths.iter().find_map(|p| self.resolve_by_outputs(p)));
            if found.is_some() {
                return found;
            }
        }
        let base = config.base_url.as_ref()?;
        self.resolver.find_file(&join(base, specifier))
    }

    fn resolve_by_workspace(&self, specifier: &str) -> Option<FileId> {
        let (name, rest) = split_package(specifier);
        match self.resolver.manifests.locate_package(self.dir, name)? {
            PackageLocation::Folder(_, Some(package)) => {
                self.resolver.resolve_in_package(package, rest)
            }
            PackageLocation::Folder(dir, None) => self.resolver.find_file(&join(&dir, rest)),
            PackageLocation::Outside => None,
        }
    }
}

fn exported_targets(map: &Value, key: &str, patterns: &Patterns) -> Vec<String> {
    let mut out = Vec::new();
    let Some(object) = map.as_object() else {
        if key == "." {
            collect_targets(map, "", &mut out);
        }
        return out;
    };
    let has_paths = object.keys().any(|k| k.starts_with(['.', '#']));
    if !has_paths {
        if key == "." {
            collect_targets(map, "", &mut out);
        }
        return out;
    }
    if let Some(exact) = object.get(key) {
        collect_targets(exact, "", &mut out);
        return out;
    }
    for (at, star) in patterns.matching(key) {
        if let Some(value) = object.get(patterns.text(at)) {
            collect_targets(value, star, &mut out);
        }
    }
    out
}

/// Collects targets under conditions; `star` replaces the `*`. At most [`MOST_CONDITIONS`] values are examined.
fn collect_targets(value: &Value, star: &str, out: &mut Vec<String>) {
    if star.len() <= LONGEST_TARGET {
        let mut left = MOST_CONDITIONS;
        collect_condition_targets(value, star, &mut left, out);
    }
}

fn collect_condition_targets(value: &Value, star: &str, left: &mut usize, out: &mut Vec<String>) {
    let Some(rest) = left.checked_sub(1).filter(|_| out.len() < MOST_TARGETS) else {
        return;
    };
    *left = rest;
    match value {
        Value::String(target) => {
            let is_plain = target.len() <= LONGEST_TARGET;
            if is_plain && target.matches('*').count() <= MOST_STARS {
                out.push(target.replace('*', star));
            }
        }
        Value::Array(list) => {
            for value in list.iter().take(MOST_CONDITIONS) {
                collect_condition_targets(value, star, left, out);
            }
        }
        Value::Object(object) => {
            let mut entries: Vec<_> = object.iter().take(MOST_CONDITIONS).collect();
            entries.sort_by_key(|(condition, _)| condition_rank(condition));
            for (_, value) in entries {
                collect_condition_targets(value, star, left, out);
            }
        }
        _ => {}
    }
}

/// Rank of a condition: custom ones, which lead to sources, are first, and those of other platforms last.
fn condition_rank(condition: &str) -> u8 {
    match condition {
        "types" => 1,
        "import" | "module" | "node" => 2,
        "default" => 3,
        "require" | "development" | "production" => 4,
        "browser" | "worker" | "react-native" | "edge-light" | "deno" | "bun" => 5,
        _ => 0,
    }
}

/// `@scope/name/rest` → (`@scope/name`, `rest`).
pub(crate) fn split_package(specifier: &str) -> (&str, &str) {
    let from = if specifier.starts_with('@') {
        specifier.find('/').map_or(specifier.len(), |i| i + 1)
    } else {
        0
    };
    match specifier[from..].find('/') {
        Some(at) => (&specifier[..from + at], &specifier[from + at + 1..]),
        None => (specifier, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::FileFacts;
    use base::Language;
    use linker::repo::Manifest;
    use std::sync::Arc;

    fn check(files: &[&str], manifests: &[(&str, &str)], cases: &[(&str, &str, &str)]) {
        let mut files: Vec<&str> = files.to_vec();
        files.sort_unstable();
        let empty = |p: &&str| {
            let facts = FileFacts::empty(Language::TypeScript);
            (Arc::from(*p), Arc::new(facts))
        };
        let manifests = manifests
            .iter()
            .map(|(path, text)| Manifest {
                path: (*path).into(),
                text: (*text).into(),
            })
            .collect();
        let repo = Repo::new(files.iter().map(empty).collect(), manifests);
        let manifests = Manifests::read(&repo.manifests);
        let resolver = Resolver::new(&repo, &manifests);
        for (from, specifier, expected) in cases {
            let found = match resolver.file_resolver(from).resolve(specifier) {
                Target::File(file) => repo.file(file).path.to_string(),
                Target::External(package) => format!("ext {package}"),
                Target::None => "?".to_owned(),
            };
            assert_eq!(found, *expected, "{specifier} from {from}");
        }
    }

    #[test]
    fn relative_specifiers_find_sources_and_indexes() {
        check(
            &[
                "a/x.ts",
                "a/y.tsx",
                "a/z/index.ts",
                "a/w.d.ts",
                "a/v.js",
                "m.mts",
            ],
            &[],
            &[
                ("a/b.ts", "./x.js", "a/x.ts"),
                ("a/b.ts", "./x", "a/x.ts"),
                ("a/b.ts", "./y.jsx", "a/y.tsx"),
                ("a/b.ts", "./z", "a/z/index.ts"),
                ("a/z/index.ts", "..", "?"),
                ("a/b.ts", "./w", "a/w.d.ts"),
                ("a/b.ts", "./v", "a/v.js"),
                ("a/b.ts", "../m.mjs", "m.mts"),
                ("a/b.ts", "./none", "?"),
            ],
        );
    }

    #[test]
    fn paths_take_the_longest_prefix_and_base_url_comes_after() {
        check(
            &["src/app/x.ts", "src/lib/y.ts", "src/z.ts", "special.ts"],
            &[(
                "tsconfig.json",
                r#"{"compilerOptions":{"baseUrl":"src","paths":{"@/*":["app/*"],"@/lib/*":["lib/*"],"exact":["../special"]}}}"#,
            )],
            &[
                ("src/q.ts", "@/x", "src/app/x.ts"),
                ("src/q.ts", "@/lib/y", "src/lib/y.ts"),
                ("src/q.ts", "exact", "special.ts"),
                ("src/q.ts", "z", "src/z.ts"),
                ("src/q.ts", "react", "ext react"),
            ],
        );
    }

    #[test]
    fn workspace_packages_lead_to_their_sources() {
        check(
            &[
                "p/one/src/index.ts",
                "p/one/src/deep/a.ts",
                "p/two/lib.ts",
                "p/two/in.ts",
            ],
            &[
                (
                    "p/one/package.json",
                    r#"{"name":"@s/one","exports":{".":{"types":"./dist/index.d.ts","import":"./dist/index.js"},"./*":"./dist/*.js"}}"#,
                ),
                (
                    "p/two/package.json",
                    r##"{"name":"two","main":"./lib.js","imports":{"#in":{"default":"./in.js"}}}"##,
                ),
            ],
            &[
                ("q.ts", "@s/one", "p/one/src/index.ts"),
                ("q.ts", "@s/one/deep/a", "p/one/src/deep/a.ts"),
                ("q.ts", "two", "p/two/lib.ts"),
                ("p/two/lib.ts", "#in", "p/two/in.ts"),
                ("q.ts", "@s/three/x", "ext @s/three"),
            ],
        );
    }

    #[test]
    fn node_modules_have_one_name() {
        check(
            &["a.ts"],
            &[],
            &[
                ("a.ts", "fs", "ext node:fs"),
                ("a.ts", "fs/promises", "ext node:fs/promises"),
                ("a.ts", "node:path", "ext node:path"),
                ("a.ts", "./style.css", "?"),
            ],
        );
    }
}
