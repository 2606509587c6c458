//! Resolves `#include`s to files, and tells which files a file sees through them.

use super::builds::Builds;
use super::order::Orders;
use super::preference;
use super::systems::Systems;
use crate::c::facts::conditions;
use crate::reach::Reach;
use base::Language;
use base::facts::*;
use linker::paths::{file_name, parent_dir};
use linker::repo::{FileId, Repo};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// With more files of one name, the name is not resolved.
const MOST_NAMESAKES: usize = 256;
/// Most bytes of paths that are compared for all headers of one name.
const MOST_COMPARED: usize = 1 << 25;
/// Most bytes of folder paths in which all headers are looked for.
const MOST_JOINED: usize = 1 << 30;
/// Most includes that are followed for one file, the nearest first: headers may all include each other.
const MOST_FOLLOWED: usize = 1 << 18;
/// Number of includes that are always followed for one file.
const LEAST_FOLLOWED: usize = 1 << 12;
/// Most includes that are followed for all files together.
const MOST_FOLLOWED_IN_ALL: usize = 1 << 30;
/// Files that include one source which are looked at.
const MOST_UNITS: usize = 8;

/// The target of an `#include`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Included {
    /// A file of the repository.
    File(FileId),
    /// A header of the system, or of a library.
    Outside,
    /// Several files of the repository fit.
    Unknown,
}

/// Whether a usual build reads the target of an `#include`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Presence {
    Sure,
    Open,
    Absent,
}

/// The targets of a file's `#include`s.
#[derive(Default)]
pub(super) struct Targets {
    all: Vec<Included>,
    /// The target files, in order, and whether a usual build reads each.
    pub(super) files: Vec<(FileId, Presence)>,
    /// Whether the file itself is for another system.
    is_for_other: bool,
}

/// The include graph of the repository.
pub(crate) struct Includes {
    /// By file.
    targets: Vec<Targets>,
    /// The files that include each source, which are compiled in its place.
    units: FxHashMap<FileId, Vec<FileId>>,
    /// Includes that are followed for one file.
    most_followed: usize,
    reach: ReachByPresence,
    by_nearness: Orders,
    by_reading: Orders,
}

/// What files reach by includes with at most some uncertainty.
struct ReachByPresence {
    sure: Arc<Reach>,
    present: Arc<Reach>,
    all: Arc<Reach>,
}

impl Includes {
    pub(super) fn new(repo: &Repo, systems: &Systems) -> Includes {
        let targets = find_targets(repo, systems);
        // A step of two: another file seldom changes it.
        let including = targets.iter().filter(|found| !found.all.is_empty());
        let files = including.count().next_power_of_two();
        let most_followed = MOST_FOLLOWED_IN_ALL / files;
        let most_followed = most_followed.clamp(LEAST_FOLLOWED, MOST_FOLLOWED);
        Includes {
            reach: ReachByPresence::new(&targets, most_followed),
            units: find_units(repo, &targets),
            targets,
            most_followed,
            by_nearness: Orders::default(),
            by_reading: Orders::default(),
        }
    }

    /// The target of an import.
    pub(crate) fn target(&self, file: FileId, import: ImportId) -> Included {
        let found = self.targets.get(file.0 as usize);
        let found = found.and_then(|found| found.all.get(import.index()));
        found.copied().unwrap_or(Included::Unknown)
    }

    /// The files that are compiled in the place of a source that they include.
    pub(super) fn units_of(&self, source: FileId) -> &[FileId] {
        self.units.get(&source).map_or(&[], |files| files)
    }

    /// Whether a file sees another, be it for another system.
    pub(crate) fn sees(&self, from: FileId, to: FileId) -> bool {
        self.reach.all.leads(from, to)
    }

    /// Whether a usual build of a file reads another file.
    pub(super) fn reads(&self, from: FileId, to: FileId) -> bool {
        self.reach_of(from, &self.reach.present).leads(from, to)
    }

    /// The same for every build, whatever its switches.
    pub(super) fn reads_for_sure(&self, from: FileId, to: FileId) -> bool {
        self.reach_of(from, &self.reach.sure).leads(from, to)
    }

    /// A file that itself is for another system reads what is for other systems.
    fn reach_of<'r>(&'r self, file: FileId, usual: &'r Reach) -> &'r Reach {
        if self.is_for_other(file) {
            &self.reach.all
        } else {
            usual
        }
    }

    fn is_for_other(&self, file: FileId) -> bool {
        self.targets
            .get(file.0 as usize)
            .is_some_and(|f| f.is_for_other)
    }

    /// The number of files that a file sees before another.
    pub(super) fn order(&self, from: FileId, to: FileId) -> u32 {
        let number = self
            .by_nearness
            .number(self.targets.len(), (from, to), |order| {
                order.by_nearness(&self.targets, self.is_for_other(from), self.most_followed);
            });
        number.unwrap_or(u32::MAX)
    }

    /// The number of files that a preprocessor finishes before it reaches another file.
    pub(super) fn read_before(&self, from: FileId, to: FileId) -> u32 {
        let number = self
            .by_reading
            .number(self.targets.len(), (from, to), |order| {
                order.by_reading(&self.targets, self.most_followed);
            });
        number.unwrap_or(0)
    }

    /// The steps that it takes to tell what a file sees.
    pub(super) fn steps(&self, file: FileId) -> usize {
        self.reach.all.steps(file)
    }
}

impl ReachByPresence {
    fn new(targets: &[Targets], most_followed: usize) -> ReachByPresence {
        let up_to = |most: Presence| {
            let edges = targets.iter().map(|found| {
                let files = found.files.iter().filter(|(_, presence)| *presence <= most);
                files.map(|(to, _)| to.0).collect()
            });
            Arc::new(Reach::new(&edges.collect::<Vec<_>>(), most_followed))
        };
        let has = |which: Presence| {
            let mut includes = targets.iter().flat_map(|found| &found.files);
            includes.any(|(_, presence)| *presence == which)
        };
        let all = up_to(Presence::Absent);
        let present = if has(Presence::Absent) {
            up_to(Presence::Open)
        } else {
            all.clone()
        };
        let sure = if has(Presence::Open) {
            up_to(Presence::Sure)
        } else {
            present.clone()
        };
        ReachByPresence { sure, present, all }
    }
}

/// The targets of all includes.
fn find_targets(repo: &Repo, systems: &Systems) -> Vec<Targets> {
    let mut paths = Paths::new(repo);
    paths.limit_work(repo);
    // The target of a header is the same for all files of a folder that are for one system.
    let mut memo: FxHashMap<(&str, Option<&str>, &str), Included> = FxHashMap::default();
    let mut targets = Vec::new();
    targets.resize_with(repo.len(), Targets::default);
    for (id, file) in repo.files() {
        if file.facts.language.family() != Language::C || file.facts.imports.is_empty() {
            continue;
        }
        let found = &mut targets[id.0 as usize];
        found.is_for_other = systems.other(&file.path).is_some();
        for import in &file.facts.imports {
            let written = file.facts.name(import.module);
            let target = paths.find(repo, id, written);
            let target = target.unwrap_or_else(|| {
                let system = systems.other(&file.path);
                let key = (parent_dir(&file.path), system, header_name(written));
                let by_end = || paths.by_end(repo, systems, id, key.2);
                *memo.entry(key).or_insert_with(by_end)
            });
            if let Included::File(header) = target {
                found.files.push((header, presence(repo, id, import)));
            }
            found.all.push(target);
        }
    }
    targets
}

/// The files that include each source.
fn find_units(repo: &Repo, targets: &[Targets]) -> FxHashMap<FileId, Vec<FileId>> {
    let mut units: FxHashMap<FileId, Vec<FileId>> = FxHashMap::default();
    for (file, found) in targets.iter().enumerate() {
        let sources = found.files.iter().filter(|(to, presence)| {
            *presence < Presence::Absent && repo.file(*to).path.ends_with(".c")
        });
        for (source, _) in sources {
            units.entry(*source).or_default().push(FileId(file as u32));
        }
    }
    for files in units.values_mut() {
        files.sort_unstable();
        files.dedup();
        files.truncate(MOST_UNITS);
    }
    units
}

/// Whether a usual build reads the target of an import.
fn presence(repo: &Repo, file: FileId, import: &Import) -> Presence {
    let condition = import.condition.map(|name| repo.facts(file).name(name));
    match condition {
        Some(conditions::ABSENT) => Presence::Absent,
        Some(conditions::OPEN | conditions::DEFAULT) => Presence::Open,
        _ => Presence::Sure,
    }
}

/// The name of a header without quotes or angle brackets.
pub(crate) fn header_name(written: &str) -> &str {
    written.trim_matches(['<', '>'])
}

/// The files of the repository, by the endings of their paths.
struct Paths {
    by_name: FxHashMap<Box<str>, Vec<FileId>>,
    /// Names of headers that so many folders include, and so many files have, that they are not resolved.
    frequent: FxHashSet<Box<str>>,
    /// Most bytes of folder paths in which one header is looked for.
    most_folder_bytes: usize,
    builds: Builds,
}

impl Paths {
    fn new(repo: &Repo) -> Paths {
        let mut by_name: FxHashMap<Box<str>, Vec<FileId>> = FxHashMap::default();
        for (id, file) in repo.files() {
            if file.facts.language.family() == Language::C {
                let name = file_name(&file.path);
                by_name.entry(name.into()).or_default().push(id);
            }
        }
        Paths {
            by_name,
            frequent: FxHashSet::default(),
            most_folder_bytes: MOST_JOINED,
            builds: Builds::new(repo),
        }
    }

    /// Sets limits so that the work for all headers stays proportional. They depend on the repository alone, not on the
    /// order in which files are read.
    fn limit_work(&mut self, repo: &Repo) {
        let mut asked: FxHashSet<(&str, &str)> = FxHashSet::default();
        let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
        let mut imports = 0;
        for (_, file) in repo.files() {
            if file.facts.language.family() != Language::C {
                continue;
            }
            imports += file.facts.imports.len();
            for import in &file.facts.imports {
                let path = header_name(file.facts.name(import.module));
                if asked.insert((parent_dir(&file.path), path)) {
                    *counts.entry(file_name(path)).or_default() += 1;
                }
            }
        }
        self.most_folder_bytes = MOST_JOINED / imports.max(1);
        for (name, files) in &self.by_name {
            let bytes = files.iter().map(|id| repo.file(*id).path.len());
            let bytes: usize = bytes.sum();
            let times = counts.get(&**name).copied().unwrap_or(0);
            if files.len() > 1 && bytes.saturating_mul(times) > MOST_COMPARED {
                self.frequent.insert(name.clone());
            }
        }
    }

    /// The file that the written path of a header names. `None` if only files with that path ending can be meant.
    fn find(&self, repo: &Repo, from: FileId, written: &str) -> Option<Included> {
        let path = header_name(written);
        let in_quotes = !written.starts_with('<');
        let home = &*repo.file(from).path;
        if in_quotes
            && let Some(found) =
                join_within_repository(parent_dir(home), path).and_then(|p| repo.file_at(&p))
        {
            return Some(Included::File(found));
        }
        let mut left = self.most_folder_bytes;
        let is_affordable = |folder: &&str| {
            let costs = folder.len() + 1;
            let fits = costs <= left;
            left = left.saturating_sub(costs);
            fits
        };
        for folder in self
            .builds
            .folders(home, in_quotes)
            .take_while(is_affordable)
        {
            if let Some(found) = join_within_repository(folder, path).and_then(|p| repo.file_at(&p))
            {
                return Some(Included::File(found));
            }
        }
        if !in_quotes && super::STANDARD_NAMES.has("headers", path) {
            return Some(Included::Outside);
        }
        None
    }

    /// The file whose path ends so, or the one among several that is nearest.
    fn by_end(&self, repo: &Repo, systems: &Systems, from: FileId, path: &str) -> Included {
        let mut rest = path.trim_start_matches("./");
        while let Some(above) = rest.strip_prefix("../") {
            rest = above;
        }
        let named = self.by_name.get(file_name(rest));
        let named = named.map_or(&[][..], |files| files);
        if named.len() > MOST_NAMESAKES || self.frequent.contains(file_name(rest)) {
            return Included::Unknown;
        }
        let fits = |id: &&FileId| {
            let root = repo.file(**id).path.strip_suffix(rest);
            root.is_some_and(|root| root.is_empty() || root.ends_with('/'))
        };
        let found: Vec<FileId> = named.iter().filter(fits).copied().collect();
        match found[..] {
            [] => Included::Outside,
            [one] => Included::File(one),
            _ => preference::nearest_header(repo, systems, from, rest, &found)
                .map_or(Included::Unknown, Included::File),
        }
    }
}

/// A path below a folder, without `.` and `..`; `None` if it leaves the repository.
fn join_within_repository(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
