//! `composer.lock`.

use super::table::LockfileBuilder;
use super::{Ecosystem, Manifests, ParseError, folder_name, folder_of, parse_json};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

pub(super) fn read(
    path: &str,
    text: &str,
    manifests: &Manifests,
) -> Result<LockfileBuilder, ParseError> {
    let file = parse_json(text)?;
    if !file["packages"].is_array() {
        return Err(ParseError::without_line("no list of packages"));
    }
    let mut table = LockfileBuilder::new(Ecosystem::Packagist, "composer.lock");
    let lists = ["packages", "packages-dev"].map(|l| file[l].as_array().into_iter().flatten());
    let [ships, dev] = lists;
    let packages: Vec<(&Value, bool)> = ships
        .map(|p| (p, false))
        .chain(dev.map(|p| (p, true)))
        .collect();
    let mut numbers: FxHashMap<&str, (u32, bool)> = FxHashMap::default();
    for (package, dev) in &packages {
        let word = |key: &str| package[key].as_str().unwrap_or_default();
        let version = word("version");
        let version = version.strip_prefix('v').unwrap_or(version);
        let number = table.add_package(word("name"), version);
        numbers.insert(word("name"), (number, *dev));
    }
    for (package, _) in &packages {
        let name = package["name"].as_str().unwrap_or_default();
        for need in package["require"]
            .as_object()
            .into_iter()
            .flat_map(Map::keys)
        {
            if let Some((to, _)) = numbers.get(need.as_str()) {
                table.add_dependency(numbers[name].0, *to);
            }
        }
    }
    let manifest = manifests.get(&format!("{}composer.json", folder_of(path)));
    let manifest = manifest
        .and_then(|text| parse_json(text).ok())
        .unwrap_or_default();
    let named = manifest["name"].as_str().map(str::to_owned);
    let root = named.unwrap_or_else(|| folder_name(path));
    table.add_root(&root);
    for (list, dev) in [("require", false), ("require-dev", true)] {
        for need in manifest[list].as_object().into_iter().flat_map(Map::keys) {
            if let Some((to, _)) = numbers.get(need.as_str()) {
                table.add_direct_dependency(&root, *to, dev);
            }
        }
    }
    table.attach_unrequested_packages(&root, |name| numbers.get(name).is_some_and(|(_, dev)| *dev));
    Ok(table)
}
