//! Imports that are usual in one folder and rare elsewhere.

use super::{Code, Observation, Observations, OwnFiles, PatternKind, parent_folder};
use base::language::CycleUnit;
use base::{EdgeType, Language};
use std::collections::{BTreeMap, BTreeSet};
use store::Snapshot;

pub(super) fn observe_imports(
    (code, mine): (&Code<'_>, &OwnFiles),
    known: &BTreeSet<String>,
    least: usize,
    out: &mut Observations,
) {
    let tuning = code.tuning;
    let own: BTreeSet<&str> = code.files.iter().map(String::as_str).collect();
    let imports = file_imports(code.graph, mine);
    let mut everywhere: BTreeMap<&str, usize> = BTreeMap::new();
    for name in imports.values().flat_map(BTreeMap::keys) {
        *everywhere.entry(name).or_default() += 1;
    }
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for path in own.iter().filter(|path| !is_entry_file(path)) {
        folders.entry(parent_folder(path)).or_default().push(path);
    }
    let whole = own.len().max(1) as f64;
    let nothing = BTreeMap::new();
    for (folder, files) in folders {
        if files.len() < tuning.import_files.max(least) {
            continue;
        }
        let mut here: BTreeMap<&str, usize> = BTreeMap::new();
        for file in &files {
            for name in imports.get(file).unwrap_or(&nothing).keys() {
                *here.entry(name).or_default() += 1;
            }
        }
        for (name, count) in here {
            let key = format!("import:folder:{folder}:{name}");
            // An import that is spread over the repository tells nothing about the folder.
            let elsewhere = everywhere.get(name).copied().unwrap_or(0) - count;
            let others = whole - files.len() as f64;
            let telling = count * 10 >= files.len() * tuning.import_tenths
                && elsewhere as f64 <= tuning.import_common * others;
            if !telling && !known.contains(&key) {
                continue;
            }
            for file in &files {
                if *file == name {
                    continue;
                }
                let line = imports.get(file).and_then(|i| i.get(name));
                out.push(Observation {
                    kind: PatternKind::Import,
                    key: &key,
                    value: if line.is_some() { "with" } else { "without" },
                    file,
                    line: line.copied().unwrap_or(1),
                    symbol: "",
                });
            }
        }
    }
}

fn is_entry_file(path: &str) -> bool {
    let stem = super::file_name(path).split('.').next().unwrap_or_default();
    matches!(
        stem,
        "index" | "__init__" | "mod" | "lib" | "main" | "doc" | "types" | "package-info"
    )
}

/// Whether other files import the package of a file rather than the file. Files of such a package
/// are treated as one.
fn is_of_a_package(path: &str) -> bool {
    let unit = Language::from_path(path).map(|l| l.profile().modules.cycle_unit);
    matches!(unit, Some(CycleUnit::Folder { .. }))
}

/// Imports of each file, with the first line: files of the repository by path, packages by name.
fn file_imports<'a>(
    graph: &'a Snapshot,
    own: &OwnFiles,
) -> BTreeMap<&'a str, BTreeMap<&'a str, u32>> {
    let mut found: BTreeMap<&str, BTreeMap<&str, u32>> = BTreeMap::new();
    for node in (0..graph.node_count() as u32).filter(|node| own.contains_node(graph, *node)) {
        let path = graph.file_path(graph.location(node).file);
        for edge in graph.outgoing(node, EdgeType::Imports) {
            let target = graph.file_path(graph.location(edge.node).file);
            let target = if is_of_a_package(target) {
                parent_folder(target)
            } else {
                target
            };
            let line = edge.line.unwrap_or(1);
            let first = found.entry(path).or_default().entry(target).or_insert(line);
            *first = (*first).min(line);
        }
    }
    found
}
