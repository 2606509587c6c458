//! Cached answers, by question, options and the state of everything that they depend on.
//!
//! A file holds places and numbers, neither the question nor source text: on a hit the lines are read again. A file that cannot
//! be read back counts as missing.

use super::answer::GraphRagAnswer;
use super::request::{GraphRagRequest, Limits};
use crate::ops::clock::now_seconds;
use crate::ops::intent;
use crate::project::Project;
use crate::workspace::Workspace;
use guard::seal;
use guard::state::create_private_folders;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The most cached answers. Beyond it the oldest are removed, until half of them are left.
const MOST: usize = 200;

/// The kind of file, for its seal: a file that came with a repository has no valid one.
const KIND: &str = "graph-rag answer";
/// The most bytes of such a file; a longer one was not written by this program.
const LONGEST: u64 = 64 << 20;

/// The version of an entry; grows with each change of its meaning.
const VERSION: u32 = 1;

/// The file of one cached answer.
pub(super) struct CacheEntryFile {
    folder: PathBuf,
    key: String,
    ttl: Duration,
}

/// An answer with its time.
#[derive(Serialize, Deserialize)]
struct Entry {
    key: String,
    at: u64,
    answer: GraphRagAnswer,
}

/// The folder of all answers.
pub(crate) fn cache_folder(project: &Project) -> PathBuf {
    project.cache_dir.join("graph-context")
}

impl CacheEntryFile {
    /// The file for a question's answer; none where answers are not cached. `chunks` is the state of the chunks.
    pub(super) fn for_request(
        workspace: &Workspace,
        request: &GraphRagRequest,
        limits: &Limits,
        chunks: &str,
    ) -> Option<CacheEntryFile> {
        let ttl = workspace.config().graph_rag().cache_ttl;
        if request.no_cache || ttl.is_zero() {
            return None;
        }
        let database = workspace.database();
        let mut journal = database.as_os_str().to_owned();
        journal.push("-wal");
        let preferences = serde_json::to_string(intent::preferences(workspace).scores()).ok()?;
        let reranker = format!("{:?}", workspace.config().reranker());
        let parts = [
            format!("{VERSION} {}", env!("CARGO_PKG_VERSION")),
            request.query.clone(),
            format!(
                "{limits:?} {:?} {} {} {:?}",
                request.format, request.skeleton, request.rerank, request.tokenizer
            ),
            format!(
                "{chunks} {:?} {:?}",
                file_stamp(database),
                file_stamp(Path::new(&journal))
            ),
            ingest::git::head_commit(workspace.root()).unwrap_or_default(),
            preferences,
            reranker,
        ];
        let bytes: Vec<&[u8]> = parts.iter().map(|part| part.as_bytes()).collect();
        let backwards: Vec<&[u8]> = bytes.iter().rev().copied().collect();
        let key = format!(
            "{:016x}{:016x}",
            base::fingerprint(&bytes),
            base::fingerprint(&backwards)
        );
        Some(CacheEntryFile {
            folder: cache_folder(workspace.project()),
            key,
            ttl,
        })
    }

    fn path(&self) -> PathBuf {
        self.folder.join(format!("{}.json", self.key))
    }

    /// The answer, if there is one that is complete and not too old.
    pub(super) fn read(&self) -> Option<GraphRagAnswer> {
        let text = seal::read_sealed(&self.path(), KIND, LONGEST)?;
        let entry: Entry = serde_json::from_slice(&text).ok()?;
        let age = now_seconds().checked_sub(entry.at)?;
        (entry.key == self.key && age < self.ttl.as_secs()).then_some(entry.answer)
    }

    /// Caches an answer. Errors are ignored: a cache that cannot be written is no reason to fail.
    pub(super) fn write(&self, answer: &GraphRagAnswer) {
        let mut answer = answer.clone();
        for candidate in &mut answer.candidates {
            candidate.snippet.clear();
        }
        let entry = Entry {
            key: self.key.clone(),
            at: now_seconds(),
            answer,
        };
        let Ok(text) = serde_json::to_string(&entry) else {
            return;
        };
        let made = self
            .folder
            .parent()
            .is_none_or(|cache| create_private_folders(cache).is_ok());
        if made && create_private_folders(&self.folder).is_ok() {
            let _ = seal::write_sealed(&self.path(), KIND, text.as_bytes());
            evict_oldest(&self.folder);
        }
    }
}

/// Removes the oldest entries where there are too many.
fn evict_oldest(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut all: Vec<(SystemTime, PathBuf)> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    if all.len() <= MOST {
        return;
    }
    all.sort();
    let old = all.len() - MOST / 2;
    for (_, path) in all.iter().take(old) {
        let _ = std::fs::remove_file(path);
    }
}

/// Size (bytes) and time of a file, 0 where there is none.
fn file_stamp(path: &Path) -> (u64, u128) {
    let Ok(found) = path.metadata() else {
        return (0, 0);
    };
    let modified = found.modified().ok();
    let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    (found.len(), since.map_or(0, |s| s.as_nanos()))
}

#[cfg(test)]
mod tests {
    use super::super::answer::ContextMetadata;
    use super::*;
    use testkit::Repo;

    fn slot(repo: &Repo, ttl: u64) -> CacheEntryFile {
        CacheEntryFile {
            folder: repo.file_path("cache"),
            key: "k".to_owned(),
            ttl: Duration::from_secs(ttl),
        }
    }

    #[test]
    fn what_is_kept_is_read_until_it_is_too_old() {
        let repo = Repo::new("//- a\n");
        let answer = GraphRagAnswer::empty(ContextMetadata::default());
        assert_eq!(slot(&repo, 300).read(), None);
        slot(&repo, 300).write(&answer);
        assert_eq!(slot(&repo, 300).read(), Some(answer));
        assert_eq!(slot(&repo, 0).read(), None);
    }

    #[test]
    fn damage_is_passed_over_and_replaced() {
        let repo = Repo::new("//- cache/k.json\n{\"key\":\"k\",\"at\":\n");
        let answer = GraphRagAnswer::empty(ContextMetadata::default());
        assert_eq!(slot(&repo, 300).read(), None);
        slot(&repo, 300).write(&answer);
        assert_eq!(slot(&repo, 300).read(), Some(answer));
        // An entry from the future, as after a clock was set back.
        let text = std::fs::read_to_string(repo.file_path("cache/k.json")).unwrap();
        repo.write("cache/k.json", &text.replace("\"at\":1", "\"at\":9"));
        assert_eq!(slot(&repo, 300).read(), None);
    }

    #[test]
    fn the_folder_stays_small() {
        let repo = Repo::new("//- a\n");
        for n in 0..MOST + 5 {
            repo.write(&format!("cache/{n}.json"), "{}");
        }
        evict_oldest(&repo.file_path("cache"));
        let left = std::fs::read_dir(repo.file_path("cache")).unwrap().count();
        assert_eq!(left, MOST / 2);
    }
}
