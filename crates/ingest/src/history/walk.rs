//! The commits of a repository, newest first, and the changes of each.

use super::rename::detect_renames;
use super::{Commit, History, HistoryError};
use crate::effort::Effort;
use crate::repository::TreeBudget;
use crate::{git, repository};
use base::Cancel;
use base::secret::{TextKind, mask_secrets};
use gix::diff::tree::recorder::Change;
use platform::RealPath;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Number of commits that are read between two checks of the clock.
const BATCH: usize = 64;
/// A commit that changes more files than this is an import of a tree, and says nothing about one file.
pub(super) const MOST_FILES: usize = 2_000;
/// With more changed files, not even the renames of a commit are followed.
const MOST_RENAMES: usize = 60_000;
/// Bytes of a commit, mostly its message, that take as long as one entry of a tree.
const BYTES_PER_ENTRY: usize = 64;
/// Most commits whose changes are in memory at once.
const AT_ONCE: usize = 32;
/// Most characters of an author's name that are kept.
const AUTHOR: usize = 200;
/// Most characters of a subject that are kept.
const SUBJECT: usize = 120;
/// Most bytes of a message after its subject that are kept.
const BODY: usize = 600;
/// Number of the newest commits whose messages are kept.
const WITH_BODY: usize = 6_000;
/// Bytes of trees and commits that each thread keeps.
const OBJECTS: usize = 16 << 20;

/// Limits of a history.
#[derive(Debug, Clone)]
pub(super) struct Limits {
    /// Most commits, merges among them.
    pub(super) commits: usize,
    /// Time to stop; commits read by then are kept.
    pub(super) until: Option<Instant>,
    /// Whether the caller no longer wants the history.
    pub(super) cancel: Cancel,
    /// Limits for an ordinary commit, many of which are in memory at once.
    pub(super) few: TreeBudget,
    /// Limits for a commit that exceeds `few`. Such commits are read one after the other.
    pub(super) many: TreeBudget,
    /// Most entries that are read for all of those commits together; the rest counts as unread.
    pub(super) visited_of_many: usize,
    /// Most entries that are read for the whole history; it ends there.
    pub(super) visited: usize,
    /// Most bytes of large trees and commits that are read for the whole history; it ends there.
    pub(super) bytes: usize,
    /// Approximate bytes of the history in memory; it ends there.
    pub(super) kept: usize,
}

/// Limits for a commit that changes much.
const MANY: TreeBudget = TreeBudget {
    entries: 200_000,
    paths: 64 << 20,
    bytes: 256 << 20,
};

impl Limits {
    /// The usual limits for that many commits.
    pub(super) fn new(commits: usize, until: Option<Instant>) -> Limits {
        Limits {
            commits,
            until,
            cancel: Cancel::default(),
            few: TreeBudget {
                entries: 20_000,
                paths: 2 << 20,
                bytes: 32 << 20,
            },
            many: MANY,
            visited_of_many: 4_000_000,
            visited: 20_000_000,
            bytes: 1_536 << 20,
            kept: 256 << 20,
        }
    }

    /// Whether its time has run out.
    fn is_late(&self) -> bool {
        self.cancel.is_set() || self.until.is_some_and(|t| Instant::now() >= t)
    }
}

/// A file changed by a commit.
pub(super) struct RawChange {
    pub(super) path: String,
    pub(super) content: [u8; 20],
    kind: Kind,
}

#[derive(PartialEq, Eq)]
enum Kind {
    Added,
    Removed,
    Changed,
}

impl RawChange {
    pub(super) fn is_added(&self) -> bool {
        self.kind == Kind::Added
    }

    pub(super) fn is_removed(&self) -> bool {
        self.kind == Kind::Removed
    }
}

struct RawCommit {
    id: String,
    time: i64,
    author: String,
    subject: String,
    body: String,
    bot: bool,
    changes: Vec<RawChange>,
    /// Whether it moves or imports so many files that only its renames count.
    mass: bool,
}

/// Reads the commits of the repository around `root` that `known` lacks, and joins both.
pub(super) fn read_history(
    root: &Path,
    known: Option<History>,
    limits: Limits,
) -> Result<History, HistoryError> {
    if git::git_dir(root).is_none() {
        return Err(repository::none_at(root));
    }
    let effort = Effort::for_history(&limits.cancel, limits.until);
    let repo = repository::open_checked(root, &effort)?;
    let head = repository::head(&repo, root, &effort)?;
    let prefix = project_prefix(&repo, root);
    let known = known.filter(|k| gix::ObjectId::from_hex(k.head.as_bytes()).is_ok());
    let shown_head = head.to_string();
    if let Some(known) = &known
        && known.head == shown_head
    {
        return Ok(known.clone());
    }
    let old = known
        .as_ref()
        .and_then(|k| gix::ObjectId::from_hex(k.head.as_bytes()).ok())
        .filter(|id| is_ancestor(&repo, *id, head, &limits));
    let mut builder = HistoryBuilder::new(limits.clone());
    let newest_first = gix::traverse::commit::simple::CommitTimeOrder::NewestFirst;
    let order = gix::revision::walk::Sorting::ByCommitTime(newest_first);
    let mut walk = repo
        .rev_walk([head])
        .sorting(order)
        .with_hidden(old)
        .all()
        .map_err(|_| repository::unreadable(root, &effort, "the commit at HEAD"))?;
    let shared = repo.clone().into_sync();
    let mut read = 0;
    let complete;
    let mut ended = false;
    loop {
        let mut batch: Vec<Node> = Vec::new();
        let infos = walk.by_ref();
        for info in infos.take(BATCH.min(limits.commits.saturating_sub(read))) {
            match info {
                Ok(info) => batch.push((info.id, info.parent_ids.to_vec())),
                // The history ends here.
                Err(_) if limits.is_late() || effort.is_spent() => {
                    ended = true;
                    break;
                }
                Err(_) => builder.unread += 1,
            }
            // A commit may be as large as any object.
            if limits.is_late() {
                break;
            }
        }
        if batch.is_empty() {
            builder.spent = effort.is_spent();
            complete = !ended;
            break;
        }
        let is_late = || limits.is_late();
        for nodes in batch.chunks(AT_ONCE) {
            read += nodes.len();
            let found: Vec<(CommitRead, TreeBudget)> = nodes
                .par_iter()
                .map_init(
                    || open_thread_local(&shared, &effort),
                    |repo, node| read_commit(repo, node, &prefix, limits.few),
                )
                .collect();
            for ((one, taken), node) in found.into_iter().zip(nodes) {
                builder.visited += taken.entries;
                builder.bytes += taken.bytes;
                // It may be readable with more time.
                builder.spent = effort.is_spent();
                if (is_late() || builder.spent) && matches!(one, CommitRead::Unread) {
                    break;
                }
                match one {
                    CommitRead::TooMuch => builder.read_large_commit(&repo, node, &prefix),
                    one => builder.add_commit_read(one),
                }
                if builder.is_full() || is_late() {
                    break;
                }
            }
            if builder.is_full() || is_late() {
                break;
            }
        }
        if builder.is_full() || read >= limits.commits || is_late() {
            complete = !builder.is_full() && walk.next().is_none();
            break;
        }
    }
    // A cancelled history is not kept.
    if limits.cancel.is_set() {
        return Err(HistoryError::Cancelled);
    }
    // Without the commits in between, the known history cannot be joined.
    let known = known.filter(|_| old.is_some() && complete);
    Ok(builder.finish(shown_head, complete, known))
}

type Node = (gix::ObjectId, Vec<gix::ObjectId>);

fn open_thread_local(shared: &gix::ThreadSafeRepository, effort: &Arc<Effort>) -> gix::Repository {
    let mut repo = repository::in_thread(shared, effort);
    repo.object_cache_size(OBJECTS);
    repo
}

fn is_ancestor(
    repo: &gix::Repository,
    old: gix::ObjectId,
    head: gix::ObjectId,
    limits: &Limits,
) -> bool {
    // After a branch switch or a rewritten history, everything is read again.
    let Ok(object) = repo.find_object(old) else {
        return false;
    };
    let Ok(time) = object.into_commit().time() else {
        return false;
    };
    let newest_first = gix::traverse::commit::simple::CommitTimeOrder::NewestFirst;
    let order = gix::revision::walk::Sorting::ByCommitTimeCutoff {
        order: newest_first,
        seconds: time.seconds,
    };
    let walk = repo.rev_walk([head]).sorting(order).all();
    walk.is_ok_and(|walk| {
        let mut in_time = walk.take_while(|_| !limits.is_late());
        in_time.any(|info| info.is_ok_and(|info| info.id == old))
    })
}

/// Paths below `root` that differ between a commit and HEAD; empty if there are too many.
pub(super) fn changed_paths_since(
    root: &Path,
    revision: &str,
) -> Result<Vec<String>, HistoryError> {
    if git::git_dir(root).is_none() {
        return Err(repository::none_at(root));
    }
    let effort = Effort::for_comparison(&Cancel::default());
    let repo = repository::open_checked(root, &effort)?;
    let tree = |id: gix::ObjectId| repo.find_object(id).ok()?.peel_to_tree().ok();
    let unreadable = |what: &str| repository::unreadable(root, &effort, what);
    let head = repository::head(&repo, root, &effort)?;
    let after = tree(head).ok_or_else(|| unreadable("the commit at HEAD"))?;
    let before = resolve_revision(&repo, revision);
    let before = before.ok_or_else(|| not_named(revision, root, &effort))?;
    let before = tree(before).ok_or_else(|| unreadable(&format!("the commit {revision}")))?;
    let found = all_changes(
        &repo,
        Some(&before),
        &after,
        &project_prefix(&repo, root),
        &mut { MANY },
    );
    let found = found.ok().flatten().filter(|all| all.len() <= MOST_FILES);
    Ok(found
        .unwrap_or_default()
        .into_iter()
        .map(|raw| raw.path)
        .collect())
}

/// The error for a missing commit, or for commits on the way to it that could not be read.
pub(crate) fn not_named(revision: &str, root: &Path, effort: &Effort) -> HistoryError {
    match effort.reason() {
        Some(_) => repository::unreadable(root, effort, &format!("the way to {revision}")),
        None => HistoryError::Revision(revision.to_owned()),
    }
}

/// The commit that a branch, a tag, an id or its prefix names, with an optional suffix such as `~2` or `^`.
pub(crate) fn resolve_revision(repo: &gix::Repository, revision: &str) -> Option<gix::ObjectId> {
    let (name, steps) = match revision.find(['~', '^']) {
        Some(at) => revision.split_at(at),
        None => (revision, ""),
    };
    let mut back = 0;
    for step in steps.split(['~', '^']).skip(1) {
        back += if step.is_empty() {
            1
        } else {
            step.parse::<usize>().ok()?
        };
    }
    let named = match name {
        "HEAD" | "@" => repo.head_id().ok().map(gix::Id::detach),
        _ => {
            let reference = repo.try_find_reference(name).ok().flatten();
            reference.and_then(|r| Some(r.into_fully_peeled_id().ok()?.detach()))
        }
    };
    let prefix = || {
        let prefix = gix::hash::Prefix::from_hex(name).ok()?;
        repo.objects.lookup_prefix(prefix, None).ok()??.ok()
    };
    let mut id = named.or_else(prefix)?;
    let mut left = MANY;
    for _ in 0..back {
        let commit = repo.find_object(id).ok()?.peel_to_commit().ok()?;
        left.take_object(commit.data.len());
        if left.bytes == 0 {
            return None;
        }
        id = commit.parent_ids().next()?.detach();
    }
    Some(id)
}

/// The project's folder within the repository, with a `/` at its end, or empty.
pub(crate) fn project_prefix(repo: &gix::Repository, root: &Path) -> String {
    let Some(top) = repo.workdir().and_then(|top| top.real_path().ok()) else {
        return String::new();
    };
    let Ok(root) = root.real_path() else {
        return String::new();
    };
    match root.strip_prefix(top) {
        Ok(inner) if !inner.as_os_str().is_empty() => {
            format!("{}/", inner.to_string_lossy().replace('\\', "/"))
        }
        _ => String::new(),
    }
}

/// Result of reading a commit.
enum CommitRead {
    Commit(Box<RawCommit>),
    /// A merge, the border of a shallow clone, or a commit that changes nothing in this project.
    Nothing,
    /// A commit with so many changes that not even its renames are followed.
    Mass,
    /// An object is missing, or too large.
    Unread,
    /// The differences exceed the limits.
    TooMuch,
}

/// Reads the changes of a commit below the prefix, and counts the entries that were read.
fn read_commit(
    repo: &gix::Repository,
    node: &Node,
    prefix: &str,
    most: TreeBudget,
) -> (CommitRead, TreeBudget) {
    let mut left = most;
    let found = read_commit_within(repo, node, prefix, &mut left);
    let taken = TreeBudget {
        entries: most.entries - left.entries,
        paths: most.paths - left.paths,
        bytes: most.bytes - left.bytes,
    };
    (found, taken)
}

fn read_commit_within(
    repo: &gix::Repository,
    (id, parents): &Node,
    prefix: &str,
    left: &mut TreeBudget,
) -> CommitRead {
    // The border of a shallow clone looks like a first commit.
    if parents.len() > 1 || parents.is_empty() && repo.is_shallow().unwrap_or(false) {
        return CommitRead::Nothing;
    }
    let tree = |id: gix::ObjectId| {
        let commit = repo.find_object(id).ok()?.try_into_commit().ok()?;
        Some((commit.tree().ok()?, commit))
    };
    let before = parents.first().map(|parent| tree(*parent));
    let (Some((after, commit)), None | Some(Some(_))) = (tree(*id), &before) else {
        return CommitRead::Unread;
    };
    let parent = before.flatten();
    left.take_object(commit.data.len() + parent.as_ref().map_or(0, |(_, c)| c.data.len()));
    let before = parent.map(|(tree, _)| tree);
    left.entries = left
        .entries
        .saturating_sub(commit.data.len() / BYTES_PER_ENTRY);
    let changes = match all_changes(repo, before.as_ref(), &after, prefix, left) {
        Ok(Some(changes)) => changes,
        Ok(None) => return CommitRead::TooMuch,
        Err(()) => return CommitRead::Unread,
    };
    if changes.is_empty() {
        return CommitRead::Nothing;
    }
    if changes.len() > MOST_RENAMES {
        return CommitRead::Mass;
    }
    match decode_commit(&commit, *id, changes) {
        Some(raw) => CommitRead::Commit(Box::new(raw)),
        None => CommitRead::Unread,
    }
}

fn decode_commit(
    commit: &gix::Commit<'_>,
    id: gix::ObjectId,
    changes: Vec<RawChange>,
) -> Option<RawCommit> {
    let decoded = commit.decode().ok()?;
    let author = decoded.author().ok()?;
    let name = author.name.to_string();
    let email = author.email.to_string();
    let message: String = decoded.message.to_string();
    let (subject, rest) = message.split_once('\n').unwrap_or((&message, ""));
    Some(RawCommit {
        mass: changes.len() > MOST_FILES,
        id: id.to_string().chars().take(12).collect(),
        time: commit.time().ok()?.seconds,
        bot: is_bot(&name) || is_bot(&email),
        author: name.chars().take(AUTHOR).collect(),
        subject: subject.trim_end().chars().take(SUBJECT).collect(),
        body: message_body(rest),
        changes,
    })
}

/// A message without its trailers, cut to the limit.
fn message_body(rest: &str) -> String {
    let mut body = String::new();
    for line in rest.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let is_trailer = line.split_once(": ").is_some_and(|(key, _)| {
            key.contains('-') && key.chars().all(|c| c.is_ascii_alphabetic() || c == '-')
        });
        if !is_trailer {
            body.push_str(line);
            body.push('\n');
        }
        if body.len() > BODY {
            break;
        }
    }
    let mut end = body.len().min(BODY);
    while !body.is_char_boundary(end) {
        end -= 1;
    }
    body.truncate(end);
    body
}

/// All changes between two trees. `None` if there are too many; an error if a tree cannot be read.
fn all_changes(
    repo: &gix::Repository,
    before: Option<&gix::Tree<'_>>,
    after: &gix::Tree<'_>,
    prefix: &str,
    left: &mut TreeBudget,
) -> Result<Option<Vec<RawChange>>, ()> {
    let records = repository::all_changes(repo, before, after, left)?;
    Ok(records.map(|all| {
        let raws = all
            .into_iter()
            .filter_map(|change| to_raw_change(change, prefix));
        raws.collect()
    }))
}

fn to_raw_change(change: Change, prefix: &str) -> Option<RawChange> {
    let (path, mode, oid, kind) = match change {
        Change::Addition {
            path,
            entry_mode,
            oid,
            ..
        } => (path, entry_mode, oid, Kind::Added),
        Change::Deletion {
            path,
            entry_mode,
            oid,
            ..
        } => (path, entry_mode, oid, Kind::Removed),
        Change::Modification {
            path,
            entry_mode,
            oid,
            ..
        } => (path, entry_mode, oid, Kind::Changed),
    };
    if !mode.is_blob() {
        return None;
    }
    let path = path.to_string();
    if !crate::walk::is_readable_name(&path) {
        return None;
    }
    let mut content = [0; 20];
    content.copy_from_slice(oid.as_bytes().get(..20)?);
    Some(RawChange {
        path: path.strip_prefix(prefix)?.to_owned(),
        content,
        kind,
    })
}

fn is_bot(who: &str) -> bool {
    let who = who.to_lowercase();
    let marks = ["[bot]", "dependabot", "renovate", "github-actions", "-bot@"];
    marks.iter().any(|mark| who.contains(mark)) || who.ends_with("-bot") || who.ends_with(" bot")
}

/// Approximate bytes of an entry of a list or map, besides its text.
const ENTRY: usize = 64;

/// Collects commits, newest first.
struct HistoryBuilder {
    commits: Vec<Commit>,
    files: Vec<String>,
    authors: Vec<String>,
    author_numbers: FxHashMap<String, u32>,
    /// Number of each file, by its name at the current point of the walk.
    current: FxHashMap<String, u32>,
    former: Vec<(String, u32)>,
    /// Commits that could not be read.
    unread: u32,
    /// Commits that change so many files that they count for none.
    mass: u32,
    /// Entries of trees that were read.
    visited: usize,
    /// Bytes of large trees and commits that were read.
    bytes: usize,
    /// Entries that were read for commits that change much.
    visited_of_many: usize,
    /// Approximate bytes of the kept commits.
    kept: usize,
    /// Whether the effort for unpacking is spent.
    spent: bool,
    limits: Limits,
}

impl HistoryBuilder {
    fn new(limits: Limits) -> HistoryBuilder {
        HistoryBuilder {
            commits: Vec::new(),
            files: Vec::new(),
            authors: Vec::new(),
            author_numbers: FxHashMap::default(),
            current: FxHashMap::default(),
            former: Vec::new(),
            unread: 0,
            mass: 0,
            visited: 0,
            bytes: 0,
            visited_of_many: 0,
            kept: 0,
            spent: false,
            limits,
        }
    }

    /// Whether the history ends here because it is too large.
    fn is_full(&self) -> bool {
        let Limits {
            visited,
            bytes,
            kept,
            ..
        } = self.limits;
        self.spent || self.visited >= visited || self.bytes >= bytes || self.kept >= kept
    }

    fn add_commit_read(&mut self, found: CommitRead) {
        match found {
            CommitRead::Commit(raw) => self.add_commit(*raw),
            CommitRead::Nothing => {}
            CommitRead::Mass | CommitRead::TooMuch => self.mass += 1,
            CommitRead::Unread => self.unread += 1,
        }
    }

    /// Reads a commit with so many changes that no other may be in memory at the same time.
    fn read_large_commit(&mut self, repo: &gix::Repository, node: &Node, prefix: &str) {
        let limits = self.limits.clone();
        let left = limits.visited_of_many.saturating_sub(self.visited_of_many);
        if left == 0 {
            self.unread += 1;
            return;
        }
        let most = TreeBudget {
            entries: left.min(limits.many.entries),
            ..limits.many
        };
        let (found, taken) = read_commit(repo, node, prefix, most);
        self.visited += taken.entries;
        self.visited_of_many += taken.entries;
        self.bytes += taken.bytes;
        // With a larger budget, another commit might have been readable. A commit that exceeds any budget is an import
        // of a tree, and says nothing about one file.
        let is_last = most.entries < limits.many.entries || taken.bytes >= most.bytes;
        if is_last && matches!(found, CommitRead::TooMuch) {
            self.unread += 1;
        } else {
            self.add_commit_read(found);
        }
    }

    fn add_commit(&mut self, raw: RawCommit) {
        let mut files: Vec<u32> = Vec::with_capacity(raw.changes.len());
        let renames = detect_renames(&raw.changes);
        let moved: FxHashSet<&str> = renames.iter().map(|(old, _)| old.as_str()).collect();
        for change in raw.changes.iter().filter(|_| !raw.mass) {
            // The old name of a renamed file is not a file of its own.
            if !moved.contains(change.path.as_str()) {
                files.push(self.file_number(&change.path));
            }
        }
        for (old, new) in renames {
            if let Some(file) = self.current.remove(&new) {
                self.kept += old.len() + ENTRY;
                self.former.push((old.clone(), file));
                self.current.insert(old, file);
            }
        }
        if raw.mass {
            self.mass += 1;
            return;
        }
        files.sort_unstable();
        files.dedup();
        let author = self.author_number(raw.author);
        // Messages are shown and stored, and may contain tokens.
        let kept = self.commits.len() < WITH_BODY;
        self.kept += ENTRY + raw.subject.len() + raw.body.len() + 4 * files.len();
        self.commits.push(Commit {
            id: raw.id,
            time: raw.time,
            author,
            subject: mask_secrets(raw.subject, TextKind::Other),
            body: if kept {
                mask_secrets(raw.body, TextKind::Other)
            } else {
                String::new()
            },
            bot: raw.bot,
            files,
        });
    }

    fn file_number(&mut self, path: &str) -> u32 {
        if let Some(file) = self.current.get(path) {
            return *file;
        }
        self.kept += 2 * (path.len() + ENTRY);
        let file = self.files.len() as u32;
        self.files.push(path.to_owned());
        self.current.insert(path.to_owned(), file);
        file
    }

    fn author_number(&mut self, name: String) -> u32 {
        if let Some(author) = self.author_numbers.get(&name) {
            return *author;
        }
        let author = self.authors.len() as u32;
        self.authors
            .push(mask_secrets(name.clone(), TextKind::Other));
        self.author_numbers.insert(name, author);
        author
    }

    /// Appends the known history, which is older than everything here.
    fn finish(mut self, head: String, complete: bool, known: Option<History>) -> History {
        let mut complete = complete;
        let mut cut = self.is_full();
        if let Some(known) = known {
            complete = known.complete;
            cut |= known.cut;
            self.unread += known.unread;
            self.mass += known.mass;
            let files: Vec<u32> = known
                .files
                .iter()
                .map(|path| self.file_number(path))
                .collect();
            let former = known.former.into_iter();
            self.former
                .extend(former.map(|(path, f)| (path, files[f as usize])));
            let authors: Vec<u32> = known
                .authors
                .into_iter()
                .map(|a| self.author_number(a))
                .collect();
            for mut commit in known.commits {
                commit.author = authors[commit.author as usize];
                commit.files = commit.files.iter().map(|f| files[*f as usize]).collect();
                commit.files.sort_unstable();
                commit.files.dedup();
                if self.commits.len() >= WITH_BODY {
                    commit.body = String::new();
                }
                self.commits.push(commit);
            }
        }
        self.former.sort();
        self.former.dedup();
        History {
            head,
            complete,
            cut,
            unread: self.unread,
            mass: self.mass,
            former: self.former,
            commits: self.commits,
            files: self.files,
            authors: self.authors,
        }
    }
}
