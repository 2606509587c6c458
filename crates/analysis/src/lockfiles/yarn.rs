//! `yarn.lock`: the classic format, and that of Yarn 2 and later (berry).

use super::table::Table;
use super::yaml;
use super::{Broken, Ecosystem, Manifests, folder_of, package_json};
use rustc_hash::FxHashMap;
use text::yaml::Value;

/// An entry of either format.
#[derive(Default)]
struct Entry {
    /// `name@range` for each range that it answers.
    keys: Vec<String>,
    name: String,
    version: String,
    needs: Vec<(String, String)>,
    /// Berry: the folder of a workspace.
    workspace: Option<String>,
    line: usize,
}

pub(super) fn read(path: &str, text: &str, manifests: &Manifests) -> Result<Table, Broken> {
    let berry = text.lines().any(|line| line.starts_with("__metadata:"));
    let (entries, format) = if berry {
        (self::berry(text)?, "yarn berry")
    } else {
        (classic(text)?, "yarn 1")
    };
    let mut table = Table::new(Ecosystem::Npm, format);
    let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
    for entry in entries.iter().filter(|e| e.workspace.is_none()) {
        let number = table.package(&entry.name, &entry.version);
        let keys = entry.keys.iter().map(|key| (key.clone(), number));
        numbers.extend(keys);
    }
    let find = |name: &str, range: &str| {
        let keys = [format!("{name}@{range}"), format!("{name}@npm:{range}")];
        keys.iter().find_map(|key| numbers.get(key).copied())
    };
    for entry in entries.iter().filter(|e| e.workspace.is_none()) {
        let from = table.package(&entry.name, &entry.version);
        for (name, range) in &entry.needs {
            if let Some(to) = find(name, range) {
                table.needs(from, to);
            }
        }
    }
    roots(&mut table, &find, path, berry, &entries, manifests);
    table.adopt(&super::folder_name(path), |_| false);
    Ok(table)
}

/// The repository's own parts: what manifests ask for, where that stands in this file.
fn roots(
    table: &mut Table,
    find: &dyn Fn(&str, &str) -> Option<u32>,
    path: &str,
    berry: bool,
    entries: &[Entry],
    manifests: &Manifests,
) {
    let beside = format!("{}package.json", folder_of(path));
    for package in package_json::below(path, manifests) {
        let needs = package.needs.iter();
        let needs = needs.filter_map(|(n, range, dev)| Some((find(n, range)?, *dev)));
        let needs: Vec<(u32, bool)> = needs.collect();
        // Another project's manifest asks for other ranges.
        if package.path == beside || needs.len() == package.needs.len() {
            table.root(&package.name);
        } else if needs.is_empty() || !berry {
            continue;
        }
        for (number, dev) in needs {
            table.direct(&package.name, number, dev);
        }
    }
    for entry in entries.iter().filter(|e| e.workspace.is_some()) {
        let place = entry.workspace.as_deref().unwrap_or_default();
        let manifest = match place {
            "." => beside.clone(),
            place => format!("{}{place}/package.json", folder_of(path)),
        };
        // Where there is no manifest to tell development from the rest.
        if !manifests.has(&manifest) {
            for (name, range) in &entry.needs {
                if let Some(to) = find(name, range) {
                    table.direct(&entry.name, to, false);
                }
            }
        }
    }
}

/// `name@range` apart; the name may begin with `@`.
fn name_of(key: &str) -> &str {
    match key.char_indices().skip(1).find(|(_, c)| *c == '@') {
        Some((at, _)) => &key[..at],
        None => key,
    }
}

fn berry(text: &str) -> Result<Vec<Entry>, Broken> {
    let file = yaml::read(text)?;
    let mut entries = Vec::new();
    for (keys, value) in file.entries().filter(|(key, _)| *key != "__metadata") {
        let word = |key: &str| value.get(key).and_then(Value::text).unwrap_or_default();
        let resolution = word("resolution");
        let needs = value.below("dependencies");
        let needs = needs.map(|(n, r)| (n.to_owned(), r.text().unwrap_or_default().to_owned()));
        let workspace = resolution.split_once("@workspace:").map(|(_, at)| at);
        entries.push(Entry {
            keys: keys.split(',').map(|k| k.trim().to_owned()).collect(),
            name: name_of(resolution).to_owned(),
            version: word("version").to_owned(),
            needs: needs.collect(),
            workspace: workspace.map(str::to_owned),
            line: 0,
        });
    }
    Ok(entries)
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches('"')
}

/// Indented by two for what an entry is, by four for what it needs.
fn classic(text: &str) -> Result<Vec<Entry>, Broken> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut in_needs = false;
    for (line, at) in text.lines().zip(1..) {
        let body = line.trim();
        if body.is_empty() || body.starts_with('#') {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        match (indent, entries.last_mut()) {
            (0, _) => {
                let Some(keys) = body.strip_suffix(':') else {
                    return Err(Broken::at(at, format!("an entry ends in a colon: {body}")));
                };
                let keys: Vec<String> = keys.split(',').map(|k| unquoted(k).to_owned()).collect();
                entries.push(Entry {
                    name: keys
                        .first()
                        .map(|k| name_of(k))
                        .unwrap_or_default()
                        .to_owned(),
                    keys,
                    line: at,
                    ..Entry::default()
                });
                in_needs = false;
            }
            (_, None) => return Err(Broken::at(at, format!("belongs to no entry: {body}"))),
            (1..=3, Some(entry)) => {
                in_needs = matches!(body, "dependencies:" | "optionalDependencies:");
                if let Some(version) = body.strip_prefix("version ") {
                    entry.version = unquoted(version).to_owned();
                }
            }
            (_, Some(entry)) if in_needs => {
                let Some((name, range)) = body.rsplit_once(" \"").or_else(|| body.split_once(' '))
                else {
                    return Err(Broken::at(at, format!("a name without a range: {body}")));
                };
                let pair = (unquoted(name).to_owned(), unquoted(range).to_owned());
                entry.needs.push(pair);
            }
            _ => {}
        }
    }
    match entries.iter().find(|entry| entry.version.is_empty()) {
        Some(entry) => Err(Broken::at(
            entry.line,
            format!("{} has no version", entry.name),
        )),
        None => Ok(entries.into_iter().map(real_name).collect()),
    }
}

/// `"alias@npm:real@^1"`: the package is another than what it is called.
fn real_name(mut entry: Entry) -> Entry {
    let alias = entry.keys.first().and_then(|k| k.split_once("@npm:"));
    if let Some((_, real)) = alias.filter(|(name, _)| !name.is_empty()) {
        entry.name = name_of(real).to_owned();
    }
    entry
}
