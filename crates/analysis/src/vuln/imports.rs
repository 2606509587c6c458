//! Matches imports to packages of a registry: a package's name in code often differs from its name in the registry.

use crate::lockfiles::{Ecosystem, Lockfile, python_name};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use text::list;

/// Modules of Python whose package has another name: the package as PyPI compares it, then the module.
static PYTHON: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| list::pairs(include_str!("imports/python.tsv")).collect());

/// Java packages of artifacts whose names do not begin with their group.
static JAVA: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| list::pairs(include_str!("imports/java.tsv")).collect());

/// Decides whether an import means a package, in view of the other packages that it may mean.
#[derive(Debug, Clone)]
pub struct ImportMatcher {
    ecosystem: Ecosystem,
    /// Name of the package as written and as compared.
    package: String,
    normal: String,
    /// Go: modules whose path begins with this one's.
    deeper: Vec<String>,
    /// Java: whether the lock files have no other artifact of the group.
    alone: bool,
}

impl ImportMatcher {
    /// Creates the matcher of a package in lock files.
    pub fn new(ecosystem: Ecosystem, package: &str, files: &[Lockfile]) -> ImportMatcher {
        Names::new(files).importers(ecosystem, package)
    }

    /// Whether code that uses `external` (a package as the graph names it) uses this package.
    pub fn refers_to_package(&self, external: &str) -> bool {
        match self.ecosystem {
            Ecosystem::Npm => external.eq_ignore_ascii_case(&self.package),
            Ecosystem::Cargo => self.ecosystem.normalize_name(external) == self.normal,
            Ecosystem::Go => {
                is_below(external, &self.package, '/')
                    && !self.deeper.iter().any(|d| is_below(external, d, '/'))
            }
            Ecosystem::PyPi => self.matches_python_module(external),
            Ecosystem::Maven => self.matches_java_package(external),
            Ecosystem::Packagist | Ecosystem::RubyGems => false,
        }
    }

    fn matches_python_module(&self, external: &str) -> bool {
        let module = python_name(first_parts(external, 1));
        let mut named = PYTHON.iter().filter(|(package, _)| *package == self.normal);
        // `ruamel.yaml` is in the package `ruamel-yaml`: its first part is shared by several packages.
        let mut parts = (1..=PYTHON_PARTS).map(|count| python_name(first_parts(external, count)));
        parts.any(|name| name == self.normal) || named.any(|(_, m)| *m == module)
    }

    fn matches_java_package(&self, external: &str) -> bool {
        let mut named = JAVA.iter().filter(|(p, _)| *p == self.package).peekable();
        if named.peek().is_some() {
            return named.any(|(_, package)| is_below(external, package, '.'));
        }
        let Some((group, artifact)) = self.package.split_once(':') else {
            return false;
        };
        if self.alone && is_below(external, group, '.') {
            return true;
        }
        // `com.fasterxml.jackson.core:jackson-databind` is `com.fasterxml.jackson.databind`.
        let last = artifact.rsplit('-').next().unwrap_or(artifact);
        let mut shared = group.split('.').zip(external.split('.'));
        let near = shared.by_ref().take(2).all(|(a, b)| a == b);
        near && group.contains('.') && external.split('.').skip(2).any(|part| part == last)
    }
}

/// The names in all lock files.
pub(super) struct Names<'f> {
    all: BTreeMap<Ecosystem, BTreeSet<&'f str>>,
    /// Number of artifacts of each group.
    groups: FxHashMap<(Ecosystem, &'f str), usize>,
}

impl<'f> Names<'f> {
    pub(super) fn new(files: &'f [Lockfile]) -> Names<'f> {
        let mut all: BTreeMap<Ecosystem, BTreeSet<&str>> = BTreeMap::new();
        for file in files {
            let names = file.packages.iter().map(|p| p.name.as_str());
            all.entry(file.ecosystem).or_default().extend(names);
        }
        let mut groups: FxHashMap<(Ecosystem, &str), usize> = FxHashMap::default();
        for (ecosystem, names) in &all {
            for name in names {
                let group = name.split(':').next().unwrap_or(name);
                *groups.entry((*ecosystem, group)).or_default() += 1;
            }
        }
        Names { all, groups }
    }

    pub(super) fn importers(&self, ecosystem: Ecosystem, package: &str) -> ImportMatcher {
        let names = self.all.get(&ecosystem);
        let inside = format!("{package}/");
        let deeper = names.into_iter().flat_map(|names| {
            let from = names.range(inside.as_str()..);
            from.take_while(|name| name.starts_with(&inside))
        });
        let group = package.split(':').next().unwrap_or(package);
        let of_group = self.groups.get(&(ecosystem, group)).copied();
        let itself = names.is_some_and(|names| names.contains(package));
        ImportMatcher {
            deeper: deeper.map(|n| (*n).to_owned()).collect(),
            alone: of_group.unwrap_or(0) == usize::from(itself),
            ecosystem,
            package: package.to_owned(),
            normal: ecosystem.normalize_name(package),
        }
    }
}

/// Index of matchers of several packages: finds those that an import may mean.
#[derive(Debug, Default)]
pub struct ImporterIndex {
    all: Vec<ImportMatcher>,
    by_key: FxHashMap<String, Vec<usize>>,
}

impl ImporterIndex {
    pub(super) fn new(all: impl Iterator<Item = ImportMatcher>) -> ImporterIndex {
        let all: Vec<ImportMatcher> = all.collect();
        let mut by_key: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (number, importers) in all.iter().enumerate() {
            for key in importers.keys() {
                by_key.entry(key).or_default().push(number);
            }
        }
        ImporterIndex { all, by_key }
    }

    /// Whether code that uses `external` uses one of the packages.
    pub fn means(&self, external: &str) -> bool {
        !self.find(external).is_empty()
    }

    /// Numbers of the packages that it uses, ascending.
    pub(super) fn find(&self, external: &str) -> Vec<usize> {
        let modules = (1..=PYTHON_PARTS).map(|count| python_name(first_parts(external, count)));
        let mut keys = BTreeSet::from([
            format!("npm {}", external.to_ascii_lowercase()),
            format!("cargo {}", Ecosystem::Cargo.normalize_name(external)),
            format!("java {}", first_parts(external, 1)),
            format!("java {}", first_parts(external, 2)),
        ]);
        keys.extend(modules.map(|module| format!("python {module}")));
        let ends = external.match_indices('/').map(|(at, _)| at);
        for end in ends.chain([external.len()]).take(DEEPEST) {
            keys.insert(format!("go {}", &external[..end]));
        }
        let found = keys.iter().filter_map(|key| self.by_key.get(key)).flatten();
        let found = found.filter(|number| self.all[**number].refers_to_package(external));
        found
            .copied()
            .collect::<BTreeSet<usize>>()
            .into_iter()
            .collect()
    }
}

/// Most parts of a module of Python that name its package.
const PYTHON_PARTS: usize = 3;

/// Most parts of a module's path that are compared.
const DEEPEST: usize = 50;

/// The first parts of a dotted name.
fn first_parts(name: &str, count: usize) -> &str {
    let end = name.match_indices('.').nth(count - 1);
    end.map_or(name, |(at, _)| &name[..at])
}

impl ImportMatcher {
    /// Keys under which [`ImporterIndex::find`] looks the package up. Each import that means it has one of them.
    fn keys(&self) -> Vec<String> {
        match self.ecosystem {
            Ecosystem::Npm => vec![format!("npm {}", self.package.to_ascii_lowercase())],
            Ecosystem::Cargo => vec![format!("cargo {}", self.normal)],
            Ecosystem::Go => vec![format!("go {}", self.package)],
            Ecosystem::PyPi => {
                let named = PYTHON.iter().filter(|(package, _)| *package == self.normal);
                let named = named.map(|(_, module)| format!("python {module}"));
                named.chain([format!("python {}", self.normal)]).collect()
            }
            Ecosystem::Maven => {
                let group = self.package.split(':').next().unwrap_or_default();
                let named = JAVA.iter().filter(|(p, _)| *p == self.package);
                let named = named.map(|(_, package)| *package).chain([group]);
                named
                    .map(|package| format!("java {}", first_parts(package, 2)))
                    .collect()
            }
            Ecosystem::Packagist | Ecosystem::RubyGems => Vec::new(),
        }
    }
}

/// `path` itself, or something inside of it.
fn is_below(inner: &str, path: &str, mark: char) -> bool {
    let rest = inner.strip_prefix(path);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lockfiles::{Manifests, read};

    #[test]
    fn names_in_code_and_in_the_registry() {
        let go = "module m\ngo 1.21\nrequire (\n  a.b/c v1.0.0\n  a.b/c/v2 v2.0.0\n)\n";
        let maven = "a:b:1=x\ncom.fasterxml.jackson.core:jackson-databind:1=x\ncom.fasterxml.jackson.core:jackson-core:1=x\n";
        let files = [
            read("go.mod", go, &Manifests::default()).unwrap(),
            read("gradle.lockfile", maven, &Manifests::default()).unwrap(),
        ];
        for (ecosystem, package, external, expected) in [
            (Ecosystem::Npm, "@a/b", "@a/b", true),
            (Ecosystem::Npm, "lodash", "lodash.merge", false),
            (Ecosystem::Cargo, "serde_json", "serde-json", true),
            (Ecosystem::Go, "a.b/c", "a.b/c/inner", true),
            (Ecosystem::Go, "a.b/c", "a.b/c/v2/inner", false),
            (Ecosystem::Go, "a.b/c/v2", "a.b/c/v2/inner", true),
            (Ecosystem::Go, "a.b/c", "a.b/cd", false),
            (Ecosystem::PyPi, "PyYAML", "yaml", true),
            (Ecosystem::PyPi, "ruamel.yaml", "yaml", false),
            (Ecosystem::PyPi, "ruamel-yaml", "ruamel.yaml.main", true),
            (Ecosystem::PyPi, "zope-interface", "zope.interface", true),
            (Ecosystem::PyPi, "zope-interface", "zope.component", false),
            (
                Ecosystem::PyPi,
                "typing_extensions",
                "typing_extensions",
                true,
            ),
            (
                Ecosystem::Maven,
                "com.google.code.gson:gson",
                "com.google.gson.stream",
                true,
            ),
            (
                Ecosystem::Maven,
                "com.google.code.gson:gson",
                "com.google.gsonx",
                false,
            ),
            (
                Ecosystem::Maven,
                "com.fasterxml.jackson.core:jackson-databind",
                "com.fasterxml.jackson.databind.node",
                true,
            ),
            (
                Ecosystem::Maven,
                "com.fasterxml.jackson.core:jackson-core",
                "com.fasterxml.jackson.databind",
                false,
            ),
            (Ecosystem::Maven, "org.alone:thing", "org.alone.util", true),
        ] {
            let importers = ImportMatcher::new(ecosystem, package, &files);
            assert_eq!(
                importers.refers_to_package(external),
                expected,
                "{package} {external}"
            );
            let index = ImportMatcher::index(&BTreeSet::from([(ecosystem, package)]), &files);
            assert_eq!(index.means(external), expected, "{package} {external}");
        }
    }
}
