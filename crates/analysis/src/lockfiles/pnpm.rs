//! `pnpm-lock.yaml`, versions 5, 6 and 9.

use super::table::LockfileBuilder;
use super::yaml;
use super::{Ecosystem, Manifests, ParseError, folder_of, package_json};
use rustc_hash::FxHashMap;
use text::yaml::Value;

pub(super) fn read(
    path: &str,
    text: &str,
    manifests: &Manifests,
) -> Result<LockfileBuilder, ParseError> {
    let file = yaml::parse(text)?;
    let version = file.get("lockfileVersion").and_then(Value::text);
    let Some(version) = version else {
        return Err(ParseError::without_line("no lockfileVersion"));
    };
    let major: u32 = version
        .split('.')
        .next()
        .and_then(|v| v.parse().ok())
        .unwrap_or_default();
    let mut table = LockfileBuilder::new(Ecosystem::Npm, format!("pnpm-lock {version}"));
    let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
    // In version 9 the dependencies of packages are in a section of their own.
    let lists = ["packages", "snapshots"];
    for (key, entry) in lists.iter().flat_map(|list| file.below(list)) {
        let named = entry.get("name").and_then(Value::text);
        let (name, version) = split_name_version(key, major);
        let written_version = entry.get("version").and_then(Value::text);
        let number = table.add_package(named.unwrap_or(name), written_version.unwrap_or(version));
        numbers.insert(strip_peers(key).to_owned(), number);
    }
    for (key, entry) in lists.iter().flat_map(|list| file.below(list)) {
        let Some(from) = numbers.get(strip_peers(key)).copied() else {
            continue;
        };
        for list in ["dependencies", "optionalDependencies"] {
            for (name, version) in entry.below(list) {
                let version = version.text().unwrap_or_default();
                if let Some(to) = resolve(&numbers, name, version) {
                    table.add_dependency(from, to);
                }
            }
        }
    }
    let folder = folder_of(path);
    match file.get("importers") {
        Some(importers) => {
            for (place, importer) in importers.entries() {
                let inner = match place {
                    "." => String::new(),
                    place => format!("{place}/"),
                };
                let manifest = format!("{folder}{inner}package.json");
                add_importer(&mut table, &numbers, &manifest, importer, manifests);
            }
        }
        None => add_importer(
            &mut table,
            &numbers,
            &format!("{folder}package.json"),
            &file,
            manifests,
        ),
    }
    Ok(table)
}

fn add_importer(
    table: &mut LockfileBuilder,
    numbers: &FxHashMap<String, u32>,
    manifest: &str,
    importer: &Value,
    manifests: &Manifests,
) {
    let named = package_json::read_package(manifest, manifests).map(|p| p.name);
    let name = named.unwrap_or_else(|| super::folder_name(manifest));
    table.add_root(&name);
    for (list, dev) in package_json::LISTS {
        for (package, said) in importer.below(list) {
            let version = said.get("version").unwrap_or(said).text();
            let found = version.and_then(|version| resolve(numbers, package, version));
            if let Some(to) = found {
                table.add_direct_dependency(&name, to, dev);
            }
        }
    }
}

/// A key without the leading slash and without the peers at its end.
fn strip_peers(key: &str) -> &str {
    let key = key.strip_prefix('/').unwrap_or(key);
    key.split('(').next().unwrap_or(key)
}

/// Name and version of a key: `/@a/b/1.0.0_peer@2` in version 5, `@a/b@1.0.0(peer@2)` since.
fn split_name_version(key: &str, major: u32) -> (&str, &str) {
    let key = strip_peers(key);
    if major < 6 {
        let (name, version) = key.rsplit_once('/').unwrap_or((key, ""));
        return (name, version.split('_').next().unwrap_or(version));
    }
    match key.rfind('@') {
        Some(at) if at > 0 => (&key[..at], &key[at + 1..]),
        _ => (key, ""),
    }
}

fn resolve(numbers: &FxHashMap<String, u32>, name: &str, version: &str) -> Option<u32> {
    let version = strip_peers(version);
    let keys = [
        format!("{name}@{version}"),
        format!("{name}/{version}"),
        // An alias: the version is the key of another package.
        version.to_owned(),
    ];
    keys.iter().find_map(|key| numbers.get(key).copied())
}
