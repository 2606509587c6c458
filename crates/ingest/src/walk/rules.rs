//! Ignore files: read within limits, without following links, and matched as git matches them.
//!
//! Nothing is compiled: a pattern takes about as much memory as it has bytes. Most patterns are names without wildcards
//! or endings like `*.log`; these are looked up. The others are compared one by one, and their number is limited.

use super::tracked::GitIndex;
use crate::git_index::Tracked;
use gix::glob::Pattern;
use gix::glob::pattern::{Case, Mode};
use gix::glob::wildmatch;
use guard::OpenError;
use guard::file::{Folder, LinkPolicy};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The ignore file of this program, which takes precedence over all others.
pub(super) const OWN_IGNORE_FILE: &str = ".knotworkignore";

/// Larger ignore files are skipped.
const MOST_BYTES: u64 = 256 << 10;
/// Most bytes of ignore files that count for one path, with those of all folders around it.
const MOST_BYTES_TOGETHER: u64 = 1 << 20;
/// Total cost of all patterns with wildcards that count for one path: 1 each, and 1 for each wildcard.
const MOST_COST: usize = 8_192;
/// Most wildcards of one pattern. More would only serve to take time.
const MOST_WILDCARDS: usize = 32;

/// The kinds of lists, in order of precedence.
#[derive(Debug, Clone, Copy)]
enum RuleSource {
    /// `.knotworkignore`, for this program alone.
    Own,
    Ignore,
    Git,
    Exclude,
}

/// The rules of a folder and, through their parents, those of all folders around it.
#[derive(Debug)]
pub(super) struct Rules {
    parent: Option<Arc<Rules>>,
    /// Number of bytes of a full path that lead to this folder.
    base: usize,
    lists: [PatternList; 4],
    /// The user's rules for all paths, with the lowest precedence.
    global: PatternList,
    /// Git's index, if the folder is the top of a repository.
    index: Option<Arc<GitIndex>>,
    bytes: u64,
    cost: usize,
}

/// What rules say of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ruling {
    /// No rule ignores it.
    Kept,
    /// Git's rules ignore it, which do not count for files that git tracks.
    IgnoredByGit,
    /// `.knotworkignore` or `.ignore` says so: it is left out in any case.
    LeftOut,
}

/// The rules that apply to a walk, and the position at which its paths begin.
pub(super) struct Start {
    /// The rules of the folders around the root.
    pub(super) rules: Arc<Rules>,
    /// The root's full path, without a leading `/` and with a trailing one.
    pub(super) prefix: Vec<u8>,
    /// Files that were skipped, as messages.
    pub(super) problems: Vec<String>,
}

/// Rule files that a folder has.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PresentRuleFiles {
    pub(super) own: bool,
    pub(super) ignore: bool,
    pub(super) gitignore: bool,
    pub(super) git: bool,
}

impl PresentRuleFiles {
    /// For a folder that was not listed completely: all are tried.
    pub(super) const UNKNOWN: PresentRuleFiles = PresentRuleFiles {
        own: true,
        ignore: true,
        gitignore: true,
        git: true,
    };

    fn is_any(self) -> bool {
        self.own || self.ignore || self.gitignore || self.git
    }
}

impl Rules {
    /// The rules for a walk of `root`, an absolute path without links: those of the user, and of the folders around it.
    /// Git's own files count up to the top of the repository.
    pub(super) fn for_root(root: &Path) -> Start {
        let mut problems = Vec::new();
        let prefix = full_prefix(root);
        let mut rules = Arc::new(Rules {
            parent: None,
            base: prefix.len(),
            lists: Default::default(),
            global: load_global_excludes(&mut problems),
            index: None,
            bytes: 0,
            cost: 0,
        });
        let around: Vec<&Path> = root.ancestors().skip(1).collect();
        let is_top = |folder: &Path| folder.join(".git").symlink_metadata().is_ok();
        let mut of_git = 0;
        if !is_top(root) {
            // Without a repository, all folders count, as for a new project.
            let top = around.iter().position(|folder| is_top(folder));
            of_git = top.map_or(around.len(), |at| at + 1);
        }
        for (at, folder) in around.iter().enumerate().rev() {
            let present = PresentRuleFiles {
                own: true,
                ignore: true,
                gitignore: at < of_git,
                git: at < of_git,
            };
            let Ok(handle) = Folder::open(folder) else {
                continue;
            };
            let base = full_prefix(folder).len();
            let shown = |name: &str| folder.join(name).display().to_string();
            rules = rules.for_folder(&handle, folder, base, present, &shown, &mut problems);
        }
        Start {
            rules,
            prefix,
            problems,
        }
    }

    /// The rules within a folder: these, and the folder's own.
    pub(super) fn for_folder(
        self: Arc<Rules>,
        handle: &Folder,
        path: &Path,
        base: usize,
        present: PresentRuleFiles,
        shown: &dyn Fn(&str) -> String,
        problems: &mut Vec<String>,
    ) -> Arc<Rules> {
        if !present.is_any() {
            return self;
        }
        let mut reader = Reader {
            bytes: self.bytes,
            cost: self.cost,
            problems,
        };
        let mut lists: [PatternList; 4] = Default::default();
        if present.own {
            lists[RuleSource::Own as usize] =
                reader.read_list_file(handle, OWN_IGNORE_FILE, &shown(OWN_IGNORE_FILE));
        }
        if present.ignore {
            lists[RuleSource::Ignore as usize] =
                reader.read_list_file(handle, ".ignore", &shown(".ignore"));
        }
        if present.gitignore {
            lists[RuleSource::Git as usize] =
                reader.read_list_file(handle, ".gitignore", &shown(".gitignore"));
        }
        let mut index = None;
        if present.git
            && let Some(git) = crate::git::git_dir_of_top(path)
        {
            if let Ok(common) = Folder::open(&crate::git::common_dir(&git)) {
                let shown = shown(".git/info/exclude");
                lists[RuleSource::Exclude as usize] =
                    reader.read_list_file(&common, "info/exclude", &shown);
            }
            index = GitIndex::of_top(path, base, git).map(Arc::new);
        }
        if lists.iter().all(PatternList::is_empty) && index.is_none() {
            return self;
        }
        Arc::new(Rules {
            base,
            lists,
            global: PatternList::default(),
            index,
            bytes: reader.bytes,
            cost: reader.cost,
            parent: Some(self),
        })
    }

    /// What the rules say of the entry at a full path; its name begins at `name_at`.
    ///
    /// A repository may ship the files of this program and of ripgrep. They therefore cannot take back files that the
    /// user excludes outside of the work tree. A `.gitignore` can take back both, as in git.
    pub(super) fn ruling(&self, path: &[u8], name_at: usize, is_folder: bool) -> Ruling {
        let of = |class| self.verdict_of(class, path, name_at, is_folder);
        let own = of(RuleSource::Own).or_else(|| of(RuleSource::Ignore));
        if own == Some(true) {
            return Ruling::LeftOut;
        }
        let is_ignored = match of(RuleSource::Git) {
            Some(verdict) => verdict && own.is_none(),
            None => {
                let verdict = of(RuleSource::Exclude);
                let verdict = verdict.or_else(|| self.global_verdict(path, name_at, is_folder));
                verdict.unwrap_or(false)
            }
        };
        if is_ignored {
            Ruling::IgnoredByGit
        } else {
            Ruling::Kept
        }
    }

    /// What git tracks at a full path, by the nearest repository around it.
    pub(super) fn tracked_at(&self, path: &[u8]) -> Tracked {
        let index = self.nearest_index();
        index.map_or(Tracked::Nothing, |index| index.at(path))
    }

    /// The index of the folder itself, if it is the top of a repository.
    pub(super) fn own_index(&self) -> Option<&Arc<GitIndex>> {
        self.index.as_ref()
    }

    /// The index of the nearest repository around the folder.
    pub(super) fn nearest_index(&self) -> Option<&Arc<GitIndex>> {
        let mut around = std::iter::successors(Some(self), |rules| rules.parent.as_deref());
        around.find_map(Rules::own_index)
    }

    /// Verdict of the files of one kind, the nearest first.
    fn verdict_of(
        &self,
        class: RuleSource,
        path: &[u8],
        name_at: usize,
        is_folder: bool,
    ) -> Option<bool> {
        let around = std::iter::successors(Some(self), |rules| rules.parent.as_deref());
        let mut verdicts = around.map(|here| {
            let list = &here.lists[class as usize];
            list.matched_verdict(&path[here.base..], name_at - here.base, is_folder)
        });
        verdicts.find_map(|verdict| verdict)
    }

    /// Verdict of the user's patterns for all repositories.
    fn global_verdict(&self, path: &[u8], name_at: usize, is_folder: bool) -> Option<bool> {
        let mut rules = self;
        while let Some(parent) = rules.parent.as_deref() {
            rules = parent;
        }
        (rules.global).matched_verdict(&path[rules.base..], name_at - rules.base, is_folder)
    }
}

/// The bytes of a path as patterns see them: without a leading `/`, with a trailing one.
fn full_prefix(path: &Path) -> Vec<u8> {
    let mut all = Vec::new();
    for part in path.components() {
        if let std::path::Component::Normal(part) = part {
            all.extend_from_slice(part.as_encoded_bytes());
            all.push(b'/');
        }
    }
    all
}

/// The user's file of patterns for all repositories.
pub(super) fn global_excludes_path() -> Option<PathBuf> {
    ignore::gitignore::gitconfig_excludes_path()
}

/// The patterns of the user for all repositories.
fn load_global_excludes(problems: &mut Vec<String>) -> PatternList {
    let Some(path) = global_excludes_path() else {
        return PatternList::default();
    };
    let mut reader = Reader {
        bytes: 0,
        cost: 0,
        problems,
    };
    let read = guard::read_user_file(&path, MOST_BYTES);
    reader.parse_list(read, &path.display().to_string())
}

/// Reads lists within the remaining limits.
struct Reader<'p> {
    bytes: u64,
    cost: usize,
    problems: &'p mut Vec<String>,
}

impl Reader<'_> {
    fn read_list_file(&mut self, folder: &Folder, name: &str, shown: &str) -> PatternList {
        self.parse_list(
            folder.read_with(name, MOST_BYTES, LinkPolicy::Refuse),
            shown,
        )
    }

    fn parse_list(&mut self, read: Result<Vec<u8>, OpenError>, shown: &str) -> PatternList {
        let bytes = match read {
            Ok(bytes) => bytes,
            Err(error) if error.is_missing() => return PatternList::default(),
            Err(error) => {
                self.report_skipped(shown, &error.reason());
                return PatternList::default();
            }
        };
        self.bytes += bytes.len() as u64;
        if self.bytes > MOST_BYTES_TOGETHER {
            let why = format!(
                "the ignore files of this folder and its parents exceed {MOST_BYTES_TOGETHER} bytes"
            );
            self.report_skipped(shown, &why);
            return PatternList::default();
        }
        let before = self.cost;
        let (list, left_out) = PatternList::parse(&bytes, MOST_COST.saturating_sub(before));
        self.cost += list.cost;
        if left_out > 0 {
            self.problems.push(format!(
                "{shown}: {left_out} patterns are passed over: there are too many with wildcards, or too many wildcards \
                 in one"
            ));
        }
        list
    }

    fn report_skipped(&mut self, shown: &str, why: &str) {
        self.problems
            .push(format!("{shown}: passed over as an ignore file: {why}"));
    }
}

/// Verdict of the last pattern that matches: its position among all, and whether it takes back an exclusion.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct PatternVerdict(u32);

impl PatternVerdict {
    fn new(at: usize, is_negative: bool) -> PatternVerdict {
        PatternVerdict(((at as u32 + 1) << 1) | u32::from(is_negative))
    }

    fn is_ignored(self) -> Option<bool> {
        (self.0 > 0).then_some(self.0 & 1 == 0)
    }
}

/// The last pattern for a key, and the last pattern that only matches folders.
#[derive(Debug, Clone, Copy, Default)]
struct LastMatches {
    any: PatternVerdict,
    folder: PatternVerdict,
}

impl LastMatches {
    fn verdict_for(&self, is_folder: bool) -> PatternVerdict {
        if is_folder {
            self.any.max(self.folder)
        } else {
            self.any
        }
    }
}

// The keys are foreign: the standard hasher has a new key in each process.
type Keys = HashMap<Box<[u8]>, LastMatches>;

/// The patterns of one file.
#[derive(Debug, Default)]
struct PatternList {
    /// Names without wildcards.
    names: Keys,
    /// Endings after the last dot, from `*.ending`.
    endings: Keys,
    /// Paths relative to the folder, without wildcards.
    paths: Keys,
    /// All other patterns, first to last.
    wild: Vec<(PatternVerdict, Pattern)>,
    cost: usize,
}

impl PatternList {
    fn is_empty(&self) -> bool {
        self.names.is_empty()
            && self.endings.is_empty()
            && self.paths.is_empty()
            && self.wild.is_empty()
    }

    /// The patterns, and the number of patterns that are too costly.
    fn parse(bytes: &[u8], most_cost: usize) -> (PatternList, usize) {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let (mut list, mut left_out) = (PatternList::default(), 0);
        for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            let line = trim_pattern_line(line);
            if line.starts_with(b"#") {
                continue;
            }
            let Some(pattern) = Pattern::from_bytes(line) else {
                continue;
            };
            left_out += usize::from(!list.add_pattern(at, pattern, most_cost));
        }
        (list, left_out)
    }

    fn add_pattern(&mut self, at: usize, pattern: Pattern, most_cost: usize) -> bool {
        let verdict = PatternVerdict::new(at, pattern.is_negative());
        let by_name =
            pattern.mode.contains(Mode::NO_SUB_DIR) && !pattern.mode.contains(Mode::ABSOLUTE);
        let ending = pattern.text.strip_prefix(b"*").filter(|rest| {
            pattern.mode.contains(Mode::ENDS_WITH)
                && by_name
                && rest.first() == Some(&b'.')
                && !rest[1..].contains(&b'.')
        });
        let (keys, key) = match (pattern.first_wildcard_pos, ending) {
            (None, _) if by_name => (&mut self.names, pattern.text.as_slice()),
            (None, _) => (&mut self.paths, pattern.text.as_slice()),
            (_, Some(ending)) => (&mut self.endings, ending),
            _ => {
                let wildcards = pattern.text.iter().filter(|b| b"*?[".contains(b)).count();
                if wildcards > MOST_WILDCARDS || self.cost + 1 + wildcards > most_cost {
                    return false;
                }
                self.cost += 1 + wildcards;
                self.wild.push((verdict, pattern));
                return true;
            }
        };
        let last = keys.entry(key.into()).or_default();
        if pattern.mode.contains(Mode::MUST_BE_DIR) {
            last.folder = verdict
        } else {
            last.any = verdict
        }
        true
    }

    /// Whether the entry at a path relative to the folder is ignored; `None` if no pattern matches it.
    fn matched_verdict(&self, path: &[u8], name_at: usize, is_folder: bool) -> Option<bool> {
        let name = &path[name_at..];
        let of = |keys: &Keys, key: &[u8]| {
            if keys.is_empty() {
                PatternVerdict::default()
            } else {
                keys.get(key).map_or(PatternVerdict::default(), |last| {
                    last.verdict_for(is_folder)
                })
            }
        };
        let mut verdict = of(&self.names, name).max(of(&self.paths, path));
        if let Some(dot) = name.iter().rposition(|byte| *byte == b'.') {
            verdict = verdict.max(of(&self.endings, &name[dot..]));
        }
        for (at, pattern) in self.wild.iter().rev() {
            if *at < verdict {
                break;
            }
            let basename = (name_at > 0).then_some(name_at);
            if pattern.matches_repo_relative_path(
                path.into(),
                basename,
                Some(is_folder),
                Case::Sensitive,
                wildmatch::Mode::NO_MATCH_SLASH_LITERAL,
            ) {
                verdict = *at;
                break;
            }
        }
        verdict.is_ignored()
    }
}

/// A line without the white space at its end, unless a backslash keeps it.
fn trim_pattern_line(line: &[u8]) -> &[u8] {
    let end = line.trim_ascii_end();
    match end.last() {
        Some(b'\\') if line.len() > end.len() && line[end.len()] == b' ' => &line[..=end.len()],
        _ => end,
    }
}
