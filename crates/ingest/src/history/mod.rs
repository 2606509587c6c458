//! Git's history of each file: the commits that changed it, when, and by whom.
//!
//! One pass over the commits, newest first; renames are followed to today's name of a file. The result is cached for
//! the commit at HEAD, and extended when HEAD moves on.

mod cache;
mod rename;
mod walk;

pub use cache::load_or_read;
pub(crate) use walk::{not_named, project_prefix as prefix, resolve_revision};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Commits that count for no file are reported where there is at least one among this many others.
const WORTH_A_WORD: usize = 20;

/// Commits that change more files than this count less, in proportion: mass edits say little about one file.
const BULK: f64 = 20.0;
/// Weight of a change by a program.
const BOT: f64 = 0.2;
/// Days after which a change counts half.
const HALF_LIFE: f64 = 90.0;
/// Most files of a commit that counts for coupling.
const COUPLING_FILES: usize = 30;
const DAY: f64 = 86_400.0;

/// Why no history could be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// The project is in no git repository.
    #[error("no git repository at {0}")]
    NoRepository(String),
    /// The repository has no commit yet.
    #[error("the git repository at {0} has no commit")]
    Empty(String),
    /// The folder's `.git` leads to a repository that does not belong to it.
    #[error(
        "the .git of {0} leads to a repository that does not name this folder, and is not read; if it is yours, run `git config core.worktree \"$(git rev-parse --show-toplevel)\"` in the folder"
    )]
    Elsewhere(String),
    /// The caller cancelled.
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
        /// Description of the missing data.
        reason: String,
    },
}

/// Paths below `root` that differ between a commit and HEAD. `revision` is in git's syntax: a branch, a tag, an id, `HEAD~2`.
/// Empty if there are too many to name.
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
    /// Weight of a change by it, 0–1: less in mass edits and by programs.
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
    /// Whether it was cut at the limit of one read: asking for more commits brings none.
    pub cut: bool,
    /// Commits that could not be read: they or their trees are damaged, missing, or too large.
    pub unread: u32,
    /// Commits that change so many files that they count for none: imports of a tree.
    pub mass: u32,
    /// Commits without merges, newest first.
    pub commits: Vec<Commit>,
    /// Paths from the project's root with `/`: today's name, or the last one of a deleted file.
    pub files: Vec<String>,
    /// Names of authors.
    pub authors: Vec<String>,
    /// Paths that files had before they were renamed, with numbers in [`History::files`], ascending.
    pub former: Vec<(String, u32)>,
}

/// Changes of a file, from [`History::changes_by_file`].
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
    /// A warning for an answer that uses this history, if some of it could not be read or does not count.
    pub fn unread_warning(&self) -> Option<String> {
        let parts = [self.not_reached(), self.not_read(), self.not_counted()];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// A note on imports of whole trees. Beside many other commits they are not worth a word.
    fn not_counted(&self) -> Option<String> {
        let is_usual = self.mass as usize * WORTH_A_WORD <= self.commits.len();
        let many = match self.mass {
            _ if is_usual => return None,
            1 => "1 commit changes".to_owned(),
            n => format!("{n} commits change"),
        };
        let most = walk::MOST_FILES;
        Some(format!(
            "{many} more than {most} files at once: that says nothing about one file, and does not count"
        ))
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

    /// Changes of each file since a time (seconds since 1970), by path.
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

    /// For every file with a partner, by path: the share (0–1) of its changes since a time in which its most coupled
    /// file also changed. Both must have changed together at least `least` times. Files that change with every commit
    /// do not count.
    pub fn strongest_coupling_by_file(&self, since: i64, least: usize) -> FxHashMap<&str, f64> {
        let index = self.coupling_since(since);
        (0..self.files.len() as u32)
            .filter_map(|file| {
                // One file at a time: all pairs of a long history would take gigabytes.
                let share = index
                    .coupled_with(file, least)
                    .map(|(_, share)| share)
                    .reduce(f64::max)?;
                Some((self.files[file as usize].as_str(), share))
            })
            .collect()
    }

    /// Files that changed together with each of the given ones, as in [`Self::files_coupled_with`], in the order of
    /// `paths`, in one pass over the history.
    pub fn files_coupled_with_each(&self, paths: &[&str], least: usize) -> Vec<Vec<(&str, f64)>> {
        let index = self.coupling_since(i64::MIN);
        let files: FxHashMap<&str, u32> = (0..)
            .zip(&self.files)
            .map(|(f, p)| (p.as_str(), f))
            .collect();
        paths
            .iter()
            .map(|path| {
                let Some(file) = files.get(path) else {
                    return Vec::new();
                };
                let mut list: Vec<(&str, f64)> = index
                    .coupled_with(*file, least)
                    .map(|(other, share)| (self.files[other as usize].as_str(), share))
                    .collect();
                list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
                list
            })
            .collect()
    }

    /// Files that changed together with the given one, and the share (0–1) of that one's weight: co-change coupling
    /// (Gall, Hajek, Jazayeri 1998). Best first; at least `least` common commits. Files that change with every commit
    /// are left out, since they are no evidence.
    pub fn files_coupled_with(&self, path: &str, least: usize) -> Vec<(&str, f64)> {
        self.files_coupled_with_each(&[path], least).remove(0)
    }

    fn coupling_since(&self, since: i64) -> CouplingIndex<'_> {
        let mut commits = vec![Vec::new(); self.files.len()];
        for (at, commit) in (0u32..).zip(&self.commits) {
            if commit.time >= since && commit.files.len() <= COUPLING_FILES {
                for file in &commit.files {
                    commits[*file as usize].push(at);
                }
            }
        }
        CouplingIndex {
            history: self,
            commits,
        }
    }
}

/// The commits of each file that count for coupling: those that changed few files.
struct CouplingIndex<'a> {
    history: &'a History,
    /// Positions of the commits of each file in the history.
    commits: Vec<Vec<u32>>,
}

impl CouplingIndex<'_> {
    /// The files that changed at least `least` times together with `file`, each with its share (0–1) of that one's
    /// weight.
    fn coupled_with(&self, file: u32, least: usize) -> impl Iterator<Item = (u32, f64)> {
        let history = self.history;
        let mut own = 0.0;
        let mut others: FxHashMap<u32, (usize, f64)> = FxHashMap::default();
        for commit in &self.commits[file as usize] {
            let commit = &history.commits[*commit as usize];
            own += commit.weight();
            for other in commit.files.iter().filter(|other| **other != file) {
                let (count, weight) = others.entry(*other).or_default();
                *count += 1;
                *weight += commit.weight();
            }
        }
        others
            .into_iter()
            .filter_map(move |(other, (count, weight))| {
                let says =
                    count >= least && !is_changed_by_every_commit(&history.files[other as usize]);
                says.then(|| (other, weight / own.max(f64::MIN_POSITIVE)))
            })
    }
}

/// Whether a file changes with every commit: lock files, lists of changes and of authors.
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
