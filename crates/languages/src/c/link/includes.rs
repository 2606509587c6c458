//! Which file an `#include` means, and what a file sees through it.

use super::builds::Builds;
use super::preference;
use base::Language;
use base::facts::*;
use linker::paths::{file_name, parent_dir};
use linker::repo::{FileId, Repo};
use rustc_hash::FxHashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// More files of one name than this are not compared.
const MOST_NAMESAKES: usize = 256;
/// Includes that are followed for what one file sees, the nearest first: headers may all include each other.
const MOST_FOLLOWED: usize = 1 << 18;
/// Files that are kept in the lists of what others see; beyond that the lists are made again.
const MOST_KEPT: usize = 2 << 20;

/// What an `#include` means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Included {
    /// That file.
    File(FileId),
    /// A header of the system, or of a library.
    Outside,
    /// A file of the repository that cannot be told from others.
    Unknown,
}

/// The files that a file sees, by their number, each with how many were seen before.
type Seen = Arc<[(FileId, u32)]>;

/// Which files include which.
pub(super) struct Includes {
    /// What each import of a file means.
    targets: FxHashMap<FileId, Vec<Included>>,
    seen: RwLock<IncludeCache>,
}

#[derive(Default)]
struct IncludeCache {
    lists: FxHashMap<FileId, Seen>,
    size: usize,
}

impl Includes {
    pub(super) fn new(repo: &Repo) -> Includes {
        let paths = Paths::new(repo);
        let mut targets = FxHashMap::default();
        for (id, file) in repo.files() {
            if file.facts.language.family() != Language::C || file.facts.imports.is_empty() {
                continue;
            }
            let found = file.facts.imports.iter().map(|import| {
                let written = file.facts.name(import.module);
                paths.find(repo, id, written)
            });
            targets.insert(id, found.collect());
        }
        Includes {
            targets,
            seen: RwLock::default(),
        }
    }

    /// What an import means.
    pub(super) fn target(&self, file: FileId, import: ImportId) -> Included {
        let found = self.targets.get(&file);
        let found = found.and_then(|all| all.get(import.index()));
        found.copied().unwrap_or(Included::Unknown)
    }

    /// Whether a file sees another.
    pub(super) fn sees(&self, from: FileId, to: FileId) -> bool {
        let seen = self.seen_from(from);
        seen.binary_search_by_key(&to, |(file, _)| *file).is_ok()
    }

    /// How many files a file sees before another.
    pub(super) fn order(&self, from: FileId, to: FileId) -> u32 {
        let seen = self.seen_from(from);
        let found = seen.binary_search_by_key(&to, |(file, _)| *file);
        found.map_or(u32::MAX, |at| seen[at].1)
    }

    fn seen_from(&self, file: FileId) -> Seen {
        let kept = self.seen.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(seen) = kept.lists.get(&file) {
            return seen.clone();
        }
        drop(kept);
        let seen = self.collect(file);
        let mut kept = self.seen.write().unwrap_or_else(PoisonError::into_inner);
        if kept.size + seen.len() > MOST_KEPT {
            *kept = IncludeCache::default();
        }
        if kept.lists.insert(file, seen.clone()).is_none() {
            kept.size += seen.len();
        }
        seen
    }

    /// Breadth first: what is nearer comes first.
    fn collect(&self, file: FileId) -> Seen {
        let mut order: Vec<FileId> = vec![file];
        let mut known: FxHashMap<FileId, u32> = FxHashMap::default();
        known.insert(file, 0);
        let (mut at, mut left) = (0, MOST_FOLLOWED);
        while let Some(next) = order.get(at).copied() {
            at += 1;
            let targets = self.targets.get(&next).map_or(&[][..], Vec::as_slice);
            for target in targets.iter().take(left) {
                if let Included::File(found) = target
                    && !known.contains_key(found)
                {
                    known.insert(*found, order.len() as u32);
                    order.push(*found);
                }
            }
            left = left.saturating_sub(targets.len());
        }
        let mut seen: Vec<(FileId, u32)> = known.into_iter().collect();
        seen.sort_unstable();
        seen.into()
    }
}

/// The name of a header without the signs around it.
pub(super) fn header_name(written: &str) -> &str {
    written.trim_matches(['<', '>'])
}

/// The files of the repository, by the ends of their paths.
struct Paths {
    by_name: FxHashMap<Box<str>, Vec<FileId>>,
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
            builds: Builds::new(repo),
        }
    }

    fn find(&self, repo: &Repo, from: FileId, written: &str) -> Included {
        let path = header_name(written);
        let in_quotes = !written.starts_with('<');
        let home = &*repo.file(from).path;
        if in_quotes
            && let Some(found) =
                join_within_repository(parent_dir(home), path).and_then(|p| repo.file_at(&p))
        {
            return Included::File(found);
        }
        for folder in self.builds.folders(home) {
            if let Some(found) = join_within_repository(folder, path).and_then(|p| repo.file_at(&p))
            {
                return Included::File(found);
            }
        }
        if !in_quotes && super::STANDARD_NAMES.has("headers", path) {
            return Included::Outside;
        }
        self.by_end(repo, from, path)
    }

    /// The file whose path ends so, or the one among several that is nearest.
    fn by_end(&self, repo: &Repo, from: FileId, path: &str) -> Included {
        let mut rest = path.trim_start_matches("./");
        while let Some(above) = rest.strip_prefix("../") {
            rest = above;
        }
        let named = self.by_name.get(file_name(rest));
        let named = named.map_or(&[][..], |files| files);
        if named.len() > MOST_NAMESAKES {
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
            _ => preference::nearest_header(repo, from, rest, &found)
                .map_or(Included::Unknown, Included::File),
        }
    }
}

/// A path below a folder, without `.` and `..`; none where it leaves the repository.
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
