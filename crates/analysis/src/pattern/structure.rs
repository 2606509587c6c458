//! Structure: members that subtypes define, files that folders hold, tests beside sources.

use super::naming::{SubtypesByBase, language_word};
use super::{Code, Observation, PatternKind, SourceLocation, file_name, parent_folder};
use base::{EdgeType, Language};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use store::{NodeFlags, Snapshot};
use text::list::{self, WordList};

const LISTS: &str = include_str!("names.txt");

fn structure_observation(key: &str, has: bool, path: &str, line: u32, symbol: &str) -> Observation {
    Observation {
        kind: PatternKind::Structure,
        key: key.to_owned(),
        value: if has { "with" } else { "without" }.to_owned(),
        place: SourceLocation {
            file: path.to_owned(),
            line,
            symbol: symbol.to_owned(),
        },
    }
}

pub(super) fn observe_structure(
    (code, families): (&Code<'_>, &SubtypesByBase),
    known: &BTreeSet<String>,
    least: usize,
    out: &mut Vec<Observation>,
) {
    observe_subtype_members((code, families), known, least, out);
    observe_folder_files(code, known, least, out);
    observe_test_companions(code, out);
}

fn method_names(graph: &Snapshot, class: u32) -> BTreeSet<&str> {
    let defined = graph
        .outgoing(class, EdgeType::Defines)
        .map(|e| graph.name_row(e.node));
    let methods = defined.filter(|row| matches!(row.kind, "method" | "function"));
    methods.map(|row| row.symbol).collect()
}

/// Members that any type has, whatever it extends.
static EVERYWHERE: WordList =
    LazyLock::new(|| list::words(list::section(LISTS, "members")).collect());

/// Observes members that most subtypes define although no compiler requires them.
fn observe_subtype_members(
    (code, families): (&Code<'_>, &SubtypesByBase),
    known: &BTreeSet<String>,
    least: usize,
    out: &mut Vec<Observation>,
) {
    let (graph, tuning) = (code.graph, code.tuning);
    for (base, family) in families {
        if family.len() < least.max(tuning.structure_alike)
            && !known.iter().any(|k| k.contains(base))
        {
            continue;
        }
        let of: Vec<BTreeSet<&str>> = family
            .iter()
            .map(|class| method_names(graph, *class))
            .collect();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for name in of.iter().flatten() {
            *counts.entry(name).or_default() += 1;
        }
        let demanded = required_members(graph, base);
        let promised = promised_members(graph, family);
        for (name, count) in counts {
            let key = format!("structure:subtype:{base}:{name}");
            let common = count * 5 >= family.len() * tuning.structure_fifths;
            if EVERYWHERE.contains(&name)
                || demanded.contains(name)
                || !(common || known.contains(&key))
            {
                continue;
            }
            // Another type that they extend requires the member too.
            let demanding = promised.get(name).copied().unwrap_or(0) as f64;
            if demanding > tuning.structure_promised * count as f64 {
                continue;
            }
            for (class, methods) in family.iter().zip(&of) {
                let row = graph.name_row(*class);
                let line = row.line_start.unwrap_or(1);
                out.push(structure_observation(
                    &key,
                    methods.contains(name),
                    row.file_path,
                    line,
                    row.symbol,
                ));
            }
        }
    }
}

/// Number of classes that have a method of an interface or trait of theirs, by the method's name.
fn promised_members<'g>(graph: &'g Snapshot, family: &[u32]) -> BTreeMap<&'g str, usize> {
    let bases_of = |class: &u32| -> BTreeSet<u32> {
        let bases = graph.relations_out(*class);
        bases
            .filter(|(_, kind, _)| matches!(*kind, "extends" | "implements"))
            .map(|(base, _, _)| base)
            .filter(|base| matches!(graph.name_row(*base).kind, "interface" | "trait"))
            .collect()
    };
    let bases: Vec<BTreeSet<u32>> = family.iter().map(bases_of).collect();
    let mut declared_by: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for base in bases.iter().flatten().copied().collect::<BTreeSet<u32>>() {
        for edge in graph.outgoing(base, EdgeType::Defines) {
            let name = graph.name_row(edge.node).symbol;
            declared_by.entry(name).or_default().insert(base);
        }
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (class, bases) in family.iter().zip(&bases) {
        for name in method_names(graph, *class) {
            // `is_disjoint` iterates over the smaller set.
            let declares = |declaring: &BTreeSet<u32>| !declaring.is_disjoint(bases);
            if declared_by.get(name).is_some_and(declares) {
                *counts.entry(name).or_default() += 1;
            }
        }
    }
    counts
}

/// Members that a base only declares: its subtypes must define them.
fn required_members(graph: &Snapshot, base: &str) -> BTreeSet<String> {
    let (name, path) = base.split_once('@').unwrap_or((base, ""));
    let bases = graph
        .nodes_named(name)
        .iter()
        .filter(|n| graph.name_row(**n).file_path == path);
    let mut found = BTreeSet::new();
    for base in bases {
        let declares = matches!(graph.name_row(*base).kind, "interface" | "trait");
        for edge in graph.outgoing(*base, EdgeType::Defines) {
            let row = graph.name_row(edge.node);
            if declares || row.flags.contains(NodeFlags::ABSTRACT) {
                found.insert(row.symbol.to_owned());
            }
        }
    }
    found
}

/// Observes files of one name in most sibling folders.
fn observe_folder_files(
    code: &Code<'_>,
    known: &BTreeSet<String>,
    least: usize,
    out: &mut Vec<Observation>,
) {
    let mut above: BTreeMap<&str, BTreeMap<&str, BTreeSet<&str>>> = BTreeMap::new();
    for path in code.files {
        let inner = parent_folder(path);
        let Some((outer, _)) = inner.rsplit_once('/') else {
            continue;
        };
        let files = above.entry(outer).or_default().entry(inner).or_default();
        files.insert(file_name(path));
    }
    for (outer, inner) in above {
        if inner.len() < least.max(code.tuning.structure_alike) {
            continue;
        }
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for name in inner.values().flatten() {
            *counts.entry(name).or_default() += 1;
        }
        for (name, count) in counts {
            let required = Language::from_path(name).map(|l| l.profile().files.required_names);
            if required.is_some_and(|names| names.contains(&name)) {
                continue;
            }
            // Texts are made only for common or known names.
            let common = count * 5 >= inner.len() * code.tuning.structure_fifths;
            if !common && known.is_empty() {
                continue;
            }
            let key = format!("structure:folder:{outer}:{name}");
            if !common && !known.contains(&key) {
                continue;
            }
            for (folder, files) in &inner {
                let has = files.contains(name);
                let file = if has {
                    format!("{folder}/{name}")
                } else {
                    format!("{folder}/")
                };
                out.push(structure_observation(&key, has, &file, 1, ""));
            }
        }
    }
}

/// Lines of a file; 0 if the graph does not have it.
fn line_count(graph: &Snapshot, path: &str) -> usize {
    let rows = graph
        .nodes_of_file(path)
        .iter()
        .map(|node| graph.name_row(*node));
    let file = rows.into_iter().find(|row| row.kind == "file");
    file.and_then(|row| row.line_end).unwrap_or(0) as usize
}

/// Observes whether source files have tests named after them.
fn observe_test_companions(code: &Code<'_>, out: &mut Vec<Observation>) {
    let mut tested: BTreeSet<String> = BTreeSet::new();
    for path in code.tests {
        let stem = file_name(path).split('.').next().unwrap_or_default();
        let stem = stem.strip_prefix("test_").unwrap_or(stem);
        let endings = ["_test", "_spec", "Tests", "Test", "-test", "-spec"];
        let stem = endings
            .iter()
            .find_map(|e| stem.strip_suffix(e))
            .unwrap_or(stem);
        tested.insert(stem.to_owned());
    }
    for path in code.files {
        let Some(word) = language_word(path) else {
            continue;
        };
        let stem = file_name(path).split('.').next().unwrap_or_default();
        // Rust has tests in the file itself.
        let fixed = matches!(
            stem,
            "index" | "__init__" | "main" | "mod" | "lib" | "doc" | "types"
        );
        if word == "rust" || fixed || line_count(code.graph, path) < code.tuning.companion_lines {
            continue;
        }
        let key = format!("structure:companion:{word}");
        out.push(structure_observation(
            &key,
            tested.contains(stem),
            path,
            1,
            "",
        ));
    }
}
