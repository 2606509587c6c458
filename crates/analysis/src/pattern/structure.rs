//! Structure: members that subtypes define, files that folders hold, tests beside sources.

use super::naming::{SubtypesByBase, language_word};
use super::{Code, MOST_OF_KIND, Observation, Observations, PatternKind, file_name, parent_folder};
use base::{EdgeType, Language};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use store::{NodeFlags, Snapshot};
use text::list::{self, WordList};

const LISTS: &str = include_str!("names.txt");

fn structure_observation<'a>(
    key: &'a str,
    has: bool,
    file: &'a str,
    line: u32,
    symbol: &'a str,
) -> Observation<'a> {
    Observation {
        kind: PatternKind::Structure,
        key,
        value: if has { "with" } else { "without" },
        file,
        line,
        symbol,
    }
}

pub(super) fn observe_structure(
    (code, families): (&Code<'_>, &SubtypesByBase),
    known: &BTreeSet<String>,
    least: usize,
    out: &mut Observations,
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

/// Most methods of subtypes that are gone through, in all families together. A class is of as many families as it has supertypes.
const MOST_METHODS: usize = 30_000_000;

/// Most members of subtypes that are observed, beside known ones: more than the patterns that are kept, since some will turn out to
/// be copies.
const MOST_MEMBERS: usize = 10 * MOST_OF_KIND;

/// A member that many subtypes of a base have.
struct CommonMember<'a> {
    base: &'a str,
    name: &'a str,
    key: String,
    /// Number of subtypes that define it, and of all.
    count: usize,
    of: usize,
    known: bool,
}

impl CommonMember<'_> {
    /// The order in which patterns are kept.
    fn weight(&self) -> f64 {
        self.count as f64 / self.of.max(1) as f64 * (self.count as f64).ln_1p()
    }
}

/// Observes members that most subtypes define although no compiler requires them.
fn observe_subtype_members(
    (code, families): (&Code<'_>, &SubtypesByBase),
    known: &BTreeSet<String>,
    least: usize,
    out: &mut Observations,
) {
    let mut members: Vec<CommonMember<'_>> = Vec::new();
    let mut left = MOST_METHODS;
    let known_bases = known_bases(known);
    for (base, family) in families {
        let few = family.len() < least.max(code.tuning.structure_alike);
        if few && !known_bases.contains(base.as_str()) {
            continue;
        }
        let of_class = |class: &u32| code.graph.outgoing(*class, EdgeType::Defines).len() + 1;
        let steps: usize = family.iter().map(of_class).sum();
        let Some(less) = left.checked_sub(steps) else {
            out.leave_out(family.len());
            continue;
        };
        left = less;
        collect_common_members(code, &BaseFamily { base, family }, known, &mut members);
        if members.len() > 100 * MOST_MEMBERS {
            keep_common_members(&mut members, out);
        }
    }
    keep_common_members(&mut members, out);
    members.sort_by(|a, b| a.key.cmp(&b.key));
    for same in members.chunk_by(|a, b| a.base == b.base) {
        let family = families.get(same[0].base).map_or(&[][..], Vec::as_slice);
        for class in family {
            let methods = method_names(code.graph, *class);
            let row = code.graph.name_row(*class);
            let line = row.line_start.unwrap_or(1);
            for member in same {
                let has = methods.contains(member.name);
                out.push(structure_observation(
                    &member.key,
                    has,
                    row.file_path,
                    line,
                    row.symbol,
                ));
            }
        }
    }
}

/// The bases of known patterns of subtypes.
fn known_bases(known: &BTreeSet<String>) -> BTreeSet<&str> {
    let keys = known.iter();
    let rest = keys.filter_map(|key| key.strip_prefix("structure:subtype:"));
    rest.filter_map(|rest| Some(rest.rsplit_once(':')?.0))
        .collect()
}

/// Keeps the members of which patterns are made first. Others are counted.
fn keep_common_members(members: &mut Vec<CommonMember<'_>>, out: &mut Observations) {
    let first = |member: &CommonMember<'_>| !member.known;
    members.sort_by(|a, b| {
        let weights = || b.weight().total_cmp(&a.weight());
        let order = first(a).cmp(&first(b)).then_with(weights);
        order.then_with(|| a.key.cmp(&b.key))
    });
    let known = members.iter().take_while(|member| member.known).count();
    let mut room = out.room();
    let mut fits = |member: &CommonMember<'_>| match room.checked_sub(member.of) {
        Some(less) => {
            room = less;
            true
        }
        None => false,
    };
    let kept = members.iter().take(known + MOST_MEMBERS);
    let kept = kept.take_while(|member| fits(member)).count();
    // Those that are weaker than as many others would be no pattern that is kept.
    let beyond = members
        .iter()
        .skip(kept)
        .take((known + MOST_MEMBERS).saturating_sub(kept));
    out.leave_out(beyond.map(|member| member.of).sum());
    members.truncate(kept);
}

/// A base with the types that extend or implement it.
struct BaseFamily<'a> {
    base: &'a str,
    family: &'a [u32],
}

/// Adds the members that most subtypes of a base define.
fn collect_common_members<'a>(
    code: &Code<'a>,
    &BaseFamily { base, family }: &BaseFamily<'a>,
    known: &BTreeSet<String>,
    members: &mut Vec<CommonMember<'a>>,
) {
    let (graph, tuning) = (code.graph, code.tuning);
    let mut counts: BTreeMap<&'a str, usize> = BTreeMap::new();
    for class in family {
        for name in method_names(graph, *class) {
            *counts.entry(name).or_default() += 1;
        }
    }
    let demanded = required_members(graph, base);
    let promised = promised_members(graph, family);
    for (name, count) in counts {
        let common = count * 5 >= family.len() * tuning.structure_fifths;
        if EVERYWHERE.contains(&name) || demanded.contains(name) || !common && known.is_empty() {
            continue;
        }
        let key = format!("structure:subtype:{base}:{name}");
        let known = known.contains(&key);
        // Another type that they extend requires the member too.
        let demanding = promised.get(name).copied().unwrap_or(0) as f64;
        if !(common || known) || demanding > tuning.structure_promised * count as f64 {
            continue;
        }
        members.push(CommonMember {
            base,
            name,
            key,
            count,
            of: family.len(),
            known,
        });
    }
}

/// Number of classes that have a method of an interface or trait of theirs, by the method's name.
fn promised_members<'g>(graph: &'g Snapshot, family: &[u32]) -> BTreeMap<&'g str, usize> {
    let bases_of = |class: &u32| -> BTreeSet<u32> {
        let bases = graph.relations_out(*class);
        bases
            .filter(|relation| matches!(relation.kind, "extends" | "implements"))
            .map(|relation| relation.other)
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
    out: &mut Observations,
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
fn observe_test_companions(code: &Code<'_>, out: &mut Observations) {
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
