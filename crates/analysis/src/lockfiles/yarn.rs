//! `yarn.lock`: the classic format, and that of Yarn 2 and later (berry).

use super::table::LockfileBuilder;
use super::yaml;
use super::{Ecosystem, Manifests, ParseError, folder_of, package_json};
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

pub(super) fn read(
    path: &str,
    text: &str,
    manifests: &Manifests,
) -> Result<LockfileBuilder, ParseError> {
    let berry = text.lines().any(|line| line.starts_with("__metadata:"));
    let (entries, format) = if berry {
        (self::parse_berry(text)?, "yarn berry")
    } else {
        (parse_classic(text)?, "yarn 1")
    };
    let mut table = LockfileBuilder::new(Ecosystem::Npm, format);
    let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
    for entry in entries.iter().filter(|e| e.workspace.is_none()) {
        let number = table.add_package(&entry.name, &entry.version);
        let keys = entry.keys.iter().map(|key| (key.clone(), number));
        numbers.extend(keys);
    }
    let find = |name: &str, range: &str| {
        let keys = [format!("{name}@{range}"), format!("{name}@npm:{range}")];
        keys.iter().find_map(|key| numbers.get(key).copied())
    };
    for entry in entries.iter().filter(|e| e.workspace.is_none()) {
        let from = table.add_package(&entry.name, &entry.version);
        for (name, range) in &entry.needs {
            if let Some(to) = find(name, range) {
                table.add_dependency(from, to);
            }
        }
    }
    add_roots(&mut table, &find, path, berry, &entries, manifests);
    table.attach_unrequested_packages(&super::folder_name(path), |_| false);
    Ok(table)
}

/// Adds the repository's own parts: the dependencies in manifests, as far as this file has them.
fn add_roots(
    table: &mut LockfileBuilder,
    find: &dyn Fn(&str, &str) -> Option<u32>,
    path: &str,
    berry: bool,
    entries: &[Entry],
    manifests: &Manifests,
) {
    let beside = format!("{}package.json", folder_of(path));
    for package in package_json::packages_below(path, manifests) {
        let needs = package.needs.iter();
        let needs = needs.filter_map(|need| Some((find(&need.name, &need.range)?, need.dev)));
        let needs: Vec<(u32, bool)> = needs.collect();
        // Another project's manifest asks for other ranges.
        if package.path == beside || needs.len() == package.needs.len() {
            table.add_root(&package.name);
        } else if needs.is_empty() || !berry {
            continue;
        }
        for (number, dev) in needs {
            table.add_direct_dependency(&package.name, number, dev);
        }
    }
    for entry in entries.iter().filter(|e| e.workspace.is_some()) {
        let place = entry.workspace.as_deref().unwrap_or_default();
        let manifest = match place {
            "." => beside.clone(),
            place => format!("{}{place}/package.json", folder_of(path)),
        };
        // Without a manifest nothing tells development dependencies from the others.
        if !manifests.has(&manifest) {
            for (name, range) in &entry.needs {
                if let Some(to) = find(name, range) {
                    table.add_direct_dependency(&entry.name, to, false);
                }
            }
        }
    }
}

/// The name in `name@range`; it may begin with `@`.
fn key_name(key: &str) -> &str {
    match key.char_indices().skip(1).find(|(_, c)| *c == '@') {
        Some((at, _)) => &key[..at],
        None => key,
    }
}

fn parse_berry(text: &str) -> Result<Vec<Entry>, ParseError> {
    let file = yaml::parse(text)?;
    let mut entries = Vec::new();
    for (keys, value) in file.entries().filter(|(key, _)| *key != "__metadata") {
        let word = |key: &str| value.get(key).and_then(Value::text).unwrap_or_default();
        let resolution = word("resolution");
        let needs = value.below("dependencies");
        let needs = needs.map(|(n, r)| (n.to_owned(), r.text().unwrap_or_default().to_owned()));
        let workspace = resolution.split_once("@workspace:").map(|(_, at)| at);
        entries.push(Entry {
            keys: keys.split(',').map(|k| k.trim().to_owned()).collect(),
            name: key_name(resolution).to_owned(),
            version: word("version").to_owned(),
            needs: needs.collect(),
            workspace: workspace.map(str::to_owned),
            line: 0,
        });
    }
    Ok(entries)
}

fn unquote(text: &str) -> &str {
    text.trim().trim_matches('"')
}

/// Entries are indented by two, their dependencies by four.
fn parse_classic(text: &str) -> Result<Vec<Entry>, ParseError> {
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
                    return Err(ParseError::at_line(
                        at,
                        format!("an entry ends in a colon: {body}"),
                    ));
                };
                let keys: Vec<String> = keys.split(',').map(|k| unquote(k).to_owned()).collect();
                entries.push(Entry {
                    name: keys
                        .first()
                        .map(|k| key_name(k))
                        .unwrap_or_default()
                        .to_owned(),
                    keys,
                    line: at,
                    ..Entry::default()
                });
                in_needs = false;
            }
            (_, None) => {
                return Err(ParseError::at_line(
                    at,
                    format!("belongs to no entry: {body}"),
                ));
            }
            (1..=3, Some(entry)) => {
                in_needs = matches!(body, "dependencies:" | "optionalDependencies:");
                if let Some(version) = body.strip_prefix("version ") {
                    entry.version = unquote(version).to_owned();
                }
            }
            (_, Some(entry)) if in_needs => {
                let Some((name, range)) = body.rsplit_once(" \"").or_else(|| body.split_once(' '))
                else {
                    return Err(ParseError::at_line(
                        at,
                        format!("a name without a range: {body}"),
                    ));
                };
                let pair = (unquote(name).to_owned(), unquote(range).to_owned());
                entry.needs.push(pair);
            }
            _ => {}
        }
    }
    match entries.iter().find(|entry| entry.version.is_empty()) {
        Some(entry) => Err(ParseError::at_line(
            entry.line,
            format!("{} has no version", entry.name),
        )),
        None => Ok(entries.into_iter().map(resolve_alias).collect()),
    }
}

/// `"alias@npm:real@^1"`: the package has another name than its alias.
fn resolve_alias(mut entry: Entry) -> Entry {
    let alias = entry.keys.first().and_then(|k| k.split_once("@npm:"));
    if let Some((_, real)) = alias.filter(|(name, _)| !name.is_empty()) {
        entry.name = key_name(real).to_owned();
    }
    entry
}
