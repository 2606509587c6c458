//! Heat: a score for each file from git's history and the file's complexity.

use crate::project::Project;
use crate::workspace::Workspace;
use crate::{EngineError, graph_state};
use analysis::{FileMeasure, hotspots};
use guard::seal;
use guard::state::create_private_folders;
use ingest::history::{self, History, HistoryError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use store::{FileRecord, GraphStore, SqliteStore};

/// The newest commits that heat is computed from.
const RECENT_COMMITS: usize = 2_000;
/// The longest that the first question waits for these commits.
const PATIENCE: Duration = Duration::from_millis(400);

/// Commits whose messages are read.
const MESSAGE_COMMITS: usize = 6_000;
/// The longest that reading them may take the first time.
const MESSAGE_PATIENCE: Duration = Duration::from_secs(4);

/// Time limit for reading history over a long period. The normal limit is a count of commits, which gives the same answer
/// each time.
const LONG_PATIENCE: Duration = Duration::from_secs(300);

/// The first words of the file of scores. The number changes with the formula.
const HEAD: &str = "heat 1";
/// The kind of file that its seal names.
const KIND: &str = "heat";
/// The most bytes of that file; a longer one was not written by this program.
const LONGEST: u64 = 256 << 20;

/// The last line of that file.
const END: &str = "end\n";

/// Scores of files, 0–1.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heat {
    scores: BTreeMap<String, f64>,
}

impl Heat {
    /// The heat of a file: 0 for one that never changes, is simple, or is not known.
    pub(crate) fn score(&self, path: &str) -> f64 {
        self.scores.get(path).copied().unwrap_or(0.0)
    }

    /// Reads scores that were written for the same state. A file without [`END`] is half-written and not used.
    fn read(file: &Path, line: &str) -> Option<Heat> {
        let text = String::from_utf8(seal::read_sealed(file, KIND, LONGEST)?).ok()?;
        let body = text.strip_prefix(line)?.strip_prefix('\n')?;
        let body = body.strip_suffix(END)?;
        let scores = body.lines().map(|line| {
            let (score, path) = line.split_once('\t')?;
            Some((path.to_owned(), score.parse().ok()?))
        });
        let scores = scores.collect::<Option<BTreeMap<String, f64>>>()?;
        Some(Heat { scores })
    }

    /// Writes the scores. Errors are ignored: the scores are then computed again.
    fn write(&self, file: &Path, line: &str) {
        let mut text = format!("{line}\n");
        // A path that contains a line end would read as two.
        if self.scores.keys().any(|path| path.contains('\n')) {
            return;
        }
        for (path, score) in self.scores.iter().filter(|(_, score)| **score > 0.0) {
            text.push_str(&format!("{score}\t{path}\n"));
        }
        text.push_str(END);
        if file
            .parent()
            .is_some_and(|folder| create_private_folders(folder).is_ok())
        {
            let _ = seal::write_sealed(file, KIND, text.as_bytes());
        }
    }
}

/// The last computed heat, with its key.
#[derive(Debug, Default)]
pub(crate) struct HeatCache(Mutex<Option<(HeatKey, Arc<Heat>)>>);

/// The inputs of heat: the commit at HEAD and the state of the index.
type HeatKey = (Option<String>, Option<u64>);

impl HeatCache {
    fn get(&self, key: &HeatKey) -> Option<Arc<Heat>> {
        let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (of, heat) = cached.as_ref()?;
        (of == key).then(|| heat.clone())
    }

    fn put(&self, key: HeatKey, heat: &Arc<Heat>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((key, heat.clone()));
    }

    /// Drops the computed heat. The next question that needs it computes it again.
    pub(crate) fn clear(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// The heat of all files now. Without a history every file is cold.
pub(crate) fn load_heat(
    workspace: &Workspace,
    store: &SqliteStore,
) -> Result<Arc<Heat>, EngineError> {
    let (project, cache) = (workspace.project(), &workspace.shared().heat);
    let head = ingest::git::head_commit(&project.root);
    let key = (head, graph_state::indexed_at(store)?);
    if let Some(cached) = cache.get(&key) {
        return Ok(cached);
    }
    let written = project.cache_dir.join("heat.tsv");
    let line = format!("{HEAD} {key:?}");
    if let Some(heat) = Heat::read(&written, &line) {
        let heat = Arc::new(heat);
        cache.put(key, &heat);
        return Ok(heat);
    }
    let mut heat = Heat::default();
    match recent_history(workspace) {
        Ok(history) => {
            let files = store.indexed_files()?;
            let changes = history.changes_by_file(0);
            let measures = files.values().filter_map(|f| {
                let changed = changes.get(f.path.as_str())?;
                Some(to_file_measure(f, changed.commits, changed.recent))
            });
            let measures: Vec<FileMeasure<'_>> = measures.collect();
            let found = hotspots(&measures);
            heat.scores = found.into_iter().map(|h| (h.file_path, h.score)).collect();
            heat.write(&written, &line);
        }
        Err(error) => workspace
            .progress()
            .detail(format_args!("no history: {error}")),
    }
    let heat = Arc::new(heat);
    cache.put(key, &heat);
    Ok(heat)
}

/// The measures of a file that the analysis of hotspots reads.
pub(crate) fn to_file_measure(
    file: &FileRecord,
    commits: usize,
    frequency: f64,
) -> FileMeasure<'_> {
    FileMeasure {
        path: &file.path,
        complexity: file.complexity,
        lines: file.lines,
        commits,
        frequency,
        coupling: 0.0,
        days: 0.0,
    }
}

fn recent_history(workspace: &Workspace) -> Result<History, HistoryError> {
    read(workspace, RECENT_COMMITS, PATIENCE)
}

/// The newest commits with their messages.
pub(crate) fn history_with_messages(workspace: &Workspace) -> Result<History, HistoryError> {
    read(workspace, MESSAGE_COMMITS, MESSAGE_PATIENCE)
}

/// The history back to a time (seconds since 1970), as far as there is one.
pub(crate) fn history_since(
    workspace: &Workspace,
    time: i64,
    most: usize,
) -> Result<History, HistoryError> {
    let history = read(workspace, RECENT_COMMITS, LONG_PATIENCE)?;
    let oldest = history.commits.last().map_or(i64::MAX, |c| c.time);
    if history.complete || history.cut || oldest < time {
        return Ok(history);
    }
    read(workspace, most, LONG_PATIENCE)
}

fn read(
    workspace: &Workspace,
    commits: usize,
    patience: Duration,
) -> Result<History, HistoryError> {
    let project = workspace.project();
    let file = history_cache_path(project);
    history::load_or_read(
        &project.root,
        &file,
        commits,
        Some(patience),
        workspace.cancel(),
    )
}

fn history_cache_path(project: &Project) -> PathBuf {
    project.cache_dir.join("history.bin")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_back_for_the_same_state_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("heat.tsv");
        let scores = [("src/a b.rs", 0.1 + 0.2), ("ß\t.py", 1.0)];
        let scores = scores.map(|(path, score)| (path.to_owned(), score));
        let heat = Heat {
            scores: scores.into_iter().collect(),
        };
        heat.write(&file, "one");
        assert_eq!(Heat::read(&file, "one").unwrap().scores, heat.scores);
        assert!(Heat::read(&file, "two").is_none());
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, &text[..text.len() - 6]).unwrap();
        assert!(Heat::read(&file, "one").is_none());
        assert!(Heat::read(&folder.path().join("none"), "one").is_none());
    }
}
