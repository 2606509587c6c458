//! The files in which a mention of a name can mean a candidate.
//!
//! Many candidates may share a name, and many files mention it. So candidates are looked up by the place of the mention. Going
//! through all of them for each file would take the product of the two.

use super::Candidate;
use base::language::RuleSet;
use base::{EdgeType, Tier};
use rustc_hash::FxHashMap;
use std::ops::Range;
use store::{NodeFlags, Snapshot};

/// Names with at most this many candidates are looked through, and need no groups.
const FEW: usize = 16;

/// Numbers of paths.
#[derive(Default)]
pub(super) struct Files<'g> {
    numbers: FxHashMap<&'g str, u32>,
    paths: Vec<&'g str>,
}

impl<'g> Files<'g> {
    /// The number of a path, which is a new one if the path is.
    pub(super) fn intern(&mut self, path: &'g str) -> u32 {
        *self.numbers.entry(path).or_insert_with(|| {
            self.paths.push(path);
            self.paths.len() as u32 - 1
        })
    }

    pub(super) fn number(&self, path: &str) -> Option<u32> {
        self.numbers.get(path).copied()
    }

    pub(super) fn path(&self, number: u32) -> &'g str {
        self.paths.get(number as usize).copied().unwrap_or_default()
    }
}

/// Where the language's rules let an unquoted name mean a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Confined {
    No,
    File,
    Folder,
}

/// The scope of a candidate.
#[derive(Debug, Clone, Copy)]
struct MentionScope {
    confined: Confined,
    /// Number of the meanings of its name; `None` if they decide nothing.
    others: Option<u32>,
    file: u32,
}

/// A place where candidates of one name lie, with the number of their meanings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum MentionArea<'g> {
    /// Anywhere, whatever the name means elsewhere.
    Everywhere,
    /// Anywhere, and only where the name has no known meaning.
    Free(u32),
    InFolder(u32, &'g str),
    Named(u32, &'g str),
    At(u32, &'g str),
    ConfinedToFile(&'g str),
    ConfinedToFolder(&'g str),
}

/// A list of candidates that the same mentions mean.
pub(super) struct Group<'a> {
    /// Its number; `None` if the list is too short to need one.
    pub(super) number: Option<u32>,
    pub(super) candidates: &'a [u32],
    /// Where they must lie in addition.
    within: Option<Vec<NeighbourFiles<'a>>>,
}

/// The scopes of all candidates, and candidates by scope.
#[derive(Default)]
pub(super) struct Scopes<'g> {
    of: Vec<MentionScope>,
    meanings: ResolvedNames,
    groups: Vec<Vec<u32>>,
    places: FxHashMap<(u32, MentionArea<'g>), u32>,
    /// The meanings of the candidates of each name that has many.
    meanings_of_word: FxHashMap<u32, Vec<u32>>,
    /// Number of names, each of which is a group of its own.
    words: u32,
}

impl<'g> Scopes<'g> {
    /// The scopes of candidates, in order of their numbers.
    pub(super) fn new(
        graph: &'g Snapshot,
        candidates: &[Candidate<'g>],
        files: &mut Files<'g>,
    ) -> Scopes<'g> {
        let mut made = Scopes::default();
        let mut modules: FxHashMap<&'g str, bool> = FxHashMap::default();
        let mut numbers: FxHashMap<&'g str, u32> = FxHashMap::default();
        made.of.reserve_exact(candidates.len());
        for candidate in candidates {
            let others = has_meanings(candidate).then(|| {
                *numbers
                    .entry(candidate.name)
                    .or_insert_with(|| made.meanings.collect(graph, candidate.name, files))
            });
            made.of.push(MentionScope {
                confined: confining_rule(graph, candidate, &mut modules),
                others,
                file: files.intern(candidate.path),
            });
        }
        made
    }

    /// Groups the candidates of each name, given in order of the names' numbers.
    pub(super) fn group<'w>(&mut self, words: impl Iterator<Item = &'w [u32]>, files: &Files<'g>) {
        for (word, named) in (0..).zip(words) {
            self.words = word + 1;
            if named.len() <= FEW {
                continue;
            }
            let mut of_word = Vec::new();
            for candidate in named {
                let scope = self.of[*candidate as usize];
                of_word.extend(scope.others);
                for place in places_of(scope, files.path(scope.file))
                    .into_iter()
                    .flatten()
                {
                    self.add(word, place, *candidate);
                }
            }
            of_word.sort_unstable();
            of_word.dedup();
            self.meanings_of_word.insert(word, of_word);
        }
    }

    fn add(&mut self, word: u32, place: MentionArea<'g>, candidate: u32) {
        let groups = &mut self.groups;
        let at = self.places.entry((word, place)).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() as u32 - 1
        });
        groups[*at as usize].push(candidate);
    }

    /// Number of groups, with one for each name.
    pub(super) fn group_count(&self) -> usize {
        self.words as usize + self.groups.len()
    }

    /// Candidates that may be meant by a mention of a name, `named`, in a file of that path; a quoted one may mean all.
    pub(super) fn meant<'a>(
        &'a self,
        (word, named): (u32, &'a [u32]),
        path: &'a str,
        quoted: bool,
        files: &'a Files<'g>,
    ) -> Vec<Group<'a>> {
        if quoted {
            return vec![Group {
                number: Some(word),
                candidates: named,
                within: None,
            }];
        }
        let Some(of_word) = self.meanings_of_word.get(&word) else {
            return vec![Group {
                number: None,
                candidates: named,
                within: None,
            }];
        };
        let mut found = Vec::new();
        let mut add = |place: MentionArea<'_>, within: Option<Vec<NeighbourFiles<'a>>>| {
            if let Some(at) = self.group_at(word, place) {
                found.push(Group {
                    number: within.is_none().then_some(self.words + at),
                    candidates: &self.groups[at as usize],
                    within,
                });
            }
        };
        add(MentionArea::Everywhere, None);
        add(MentionArea::ConfinedToFile(path), None);
        let mut confined = None;
        for number in of_word {
            let Some(beside) = self.meanings.beside(*number, path, files) else {
                add(MentionArea::Free(*number), None);
                continue;
            };
            add(MentionArea::At(*number, path), None);
            for one in &beside {
                match one {
                    NeighbourFiles::Folder(folder) => {
                        add(MentionArea::InFolder(*number, folder), None)
                    }
                    NeighbourFiles::Name(name) => add(MentionArea::Named(*number, name), None),
                    NeighbourFiles::Path(folder, name) => {
                        let joined = join_path(folder, name);
                        add(MentionArea::At(*number, &joined), None);
                    }
                }
            }
            confined.get_or_insert_with(Vec::new).extend(beside);
        }
        let folder = folder_of(path);
        let confined = confined.filter(|beside| !beside.contains(&NeighbourFiles::Folder(folder)));
        add(MentionArea::ConfinedToFolder(folder), confined);
        found
    }

    fn group_at(&self, word: u32, place: MentionArea<'_>) -> Option<u32> {
        // The text of the key need not live as long as the graph's.
        let places: &FxHashMap<(u32, MentionArea<'_>), u32> = &self.places;
        places.get(&(word, place)).copied()
    }

    /// Whether a mention in a file of that path may mean a candidate of a group of [`Scopes::meant`].
    pub(super) fn may_mean(
        &self,
        candidate: u32,
        group: &Group<'_>,
        (path, quoted): (&str, bool),
        files: &Files<'g>,
    ) -> bool {
        let scope = self.of[candidate as usize];
        let own = files.path(scope.file);
        if quoted || own == path {
            return true;
        }
        match (group.number, &group.within) {
            (Some(_), _) => true,
            (None, Some(within)) => within.iter().any(|beside| beside.holds(own)),
            (None, None) => self.contains(scope, own, path, files),
        }
    }

    fn contains(&self, scope: MentionScope, own: &str, path: &str, files: &Files<'g>) -> bool {
        let within = match scope.confined {
            Confined::No => true,
            Confined::File => own == path,
            Confined::Folder => folder_of(own) == folder_of(path),
        };
        let beside = || {
            let others = scope.others?;
            let beside = self.meanings.beside(others, path, files)?;
            Some(beside.iter().any(|beside| beside.holds(own)))
        };
        within && beside().unwrap_or(true)
    }
}

/// The places by which a candidate is looked up.
fn places_of(scope: MentionScope, path: &str) -> [Option<MentionArea<'_>>; 4] {
    match (scope.confined, scope.others) {
        (Confined::File, _) => [Some(MentionArea::ConfinedToFile(path)), None, None, None],
        (Confined::Folder, _) => {
            let folder = MentionArea::ConfinedToFolder(folder_of(path));
            [Some(folder), None, None, None]
        }
        (Confined::No, None) => [Some(MentionArea::Everywhere), None, None, None],
        (Confined::No, Some(others)) => [
            Some(MentionArea::Free(others)),
            Some(MentionArea::InFolder(others, folder_of(path))),
            Some(MentionArea::Named(others, file_name(path))),
            Some(MentionArea::At(others, path)),
        ],
    }
}

/// Whether the meanings of a candidate's name elsewhere say anything of it. Not for members, which are called on values of which
/// too little is known, and not for modules of Rust: which of several `cfg` chooses depends on the platform.
fn has_meanings(candidate: &Candidate<'_>) -> bool {
    let member = candidate.parent.is_some() || candidate.kind == "method";
    let is_conditional = candidate.profile().is_some_and(|p| p.modules.conditional);
    !(candidate.is_file() || member || is_conditional)
}

/// The file or folder that a name cannot leave by the rules of its language.
fn confining_rule<'g>(
    graph: &Snapshot,
    candidate: &Candidate<'g>,
    modules: &mut FxHashMap<&'g str, bool>,
) -> Confined {
    let exported = candidate.flags.contains(NodeFlags::EXPORTED);
    let private = candidate.flags.contains(NodeFlags::PRIVATE);
    let Some(profile) = candidate.profile() else {
        return Confined::No;
    };
    if candidate.is_file() || exported {
        return Confined::No;
    }
    let confined = match profile.rules {
        RuleSet::Go if candidate.path.contains('/') => return Confined::Folder,
        RuleSet::Java => private,
        RuleSet::Script => {
            let module = modules
                .entry(candidate.path)
                .or_insert_with(|| is_ecmascript_module(graph, candidate.path));
            candidate.parent.is_none() && *module || candidate.name.starts_with('#')
        }
        RuleSet::Go | RuleSet::Python | RuleSet::Rust | RuleSet::None => false,
    };
    if confined {
        Confined::File
    } else {
        Confined::No
    }
}

/// Whether a file of ECMAScript has a scope of its own: it imports or exports.
fn is_ecmascript_module(graph: &Snapshot, path: &str) -> bool {
    graph.nodes_of_file(path).iter().any(|node| {
        graph.name_row(*node).flags.contains(NodeFlags::EXPORTED)
            || graph.outgoing(*node, EdgeType::Imports).len() > 0
    })
}

/// For each name, the files in which it has a known meaning, each with the files that define it.
#[derive(Default)]
struct ResolvedNames {
    /// A file, and a file of which it takes the name; for each name in order.
    pairs: Vec<(u32, u32)>,
    of_name: Vec<Range<usize>>,
}

impl ResolvedNames {
    /// Adds a name, and returns its number.
    fn collect<'g>(&mut self, graph: &'g Snapshot, name: &str, files: &mut Files<'g>) -> u32 {
        let start = self.pairs.len();
        for node in graph.nodes_named(name) {
            let row = graph.name_row(*node);
            if matches!(row.kind, "method" | "field" | "property" | "enum_member") {
                continue;
            }
            let of = files.intern(row.file_path);
            self.pairs.push((of, of));
            for only in [EdgeType::Imports, EdgeType::Calls] {
                let users = graph
                    .incoming(*node, only)
                    .filter(|e| e.tier != Tier::Named);
                let users = users.filter_map(|e| Some(graph.file_path(e.file?)));
                self.pairs
                    .extend(users.map(|path| (files.intern(path), of)));
            }
        }
        let mut found = self.pairs.split_off(start);
        found.sort_unstable();
        found.dedup();
        self.pairs.append(&mut found);
        self.of_name.push(start..self.pairs.len());
        self.of_name.len() as u32 - 1
    }

    /// Where a candidate must lie to be meant in a file; `None` if the name has no known meaning there.
    fn beside<'g>(
        &self,
        name: u32,
        path: &str,
        files: &Files<'g>,
    ) -> Option<Vec<NeighbourFiles<'g>>> {
        let file = files.number(path)?;
        let of_name = self.of_name.get(name as usize)?;
        let pairs = &self.pairs[of_name.clone()];
        let from = pairs.partition_point(|(user, _)| *user < file);
        let to = pairs.partition_point(|(user, _)| *user <= file);
        let defining: Vec<&'g str> = pairs[from..to]
            .iter()
            .map(|(_, defining)| files.path(*defining))
            .collect();
        (!defining.is_empty()).then(|| beside_all(&defining))
    }
}

/// Places beside a file: files of one folder are treated as one, and so are files of one name in the source sets of Java.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NeighbourFiles<'a> {
    Folder(&'a str),
    Name(&'a str),
    /// A folder and a name in it.
    Path(&'a str, &'a str),
}

impl NeighbourFiles<'_> {
    fn holds(&self, path: &str) -> bool {
        match self {
            NeighbourFiles::Folder(folder) => folder_of(path) == *folder,
            NeighbourFiles::Name(name) => file_name(path) == *name,
            NeighbourFiles::Path(folder, name) => {
                folder_of(path) == *folder && file_name(path) == *name
            }
        }
    }
}

/// The places that lie beside all of these files.
fn beside_all<'a>(files: &[&'a str]) -> Vec<NeighbourFiles<'a>> {
    let Some(first) = files.first() else {
        return Vec::new();
    };
    let (folder, name) = (folder_of(first), file_name(first));
    // In the folder of the first, a place must have the name of those that lie elsewhere.
    let elsewhere = files.iter().filter(|path| folder_of(path) != folder);
    let in_folder = match only_one(elsewhere.map(|path| file_name(path))) {
        Only::None => Some(NeighbourFiles::Folder(folder)),
        Only::One(name) => Some(NeighbourFiles::Path(folder, name)),
        Only::Several => None,
    };
    let otherwise = files.iter().filter(|path| file_name(path) != name);
    let of_name = match only_one(otherwise.map(|path| folder_of(path))) {
        Only::None => Some(NeighbourFiles::Name(name)),
        Only::One(folder) => Some(NeighbourFiles::Path(folder, name)),
        Only::Several => None,
    };
    in_folder.into_iter().chain(of_name).collect()
}

enum Only<'a> {
    None,
    One(&'a str),
    Several,
}

fn only_one<'a>(mut texts: impl Iterator<Item = &'a str>) -> Only<'a> {
    let Some(first) = texts.next() else {
        return Only::None;
    };
    if texts.all(|text| text == first) {
        Only::One(first)
    } else {
        Only::Several
    }
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn join_path(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_beside_all_files_are_those_beside_each() {
        let folders = ["", "a", "b", "b/c"];
        let names = ["x.py", "y.py", "z.py"];
        let all: Vec<String> = folders
            .iter()
            .flat_map(|folder| names.iter().map(|name| join_path(folder, name)))
            .collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let is_beside =
            |a: &str, b: &str| folder_of(a) == folder_of(b) || file_name(a) == file_name(b);
        let mut defining = Vec::new();
        for (i, a) in all.iter().enumerate() {
            defining.push(vec![*a]);
            for (j, b) in all.iter().enumerate().skip(i + 1) {
                defining.push(vec![*a, *b]);
                let third = all.iter().skip(j + 1);
                defining.extend(third.map(|c| vec![*a, *b, *c]));
            }
        }
        for defining in defining {
            let found = beside_all(&defining);
            for path in &all {
                let expected = defining.iter().all(|of| is_beside(of, path));
                let holds = found.iter().any(|beside| beside.holds(path));
                assert_eq!(holds, expected, "{path} beside {defining:?}: {found:?}");
            }
        }
    }
}
