//! Input files for audit tools: packages and versions, written anew. Addresses, sources, scripts and configuration of the project
//! are left out, so none of them can decide where a tool sends requests or what it runs.

use analysis::lockfiles::{Ecosystem, LockedPackage, Lockfile};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A text, and the number of packages left out of it because no registry has such a name or version.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SanitizedLockfile {
    pub(super) text: String,
    pub(super) packages: usize,
    pub(super) left_out: usize,
}

/// Names and versions of an ecosystem's packages, each once.
fn registry_packages<'a>(
    files: &[&'a Lockfile],
    ecosystem: Ecosystem,
    is_registry: fn(&LockedPackage) -> bool,
) -> (BTreeSet<(&'a str, &'a str)>, usize) {
    let own = files.iter().filter(|file| file.ecosystem == ecosystem);
    let all: BTreeSet<(&str, &str, bool)> = own
        .flat_map(|file| &file.packages)
        .filter(|package| !package.version.is_empty())
        .map(|p| (p.name.as_str(), p.version.as_str(), is_registry(p)))
        .collect();
    let kept: BTreeSet<_> = all
        .iter()
        .filter(|(_, _, plain)| *plain)
        .map(|(name, version, _)| (*name, *version))
        .collect();
    let left_out = all.len() - kept.len();
    (kept, left_out)
}

/// Whether a version begins with a digit and contains nothing of an address, a range or another line.
fn is_plain_version(version: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '!' | '_');
    version.starts_with(|c: char| c.is_ascii_digit()) && version.chars().all(fits)
}

fn is_plain_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '~');
    name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') && name.chars().all(fits)
}

fn is_npm_registry_package(package: &LockedPackage) -> bool {
    let name = package.name.as_str();
    let plain = match name.strip_prefix('@').map(|rest| rest.split_once('/')) {
        Some(Some((scope, name))) => is_plain_name(scope) && is_plain_name(name),
        Some(None) => false,
        None => is_plain_name(name),
    };
    plain && is_plain_version(&package.version)
}

/// `package.json` and `package-lock.json`: a project that requires every package under an alias, so that several versions can
/// stand side by side.
pub(super) fn write_npm_lock(files: &[&Lockfile]) -> (String, SanitizedLockfile) {
    let (packages, left_out) = registry_packages(files, Ecosystem::Npm, is_npm_registry_package);
    let mut asked = Map::new();
    let mut locked = Map::new();
    for ((name, version), number) in packages.iter().zip(0..) {
        let alias = format!("p{number}");
        locked.insert(
            format!("node_modules/{alias}"),
            json!({"name": name, "version": version}),
        );
        asked.insert(alias, format!("npm:{name}@{version}").into());
    }
    let mut root = json!({"name": "audit", "version": "0.0.0", "private": true});
    root["dependencies"] = Value::Object(asked);
    locked.insert(String::new(), root.clone());
    let lock = json!({
        "name": "audit", "version": "0.0.0", "lockfileVersion": 3, "requires": true,
        "packages": locked,
    });
    let copy = SanitizedLockfile {
        text: lock.to_string(),
        packages: packages.len(),
        left_out,
    };
    (root.to_string(), copy)
}

/// `requirements.txt` with pinned versions only.
pub(super) fn write_requirements(file: &Lockfile) -> SanitizedLockfile {
    let is_pin = |p: &LockedPackage| is_plain_name(&p.name) && is_plain_version(&p.version);
    let (packages, left_out) = registry_packages(&[file], Ecosystem::PyPi, is_pin);
    let lines = packages
        .iter()
        .map(|(name, version)| format!("{name}=={version}\n"));
    SanitizedLockfile {
        text: lines.collect(),
        packages: packages.len(),
        left_out,
    }
}

/// `Cargo.lock` with packages of the public registry only: others have no advisories there.
pub(super) fn write_cargo_lock(text: &str) -> SanitizedLockfile {
    let mut out = "version = 3\n".to_owned();
    let (mut packages, mut left_out) = (0, 0);
    for block in text.split("[[package]]").skip(1) {
        let word = |key: &str| {
            let mut lines = block.lines();
            let found = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""));
            found.and_then(|rest| rest.strip_suffix('"'))
        };
        let source = word("source").unwrap_or_default();
        let public = source.starts_with("registry+https://github.com/rust-lang/crates.io-index")
            || (source.starts_with("sparse+https://") && source.ends_with("crates.io/"));
        match (word("name"), word("version"), public) {
            (Some(name), Some(version), true)
                if is_plain_name(name) && is_plain_version(version) =>
            {
                packages += 1;
                let _ = write!(
                    out,
                    "\n[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n\
                     source = \"registry+https://github.com/rust-lang/crates.io-index\"\n"
                );
            }
            (_, _, true) => left_out += 1,
            _ => {}
        }
    }
    SanitizedLockfile {
        text: out,
        packages,
        left_out,
    }
}

/// The list that osv-scanner reads instead of lock files, for all ecosystems.
pub(super) fn write_osv_list(files: &[&Lockfile]) -> SanitizedLockfile {
    let mut packages: BTreeSet<(&str, &str, &str)> = BTreeSet::new();
    for file in files {
        let pinned = file.packages.iter().filter(|p| !p.version.is_empty());
        packages.extend(pinned.map(|p| {
            let world = file.ecosystem.as_str();
            (world, p.name.as_str(), p.version.as_str())
        }));
    }
    let listed: Vec<Value> = packages
        .iter()
        .map(|(ecosystem, name, version)| {
            json!({"package": {"name": name, "version": version, "ecosystem": ecosystem}})
        })
        .collect();
    let source = json!({"path": "packages", "type": "lockfile"});
    SanitizedLockfile {
        packages: listed.len(),
        text: json!({"results": [{"source": source, "packages": listed}]}).to_string(),
        left_out: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::lockfiles::{Manifests, read};

    fn lock(path: &str, text: &str) -> Lockfile {
        read(path, text, &Manifests::default()).unwrap()
    }

    #[test]
    fn nothing_of_a_lock_file_says_where_to_ask() {
        let text = r#"{"name": "x", "lockfileVersion": 3, "packages": {
            "": {"name": "x", "dependencies": {"a": "http://evil.example/a.tgz"}},
            "node_modules/a": {"version": "1.0.0", "resolved": "http://evil.example/a.tgz"},
            "node_modules/b/node_modules/a": {"version": "2.0.0", "hasInstallScript": true},
            "node_modules/@s/c": {"version": "1.0.0-rc.1+x"},
            "node_modules/d": {"name": "http://evil.example/d.tgz", "version": "1.0.0"},
            "node_modules/e": {"version": "git+ssh://evil.example/e"},
            "node_modules/f": {"name": "git+https://evil.example/f", "version": "1.0.0"},
            "node_modules/@s": {"version": "1.0.0"}}}"#;
        let file = lock("package-lock.json", text);
        let (manifest, copy) = write_npm_lock(&[&file]);
        assert_eq!((copy.packages, copy.left_out), (3, 4));
        for text in [&manifest, &copy.text] {
            assert!(!text.contains("evil") && !text.contains("://"), "{text}");
        }
        let lock: Value = serde_json::from_str(&copy.text).unwrap();
        assert_eq!(
            lock["packages"]["node_modules/p1"],
            json!({"name": "a", "version": "1.0.0"})
        );
        let manifest: Value = serde_json::from_str(&manifest).unwrap();
        assert_eq!(manifest["dependencies"]["p2"], "npm:a@2.0.0");
    }

    #[test]
    fn pins_are_pins() {
        let text = "--index-url http://evil.example/\nflask==0.5\nx @ http://evil.example/x.whl\n";
        let mut file = lock("requirements.txt", text);
        let package = |name: &str, version: &str| LockedPackage {
            name: name.to_owned(),
            version: version.to_owned(),
            dependencies: Vec::new(),
            dev: false,
        };
        file.packages
            .push(package("y", "1.0\n--index-url http://evil.example"));
        file.packages.push(package("-r /etc/passwd", "1"));
        let copy = write_requirements(&file);
        assert_eq!(copy.text, "flask==0.5\n");
        assert_eq!(copy.left_out, 2);
    }

    #[test]
    fn private_crates_are_not_named() {
        let text = "version = 4\n\n[[package]]\nname = \"own\"\nversion = \"0.1.0\"\n\n\
            [[package]]\nname = \"serde\"\nversion = \"1.0.0\"\n\
            source = \"registry+https://github.com/rust-lang/crates.io-index\"\nchecksum = \"x\"\n\n\
            [[package]]\nname = \"secret\"\nversion = \"1.0.0\"\n\
            source = \"registry+https://internal.example/index\"\n\n\
            [[package]]\nname = \"bad\\\"name\"\nversion = \"1.0.0\"\n\
            source = \"registry+https://github.com/rust-lang/crates.io-index\"\n";
        let copy = write_cargo_lock(text);
        assert_eq!((copy.packages, copy.left_out), (1, 1));
        assert!(copy.text.contains("serde") && !copy.text.contains("secret"));
        assert!(!copy.text.contains("own") && !copy.text.contains("internal"));
    }
}
