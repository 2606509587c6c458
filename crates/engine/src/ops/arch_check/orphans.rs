//! Symbols without a user: reads the repository's text for the pure analysis.

use super::sources::Sources;
use super::{ArchCheckAnswer, ArchCheckRequest};
use crate::EngineError;
use crate::session::Session;
use crate::workspace::Workspace;
use analysis::{
    Decorators, Mentions, OrphanList, OrphanTuning, ProjectFiles, TextMentions, find_candidates,
    judge_candidates,
};
use base::secret::{TextKind, mask_secrets};
use guard::Folder;
use ingest::walk::{self, FoundText};
use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use store::Snapshot;
use text::list::{self, WordList};

/// The most bytes of a text; larger ones are data.
const LARGEST: u64 = 16 << 20;

/// The most threads that read: the machine has other work.
const THREADS: usize = 4;

/// Endings of files that are not searched: binary files, and text that is no code.
static NO_TEXT: WordList = LazyLock::new(|| list::words(include_str!("no_text.txt")).collect());

const LOCKS: [&str; 4] = [
    "package-lock.json",
    "pnpm-lock.yaml",
    "npm-shrinkwrap.json",
    "go.sum",
];

fn may_hold_text(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, e)| e);
    !NO_TEXT.contains(&extension) && !LOCKS.contains(&name) && !name.contains(".min.")
}

/// Whether a file with this path is accepted.
type AcceptsPath<'a> = &'a dyn Fn(&str) -> bool;

/// Most orphans that are listed.
const MOST_ORPHANS: usize = 100_000;
/// The bytes of an orphan in an answer, as a record, as a value and as text.
const ORPHAN_BYTES: u64 = 2_000;

/// Finds orphans. Only files that `is_own` accepts are looked at: nobody here maintains generated or vendored code. Those of files
/// that `is_wanted` accepts are reported.
pub(super) fn find_orphans(
    answer: &mut ArchCheckAnswer,
    session: &Session<'_>,
    graph: &Snapshot,
    (request, tuning): (&ArchCheckRequest, &OrphanTuning),
    (is_own, is_wanted): (AcceptsPath<'_>, AcceptsPath<'_>),
    sources: Sources<'_>,
) -> Result<(), EngineError> {
    let decorators = Decorators::read(session.store(), graph)?;
    let found = find_candidates(graph, &decorators, is_own);
    let mut mentions = Mentions::new(graph, &found);
    if !found.is_empty() {
        let texts = walk::texts(&session.project().root, LARGEST, &may_hold_text)?;
        for part in scan_texts(session.workspace(), &texts, &mentions) {
            mentions.merge_found(part);
        }
    }
    session.check_cancelled()?;
    let mut world = ProjectFilesOnDisk {
        root: &session.project().root,
        sources,
        known: HashMap::new(),
    };
    let list = OrphanList {
        possible: request.possible,
        is_wanted,
        most: MOST_ORPHANS.min(session.rows_that_fit(ORPHAN_BYTES)),
        tuning,
    };
    let orphans = judge_candidates(graph, &found, &mentions, &mut world, &list);
    if orphans.left_out > 0 {
        answer.warnings.push(format!(
            "{} more orphans are counted and not listed; --scope chooses others",
            orphans.left_out
        ));
    }
    answer.orphans = orphans.listed;
    let sure = orphans.sure;
    let nodes = graph.node_count().max(1);
    answer.summary.orphan_count = sure;
    answer.summary.orphan_ratio = (sure as f64 / nodes as f64 * 1e4).round() / 1e4;
    Ok(())
}

/// The mentions that each thread found in its texts.
fn scan_texts(
    workspace: &Workspace,
    texts: &[FoundText],
    mentions: &Mentions<'_>,
) -> Vec<TextMentions> {
    let Ok(root) = Folder::open(workspace.root()) else {
        return Vec::new();
    };
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = TextMentions::default();
        while let Some(text) = texts.get(next.fetch_add(1, Ordering::Relaxed)) {
            if workspace.check_cancelled().is_err() {
                break;
            }
            let Ok(bytes) = root.read(&text.path, LARGEST) else {
                continue;
            };
            // A file with zero bytes at its beginning is no text.
            if bytes.iter().take(1_000).all(|b| *b != 0) {
                let kind = TextKind::from_path(&text.path);
                let hidden = mask_secrets(String::from_utf8_lossy(&bytes).into_owned(), kind);
                mentions.scan_text(&text.path, hidden.as_bytes(), &mut found);
            }
        }
        found
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get().min(THREADS));
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut all = vec![work()];
        all.extend(others.into_iter().filter_map(|thread| thread.join().ok()));
        all
    })
}

/// The project's files.
struct ProjectFilesOnDisk<'e> {
    root: &'e Path,
    sources: Sources<'e>,
    known: HashMap<(String, bool), bool>,
}

impl ProjectFiles for ProjectFilesOnDisk<'_> {
    fn nearest_file(&mut self, path: &str, names: &[&str]) -> Option<(String, String)> {
        let mut folder = path;
        loop {
            folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
            for name in names {
                let at = if folder.is_empty() {
                    (*name).to_owned()
                } else {
                    format!("{folder}/{name}")
                };
                if let Some(text) = self.sources.text(&at) {
                    return Some((folder.to_owned(), text.to_owned()));
                }
            }
            if folder.is_empty() {
                return None;
            }
        }
    }

    fn exists(&mut self, path: &str) -> bool {
        self.root.join(path).is_file()
    }

    fn api_cache(&mut self) -> &mut HashMap<(String, bool), bool> {
        &mut self.known
    }
}
