//! What git's history says of each file: which commits changed it, when, and by whom.
//!
//! One pass over the commits, newest first; renames are followed to the name that a file has today.
//! The result is kept by the commit at HEAD and extended when HEAD moved on.

mod cache;
mod rename;
mod walk;

pub use cache::load_or_read;
pub(crate) use walk::{not_named, project_prefix as prefix, resolve_revision};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Commits that change more files than this count less, in proportion: mass edits say little of
/// one file.
const BULK: f64 = 20.0;
/// What a change by a program counts.
const BOT: f64 = 0.2;
/// Days after which a change counts half.
const HALF_LIFE: f64 = 90.0;
/// Commits with more files than this tie none of them together.
const COUPLING_FILES: usize = 30;
const DAY: f64 = 86_400.0;

/// Why no history could be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// The project stands in no git repository.
    #[error("no git repository at {0}")]
    NoRepository(String),
    /// The repository has no commit yet.
    #[error("the git repository at {0} has no commit")]
    Empty(String),
    /// The folder leads to a repository that does not belong to it.
    #[error(
        "the .git of {0} leads to a repository that does not name this folder, and is not read; if it is yours, run `git config core.worktree \"$(git rev-parse --show-toplevel)\"` in the folder"
    )]
    Elsewhere(String),
    /// Nobody waits for it any more.
    #[error("cancelled: nobody waits for the history")]
    Cancelled,
    /// There is no such commit.
    #[error("unknown revision: {0}")]
    Revision(String),
    /// Git's data could not be read.
    #[error("reading the git history of {path}: {reason}")]
    Git {
        /// The repository.
        path: String,
        /// What git's data lack.
        reason: String,
    },
}

/// Paths below `root` that differ between a commit and HEAD, in the words of git: a branch, a tag, an id, `HEAD~2`.
/// None where they are more than can be named.
pub fn changed_paths_since(root: &Path, revision: &str) -> Result<Vec<String>, HistoryError> {
    walk::changed_paths_since(root, revision)
}

/// A commit and the files it changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Commit {
    /// Its id, in hexadecimal, the first 12 digits.
    pub id: String,
    /// When it was committed, seconds since 1970.
    pub time: i64,
    /// The author, a number in [`History::authors`].
    pub author: u32,
    /// First line of its message, at most 120 characters.
    pub subject: String,
    /// The rest of its message without trailers, at most 600 bytes; empty for all but the newest commits.
    pub body: String,
    /// Whether a program wrote it.
    pub bot: bool,
    /// The changed files, numbers in [`History::files`], ascending.
    pub files: Vec<u32>,
}

impl Commit {
    /// What a change by it counts, 0–1: less in mass edits and by programs.
    pub fn weight(&self) -> f64 {
        let bulk = (BULK / self.files.len().max(1) as f64).min(1.0);
        bulk * if self.bot { BOT } else { 1.0 }
    }
}

/// The history of a project's files.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct History {
    /// The commit it was read at, in hexadecimal.
    pub head: String,
    /// Whether it reaches the first commit (or the border of a shallow clone).
    pub complete: bool,
    /// Whether it ends where as much was read as may be read at once: asking for more commits brings none.
    pub cut: bool,
    /// Commits that could not be read: they or their trees are damaged, missing, or larger than objects may be.
    pub unread: u32,
    /// Commits without merges, newest first.
    pub commits: Vec<Commit>,
    /// Paths from the project's root with `/`: today's name, or the last one of a deleted file.
    pub files: Vec<String>,
    /// Names of authors.
    pub authors: Vec<String>,
    /// Paths that files had before they were renamed, with numbers in [`History::files`], ascending.
    pub former: Vec<(String, u32)>,
}

/// How a file changed, from [`History::changes_by_file`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Changes {
    /// Number of commits.
    pub commits: usize,
    /// Sum of the commits' weights.
    pub weight: f64,
    /// Sum of the weights, halved for every 90 days before the newest commit of the history.
    pub recent: f64,
    /// Time of the last one, seconds since 1970.
    pub last: i64,
    /// Distinct authors.
    pub authors: usize,
}

impl History {
    /// What should be said of an answer that rests on it, where not all of it could be read.
    pub fn unread_warning(&self) -> Option<String> {
        match (self.not_reached(), self.not_read()) {
            (Some(before), Some(between)) => Some(format!("{before}; {between}")),
            (before, between) => before.or(between),
        }
    }

    fn not_reached(&self) -> Option<String> {
        let count = self.commits.len();
        self.cut.then(|| {
            format!(
                "only the newest {count} commits were read: the folders and commits of this history are larger than may be read at once"
            )
        })
    }

    fn not_read(&self) -> Option<String> {
        let many = match self.unread {
            0 => return None,
            1 => "1 commit".to_owned(),
            n => format!("{n} commits"),
        };
        Some(format!(
            "{many} of the history could not be read: damaged, missing, larger than {} MB, or past the limit on large changes",
            crate::repository::MOST_OBJECT >> 20
        ))
    }

    /// The time of the newest commit, seconds since 1970.
    pub fn newest_commit_time(&self) -> i64 {
        self.commits.iter().map(|c| c.time).max().unwrap_or(0)
    }

    /// How each file changed since a time (seconds since 1970), by path.
    pub fn changes_by_file(&self, since: i64) -> FxHashMap<&str, Changes> {
        let newest = self.newest_commit_time();
        let mut all: Vec<(Changes, Vec<u32>)> = vec![Default::default(); self.files.len()];
        for commit in self.commits.iter().filter(|c| c.time >= since) {
            let weight = commit.weight();
            let age = (newest - commit.time).max(0) as f64 / DAY;
            for file in &commit.files {
                let Some((changes, authors)) = all.get_mut(*file as usize) else {
                    continue;
                };
                changes.commits += 1;
                changes.weight += weight;
                changes.recent += weight * 0.5f64.powf(age / HALF_LIFE);
                changes.last = changes.last.max(commit.time);
                authors.push(commit.author);
            }
        }
        self.files
            .iter()
            .zip(all)
            .filter(|(_, (changes, _))| changes.commits > 0)
            .map(|(path, (mut changes, mut authors))| {
                authors.sort_unstable();
                authors.dedup();
                changes.authors = authors.len();
                (path.as_str(), changes)
            })
            .collect()
    }

    /// For every file the share (0–1) of its changes since a time in which the file most bound to it took part, where
    /// both changed together at least `least` times; by path. Files that are written with every change bind nothing.
    pub fn strongest_coupling_by_file(&self, since: i64, least: usize) -> FxHashMap<&str, f64> {
        let mut own = vec![0.0; self.files.len()];
        let mut pairs: FxHashMap<(u32, u32), (usize, f64)> = FxHashMap::default();
        let small = |c: &&Commit| c.time >= since && c.files.len() <= COUPLING_FILES;
        for commit in self.commits.iter().filter(small) {
            let weight = commit.weight();
            for (at, a) in commit.files.iter().enumerate() {
                own[*a as usize] += weight;
                for b in &commit.files[at + 1..] {
                    let pair = pairs.entry((*a, *b)).or_default();
                    *pair = (pair.0 + 1, pair.1 + weight);
                }
            }
        }
        let mut most: FxHashMap<&str, f64> = FxHashMap::default();
        for ((a, b), (count, weight)) in pairs {
            if count < least {
                continue;
            }
            for (file, other) in [(a, b), (b, a)] {
                if is_changed_by_every_commit(&self.files[other as usize]) {
                    continue;
                }
                let share = most
                    .entry(self.files[file as usize].as_str())
                    .or_insert(0.0);
                *share = share.max(weight / own[file as usize].max(f64::MIN_POSITIVE));
            }
        }
        most
    }

    /// Files that changed together with one of the given, and the share (0–1) of that one's weight:
    /// co-change coupling (Gall, Hajek, Jazayeri 1998). Best first; at least `least` common commits.
    /// Files that are written with every change say nothing and are left out.
    pub fn files_coupled_with(&self, path: &str, least: usize) -> Vec<(&str, f64)> {
        let Some(file) = self.files.iter().position(|f| f == path) else {
            return Vec::new();
        };
        let mut own = 0.0;
        let mut others: FxHashMap<u32, (usize, f64)> = FxHashMap::default();
        for commit in &self.commits {
            let small = commit.files.len() <= COUPLING_FILES;
            if !small || commit.files.binary_search(&(file as u32)).is_err() {
                continue;
            }
            own += commit.weight();
            for other in commit.files.iter().filter(|f| **f != file as u32) {
                let (count, weight) = others.entry(*other).or_default();
                *count += 1;
                *weight += commit.weight();
            }
        }
        let mut list: Vec<(&str, f64)> = others
            .into_iter()
            .filter(|(other, (count, _))| {
                *count >= least && !is_changed_by_every_commit(&self.files[*other as usize])
            })
            .map(|(other, (_, weight))| (self.files[other as usize].as_str(), weight / own))
            .collect();
        list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        list
    }
}

/// Lock files, lists of changes and of authors: they change with whatever else does.
fn is_changed_by_every_commit(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let (stem, ending) = name.split_once('.').unwrap_or((&name, ""));
    let lock = ending.ends_with("lock") || stem.ends_with("-lock") || name == "go.sum";
    let prose = matches!(ending, "" | "md" | "rst" | "txt" | "adoc");
    const LISTS: [&str; 7] = [
        "changelog",
        "changes",
        "history",
        "news",
        "releases",
        "authors",
        "contributors",
    ];
    lock || ending == "lockb" || (prose && LISTS.contains(&stem))
}

#[cfg(test)]
mod tests;
