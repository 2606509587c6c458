//! `package-lock.json` and `npm-shrinkwrap.json`, versions 1, 2 and 3.

use super::package_json::ManifestDependency;
use super::table::LockfileBuilder;
use super::{Ecosystem, Manifests, ParseError, folder_of, package_json, parse_json};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

pub(super) fn read(
    path: &str,
    text: &str,
    manifests: &Manifests,
) -> Result<LockfileBuilder, ParseError> {
    let file = parse_json(text)?;
    let version = file["lockfileVersion"].as_u64().unwrap_or(1);
    let mut table = LockfileBuilder::new(Ecosystem::Npm, format!("package-lock {version}"));
    if let Some(packages) = file["packages"].as_object() {
        read_flat_packages(&mut table, &file, path, packages);
    } else if let Some(tree) = file["dependencies"].as_object() {
        read_nested_packages(&mut table, &file, path, tree, manifests);
    } else if file.is_object() {
        table.add_root(&package_json::package_name(&file, path));
    } else {
        return Err(ParseError::without_line(
            "no object with packages or dependencies",
        ));
    }
    Ok(table)
}

const NODE_MODULES: &str = "node_modules/";

/// Reads versions 2 and 3: every package by its folder.
fn read_flat_packages(
    table: &mut LockfileBuilder,
    file: &Value,
    path: &str,
    packages: &Map<String, Value>,
) {
    let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
    for (place, entry) in packages {
        if place.contains(NODE_MODULES) && entry["link"] != true {
            let name = entry["name"]
                .as_str()
                .unwrap_or_else(|| package_name_of_folder(place));
            let version = entry["version"].as_str().unwrap_or_default();
            numbers.insert(place, table.add_package(name, version));
        }
    }
    for (place, entry) in packages {
        let find = |name: &str| resolve(&numbers, place, name);
        if let Some(from) = numbers.get(place.as_str()) {
            for ManifestDependency { name, dev, .. } in package_json::dependencies(entry) {
                if let Some(to) = find(&name).filter(|_| !dev) {
                    table.add_dependency(*from, to);
                }
            }
        } else if !place.contains(NODE_MODULES) {
            let root = match place.as_str() {
                "" => package_json::package_name(
                    if entry["name"].is_string() {
                        entry
                    } else {
                        file
                    },
                    path,
                ),
                place => package_json::package_name(entry, &format!("{place}/package.json")),
            };
            table.add_root(&root);
            for ManifestDependency { name, dev, .. } in package_json::dependencies(entry) {
                if let Some(to) = find(&name) {
                    table.add_direct_dependency(&root, to, dev);
                }
            }
        }
    }
}

/// Most folders above a package that are searched for another, and most bytes of their paths. Nothing nests deeper.
const MOST_FOLDERS: usize = 64;
const LONGEST: usize = 1_024;

/// The package of that name that code in a folder gets: in its own `node_modules`, else in one further up.
fn resolve(numbers: &BTreeMap<&str, u32>, place: &str, name: &str) -> Option<u32> {
    let mut folder = Some(place).filter(|place| place.len() <= LONGEST)?;
    for _ in 0..MOST_FOLDERS {
        let inside = match folder {
            "" => format!("{NODE_MODULES}{name}"),
            folder => format!("{folder}/{NODE_MODULES}{name}"),
        };
        if let Some(number) = numbers.get(inside.as_str()) {
            return Some(*number);
        }
        if folder.is_empty() {
            return None;
        }
        folder = folder.rfind('/').map_or("", |at| &folder[..at]);
    }
    None
}

/// `a/node_modules/@b/c` is `@b/c`.
fn package_name_of_folder(place: &str) -> &str {
    let at = place.rfind(NODE_MODULES);
    at.map_or(place, |at| &place[at + NODE_MODULES.len()..])
}

/// Version 1: packages nested like the folders.
fn read_nested_packages(
    table: &mut LockfileBuilder,
    file: &Value,
    path: &str,
    tree: &Map<String, Value>,
    manifests: &Manifests,
) {
    let mut places = BTreeMap::new();
    collect_nested_packages(tree, "", &mut places, 0);
    let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
    for (place, entry) in &places {
        let version = entry["version"].as_str().unwrap_or_default();
        // `"version": "npm:other@1.0.0"`: an alias.
        let alias = version
            .strip_prefix("npm:")
            .and_then(|v| v.rsplit_once('@'));
        let (name, version) = alias.unwrap_or((package_name_of_folder(place), version));
        numbers.insert(place, table.add_package(name, version));
    }
    for (place, entry) in &places {
        for name in entry["requires"]
            .as_object()
            .into_iter()
            .flat_map(Map::keys)
        {
            if let Some(to) = resolve(&numbers, place, name) {
                table.add_dependency(numbers[place.as_str()], to);
            }
        }
    }
    let beside = format!("{}package.json", folder_of(path));
    let root = package_json::package_name(file, path);
    table.add_root(&root);
    if let Some(package) = package_json::read_package(&beside, manifests) {
        for ManifestDependency { name, dev, .. } in package.needs {
            if let Some(to) = resolve(&numbers, "", &name) {
                table.add_direct_dependency(&root, to, dev);
            }
        }
    }
    table.attach_unrequested_packages(&root, |name| {
        tree.get(name).is_some_and(|e| e["dev"] == true)
    });
}

fn collect_nested_packages<'a>(
    tree: &'a Map<String, Value>,
    folder: &str,
    places: &mut BTreeMap<String, &'a Value>,
    depth: usize,
) {
    // serde_json reads no deeper than 128 levels.
    for (name, entry) in tree {
        let place = match folder {
            "" => format!("{NODE_MODULES}{name}"),
            folder => format!("{folder}/{NODE_MODULES}{name}"),
        };
        if let (Some(inner), true) = (entry["dependencies"].as_object(), depth < 128) {
            collect_nested_packages(inner, &place, places, depth + 1);
        }
        places.insert(place, entry);
    }
}
