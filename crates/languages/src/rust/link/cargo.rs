//! Reads Cargo manifests: packages, their targets and the names of their dependencies.

use linker::paths::{ancestors, join};
use linker::repo::{Manifest, Repo};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use toml::{Table, Value};

/// A package: a `Cargo.toml` with a `[package]` table.
pub(super) struct Package {
    /// Its folder, without a trailing slash; empty for the root.
    pub dir: String,
    /// Its library's name, as used in paths.
    pub lib: String,
    /// Dependencies by the name used in paths.
    pub deps: BTreeMap<String, Dependency>,
    /// The root files of its targets: the library first, then binaries, then others.
    pub targets: Vec<Target>,
    /// The features of a default build.
    pub features: Arc<BTreeSet<String>>,
    /// Whether a build script may set further `cfg`s.
    pub has_script: bool,
}

/// The place of a dependency.
pub(super) enum Dependency {
    /// In that folder of the repository.
    Folder(String),
    /// Outside, under that package name.
    Outside(String),
}

/// A crate root.
pub(super) struct Target {
    /// Path of the root file.
    pub root: String,
    /// Whether it is the library.
    pub is_lib: bool,
}

/// Most bytes of memory for all decoded manifests.
const MOST_DECODED: usize = 128 << 20;

/// Every package of the repository, in order of its manifest's path; and a line for each manifest that is not read
/// because all together would take too much memory.
pub(super) fn read_packages(repo: &Repo) -> (Vec<Package>, Vec<String>) {
    let (mut left, mut unread) = (MOST_DECODED, Vec::new());
    let mut read = |m: &Manifest| {
        let dir = cargo_toml_dir(m)?;
        let Some(rest) = left.checked_sub(base::toml::decoded_size(&m.text)) else {
            unread.push(format!("{}: not read, too many tables and values", m.path));
            return None;
        };
        left = rest;
        Some((dir, m.text.parse::<Table>().ok()?))
    };
    let tables: Vec<(String, Table)> = repo.manifests.iter().filter_map(&mut read).collect();
    let files: BTreeSet<&str> = repo
        .files()
        .map(|(_, f)| &*f.path)
        .filter(|p| p.ends_with(".rs"))
        .collect();
    let roots = tables.iter().map(|(dir, table)| {
        let root = Root {
            dir,
            table,
            is_workspace: table.contains_key("workspace"),
            patches: OnceCell::new(),
        };
        (dir.as_str(), root)
    });
    let roots: FxHashMap<&str, Root<'_>> = roots.collect();
    let packages = tables.iter();
    let packages = packages.filter(|(_, table)| table.contains_key("package"));
    let packages = packages.filter_map(|(dir, table)| {
        let workspace = ancestors(dir).find_map(|at| roots.get(at).filter(|r| r.is_workspace));
        let own = roots.get(dir.as_str())?;
        Some(read_package(
            dir,
            table,
            workspace,
            workspace.unwrap_or(own),
            &files,
        ))
    });
    (packages.collect(), unread)
}

/// A manifest whose patches apply to packages in and below its folder.
struct Root<'t> {
    dir: &'t str,
    table: &'t Table,
    is_workspace: bool,
    /// Folders that replace packages, by name: `[patch.crates-io] name = { path = "…" }`.
    patches: OnceCell<FxHashMap<&'t str, String>>,
}

impl<'t> Root<'t> {
    fn patched_dir(&self, package: &str) -> Option<String> {
        let patches = self.patches.get_or_init(|| self.read_patches());
        patches.get(package).cloned()
    }

    fn read_patches(&self) -> FxHashMap<&'t str, String> {
        let mut all = FxHashMap::default();
        let sources = self.table.get("patch").and_then(Value::as_table);
        let sources = sources.into_iter().flat_map(Table::values);
        let mut seen = FxHashSet::default();
        for (key, patch) in sources.filter_map(Value::as_table).flatten() {
            let renamed = patch.get("package").and_then(Value::as_str);
            let package = renamed.unwrap_or(key);
            // The first patch of a package counts.
            if seen.insert(package)
                && let Some(path) = patch.get("path").and_then(Value::as_str)
            {
                all.insert(package, join(self.dir, path));
            }
        }
        all
    }
}

fn cargo_toml_dir(manifest: &Manifest) -> Option<String> {
    match manifest.path.rsplit_once('/') {
        Some((dir, "Cargo.toml")) => Some(dir.to_owned()),
        None if &*manifest.path == "Cargo.toml" => Some(String::new()),
        _ => None,
    }
}

fn read_package(
    dir: &str,
    table: &Table,
    workspace: Option<&Root<'_>>,
    patching: &Root<'_>,
    files: &BTreeSet<&str>,
) -> Package {
    let about = table.get("package").and_then(Value::as_table);
    let name = about
        .and_then(|p| p.get("name"))
        .and_then(Value::as_str)
        .unwrap_or("");
    let lib_table = table.get("lib").and_then(Value::as_table);
    let text = |t: Option<&Table>, key: &str| {
        t.and_then(|t| t.get(key))
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let lib = text(lib_table, "name").unwrap_or_else(|| name.to_owned());
    let mut targets = Vec::new();
    let mut known = BTreeSet::new();
    let mut add = |root: String, is_lib: bool| {
        if files.contains(root.as_str()) && known.insert(root.clone()) {
            targets.push(Target { root, is_lib });
        }
    };
    let lib_path = text(lib_table, "path").unwrap_or_else(|| "src/lib.rs".into());
    add(join(dir, &lib_path), true);
    add(join(dir, "src/main.rs"), false);
    for kind in ["bin", "test", "example", "bench"] {
        let entries = table.get(kind).and_then(Value::as_array);
        for entry in entries.into_iter().flatten() {
            if let Some(path) = entry.get("path").and_then(Value::as_str) {
                add(join(dir, path), false);
            }
        }
    }
    for folder in ["src/bin", "tests", "examples", "benches"] {
        for root in discover_targets(files, &join(dir, folder)) {
            add(root, false);
        }
    }
    let build = text(about, "build").unwrap_or_else(|| "build.rs".into());
    add(join(dir, &build), false);
    let has_script = files.contains(join(dir, &build).as_str());
    Package {
        features: Arc::new(default_features(table)),
        has_script,
        dir: dir.to_owned(),
        lib: lib.replace('-', "_"),
        deps: read_dependencies(dir, table, workspace, patching),
        targets,
    }
}

/// The features that `default` enables.
fn default_features(table: &Table) -> BTreeSet<String> {
    let mut on = BTreeSet::new();
    let Some(all) = table.get("features").and_then(Value::as_table) else {
        return on;
    };
    let mut open = vec!["default"];
    while let Some(feature) = open.pop() {
        if !on.insert(feature.to_owned()) {
            continue;
        }
        let entries = all.get(feature).and_then(Value::as_array);
        for entry in entries.into_iter().flatten().filter_map(Value::as_str) {
            // `package/feature` also enables the optional package.
            let first = entry.split('/').next().unwrap_or(entry);
            if !first.starts_with("dep:") && !first.ends_with('?') {
                open.push(first);
            }
        }
    }
    on
}

/// `folder/*.rs` and `folder/*/main.rs`.
fn discover_targets(files: &BTreeSet<&str>, folder: &str) -> Vec<String> {
    let prefix = format!("{folder}/");
    files
        .range(prefix.as_str()..)
        .take_while(|p| p.starts_with(&prefix))
        .filter(|p| {
            let rest = &p[prefix.len()..];
            match rest.split_once('/') {
                None => true,
                Some((_, inner)) => inner == "main.rs",
            }
        })
        .map(|p| (*p).to_owned())
        .collect()
}

fn read_dependencies(
    dir: &str,
    table: &Table,
    workspace: Option<&Root<'_>>,
    patching: &Root<'_>,
) -> BTreeMap<String, Dependency> {
    let mut out = BTreeMap::new();
    collect_dependencies(dir, table, (workspace, patching), &mut out);
    let by_target = table.get("target").and_then(Value::as_table);
    for (_, table) in by_target.into_iter().flatten() {
        if let Some(table) = table.as_table() {
            collect_dependencies(dir, table, (workspace, patching), &mut out);
        }
    }
    out
}

fn collect_dependencies(
    dir: &str,
    table: &Table,
    (workspace, patching): (Option<&Root<'_>>, &Root<'_>),
    out: &mut BTreeMap<String, Dependency>,
) {
    for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
        let entries = table.get(kind).and_then(Value::as_table);
        for (key, value) in entries.into_iter().flatten() {
            let shared = value.get("workspace").and_then(Value::as_bool) == Some(true);
            let (at, value) = match workspace {
                Some(root) if shared => {
                    let inherited = root
                        .table
                        .get("workspace")
                        .and_then(|w| w.get("dependencies"))
                        .and_then(|d| d.get(key));
                    (root.dir, inherited.unwrap_or(value))
                }
                _ => (dir, value),
            };
            let name = key.replace('-', "_");
            let dependency = match value.get("path").and_then(Value::as_str) {
                Some(path) => Dependency::Folder(join(at, path)),
                None => {
                    let package = value.get("package").and_then(Value::as_str);
                    let package = package.unwrap_or(key);
                    match patching.patched_dir(package) {
                        Some(folder) => Dependency::Folder(folder),
                        None => Dependency::Outside(package.to_owned()),
                    }
                }
            };
            out.insert(name, dependency);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn packages(manifests: &[(&str, &str)]) -> (Vec<Package>, Vec<String>) {
        let manifest = |(path, text): &(&str, &str)| Manifest {
            path: Arc::from(*path),
            text: Arc::from(*text),
        };
        let repo = Repo::new(Vec::new(), manifests.iter().map(manifest).collect());
        read_packages(&repo)
    }

    #[test]
    fn patches_are_those_of_the_workspace_around_a_package() {
        let (packages, _) = packages(&[
            (
                "Cargo.toml",
                "[workspace]\n[patch.crates-io]\nleft = { path = \"own/left\" }\nother = { package = \"right\", path = \"own/right\" }\nleft2 = { package = \"left\", path = \"no\" }\n",
            ),
            (
                "a/Cargo.toml",
                "[package]\nname = \"a\"\n[dependencies]\nleft = \"1\"\nright = \"1\"\nfar = \"1\"\n[patch.crates-io]\nfar = { path = \"b\" }\n",
            ),
        ]);
        let folder = |name: &str| match &packages[0].deps[name] {
            Dependency::Folder(dir) => dir.clone(),
            Dependency::Outside(name) => format!("outside {name}"),
        };
        assert_eq!(folder("left"), "own/left");
        assert_eq!(folder("right"), "own/right");
        assert_eq!(folder("far"), "outside far");
    }

    #[test]
    fn manifests_that_take_much_memory_are_left_out_and_named() {
        let dots = format!(
            "[package]\nname = \"a\"\n{}",
            format!("k{}=1\n", ".a".repeat(79)).repeat(2_000)
        );
        let (packages, unread) = packages(&[
            ("a/Cargo.toml", &dots),
            ("b/Cargo.toml", "[package]\nname = \"b\"\n"),
        ]);
        assert_eq!(packages.len(), 1);
        assert_eq!(
            unread,
            ["a/Cargo.toml: not read, too many tables and values"]
        );
    }
}
