//! Frames in installed packages whose source is this repository: a module cache, a registry, `node_modules`, gems.
//!
//! A path alone says little, since every package has a `src/index.js`. So a manifest of the repository must give the package's
//! name.

use crate::project::Project;
use std::collections::{BTreeMap, BTreeSet};

/// The most manifests that are read.
const MOST_MANIFESTS: usize = 400;
/// The most folders that are searched for a Go module.
const MOST_FOLDERS: usize = 5_000;
/// The most bytes of a manifest.
const MOST: u64 = 256 << 10;

/// The package manager that installed a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Registry {
    Go,
    Cargo,
    Npm,
    Gem,
    Composer,
}

/// A file within an installed package, as named by a frame.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PackagedFile<'p> {
    registry: Registry,
    name: String,
    /// The path within the package.
    inner: &'p str,
}

impl<'p> PackagedFile<'p> {
    /// The package that a path leads into; none where it does not.
    pub(super) fn parse(path: &'p str) -> Option<PackagedFile<'p>> {
        let found = |registry, name: &str, inner| PackagedFile {
            registry,
            name: name.to_owned(),
            inner,
        };
        if let Some((_, rest)) = path.rsplit_once("node_modules/") {
            let scope = if rest.starts_with('@') { 2 } else { 1 };
            let (name, inner) = split_components(rest, scope)?;
            return Some(found(Registry::Npm, name, inner));
        }
        if let Some((_, rest)) = path.split_once("/registry/src/") {
            let (_, rest) = rest.split_once('/')?;
            let (package, inner) = rest.split_once('/')?;
            return Some(found(Registry::Cargo, without_version(package)?, inner));
        }
        if let Some((_, rest)) = path.rsplit_once("/gems/") {
            let (package, inner) = rest.split_once('/')?;
            return Some(found(Registry::Gem, without_version(package)?, inner));
        }
        // `golang.org/x/tools@v0.20.0/go/ssa/builder.go`, with or without a folder before it.
        if let Some((module, rest)) = path.rsplit_once("@v")
            && rest.starts_with(|c: char| c.is_ascii_digit())
        {
            let (_, inner) = rest.split_once('/')?;
            let module = module.rsplit_once("/pkg/mod/").map_or(module, |(_, m)| m);
            return Some(found(Registry::Go, module.trim_start_matches('/'), inner));
        }
        let (_, rest) = path.rsplit_once("/vendor/")?;
        let (name, inner) = split_components(rest, 2)?;
        let is_php = inner.ends_with(".php");
        is_php.then(|| found(Registry::Composer, name, inner))
    }
}

/// The folders of Go files and the folders above them, where a module may begin.
fn go_folders(files: &BTreeSet<String>) -> BTreeSet<&str> {
    let mut folders = BTreeSet::new();
    for path in files.iter().filter(|path| path.ends_with(".go")) {
        let mut at = path.as_str();
        while let Some((folder, _)) = at.rsplit_once('/') {
            if !folders.insert(folder) {
                break;
            }
            at = folder;
        }
        folders.insert("");
    }
    folders
}

/// The first components of a path, and the rest.
fn split_components(path: &str, count: usize) -> Option<(&str, &str)> {
    let (at, _) = path.match_indices('/').nth(count - 1)?;
    Some((&path[..at], &path[at + 1..]))
}

/// The name without its version: `serde` for `serde-1.0.219`.
fn without_version(package: &str) -> Option<&str> {
    let mut dashes = package.match_indices('-').map(|(at, _)| at);
    let at = dashes.find(|at| package[at + 1..].starts_with(|c: char| c.is_ascii_digit()))?;
    Some(&package[..at])
}

/// The packages of the repository, with their folders.
#[derive(Debug, Default)]
pub(super) struct OwnPackages {
    folders: BTreeMap<(Registry, String), String>,
}

impl OwnPackages {
    /// Reads the manifests among the files.
    pub(super) fn read(project: &Project, files: &BTreeSet<String>) -> OwnPackages {
        let mut own = OwnPackages::default();
        let manifests = files.iter().filter(|path| registry_of(path).is_some());
        for path in manifests.take(MOST_MANIFESTS) {
            own.add_manifest(project, path);
        }
        // `go.mod` is not searched as text, so no index has it.
        for folder in go_folders(files).iter().take(MOST_FOLDERS) {
            own.add_manifest(project, &base::join_path(folder, "go.mod"));
        }
        own
    }

    fn add_manifest(&mut self, project: &Project, path: &str) {
        let Some(registry) = registry_of(path) else {
            return;
        };
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let name = match registry {
            Registry::Gem => file.strip_suffix(".gemspec").map(str::to_owned),
            _ => project
                .read_start(path, MOST)
                .and_then(|bytes| package_name(registry, &String::from_utf8_lossy(&bytes))),
        };
        if let Some(name) = name {
            let known = self.folders.entry((registry, name));
            known.or_insert_with(|| folder.to_owned());
        }
    }

    /// Adds a gem whose specification is at the root, which no index has.
    pub(super) fn add_gem_of(&mut self, project: &Project, file: &PackagedFile<'_>) {
        let specification = format!("{}.gemspec", file.name);
        if file.registry == Registry::Gem && project.open(&specification).is_ok() {
            self.add_manifest(project, &specification);
        }
    }

    /// The file of the repository that a file of a package was made from. With whether it is that file itself, so that its lines
    /// are the same.
    pub(super) fn find_source(
        &self,
        file: &PackagedFile<'_>,
        files: &BTreeSet<String>,
    ) -> Option<(String, bool)> {
        let folder = self.folder_of(file)?;
        let join = |inner: &str| base::join_path(folder, inner);
        let path = join(file.inner);
        if files.contains(&path) {
            return Some((path, true));
        }
        let built = (file.registry == Registry::Npm).then(|| source_of_built(file.inner))?;
        let mut built = built.iter().map(|inner| join(inner));
        Some((built.find(|path| files.contains(path))?, false))
    }

    fn folder_of(&self, file: &PackagedFile<'_>) -> Option<&str> {
        let exact = self.folders.get(&(file.registry, file.name.clone()));
        if let Some(folder) = exact {
            return Some(folder);
        }
        // A trace may contain only the end of a module's path: `tools@v0.20.0`.
        let mut modules = self.folders.iter().filter(|((registry, name), _)| {
            *registry == Registry::Go
                && file.registry == Registry::Go
                && name.ends_with(&format!("/{}", file.name))
        });
        let (_, folder) = modules.next()?;
        modules.next().is_none().then_some(folder)
    }
}

/// Possible paths of the source of a built file of a package: `dist/esm/context.js` comes from `src/context.ts`.
fn source_of_built(inner: &str) -> Vec<String> {
    const BUILT: [&str; 9] = [
        "dist", "lib", "build", "out", "esm", "cjs", "es", "mjs", "src",
    ];
    let mut parts: Vec<&str> = inner.split('/').collect();
    while parts.len() > 1 && BUILT.contains(&parts[0]) {
        parts.remove(0);
    }
    let rest = parts.join("/");
    let stem = ["js", "mjs", "cjs", "jsx"]
        .iter()
        .find_map(|end| rest.strip_suffix(&format!(".{end}")));
    let Some(stem) = stem else {
        return Vec::new();
    };
    let ends = ["ts", "tsx", "mts", "js", "jsx", "mjs"];
    let folders = ["src/", "", "lib/"];
    let all = folders
        .iter()
        .flat_map(|folder| ends.iter().map(move |end| format!("{folder}{stem}.{end}")));
    all.collect()
}

/// The registry that a manifest belongs to.
fn registry_of(path: &str) -> Option<Registry> {
    match path.rsplit('/').next()? {
        "go.mod" => Some(Registry::Go),
        "Cargo.toml" => Some(Registry::Cargo),
        "package.json" => Some(Registry::Npm),
        "composer.json" => Some(Registry::Composer),
        name => name.ends_with(".gemspec").then_some(Registry::Gem),
    }
}

/// The name that a manifest gives its package.
fn package_name(registry: Registry, text: &str) -> Option<String> {
    match registry {
        Registry::Go => {
            let mut lines = text.lines().filter_map(|line| line.strip_prefix("module "));
            Some(lines.next()?.trim().trim_matches('"').to_owned())
        }
        Registry::Cargo => {
            let (_, package) = text.split_once("[package]")?;
            let own = package.lines().take_while(|line| !line.starts_with('['));
            let mut names = own.filter_map(|line| line.split_once('='));
            let (_, name) = names.find(|(key, _)| key.trim() == "name")?;
            Some(name.trim().trim_matches(['"', '\'']).to_owned())
        }
        Registry::Npm | Registry::Composer => {
            let manifest: serde_json::Value = serde_json::from_str(text).ok()?;
            Some(manifest.get("name")?.as_str()?.to_owned())
        }
        Registry::Gem => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(packages: &[(Registry, &str, &str)]) -> OwnPackages {
        let folders = packages.iter().map(|(registry, name, folder)| {
            ((*registry, (*name).to_owned()), (*folder).to_owned())
        });
        OwnPackages {
            folders: folders.collect(),
        }
    }

    #[test]
    fn a_file_of_an_installed_package_is_one_of_the_repository_that_makes_it() {
        let own = own(&[
            (Registry::Go, "golang.org/x/tools", ""),
            (Registry::Cargo, "serde_derive", "serde_derive"),
            (Registry::Npm, "hono", ""),
            (Registry::Gem, "rack", ""),
            (Registry::Composer, "laravel/framework", ""),
        ]);
        let files: BTreeSet<String> = [
            "go/ssa/builder.go",
            "serde_derive/src/lib.rs",
            "src/context.ts",
            "lib/rack/utils.rb",
            "src/Illuminate/Db.php",
            "main.go",
        ]
        .map(str::to_owned)
        .into();
        for (path, expected) in [
            (
                "/opt/u/go/pkg/mod/golang.org/x/tools@v0.20.0/go/ssa/builder.go",
                Some(("go/ssa/builder.go", true)),
            ),
            (
                "tools@v0.20.0/go/ssa/builder.go",
                Some(("go/ssa/builder.go", true)),
            ),
            ("/go/pkg/mod/github.com/a/b@v1.0.0/main.go", None),
            (
                "/opt/u/.cargo/registry/src/index-6f17/serde_derive-1.0.1/src/lib.rs",
                Some(("serde_derive/src/lib.rs", true)),
            ),
            ("/x/.cargo/registry/src/i-6/other-1.0.1/src/lib.rs", None),
            (
                "/srv/node_modules/hono/dist/cjs/context.js",
                Some(("src/context.ts", false)),
            ),
            ("/srv/node_modules/@hono/zod/dist/context.js", None),
            (
                "/usr/lib/ruby/gems/3.2.0/gems/rack-2.2.3/lib/rack/utils.rb",
                Some(("lib/rack/utils.rb", true)),
            ),
            (
                "/var/www/vendor/laravel/framework/src/Illuminate/Db.php",
                Some(("src/Illuminate/Db.php", true)),
            ),
        ] {
            let file = PackagedFile::parse(path).unwrap_or_else(|| panic!("{path}"));
            let found = own.find_source(&file, &files);
            let found = found.as_ref().map(|(path, same)| (path.as_str(), *same));
            assert_eq!(found, expected, "{path}");
        }
        for path in [
            "/srv/app/src/main.go",
            "a@b.c",
            "user@v/x",
            "/srv/vendor/x.php",
        ] {
            assert_eq!(PackagedFile::parse(path), None, "{path}");
        }
    }

    #[test]
    fn modules_may_begin_in_every_folder_of_go_files() {
        let files = ["a/b/c/x.go", "a/d/y.go", "web/src/z.ts"].map(str::to_owned);
        let files = files.into();
        let folders: Vec<&str> = go_folders(&files).into_iter().collect();
        assert_eq!(folders, ["", "a", "a/b", "a/b/c", "a/d"]);
    }

    #[test]
    fn manifests_name_their_packages() {
        for (registry, text, name) in [
            (
                Registry::Go,
                "// x\nmodule github.com/a/b/v2\n\ngo 1.22\n",
                "github.com/a/b/v2",
            ),
            (
                Registry::Cargo,
                "[workspace]\nname = \"w\"\n[package]\nversion = \"1\"\nname = \"serde\"\n[lib]\nname = \"other\"\n",
                "serde",
            ),
            (Registry::Npm, "{\"name\": \"hono\"}", "hono"),
        ] {
            assert_eq!(package_name(registry, text).as_deref(), Some(name));
        }
        assert_eq!(package_name(Registry::Cargo, "[workspace]\n"), None);
    }
}
