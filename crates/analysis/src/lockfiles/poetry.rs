//! `poetry.lock`.

use super::python::normalize_name;
use super::table::LockfileBuilder;
use super::{Ecosystem, Manifests, ParseError, folder_name, packages_of, parse_toml, pyproject};
use ::toml::{Table as Toml, Value};
use rustc_hash::FxHashMap;

pub(super) fn read(
    path: &str,
    text: &str,
    manifests: &Manifests,
) -> Result<LockfileBuilder, ParseError> {
    let file = parse_toml(text)?;
    let version = file
        .get("metadata")
        .and_then(|m| m.get("lock-version")?.as_str());
    let format = format!("poetry.lock {}", version.unwrap_or("1"));
    let mut table = LockfileBuilder::new(Ecosystem::PyPi, format);
    let packages = packages_of(&file);
    let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
    for package in &packages {
        let word = |key: &str| package.get(key).and_then(Value::as_str).unwrap_or_default();
        let number = table.add_package(&normalize_name(word("name")), word("version"));
        numbers.insert(normalize_name(word("name")), number);
    }
    for package in &packages {
        let name = package
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let Some(from) = numbers.get(&normalize_name(name)).copied() else {
            continue;
        };
        let needs = package.get("dependencies").and_then(Value::as_table);
        for need in needs.into_iter().flat_map(|t| t.keys()) {
            if let Some(to) = numbers.get(&normalize_name(need)) {
                table.add_dependency(from, *to);
            }
        }
    }
    let mut development: FxHashMap<String, bool> = FxHashMap::default();
    for package in &packages {
        if let Some(name) = package.get("name").and_then(Value::as_str) {
            development
                .entry(normalize_name(name))
                .or_insert(is_dev(package));
        }
    }
    let dev = |name: &str| development.get(name).copied().unwrap_or_default();
    let root = match pyproject::read_project_beside(path, manifests) {
        Some((root, needs)) => {
            table.add_root(&root);
            for (name, dev) in needs {
                if let Some(to) = numbers.get(&name) {
                    table.add_direct_dependency(&root, *to, dev);
                }
            }
            root
        }
        None => folder_name(path),
    };
    table.attach_unrequested_packages(&root, dev);
    Ok(table)
}

/// `category = "dev"` before Poetry 1.5, `groups = ["dev"]` since 2.0.
fn is_dev(package: &Toml) -> bool {
    let category = package.get("category").and_then(Value::as_str);
    let groups = package.get("groups").and_then(Value::as_array);
    category == Some("dev")
        || groups.is_some_and(|g| !g.is_empty() && !g.iter().any(|g| g.as_str() == Some("main")))
}
