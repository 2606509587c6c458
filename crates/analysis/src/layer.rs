//! Layer rules: which files must not, or may only, need which others; and a starter made from the graph itself.

use crate::Glob;
use crate::component::{Link, Links};
use crate::depend::FileUses;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// How bad a violation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Fails a strict check.
    #[default]
    Error,
    /// Does not.
    Warning,
    /// Is only told.
    Info,
}

/// A rule.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LayerRule {
    /// Its name.
    pub name: String,
    /// The files it is about.
    pub from: Vec<Glob>,
    /// Files that it is not about all the same.
    pub except: Vec<Glob>,
    /// What they must not need; where `only` is set, all that they may need beside themselves.
    pub to: Vec<Glob>,
    /// See `to`.
    pub only: bool,
    /// How bad a violation is.
    pub severity: Severity,
    /// Why there is the rule.
    pub reason: String,
}

/// A place that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The rule's name.
    pub rule: String,
    /// How bad it is.
    pub severity: Severity,
    /// The file that needs what it must not.
    pub file: String,
    /// The line, 0 where it is not known.
    pub line: u32,
    /// What it needs.
    pub target: String,
    /// Why there is the rule.
    pub reason: String,
}

fn any(globs: &[Glob], path: &str) -> bool {
    globs.iter().any(|glob| glob.matches(path))
}

/// Every place that breaks a rule, in order of file, line, rule and target.
pub fn violations(uses: &FileUses, rules: &[LayerRule]) -> Vec<Violation> {
    let mut found = BTreeMap::new();
    for rule in rules {
        let about = |path: &String| any(&rule.from, path) && !any(&rule.except, path);
        let from: Vec<bool> = uses.paths.iter().map(about).collect();
        let to: Vec<bool> = uses.paths.iter().map(|path| any(&rule.to, path)).collect();
        for one in &uses.uses {
            let (source, target) = (one.from as usize, one.to as usize);
            let wrong = match rule.only {
                true => !to[target] && !any(&rule.from, &uses.paths[target]),
                false => to[target],
            };
            if !from[source] || !wrong {
                continue;
            }
            let key = (
                &uses.paths[source],
                one.line,
                &rule.name,
                &uses.paths[target],
            );
            found.entry(key).or_insert_with(|| Violation {
                rule: rule.name.clone(),
                severity: rule.severity,
                file: uses.paths[source].clone(),
                line: one.line,
                target: uses.paths[target].clone(),
                reason: rule.reason.clone(),
            });
        }
    }
    found.into_values().collect()
}

/// Folders that hold packages rather than code of their own.
const HOLDERS: [&str; 12] = [
    "src", "packages", "crates", "apps", "libs", "lib", "modules", "internal", "pkg", "main",
    "java", "cmd",
];

/// Most folders of a starter.
const MOST_FOLDERS: usize = 14;

/// Violations that are noted at each rule of a starter.
const NOTED: usize = 3;

/// Folders of code, parted until there are enough to say something about: the whole first, then what holds most.
fn folders(paths: &[&str]) -> Vec<String> {
    let mut parts: Vec<(String, Vec<&str>)> = vec![(String::new(), paths.to_vec())];
    let mut whole: BTreeSet<String> = BTreeSet::new();
    loop {
        let open = parts
            .iter()
            .enumerate()
            .filter(|(_, p)| !whole.contains(&p.0));
        let heavy = |(name, files): &(String, Vec<&str>)| {
            let holder = HOLDERS.contains(&name.rsplit('/').next().unwrap_or(name));
            name.is_empty() || holder || files.len() * 3 > paths.len()
        };
        let largest = open
            .filter(|(_, p)| heavy(p))
            .max_by_key(|(at, p)| (p.1.len(), std::cmp::Reverse(*at)));
        let Some((at, _)) = largest else { break };
        let (name, files) = &parts[at];
        let mut below: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        let mut loose = 0;
        for file in files {
            let rest = file.strip_prefix(name.as_str()).unwrap_or(file);
            match rest.trim_start_matches('/').split_once('/') {
                Some((folder, _)) => {
                    let folder = match name.is_empty() {
                        true => folder.to_owned(),
                        false => format!("{name}/{folder}"),
                    };
                    below.entry(folder).or_default().push(file);
                }
                None => loose += 1,
            }
        }
        let root = name.is_empty();
        // Many files beside few folders are one layer.
        let mixed = !root && loose * 2 > files.len();
        if below.is_empty() || mixed || parts.len() + below.len() > MOST_FOLDERS + 1 {
            whole.insert(name.clone());
            if root && below.is_empty() {
                break;
            }
            if !root || parts.len() > 1 {
                continue;
            }
        }
        parts.remove(at);
        parts.extend(below);
        if parts.is_empty() {
            break;
        }
    }
    let mut names: Vec<String> = parts
        .into_iter()
        .map(|p| p.0)
        .filter(|n| !n.is_empty())
        .collect();
    names.sort();
    names
}

/// Rules as YAML that the graph itself suggests: what stands below in the order of dependencies must not need what
/// stands above. Violations that there are today are noted beside them; tests are left out.
pub fn starter(uses: &FileUses) -> String {
    let of_code = |file: &u32| !uses.tests[*file as usize];
    let files: Vec<u32> = (0..uses.paths.len() as u32).filter(of_code).collect();
    let paths: Vec<&str> = files
        .iter()
        .map(|f| uses.paths[*f as usize].as_str())
        .collect();
    let folders = folders(&paths);
    let of = |path: &str| {
        let inside = |f: &&String| {
            path.strip_prefix(f.as_str())
                .is_some_and(|r| r.starts_with('/'))
        };
        let longest = folders.iter().enumerate().filter(|(_, f)| inside(f));
        longest
            .max_by_key(|(_, f)| f.len())
            .map(|(at, _)| at as u32)
    };
    let group: Vec<Option<u32>> = uses
        .paths
        .iter()
        .zip(&uses.tests)
        .map(|(path, test)| if *test { None } else { of(path) })
        .collect();
    let mut sites = Sites::default();
    for one in uses.uses.iter().filter(|u| u.import) {
        let (Some(from), Some(to)) = (group[one.from as usize], group[one.to as usize]) else {
            continue;
        };
        if from != to {
            let places = sites.entry((from, to)).or_default();
            let place = (one.from, one.line, one.to);
            if places.last() != Some(&place) {
                places.push(place);
            }
        }
    }
    let order = layers(folders.len(), &sites);
    write_rules(uses, &folders, &order, &sites)
}

type Sites = FxHashMap<(u32, u32), Vec<(u32, u32, u32)>>;

/// Folders from the top, which nothing needs, to the bottom; cycles are opened where that costs least.
fn layers(count: usize, sites: &Sites) -> Vec<Vec<u32>> {
    let link = |((from, to), places): (&(u32, u32), &Vec<_>)| Link {
        from: *from,
        to: *to,
        weight: places.len() as u32,
    };
    let all = Links::new(count, sites.iter().map(link).collect());
    let mut cut: BTreeSet<(u32, u32)> = BTreeSet::new();
    for members in all.components() {
        let inner = all.within(&members);
        let global = |l: Link| (members[l.from as usize], members[l.to as usize]);
        cut.extend(inner.cuts().into_iter().map(global));
    }
    // Depth: the longest way down to what needs nothing.
    let mut depth = vec![0usize; count];
    for _ in 0..count {
        for link in &all.links {
            if !cut.contains(&(link.from, link.to)) {
                let below = depth[link.to as usize] + 1;
                depth[link.from as usize] = depth[link.from as usize].max(below);
            }
        }
    }
    let mut layers: BTreeMap<std::cmp::Reverse<usize>, Vec<u32>> = BTreeMap::new();
    for (folder, depth) in depth.iter().enumerate() {
        layers
            .entry(std::cmp::Reverse(*depth))
            .or_default()
            .push(folder as u32);
    }
    layers.into_values().collect()
}

fn write_rules(uses: &FileUses, folders: &[String], layers: &[Vec<u32>], sites: &Sites) -> String {
    let name = |folder: &u32| folders[*folder as usize].as_str();
    let mut out = String::from(
        "# Layers of this repository, proposed from its imports. Change what is not meant so, then check with\n\
         #   knotwork arch-check --rules config/arch-rules.yaml --strict\n\
         # From the top, which nothing needs, to the bottom:\n",
    );
    for (at, layer) in layers.iter().enumerate() {
        let names: Vec<&str> = layer.iter().map(name).collect();
        let _ = writeln!(out, "#   {}. {}", at + 1, names.join(", "));
    }
    out.push_str("schema_version: \"1.0\"\nrules:");
    let mut any = false;
    for (at, layer) in layers.iter().enumerate().skip(1) {
        for folder in layer {
            let above: Vec<u32> = layers[..at].iter().flatten().copied().collect();
            // Only what needs this folder, on some way, has a reason to be kept out of it.
            let above = reaching(*folder, &above, sites);
            if above.is_empty() {
                continue;
            }
            any = true;
            let to: Vec<String> = above
                .iter()
                .map(|a| quoted(&format!("{}/**", name(a))))
                .collect();
            let title = name(folder).replace('/', "-");
            let _ = write!(
                out,
                "\n  - name: {}\n    from: {}\n    to: [{}]\n    severity: error\n    reason: {}\n",
                quoted(&format!("{title}-stays-below")),
                quoted(&format!("{}/**", name(folder))),
                to.join(", "),
                quoted(&format!(
                    "it stands below {}",
                    above.iter().map(name).collect::<Vec<_>>().join(", ")
                )),
            );
            for a in &above {
                let empty = Vec::new();
                let today = sites.get(&(*folder, *a)).unwrap_or(&empty);
                for (from, line, to) in today.iter().take(NOTED) {
                    let path = |file: &u32| &uses.paths[*file as usize];
                    let _ = writeln!(out, "    # today: {}:{line} needs {}", path(from), path(to));
                }
                if today.len() > NOTED {
                    let _ = writeln!(
                        out,
                        "    # today: {} more into {}",
                        today.len() - NOTED,
                        name(a)
                    );
                }
            }
        }
    }
    if !any {
        out.push_str(" []\n");
    }
    out
}

/// Those of `above` from which a way leads to the folder.
fn reaching(folder: u32, above: &[u32], sites: &Sites) -> Vec<u32> {
    let mut reached = BTreeSet::from([folder]);
    loop {
        let more = above.iter().filter(|a| {
            !reached.contains(a) && reached.iter().any(|r| sites.contains_key(&(**a, *r)))
        });
        let more: Vec<u32> = more.copied().collect();
        if more.is_empty() {
            reached.remove(&folder);
            return reached.into_iter().collect();
        }
        reached.extend(more);
    }
}

/// A text as a YAML scalar.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cycle::tests::uses;

    fn rule(name: &str, from: &str, to: &str, only: bool) -> LayerRule {
        LayerRule {
            name: name.to_owned(),
            from: vec![Glob::new(from)],
            to: vec![Glob::new(to)],
            only,
            reason: "because".to_owned(),
            ..LayerRule::default()
        }
    }

    const APP: &str = "src/ui/a.ts:3 src/core/x.ts\nsrc/core/x.ts:9 src/db/y.ts\nsrc/db/y.ts:1 src/ui/b.ts\nsrc/ui/a.ts:4 src/ui/b.ts\nsrc/ui/c.ts:2 src/db/y.ts\nsrc/ui/c.ts:2 src/core/x.ts";

    #[test]
    fn forbidden_and_allowed() {
        let uses = uses(APP);
        let shown = |rule: LayerRule| -> Vec<String> {
            let found = violations(&uses, &[rule]);
            found
                .iter()
                .map(|v| format!("{}:{} {}", v.file, v.line, v.target))
                .collect()
        };
        assert_eq!(
            shown(rule("no", "src/db/**", "src/ui/**", false)),
            ["src/db/y.ts:1 src/ui/b.ts"]
        );
        assert_eq!(
            shown(rule("only", "src/ui/**", "src/core/**", true)),
            ["src/ui/c.ts:2 src/db/y.ts"]
        );
        let mut spared = rule("no", "src/db/**", "src/ui/**", false);
        spared.except = vec![Glob::new("y.ts")];
        assert!(shown(spared).is_empty());
    }

    #[test]
    fn a_starter_follows_the_order_of_dependencies_and_notes_what_breaks_it() {
        let text = starter(&uses(APP));
        assert!(
            text.contains("1. src/ui\n#   2. src/core\n#   3. src/db\n"),
            "{text}"
        );
        assert!(
            text.contains("from: \"src/db/**\"\n    to: [\"src/core/**\", \"src/ui/**\"]"),
            "{text}"
        );
        assert!(
            text.contains("# today: src/db/y.ts:1 needs src/ui/b.ts"),
            "{text}"
        );
    }

    #[test]
    fn a_starter_of_nothing_has_no_rules() {
        let text = starter(&FileUses::default());
        assert!(text.ends_with("rules: []\n"), "{text}");
    }
}
