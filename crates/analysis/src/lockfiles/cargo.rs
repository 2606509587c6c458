//! `Cargo.lock`, with the development dependencies of the members' `Cargo.toml`.

use super::table::LockfileBuilder;
use super::{Ecosystem, Manifests, ParseError, folder_of, packages_of, parse_toml};
use ::toml::{Table as Toml, Value};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn read(
    path: &str,
    text: &str,
    manifests: &Manifests,
) -> Result<LockfileBuilder, ParseError> {
    let file = parse_toml(text)?;
    let version = file.get("version").and_then(Value::as_integer).unwrap_or(1);
    let mut table = LockfileBuilder::new(Ecosystem::Cargo, format!("Cargo.lock {version}"));
    let packages = packages_of(&file);
    let mut versions: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
    let mut members: FxHashSet<(&str, &str)> = FxHashSet::default();
    for package in &packages {
        let (name, version) = (str_field(package, "name"), str_field(package, "version"));
        versions.entry(name).or_default().push(version);
        if package.contains_key("source") {
            table.add_package(name, version);
        } else {
            // A package without a source lies in the repository.
            members.insert((name, version));
        }
    }
    let development = dev_only_dependencies(path, manifests);
    for package in &packages {
        let (name, version) = (str_field(package, "name"), str_field(package, "version"));
        let is_member = members.contains(&(name, version));
        if is_member {
            table.add_root(name);
        }
        let needs = package.get("dependencies").and_then(Value::as_array);
        for need in needs.into_iter().flatten().filter_map(Value::as_str) {
            let mut words = need.split(' ');
            let wanted = words.next().unwrap_or_default();
            let only = versions.get(wanted).and_then(|all| all.first()).copied();
            let Some(found) = words.next().or(only) else {
                continue;
            };
            if members.contains(&(wanted, found)) {
                continue;
            }
            let to = table.add_package(wanted, found);
            if is_member {
                let dev = development
                    .get(name)
                    .is_some_and(|dev| dev.contains(wanted));
                table.add_direct_dependency(name, to, dev);
            } else {
                let from = table.add_package(name, version);
                table.add_dependency(from, to);
            }
        }
    }
    Ok(table)
}

fn str_field<'a>(table: &'a Toml, key: &str) -> &'a str {
    table.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// For each member, the packages that it needs for development alone.
fn dev_only_dependencies(
    lock: &str,
    manifests: &Manifests,
) -> FxHashMap<String, FxHashSet<String>> {
    let folder = folder_of(lock);
    let mut all = FxHashMap::default();
    for path in manifests.paths_below(folder, "Cargo.toml") {
        let Some(Ok(manifest)) = manifests.get(path).map(parse_toml) else {
            continue;
        };
        let Some(name) = manifest
            .get("package")
            .and_then(|p| p.get("name")?.as_str())
        else {
            continue;
        };
        let targets = manifest.get("target").and_then(Value::as_table);
        let targets = targets
            .into_iter()
            .flat_map(|t| t.values())
            .filter_map(Value::as_table);
        let tables: Vec<&Toml> = std::iter::once(&manifest).chain(targets).collect();
        let named = |list: &str| -> FxHashSet<String> {
            let lists = tables.iter().filter_map(|t| t.get(list)?.as_table());
            lists
                .flatten()
                .map(|(key, need)| dependency_package_name(key, need))
                .collect()
        };
        let mut dev = named("dev-dependencies");
        let ships: FxHashSet<String> = &named("dependencies") | &named("build-dependencies");
        dev.retain(|name| !ships.contains(name));
        all.insert(name.to_owned(), dev);
    }
    all
}

/// `alias = { package = "real" }`.
fn dependency_package_name(key: &str, need: &Value) -> String {
    let real = need.get("package").and_then(Value::as_str);
    real.unwrap_or(key).to_owned()
}
