//! Dependencies in `package.json` files.

use super::{Manifests, folder_of, parse_json};
use serde_json::Value;

/// A `package.json`.
pub(super) struct Package {
    /// Its path.
    pub path: String,
    /// Its name, else that of its folder.
    pub name: String,
    /// What it depends on.
    pub needs: Vec<ManifestDependency>,
}

/// A dependency in a manifest.
pub(super) struct ManifestDependency {
    /// The name of the package.
    pub name: String,
    /// The range of versions.
    pub range: String,
    /// Whether it is for development alone.
    pub dev: bool,
}

/// The lists of a manifest, and whether they are for development alone.
pub(super) const LISTS: [(&str, bool); 4] = [
    ("dependencies", false),
    ("optionalDependencies", false),
    ("peerDependencies", false),
    ("devDependencies", true),
];

/// The package of that path; `None` if it is missing or damaged.
pub(super) fn read_package(path: &str, manifests: &Manifests) -> Option<Package> {
    let value = parse_json(manifests.get(path)?).ok()?;
    Some(Package {
        name: package_name(&value, path),
        needs: dependencies(&value),
        path: path.to_owned(),
    })
}

/// The packages in the folder of a lock file and below, but not those with a lock file of their own.
pub(super) fn packages_below(lock: &str, manifests: &Manifests) -> Vec<Package> {
    let folder = folder_of(lock);
    let all = manifests.paths_below(folder, "package.json");
    let inside = all.filter(|path| !path.contains("node_modules/"));
    inside
        .filter_map(|path| read_package(path, manifests))
        .collect()
}

/// The name a manifest has, else its folder's.
pub(super) fn package_name(manifest: &Value, path: &str) -> String {
    match manifest["name"].as_str() {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => super::folder_name(path),
    }
}

/// Dependencies of a manifest.
pub(super) fn dependencies(manifest: &Value) -> Vec<ManifestDependency> {
    let lists = LISTS.iter().flat_map(|(list, dev)| {
        let entries = manifest[*list].as_object();
        let entries = entries.into_iter().flatten();
        entries.map(move |(name, range)| ManifestDependency {
            name: name.clone(),
            range: range.as_str().unwrap_or_default().to_owned(),
            dev: *dev,
        })
    });
    lists.collect()
}
