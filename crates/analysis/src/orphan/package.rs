//! Symbols that are visible outside the repository: published packages and their entry points.
//!
//! Manifests are searched as texts. They are no sources and have no facts; the linker reads from them how names are resolved,
//! not who may use them.

use super::Candidate;
use base::Language;
use base::language::RuleSet;
use std::collections::HashMap;
use store::NodeFlags;

/// Access to the project's files, for judging candidates.
pub trait ProjectFiles {
    /// The nearest file of one of these names in the folder of `path` or above, with its folder and text.
    fn nearest_file(&mut self, path: &str, names: &[&str]) -> Option<(String, String)>;
    /// Whether the project has a file of that path.
    fn exists(&mut self, path: &str) -> bool;
    /// A cache of whether other packages may use a file's exports. The key is the path, and whether the answer is for
    /// members.
    fn api_cache(&mut self) -> &mut HashMap<(String, bool), bool>;
}

/// Most bytes of a manifest that is read. Symbols of a larger one count as visible to others.
const MOST_MANIFEST: usize = 64 << 10;

/// The answer for a file, found once for all its symbols.
fn cached_per_file(
    path: &str,
    member: bool,
    world: &mut dyn ProjectFiles,
    find: impl FnOnce(&mut dyn ProjectFiles) -> bool,
) -> bool {
    let key = (path.to_owned(), member);
    if let Some(known) = world.api_cache().get(&key) {
        return *known;
    }
    let found = find(world);
    world.api_cache().insert(key, found);
    found
}

fn join_path(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The folder of the package that a file lies in, by the nearest manifest, if that is in another language. Such a file may be
/// data of the program, like the Python files in a linter that is written in Rust.
pub(super) fn foreign_package(
    path: &str,
    language: Language,
    world: &mut dyn ProjectFiles,
) -> Option<String> {
    let languages = Language::ALL.iter();
    let manifests = languages.flat_map(|l| l.profile().files.manifests.iter().map(|m| (*m, *l)));
    let mut nearest: Option<(usize, bool, String)> = None;
    for (manifest, of) in manifests {
        let is_own = of.family() == language.family();
        if let Some((folder, _)) = world.nearest_file(path, &[manifest]) {
            nearest = nearest.max(Some((folder.len(), is_own, folder)));
        }
    }
    let (_, is_own, folder) = nearest?;
    (!is_own).then_some(folder)
}

/// Whether code outside the repository may use the exports of a candidate.
pub(super) fn is_public_api(candidate: &Candidate<'_>, world: &mut dyn ProjectFiles) -> bool {
    let path = candidate.path;
    let Some(profile) = candidate.profile() else {
        return false;
    };
    match profile.rules {
        RuleSet::Script => is_script_api(candidate, world),
        RuleSet::Python => is_python_api(candidate, world),
        RuleSet::Go => {
            let internal = path.split('/').any(|part| part == "internal");
            !internal && !candidate.file_flags.contains(NodeFlags::ENTRY)
        }
        RuleSet::Rust => cached_per_file(path, false, world, |world| is_rust_api(path, world)),
        RuleSet::Java | RuleSet::None => true,
    }
}

fn is_rust_api(path: &str, world: &mut dyn ProjectFiles) -> bool {
    let Some((folder, manifest)) = world.nearest_file(path, &["Cargo.toml"]) else {
        return true;
    };
    if manifest.len() > MOST_MANIFEST {
        return true;
    }
    let rest = path.strip_prefix(folder.as_str()).unwrap_or(path);
    let rest = rest.trim_start_matches('/');
    if ["tests/", "examples/", "benches/", "src/bin/"]
        .iter()
        .any(|p| rest.starts_with(p))
    {
        return false;
    }
    let library = world.exists(&join_path(&folder, "src/lib.rs")) || manifest.contains("[lib]");
    let above = manifest.contains("publish.workspace = true");
    let above = above.then(|| world.nearest_file(&folder, &["Cargo.toml"]));
    let kept = |text: &str| text.contains("publish = false");
    let private = kept(&manifest) || above.flatten().is_some_and(|(_, text)| kept(&text));
    library && !private
}

/// Whether a symbol is public: in a packaged project every name without an underscore is, unless a module's name begins with
/// one.
fn is_python_api(candidate: &Candidate<'_>, world: &mut dyn ProjectFiles) -> bool {
    let path = candidate.path;
    let hidden = |part: &str| part.starts_with('_') && !part.starts_with("__");
    let private = path.split('/').any(hidden) || candidate.shown.split('.').any(hidden);
    !private
        && cached_per_file(path, false, world, |world| {
            is_published_python_file(path, world)
        })
}

/// Whether the nearest manifest of Python that describes a distribution takes the file into it.
fn is_published_python_file(path: &str, world: &mut dyn ProjectFiles) -> bool {
    let packaged = [
        "[project]",
        "[tool.poetry]",
        "setup(",
        "[metadata]",
        "[tool.flit",
    ];
    let manifests = ["pyproject.toml", "setup.py", "setup.cfg"];
    let mut found = manifests
        .iter()
        .filter_map(|name| world.nearest_file(path, &[name]));
    let says_so = |(_, text): &(String, String)| {
        text.len() > MOST_MANIFEST || packaged.iter().any(|mark| text.contains(mark))
    };
    let Some((folder, _)) = found.find(says_so) else {
        return false;
    };
    let rest = path
        .strip_prefix(folder.as_str())
        .unwrap_or(path)
        .trim_start_matches('/');
    let package = world.exists(&join_path(folder_of(path), "__init__.py"));
    package || rest.starts_with("src/") || !rest.contains('/')
}

/// Names of files that are entry points of packages.
const ENTRIES: [&str; 10] = [
    "index",
    "main",
    "mod",
    "public-api",
    "public_api",
    "public",
    "api",
    "entry",
    "lib",
    "exports",
];

fn is_script_api(candidate: &Candidate<'_>, world: &mut dyn ProjectFiles) -> bool {
    let path = candidate.path;
    if candidate.file_imported {
        return true;
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    if ENTRIES.contains(&stem) {
        return true;
    }
    let member = is_method(candidate);
    cached_per_file(path, member, world, |world| {
        is_exported_by_manifest(path, stem, member, world)
    })
}

/// Whether the manifest above a file of ECMAScript leads to it.
fn is_exported_by_manifest(
    path: &str,
    stem: &str,
    member: bool,
    world: &mut dyn ProjectFiles,
) -> bool {
    let Some((folder, manifest)) = world.nearest_file(path, &["package.json"]) else {
        return false;
    };
    if manifest.len() > MOST_MANIFEST {
        return true;
    }
    // A path of the manifest that ends in the file's stem leads to it, however it is built.
    let rest = path
        .strip_prefix(folder.as_str())
        .unwrap_or(path)
        .trim_start_matches('/');
    let inner = rest.rsplit_once('.').map_or(rest, |(stem, _)| stem);
    let built = inner.split_once('/').map_or(inner, |(_, rest)| rest);
    let leads = |text: &str| {
        let ways = ["/", "\""].iter().flat_map(|before| {
            [".", "\"", "/*"]
                .iter()
                .map(move |after| format!("{before}{text}{after}"))
        });
        ways.into_iter().any(|way| manifest.contains(&way))
    };
    if leads(inner) || leads(built) || leads(stem) {
        return true;
    }
    // `"./*": "./src/*.js"` exports every file of a folder.
    manifest.contains("\"./*") || (member && !manifest.contains("\"private\": true"))
}

/// Whether it is a member of a class: any code with the class can call it.
fn is_method(candidate: &Candidate<'_>) -> bool {
    candidate.kind == "method"
}
