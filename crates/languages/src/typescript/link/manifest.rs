//! Data of `package.json` and related files: packages, workspaces, configurations.

use super::config::Configs;
use super::patterns::MOST_TARGETS;
use super::resolve::split_package;
use super::workspace::Workspaces;
use linker::paths::{join, parent_dir};
use linker::repo::Manifest;
use serde_json::Value;
use std::collections::BTreeMap;

/// A `package.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Package {
    /// The folder that contains it, empty for the project's root.
    pub dir: String,
    /// Its `name`.
    pub name: Option<String>,
    /// `types`, `module`, `main` and the like, in order of preference.
    pub mains: Vec<String>,
    /// `exports`.
    pub exports: Option<Value>,
    /// `imports`.
    pub imports: Option<Value>,
    /// Its `version`.
    pub version: Option<String>,
    /// Versions of its dependencies of all kinds, by name.
    pub dependencies: BTreeMap<String, String>,
}

/// All manifests by folder.
#[derive(Debug, Default)]
pub(crate) struct Manifests {
    /// Compiler configurations.
    pub configs: Configs,
    /// Packages by folder.
    pub packages: BTreeMap<String, Package>,
    /// Folders of packages by name; of several with one name, the first by path.
    pub by_name: BTreeMap<String, String>,
    /// The workspaces.
    pub workspaces: Workspaces,
    /// Paths of manifests that would have taken too much memory.
    too_large: Vec<String>,
}

/// Most bytes of memory for all decoded manifests.
const MOST_DECODED: usize = 256 << 20;

/// Keys of a `package.json` that list dependencies; later ones take precedence.
const DEPENDENCIES: [&str; 4] = [
    "peerDependencies",
    "optionalDependencies",
    "devDependencies",
    "dependencies",
];

impl Manifests {
    /// Reads all manifests that can be parsed; others are ignored.
    pub(crate) fn read(manifests: &[Manifest]) -> Manifests {
        let mut raw: BTreeMap<String, Value> = BTreeMap::new();
        let mut all = Manifests::default();
        let mut left = MOST_DECODED;
        for manifest in manifests.iter().filter(|m| m.path.ends_with(".json")) {
            let text = strip_json_comments(&manifest.text);
            let Some(rest) = left.checked_sub(base::json::decoded_size(text.as_bytes())) else {
                all.too_large.push(manifest.path.to_string());
                continue;
            };
            if let Ok(value) = serde_json::from_str(&text) {
                left = rest;
                raw.insert(manifest.path.to_string(), value);
            }
        }
        for (path, value) in &raw {
            if path.rsplit('/').next() == Some("package.json") {
                all.add_package(path, value);
            }
        }
        all.workspaces = Workspaces::new(manifests, &raw, &all.packages);
        all.configs = Configs::read(&raw, &all);
        all
    }

    /// Entries that limits leave out, one line each.
    pub(super) fn limit_warnings(&self) -> Vec<String> {
        let packages = self.packages.values();
        let many = packages.filter(|p| {
            let maps = [&p.exports, &p.imports];
            maps.into_iter().flatten().any(has_many_targets)
        });
        let packages = many.map(|p| {
            let path = join(&p.dir, "package.json");
            format!("{path}: more than {MOST_TARGETS} targets of a name in `exports` or `imports`")
        });
        let known = self.configs.limits.iter().chain(&self.workspaces.limits);
        let unread = self.too_large.iter();
        let unread = unread.map(|path| format!("{path}: not read, too many objects and values"));
        known.cloned().chain(packages).chain(unread).collect()
    }

    fn add_package(&mut self, path: &str, value: &Value) {
        let dir = parent_dir(path).to_owned();
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let mains = ["source", "types", "typings", "module", "main", "browser"];
        let listed = DEPENDENCIES.iter().filter_map(|key| value.get(key));
        let listed = listed.filter_map(Value::as_object).flatten();
        let package = Package {
            dir: dir.clone(),
            name: text("name"),
            version: text("version"),
            mains: mains.iter().filter_map(|key| text(key)).collect(),
            exports: value.get("exports").cloned(),
            imports: value.get("imports").cloned(),
            dependencies: listed
                .filter_map(|(name, version)| Some((name.clone(), version.as_str()?.to_owned())))
                .collect(),
        };
        if let Some(name) = &package.name {
            self.by_name.entry(name.clone()).or_insert(dir.clone());
        }
        self.packages.insert(dir, package);
    }

    /// The path of `@scope/name/file` in the repository, if it has that package.
    pub(super) fn path_in_package(&self, specifier: &str) -> Option<String> {
        let (name, rest) = split_package(specifier);
        Some(join(self.by_name.get(name)?, rest))
    }
}

/// Whether a name in `exports` or `imports` has more targets than are tried.
fn has_many_targets(map: &Value) -> bool {
    let texts = |value: &Value| {
        let (mut open, mut texts) = (vec![value], 0);
        while let Some(value) = open.pop() {
            match value {
                Value::String(_) => texts += 1,
                Value::Array(list) => open.extend(list),
                Value::Object(object) => open.extend(object.values()),
                _ => {}
            }
        }
        texts
    };
    match map {
        Value::Object(object) if object.keys().any(|k| k.starts_with(['.', '#'])) => {
            object.values().any(|value| texts(value) > MOST_TARGETS)
        }
        _ => texts(map) > MOST_TARGETS,
    }
}

/// Removes comments and trailing commas from a JSON text.
fn strip_json_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.trim_start_matches('\u{feff}').chars().peekable();
    let mut in_string = false;
    while let Some(c) = chars.next() {
        if in_string {
            out.push(c);
            match c {
                '\\' => out.extend(chars.next()),
                '"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match (c, chars.peek()) {
            ('/', Some('/')) => {
                while chars.peek().is_some_and(|c| *c != '\n') {
                    chars.next();
                }
            }
            ('/', Some('*')) => {
                chars.next();
                let mut last = ' ';
                for c in chars.by_ref() {
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
            }
            ('}' | ']', _) => {
                let kept = out.trim_end().trim_end_matches(',').len();
                out.truncate(kept);
                out.push(c);
            }
            _ => {
                in_string = c == '"';
                out.push(c);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_commas_do_not_matter() {
        let text = "{ // one\n \"a\": \"x//y,]\", /* two */ \"b\": [1, 2,], }";
        let value: Value = serde_json::from_str(&strip_json_comments(text)).unwrap();
        assert_eq!(value["a"], "x//y,]");
        assert_eq!(value["b"][1], 2);
    }
}
