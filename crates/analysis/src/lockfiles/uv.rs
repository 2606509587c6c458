//! `uv.lock`.

use super::python::normalize_name;
use super::table::LockfileBuilder;
use super::{Ecosystem, ParseError, folder_name, packages_of, parse_toml};
use ::toml::{Table as Toml, Value};
use rustc_hash::FxHashMap;

/// The packages of one name.
struct Versions {
    /// The first package, whatever its version.
    first: u32,
    by_version: FxHashMap<String, u32>,
}

/// Packages by name: the numbers of those that a requirement may mean, with or without a version.
type PackageNumbers = FxHashMap<String, Versions>;

pub(super) fn read(path: &str, text: &str) -> Result<LockfileBuilder, ParseError> {
    let file = parse_toml(text)?;
    let version = file.get("version").and_then(Value::as_integer).unwrap_or(1);
    let mut table = LockfileBuilder::new(Ecosystem::PyPi, format!("uv.lock {version}"));
    let packages = packages_of(&file);
    let mut numbers = PackageNumbers::default();
    for package in packages.iter().filter(|p| !is_workspace_member(p)) {
        let (name, version) = (
            normalize_name(str_field(package, "name")),
            str_field(package, "version"),
        );
        let number = table.add_package(&name, version);
        let versions = numbers.entry(name).or_insert_with(|| Versions {
            first: number,
            by_version: FxHashMap::default(),
        });
        let versions = &mut versions.by_version;
        versions.entry(version.to_owned()).or_insert(number);
    }
    for package in &packages {
        let name = normalize_name(str_field(package, "name"));
        let extras = package
            .get("optional-dependencies")
            .and_then(Value::as_table);
        let extras = extras.into_iter().flat_map(|t| t.values());
        let ships = package.get("dependencies").into_iter().chain(extras);
        let groups = package.get("dev-dependencies").and_then(Value::as_table);
        let groups = groups.into_iter().flat_map(|t| t.values());
        let lists = ships.map(|l| (l, false)).chain(groups.map(|l| (l, true)));
        let member = is_workspace_member(package);
        if member {
            table.add_root(&name);
        }
        for (list, dev) in lists {
            for to in list
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|n| resolve(&numbers, n))
            {
                if member {
                    table.add_direct_dependency(&name, to, dev);
                } else {
                    let from = table.add_package(&name, str_field(package, "version"));
                    table.add_dependency(from, to);
                }
            }
        }
    }
    table.attach_unrequested_packages(&folder_name(path), |_| false);
    Ok(table)
}

fn str_field<'a>(table: &'a Toml, key: &str) -> &'a str {
    table.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Whether it lies in the repository.
fn is_workspace_member(package: &Toml) -> bool {
    let source = package.get("source").and_then(Value::as_table);
    let inside = ["virtual", "editable", "directory"];
    source.is_some_and(|s| inside.iter().any(|key| s.contains_key(*key)))
}

fn resolve(numbers: &PackageNumbers, need: &Value) -> Option<u32> {
    let name = normalize_name(need.get("name")?.as_str()?);
    let version = need.get("version").and_then(Value::as_str);
    let known = numbers.get(&name)?;
    let exact = version.and_then(|version| known.by_version.get(version));
    Some(*exact.unwrap_or(&known.first))
}
