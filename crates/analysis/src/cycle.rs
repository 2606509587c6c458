//! Cycles of files, folders or packages: a path around each cycle with the places of its imports, and the cheapest links to
//! cut.
//!
//! The unit of a cycle depends on the language. Files of TypeScript, JavaScript and Python are loaded one by one, so files
//! count. Go and Java load packages, and files of one package may need each other: folders count. A Rust crate is compiled as a
//! whole, and cargo refuses cycles of crates: nothing counts unless it is asked for.

use crate::component::{Link, LinkGraph};
use crate::depend::{FileUses, Use};
use base::language::CycleUnit;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// The unit between which cycles count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CycleLevel {
    /// The unit that each language loads.
    #[default]
    Auto,
    /// Files, in every language.
    File,
    /// Folders, in every language.
    Package,
}

/// A dependency in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CycleStep {
    /// The file or folder that needs.
    pub from: String,
    /// The file or folder that it needs.
    pub to: String,
    /// The file of the first place.
    pub file_path: String,
    /// Its line.
    pub line: u32,
    /// Number of needed names, over all places.
    pub sites: u32,
}

/// A cycle of files or folders that need each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cycle {
    /// `file` or `package`.
    pub level: &'static str,
    /// A shortest path around through the first cut; its last element is the first again.
    pub path: Vec<String>,
    /// Its dependencies, in the order of the cycle.
    pub steps: Vec<CycleStep>,
    /// All members of the cycle, those of `path` first.
    pub members: Vec<String>,
    /// The dependencies with the fewest places which together end every cycle among the members.
    pub cuts: Vec<CycleStep>,
}

/// The group of a file: itself or its folder; `None` if cycles do not count.
fn cycle_group_of(uses: &FileUses, file: u32, level: CycleLevel) -> Option<(&'static str, &str)> {
    let path = uses.paths[file as usize].as_str();
    let folder = path.rsplit_once('/').map_or(".", |(folder, _)| folder);
    let language = uses.language(file);
    let unit = language.map_or(CycleUnit::File, |l| l.profile().modules.cycle_unit);
    match (level, unit) {
        (CycleLevel::File, _) | (CycleLevel::Auto, CycleUnit::File) => Some(("file", path)),
        (CycleLevel::Package | CycleLevel::Auto, CycleUnit::Folder { apart }) => {
            let is_apart = apart.iter().any(|end| path.ends_with(end));
            (!is_apart).then_some(("package", folder))
        }
        (CycleLevel::Package, CycleUnit::File | CycleUnit::None) => Some(("package", folder)),
        (CycleLevel::Auto, CycleUnit::None) => None,
    }
}

/// The places of one dependency.
struct DependencySites {
    sites: u32,
    first: Use,
}

/// Groups (files, folders or packages) and the dependencies between them.
struct GroupGraph {
    names: Vec<(&'static str, String)>,
    links: LinkGraph,
    places: FxHashMap<(u32, u32), DependencySites>,
}

impl GroupGraph {
    fn new(uses: &FileUses, level: CycleLevel, keep: &dyn Fn(&Use) -> bool) -> GroupGraph {
        let of_file: Vec<Option<(&'static str, &str)>> = (0..uses.paths.len() as u32)
            .map(|file| cycle_group_of(uses, file, level))
            .collect();
        let mut names: Vec<(&'static str, &str)> = of_file.iter().flatten().copied().collect();
        names.sort_unstable();
        names.dedup();
        let number = |file: u32| {
            let name = of_file[file as usize]?;
            names.binary_search(&name).ok().map(|at| at as u32)
        };
        let numbers: Vec<Option<u32>> = (0..uses.paths.len() as u32).map(number).collect();
        let mut places: FxHashMap<(u32, u32), DependencySites> = FxHashMap::default();
        for one in uses.uses.iter().filter(|u| keep(u)) {
            let ends = (numbers[one.from as usize], numbers[one.to as usize]);
            let (Some(from), Some(to)) = ends else {
                continue;
            };
            if from == to {
                continue;
            }
            places
                .entry((from, to))
                .and_modify(|p| p.sites += one.names)
                .or_insert(DependencySites {
                    sites: one.names,
                    first: *one,
                });
        }
        let links = places.iter().map(|((from, to), p)| Link {
            from: *from,
            to: *to,
            weight: p.sites,
        });
        GroupGraph {
            links: LinkGraph::new(names.len(), links.collect()),
            names: names.iter().map(|(l, n)| (*l, (*n).to_owned())).collect(),
            places,
        }
    }

    fn build_step(&self, uses: &FileUses, from: u32, to: u32) -> Option<CycleStep> {
        let places = self.places.get(&(from, to))?;
        Some(CycleStep {
            from: self.names[from as usize].1.clone(),
            to: self.names[to as usize].1.clone(),
            file_path: uses.paths[places.first.from as usize].clone(),
            line: places.first.line,
            sites: places.sites,
        })
    }
}

/// Places between members of one component, whenever they take effect: some of them close cycles.
pub fn uses_inside_cycles(uses: &FileUses, level: CycleLevel) -> Vec<Use> {
    let groups = GroupGraph::new(uses, level, &|u| !u.type_only);
    let mut component = vec![u32::MAX; groups.names.len()];
    for (at, members) in groups
        .links
        .strongly_connected_components()
        .into_iter()
        .enumerate()
    {
        for member in members {
            component[member as usize] = at as u32;
        }
    }
    let of = |file: u32| {
        let name = cycle_group_of(uses, file, level)?;
        let at = groups
            .names
            .binary_search_by(|(l, n)| (*l, n.as_str()).cmp(&name))
            .ok()?;
        Some(component[at]).filter(|c| *c != u32::MAX)
    };
    let inside = |u: &&Use| !u.type_only && of(u.from).is_some_and(|c| of(u.to) == Some(c));
    uses.uses.iter().filter(inside).copied().collect()
}

/// All cycles over the uses that `keep` lets through, the smallest first.
pub fn find_cycles(uses: &FileUses, level: CycleLevel, keep: &dyn Fn(&Use) -> bool) -> Vec<Cycle> {
    let groups = GroupGraph::new(uses, level, keep);
    let mut found: Vec<Cycle> = groups
        .links
        .strongly_connected_components()
        .iter()
        .map(|members| build_cycle(&groups, uses, members))
        .collect();
    found.sort_by(|a, b| (a.members.len(), &a.path).cmp(&(b.members.len(), &b.path)));
    found
}

fn build_cycle(groups: &GroupGraph, uses: &FileUses, members: &[u32]) -> Cycle {
    let links = groups.links.subgraph(members);
    let global = |local: u32| members[local as usize];
    let cuts = links.find_cycle_cuts();
    // The path goes back from the target of the first cut to its source.
    let way = cuts
        .first()
        .and_then(|cut| links.shortest_path(cut.to, cut.from));
    let mut around: Vec<u32> = way.unwrap_or_default().into_iter().map(global).collect();
    // The path begins with the least member, so that one cycle always looks the same.
    if let Some(least) = around.iter().enumerate().min_by_key(|(_, m)| **m) {
        let least = least.0;
        around.rotate_left(least);
    }
    around.extend(around.first().copied());
    let name = |member: &u32| groups.names[*member as usize].1.clone();
    let path: Vec<String> = around.iter().map(name).collect();
    let rest = members.iter().filter(|m| !around.contains(m)).map(name);
    let steps = around.windows(2);
    let level = members
        .first()
        .map_or("file", |m| groups.names[*m as usize].0);
    Cycle {
        level,
        steps: steps
            .filter_map(|pair| groups.build_step(uses, pair[0], pair[1]))
            .collect(),
        members: path[..path.len().saturating_sub(1)]
            .iter()
            .cloned()
            .chain(rest)
            .collect(),
        cuts: cuts
            .iter()
            .filter_map(|cut| groups.build_step(uses, global(cut.from), global(cut.to)))
            .collect(),
        path,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::depend::Loading;

    /// Imports as `from:line to`, one a line.
    pub(crate) fn uses(text: &str) -> FileUses {
        let mut found = FileUses::default();
        let pairs: Vec<(&str, u32, &str)> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .map(|line| {
                let (from, to) = line.split_once(' ').unwrap();
                let (from, at) = from.split_once(':').unwrap();
                (from, at.parse().unwrap(), to)
            })
            .collect();
        found.paths = pairs
            .iter()
            .flat_map(|p| [p.0, p.2])
            .map(str::to_owned)
            .collect();
        found.paths.sort();
        found.paths.dedup();
        found.tests = vec![false; found.paths.len()];
        let languages = found.paths.iter().map(|p| base::Language::from_path(p));
        found.languages = languages.collect();
        let number = |path: &str| found.paths.iter().position(|p| p == path).unwrap() as u32;
        found.uses = pairs
            .iter()
            .map(|(from, line, to)| Use {
                from: number(from),
                to: number(to),
                line: *line,
                import: true,
                loading: Loading::AtOnce,
                type_only: false,
                names: 1,
            })
            .collect();
        found.uses.sort();
        found
    }

    fn shown(text: &str, level: CycleLevel) -> Vec<String> {
        let uses = uses(text);
        let found = find_cycles(&uses, level, &|_| true);
        let step = |s: &CycleStep| {
            format!(
                "{}>{} {}:{} x{}",
                s.from, s.to, s.file_path, s.line, s.sites
            )
        };
        found
            .iter()
            .map(|c| {
                let cuts: Vec<String> = c.cuts.iter().map(step).collect();
                format!("{} {} cut {}", c.level, c.path.join(" "), cuts.join(", "))
            })
            .collect()
    }

    #[test]
    fn a_cycle_of_files_comes_with_places_and_its_cheapest_cut() {
        let text = "src/a.ts:1 src/b.ts\nsrc/a.ts:2 src/b.ts\nsrc/b.ts:7 src/c.ts\nsrc/c.ts:3 src/a.ts\nsrc/c.ts:4 src/a.ts\nsrc/d.ts:1 src/a.ts";
        assert_eq!(
            shown(text, CycleLevel::Auto),
            ["file src/a.ts src/b.ts src/c.ts src/a.ts cut src/b.ts>src/c.ts src/b.ts:7 x1"]
        );
        let steps = &find_cycles(&uses(text), CycleLevel::Auto, &|_| true)[0].steps;
        assert_eq!((steps[0].line, steps[0].sites), (1, 2));
        assert_eq!(steps[2].file_path, "src/c.ts");
    }

    #[test]
    fn each_language_has_its_level() {
        let go = "p/a.go:1 p/b.go\np/b.go:1 p/a.go\nq/x.go:3 p/a.go\np/a_test.go:1 q/x.go";
        assert!(shown(go, CycleLevel::Auto).is_empty());
        let java = "p/A.java:1 q/B.java\nq/C.java:2 p/D.java";
        assert_eq!(
            shown(java, CycleLevel::Auto),
            ["package p q p cut p>q p/A.java:1 x1"]
        );
        let rust = "src/a.rs:1 src/b.rs\nsrc/b.rs:2 src/a.rs";
        assert!(shown(rust, CycleLevel::Auto).is_empty());
        assert_eq!(shown(rust, CycleLevel::File).len(), 1);
        let python = "x/a.py:1 y/b.py\ny/c.py:2 x/d.py";
        assert!(shown(python, CycleLevel::Auto).is_empty());
        assert_eq!(shown(python, CycleLevel::Package).len(), 1);
    }

    #[test]
    fn what_is_not_kept_closes_no_cycle() {
        let uses = uses("a.py:1 b.py\nb.py:9 a.py");
        assert_eq!(uses_inside_cycles(&uses, CycleLevel::Auto).len(), 2);
        assert!(find_cycles(&uses, CycleLevel::Auto, &|u| u.line != 9).is_empty());
    }
}
