//! What `tsconfig.json`, `jsconfig.json`, `package.json` and `pnpm-workspace.yaml` say about modules.

use super::resolve::{directory, join};
use crate::link::repo::Manifest;
use serde_json::Value;
use std::collections::BTreeMap;

/// Longest chain of `extends`.
const MAX_EXTENDS: u32 = 16;

/// The part of a compiler configuration that resolves modules. Paths are in the project.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct TsConfig {
    /// `paths`: patterns with their targets, joined to the folder that they are relative to.
    pub paths: Vec<(String, Vec<String>)>,
    /// `baseUrl`.
    pub base_url: Option<String>,
    /// `rootDirs`.
    pub root_dirs: Vec<String>,
    /// `outDir` and `rootDir`.
    pub out_dir: Option<String>,
    /// `rootDir`.
    pub root_dir: Option<String>,
}

/// A `package.json`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Package {
    /// The folder it stands in, empty for the project's root.
    pub dir: String,
    /// Its `name`.
    pub name: Option<String>,
    /// `types`, `module`, `main` and the like, in order of preference.
    pub mains: Vec<String>,
    /// `exports`.
    pub exports: Option<Value>,
    /// `imports`.
    pub imports: Option<Value>,
}

/// All manifests by folder.
#[derive(Debug, Default)]
pub(crate) struct Manifests {
    /// Configurations by the folder they govern.
    pub configs: BTreeMap<String, TsConfig>,
    /// Packages by folder.
    pub packages: BTreeMap<String, Package>,
    /// Folders of packages by name; of several with one name, the first by path.
    pub by_name: BTreeMap<String, String>,
}

impl Manifests {
    /// Reads what can be read; a manifest that cannot be parsed says nothing.
    pub(crate) fn read(manifests: &[Manifest]) -> Manifests {
        let mut raw: BTreeMap<String, Value> = BTreeMap::new();
        for manifest in manifests {
            let name = manifest.path.rsplit('/').next().unwrap_or("");
            let wanted = name == "package.json" || name == "jsconfig.json" || is_tsconfig(name);
            if !wanted {
                continue;
            }
            if let Ok(value) = serde_json::from_str(&without_comments(&manifest.text)) {
                raw.insert(manifest.path.to_string(), value);
            }
        }
        let mut all = Manifests::default();
        for (path, value) in &raw {
            let name = path.rsplit('/').next().unwrap_or("");
            if name == "package.json" {
                all.add_package(path, value);
            }
        }
        for path in raw.keys() {
            let name = path.rsplit('/').next().unwrap_or("");
            if is_tsconfig(name) || name == "jsconfig.json" {
                all.add_config(path, name, &raw);
            }
        }
        all
    }

    fn add_package(&mut self, path: &str, value: &Value) {
        let dir = directory(path).to_owned();
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let mains = ["source", "types", "typings", "module", "main", "browser"];
        let package = Package {
            dir: dir.clone(),
            name: text("name"),
            mains: mains.iter().filter_map(|key| text(key)).collect(),
            exports: value.get("exports").cloned(),
            imports: value.get("imports").cloned(),
        };
        if let Some(name) = &package.name {
            self.by_name.entry(name.clone()).or_insert(dir.clone());
        }
        self.packages.insert(dir, package);
    }

    /// A folder is governed by its `tsconfig.json`; where that has no paths of its own (a mere
    /// list of references), by the first of its `tsconfig.*.json` that has.
    fn add_config(&mut self, path: &str, name: &str, raw: &BTreeMap<String, Value>) {
        let config = read_config(path, raw, 0);
        let dir = directory(path).to_owned();
        let main = name == "tsconfig.json";
        match self.configs.get_mut(&dir) {
            None => {
                self.configs.insert(dir, config);
            }
            Some(known) if main && !config.paths.is_empty() => *known = config,
            Some(known) if known.paths.is_empty() && known.base_url.is_none() => {
                let root_dirs = std::mem::take(&mut known.root_dirs);
                *known = config;
                if known.root_dirs.is_empty() {
                    known.root_dirs = root_dirs;
                }
            }
            Some(_) => {}
        }
    }
}

fn is_tsconfig(name: &str) -> bool {
    name.starts_with("tsconfig") && name.ends_with(".json")
}

fn read_config(path: &str, raw: &BTreeMap<String, Value>, depth: u32) -> TsConfig {
    let Some(value) = raw.get(path).filter(|_| depth < MAX_EXTENDS) else {
        return TsConfig::default();
    };
    let dir = directory(path);
    let mut config = TsConfig::default();
    for base in extended(value) {
        let Some(base) = extended_path(dir, &base, raw) else {
            continue;
        };
        merge(&mut config, read_config(&base, raw, depth + 1));
    }
    let Some(options) = value.get("compilerOptions") else {
        return config;
    };
    let folder = |key: &str| {
        options
            .get(key)
            .and_then(Value::as_str)
            .map(|v| join(dir, v))
    };
    let own = TsConfig {
        paths: own_paths(dir, options),
        base_url: folder("baseUrl"),
        root_dirs: strings(options.get("rootDirs"))
            .map(|d| join(dir, &d))
            .collect(),
        out_dir: folder("outDir"),
        root_dir: folder("rootDir"),
    };
    merge(&mut config, own);
    config
}

fn merge(config: &mut TsConfig, over: TsConfig) {
    if !over.paths.is_empty() {
        config.paths = over.paths;
    }
    if !over.root_dirs.is_empty() {
        config.root_dirs = over.root_dirs;
    }
    config.base_url = over.base_url.or(config.base_url.take());
    config.out_dir = over.out_dir.or(config.out_dir.take());
    config.root_dir = over.root_dir.or(config.root_dir.take());
}

fn own_paths(dir: &str, options: &Value) -> Vec<(String, Vec<String>)> {
    let base = match options.get("baseUrl").and_then(Value::as_str) {
        Some(base) => join(dir, base),
        None => dir.to_owned(),
    };
    let Some(paths) = options.get("paths").and_then(Value::as_object) else {
        return Vec::new();
    };
    paths
        .iter()
        .map(|(pattern, targets)| {
            let targets = strings(Some(targets)).map(|t| join(&base, &t)).collect();
            (pattern.clone(), targets)
        })
        .collect()
}

fn strings(value: Option<&Value>) -> impl Iterator<Item = String> {
    let list = value.and_then(Value::as_array).cloned().unwrap_or_default();
    list.into_iter()
        .filter_map(|v| v.as_str().map(str::to_owned))
}

fn extended(value: &Value) -> Vec<String> {
    match value.get("extends") {
        Some(Value::String(one)) => vec![one.clone()],
        other => strings(other).collect(),
    }
}

fn extended_path(dir: &str, base: &str, raw: &BTreeMap<String, Value>) -> Option<String> {
    if !base.starts_with('.') {
        return None;
    }
    let path = join(dir, base);
    let tries = [
        path.clone(),
        format!("{path}.json"),
        join(&path, "tsconfig.json"),
    ];
    tries.into_iter().find(|p| raw.contains_key(p))
}

/// Comments and trailing commas taken out of a JSON text.
fn without_comments(text: &str) -> String {
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
        let value: Value = serde_json::from_str(&without_comments(text)).unwrap();
        assert_eq!(value["a"], "x//y,]");
        assert_eq!(value["b"][1], 2);
    }

    #[test]
    fn configurations_extend_each_other() {
        let manifest = |path: &str, text: &str| Manifest {
            path: path.into(),
            text: text.into(),
        };
        let all = Manifests::read(&[
            manifest(
                "tsconfig.base.json",
                r#"{"compilerOptions":{"baseUrl":".","paths":{"@/*":["src/*"]}}}"#,
            ),
            manifest(
                "app/tsconfig.json",
                r#"{"extends":"../tsconfig.base","compilerOptions":{"outDir":"dist"}}"#,
            ),
        ]);
        let config = &all.configs["app"];
        assert_eq!(config.paths, [("@/*".to_owned(), vec!["src/*".to_owned()])]);
        assert_eq!(config.out_dir.as_deref(), Some("app/dist"));
    }
}
