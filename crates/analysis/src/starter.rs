//! A starting set of layer rules, made from the graph itself: folders in the order of their dependencies.

use crate::component::{Link, LinkGraph};
use crate::depend::FileUses;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::LazyLock;
use text::list::{self, WordList};

/// Folders that hold packages rather than code of their own.
static HOLDERS: WordList =
    LazyLock::new(|| list::words(include_str!("starter_folders.txt")).collect());

/// Most folders of a starter.
const MOST_FOLDERS: usize = 14;

/// Most sibling folders that are compared: those with the most files.
const MOST_BESIDE: usize = 200;

/// Most violations that are noted at each rule of a starter.
const NOTED: usize = 3;

/// A part of the code: a folder with its files. With [`LOOSE`] at the end of its name, only the files directly in the folder.
type Part<'a> = (String, Vec<&'a str>);

/// Ending of the name of a part for the files directly in the folder.
const LOOSE: &str = "/*";

/// Folders of code, split until there are enough for useful rules: the whole first, then the largest. Also returns the number
/// of folders left out.
fn choose_folders(paths: &[&str]) -> (Vec<String>, usize) {
    let mut parts: Vec<Part<'_>> = vec![(String::new(), paths.to_vec())];
    let mut whole: BTreeSet<String> = BTreeSet::new();
    loop {
        let open = parts.iter().enumerate();
        let open =
            open.filter(|(_, p)| !whole.contains(&p.0) && is_worth_splitting(p, paths.len()));
        let Some((at, _)) = open.max_by_key(|(at, p)| (p.1.len(), std::cmp::Reverse(*at))) else {
            break;
        };
        let below = split_folder(&parts[at]);
        let mixed = below
            .iter()
            .any(|(name, files)| name.ends_with(LOOSE) && files.len() * 2 > parts[at].1.len());
        // Many files beside few folders form one layer.
        if below.len() < 2 && mixed
            || parts.len() + below.len() > MOST_FOLDERS + 1 && parts.len() > 1
        {
            whole.insert(parts[at].0.clone());
            continue;
        }
        parts.remove(at);
        parts.extend(below);
    }
    parts.retain(|(name, _)| !name.is_empty() && name != LOOSE);
    let left_out = parts.len().saturating_sub(MOST_BESIDE);
    if left_out > 0 {
        parts.sort_by(|a, b| (b.1.len(), &a.0).cmp(&(a.1.len(), &b.0)));
        parts.truncate(MOST_BESIDE);
    }
    let mut names: Vec<String> = parts.into_iter().map(|p| p.0).collect();
    names.sort();
    (names, left_out)
}

/// Whether a part should be split further.
fn is_worth_splitting((name, files): &Part<'_>, total: usize) -> bool {
    let holder = HOLDERS.contains(&name.rsplit('/').next().unwrap_or(name));
    let loose = name.ends_with(LOOSE);
    !loose && (name.is_empty() || holder || files.len() * 3 > total)
}

/// The folders in a folder, and the files beside them.
fn split_folder<'a>((name, files): &Part<'a>) -> Vec<Part<'a>> {
    let mut below: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for file in files {
        let rest = file.strip_prefix(name.as_str()).unwrap_or(file);
        let part = match rest.trim_start_matches('/').split_once('/') {
            Some((folder, _)) if name.is_empty() => folder.to_owned(),
            Some((folder, _)) => format!("{name}/{folder}"),
            None => format!("{name}{LOOSE}"),
        };
        below.entry(part).or_default().push(file);
    }
    below.into_iter().collect()
}

/// The pattern of a part.
fn part_pattern(part: &str) -> String {
    if part.ends_with(LOOSE) {
        quote_yaml(part)
    } else {
        quote_yaml(&format!("{part}/**"))
    }
}

/// Whether a file lies in a part.
fn part_contains(part: &str, path: &str) -> bool {
    match part.strip_suffix(LOOSE) {
        Some(folder) => path.rsplit_once('/').is_some_and(|(f, _)| f == folder),
        None => path.strip_prefix(part).is_some_and(|r| r.starts_with('/')),
    }
}

/// Suggests rules as YAML from the graph: a folder below in the order of dependencies must not need a folder above. Today's
/// violations are noted beside them, and such a rule only warns; tests are left out.
pub fn suggest_rules(uses: &FileUses) -> String {
    let of_code = |file: &u32| !uses.tests[*file as usize];
    let files: Vec<u32> = (0..uses.paths.len() as u32).filter(of_code).collect();
    let paths: Vec<&str> = files
        .iter()
        .map(|f| uses.paths[*f as usize].as_str())
        .collect();
    let (folders, left_out) = choose_folders(&paths);
    let of = |path: &str| {
        let longest = folders
            .iter()
            .enumerate()
            .filter(|(_, f)| part_contains(f, path));
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
    let order = order_layers(folders.len(), &sites);
    write_rules(uses, (&folders, left_out), &order, &sites)
}

/// A site: the file, the line, and the file that is needed there.
type Site = (u32, u32, u32);

type Sites = FxHashMap<(u32, u32), Vec<Site>>;

/// Folders from the top, which nothing needs, to the bottom; cycles are opened where that is cheapest.
fn order_layers(count: usize, sites: &Sites) -> Vec<Vec<u32>> {
    let link = |((from, to), places): (&(u32, u32), &Vec<_>)| Link {
        from: *from,
        to: *to,
        weight: places.len() as u32,
    };
    let all = LinkGraph::new(count, sites.iter().map(link).collect());
    let mut cut: BTreeSet<(u32, u32)> = BTreeSet::new();
    for members in all.strongly_connected_components() {
        let inner = all.subgraph(&members);
        let global = |l: Link| (members[l.from as usize], members[l.to as usize]);
        cut.extend(inner.find_cycle_cuts().into_iter().map(global));
    }
    // Depth: the longest way down to a folder that needs nothing.
    let mut depth = vec![0usize; count];
    for _ in 0..count {
        let mut changed = false;
        for link in &all.links {
            let below = depth[link.to as usize] + 1;
            if below > depth[link.from as usize] && !cut.contains(&(link.from, link.to)) {
                depth[link.from as usize] = below;
                changed = true;
            }
        }
        if !changed {
            break;
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

fn write_rules(
    uses: &FileUses,
    (folders, left_out): (&[String], usize),
    layers: &[Vec<u32>],
    sites: &Sites,
) -> String {
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
    if left_out > 0 {
        let _ = writeln!(
            out,
            "# {left_out} more folders, with fewer files, are left out."
        );
    }
    out.push_str("schema_version: \"1.0\"\nrules:");
    let mut any = false;
    for (at, layer) in layers.iter().enumerate().skip(1) {
        for folder in layer {
            let above: Vec<u32> = layers[..at].iter().flatten().copied().collect();
            // A folder above needs a rule only if it depends on this one, directly or not.
            let above = folders_reaching(*folder, &above, sites);
            if above.is_empty() {
                continue;
            }
            any = true;
            let above: Vec<(&str, &[Site])> = above
                .iter()
                .map(|a| {
                    (
                        name(a),
                        sites.get(&(*folder, *a)).map_or(&[][..], Vec::as_slice),
                    )
                })
                .collect();
            write_rule(&mut out, uses, name(folder), &above);
        }
    }
    if !any {
        out.push_str(" []\n");
    }
    out
}

/// Writes a rule that keeps a folder from using those `above` it, given with today's sites. A rule that is broken today only
/// warns, so that checks can begin before all violations are fixed.
fn write_rule(out: &mut String, uses: &FileUses, folder: &str, above: &[(&str, &[Site])]) {
    let to: Vec<String> = above.iter().map(|(name, _)| part_pattern(name)).collect();
    let names: Vec<&str> = above.iter().map(|(name, _)| *name).collect();
    let title = folder.trim_end_matches(LOOSE);
    let broken = above.iter().any(|(_, today)| !today.is_empty());
    let _ = write!(
        out,
        "\n  - name: {}\n    from: {}\n    to: [{}]\n    severity: {}\n    tests: false\n    reason: {}\n",
        quote_yaml(&format!("{title}-stays-below")),
        part_pattern(folder),
        to.join(", "),
        if broken { "warning" } else { "error" },
        quote_yaml(&format!("it stands below {}", names.join(", "))),
    );
    for (name, today) in above {
        for (from, line, to) in today.iter().take(NOTED) {
            let path = |file: &u32| &uses.paths[*file as usize];
            let _ = writeln!(out, "    # today: {}:{line} needs {}", path(from), path(to));
        }
        if today.len() > NOTED {
            let more = today.len() - NOTED;
            let _ = writeln!(out, "    # today: {more} more into {name}");
        }
    }
}

/// Folders of `above` from which a path leads to the folder.
fn folders_reaching(folder: u32, above: &[u32], sites: &Sites) -> Vec<u32> {
    let mut reached = BTreeSet::new();
    let mut open = vec![folder];
    while let Some(at) = open.pop() {
        for one in above {
            if !reached.contains(one) && sites.contains_key(&(*one, at)) {
                reached.insert(*one);
                open.push(*one);
            }
        }
    }
    reached.into_iter().collect()
}

/// A text as a YAML scalar.
fn quote_yaml(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cycle::tests::uses;

    const APP: &str = "src/ui/a.ts:3 src/core/x.ts\nsrc/core/x.ts:9 src/db/y.ts\nsrc/db/y.ts:1 src/ui/b.ts\nsrc/ui/a.ts:4 src/ui/b.ts\nsrc/ui/c.ts:2 src/db/y.ts\nsrc/ui/c.ts:2 src/core/x.ts";

    #[test]
    fn a_starter_follows_the_order_of_dependencies_and_notes_what_breaks_it() {
        let text = suggest_rules(&uses(APP));
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
        let severities = text
            .lines()
            .filter_map(|l| l.trim().strip_prefix("severity: "));
        // The rule that is broken today comes last.
        assert_eq!(severities.collect::<Vec<_>>(), ["error", "warning"]);
    }

    #[test]
    fn a_starter_of_nothing_has_no_rules() {
        let text = suggest_rules(&FileUses::default());
        assert!(text.ends_with("rules: []\n"), "{text}");
    }

    #[test]
    fn files_beside_folders_are_a_layer_of_their_own() {
        let text = suggest_rules(&uses("src/app.ts:1 src/ui/a.ts\nsrc/ui/a.ts:1 src/db/b.ts"));
        assert!(
            text.contains("1. src/*\n#   2. src/ui\n#   3. src/db\n"),
            "{text}"
        );
        assert!(text.contains("to: [\"src/*\"]"), "{text}");
    }

    #[test]
    fn many_folders_in_a_row_take_no_time() {
        let chain: Vec<String> = (0..3_000)
            .map(|n| format!("d{n:04}/a.ts:1 d{:04}/a.ts", n + 1))
            .collect();
        let text = suggest_rules(&uses(&chain.join("\n")));
        assert!(text.contains("# 2801 more folders"), "{}", &text[..300]);
        assert_eq!(text.matches("- name: ").count(), MOST_BESIDE - 1);
    }
}
