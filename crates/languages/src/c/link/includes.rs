//! Resolves `#include`s to files, and computes which files a file sees through them.

use super::builds::Builds;
use super::preference;
use super::systems::Systems;
use crate::c::facts::conditions;
use base::Language;
use base::facts::*;
use linker::paths::{file_name, parent_dir};
use linker::repo::{FileId, Repo};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, PoisonError, RwLock};

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
const MOST_FOLLOWED_IN_ALL: usize = 1 << 32;
/// Files that include one source which are looked at.
const MOST_UNITS: usize = 8;
/// Files that are kept in the lists of what others see; beyond that the lists are made again.
const MOST_KEPT: usize = 2 << 20;

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

/// The files that one file sees.
#[derive(Clone)]
struct Seen {
    /// The files, sorted by id.
    files: Arc<[SeenFile]>,
    /// How many of them every build reads.
    sure: u32,
    /// How many of them a usual build reads. The others are seen only through an `#include` for another system.
    present: u32,
    /// How many includes were followed for the list.
    followed: usize,
}

/// A file that is seen.
#[derive(Clone, Copy)]
struct SeenFile {
    file: FileId,
    /// Number of files seen before it, nearest first, in the order of the includes.
    order: u32,
    /// Number of files that a preprocessor has finished before it.
    read: u32,
}

/// Whether a usual build reads the target of an `#include`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Presence {
    Sure,
    Open,
    Absent,
}

/// The targets of a file's `#include`s.
#[derive(Default)]
struct Targets {
    all: Vec<Included>,
    /// The target files, in order, and whether a usual build reads each.
    files: Vec<(FileId, Presence)>,
    /// Whether the file itself is for another system.
    is_for_other: bool,
}

/// The include graph of the repository.
pub(crate) struct Includes {
    targets: FxHashMap<FileId, Targets>,
    /// The files that include each source, which are compiled in its place.
    units: FxHashMap<FileId, Vec<FileId>>,
    /// Includes that are followed for one file.
    most_followed: usize,
    seen: RwLock<IncludeCache>,
}

#[derive(Default)]
struct IncludeCache {
    lists: FxHashMap<FileId, Seen>,
    size: usize,
}

impl Includes {
    pub(super) fn new(repo: &Repo, systems: &Systems) -> Includes {
        let mut paths = Paths::new(repo);
        paths.limit_work(repo);
        // The target of a header is the same for all files of a folder that are for one system.
        let mut memo: FxHashMap<(&str, Option<&str>, &str), Included> = FxHashMap::default();
        let mut targets = FxHashMap::default();
        for (id, file) in repo.files() {
            if file.facts.language.family() != Language::C || file.facts.imports.is_empty() {
                continue;
            }
            let mut found = Targets {
                is_for_other: systems.other(&file.path).is_some(),
                ..Targets::default()
            };
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
            targets.insert(id, found);
        }
        let mut units: FxHashMap<FileId, Vec<FileId>> = FxHashMap::default();
        for (file, found) in &targets {
            let sources = found.files.iter().filter(|(to, presence)| {
                *presence < Presence::Absent && repo.file(*to).path.ends_with(".c")
            });
            for (source, _) in sources {
                units.entry(*source).or_default().push(*file);
            }
        }
        for files in units.values_mut() {
            files.sort_unstable();
            files.dedup();
            files.truncate(MOST_UNITS);
        }
        // A step of two: another file seldom changes it.
        let files = targets.len().next_power_of_two();
        let most_followed = MOST_FOLLOWED_IN_ALL / files;
        Includes {
            targets,
            units,
            most_followed: most_followed.clamp(LEAST_FOLLOWED, MOST_FOLLOWED),
            seen: RwLock::default(),
        }
    }

    /// The target of an import.
    pub(crate) fn target(&self, file: FileId, import: ImportId) -> Included {
        let found = self.targets.get(&file);
        let found = found.and_then(|found| found.all.get(import.index()));
        found.copied().unwrap_or(Included::Unknown)
    }

    /// The files that are compiled in the place of a source that they include.
    pub(super) fn units_of(&self, source: FileId) -> &[FileId] {
        self.units.get(&source).map_or(&[], |files| files)
    }

    /// Whether a file sees another, be it for another system.
    pub(crate) fn sees(&self, from: FileId, to: FileId) -> bool {
        self.seen_from(from).order(to).is_some()
    }

    /// Whether a usual build of a file reads another file.
    pub(super) fn reads(&self, from: FileId, to: FileId) -> bool {
        let seen = self.seen_from(from);
        seen.order(to).is_some_and(|order| order < seen.present)
    }

    /// The same for every build, whatever its switches.
    pub(super) fn reads_for_sure(&self, from: FileId, to: FileId) -> bool {
        let seen = self.seen_from(from);
        seen.order(to).is_some_and(|order| order < seen.sure)
    }

    /// The number of files that a file sees before another.
    pub(crate) fn order(&self, from: FileId, to: FileId) -> u32 {
        self.seen_from(from).order(to).unwrap_or(u32::MAX)
    }

    /// The number of files that a preprocessor finishes before it reaches another file.
    pub(super) fn read_before(&self, from: FileId, to: FileId) -> u32 {
        let seen = self.seen_from(from);
        seen.find(to).map_or(0, |seen| seen.read)
    }

    /// The number of includes followed to find what a file sees.
    pub(super) fn followed_from(&self, file: FileId) -> usize {
        self.seen_from(file).followed
    }

    fn seen_from(&self, file: FileId) -> Seen {
        let kept = self.seen.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(seen) = kept.lists.get(&file) {
            return seen.clone();
        }
        drop(kept);
        let seen = self.collect(file);
        let mut kept = self.seen.write().unwrap_or_else(PoisonError::into_inner);
        if kept.size + seen.files.len() > MOST_KEPT {
            *kept = IncludeCache::default();
        }
        if kept.lists.insert(file, seen.clone()).is_none() {
            kept.size += seen.files.len();
        }
        seen
    }

    fn collect(&self, file: FileId) -> Seen {
        let is_for_other = self.targets.get(&file).is_some_and(|f| f.is_for_other);
        let mut reached = Reached::from(file, self.most_followed);
        let mut counts = [0; 3];
        let steps = [Presence::Sure, Presence::Open, Presence::Absent];
        for (step, count) in steps.into_iter().zip(&mut counts) {
            let most = if is_for_other { Presence::Absent } else { step };
            reached.follow(&self.targets, most);
            *count = reached.order.len() as u32;
        }
        let followed = self.most_followed - reached.left;
        let read = reached.reading_order(&self.targets, self.most_followed);
        let known = reached.known.into_iter();
        let files = known.map(|(file, order)| SeenFile {
            file,
            order,
            read: read.get(&file).copied().unwrap_or(0),
        });
        let mut files: Vec<SeenFile> = files.collect();
        files.sort_unstable_by_key(|seen| seen.file);
        Seen {
            files: files.into(),
            sure: counts[0],
            present: counts[1],
            followed,
        }
    }
}

impl Seen {
    fn find(&self, file: FileId) -> Option<&SeenFile> {
        let found = self.files.binary_search_by_key(&file, |seen| seen.file);
        found.ok().map(|at| &self.files[at])
    }

    fn order(&self, file: FileId) -> Option<u32> {
        self.find(file).map(|seen| seen.order)
    }
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

/// The files found from one file, each with the number of files found before it.
struct Reached {
    order: Vec<FileId>,
    known: FxHashMap<FileId, u32>,
    /// Includes that may still be followed.
    left: usize,
}

impl Reached {
    fn from(file: FileId, most_followed: usize) -> Reached {
        Reached {
            order: vec![file],
            known: FxHashMap::from_iter([(file, 0)]),
            left: most_followed,
        }
    }

    /// Follows the includes with at most this uncertainty. Breadth first, so that nearer files come first.
    fn follow(&mut self, targets: &FxHashMap<FileId, Targets>, most: Presence) {
        let mut at = 0;
        while let Some(next) = self.order.get(at).copied() {
            at += 1;
            let files = targets.get(&next).map_or(&[][..], |found| &found.files);
            for (found, presence) in files.iter().take(self.left) {
                if *presence <= most && !self.known.contains_key(found) {
                    self.known.insert(*found, self.order.len() as u32);
                    self.order.push(*found);
                }
            }
            self.left = self.left.saturating_sub(files.len());
        }
    }

    /// For each file, the number of files that a preprocessor finishes before it, if it reads each file once.
    fn reading_order(
        &self,
        targets: &FxHashMap<FileId, Targets>,
        most_followed: usize,
    ) -> FxHashMap<FileId, u32> {
        let mut done: FxHashMap<FileId, u32> = FxHashMap::default();
        // The first file as well: headers may include each other, and it is finished after all others.
        let mut begun: FxHashSet<FileId> = self.order.first().copied().into_iter().collect();
        let mut left = most_followed;
        let mut open: Vec<(FileId, usize)> =
            self.order.first().map(|f| (*f, 0)).into_iter().collect();
        while let Some((file, at)) = open.pop() {
            let files = targets.get(&file).map_or(&[][..], |found| &found.files);
            match files.get(at) {
                Some((next, presence)) if left > 0 => {
                    left -= 1;
                    open.push((file, at + 1));
                    if *presence < Presence::Absent && begun.insert(*next) {
                        open.push((*next, 0));
                    }
                }
                _ => {
                    let count = done.len() as u32;
                    done.entry(file).or_insert(count);
                }
            }
        }
        done
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
