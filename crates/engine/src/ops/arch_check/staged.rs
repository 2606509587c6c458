//! Findings that concern the files of the next commit.

use super::ArchCheckAnswer;
use crate::EngineError;
use crate::session::Session;
use analysis::FileUses;
use ingest::diff::{DiffBase, diff_until};
use ingest::history::HistoryError;
use std::collections::BTreeSet;

/// Files of the next commit.
pub(super) struct StagedFiles {
    files: BTreeSet<String>,
}

/// The staged files. With `with_deps` also files that they depend on or that depend on them.
pub(super) fn staged_files(
    session: &Session<'_>,
    uses: &FileUses,
    with_deps: bool,
) -> Result<StagedFiles, EngineError> {
    let root = &session.project().root;
    let found = diff_until(root, &DiffBase::Staged, session.workspace().cancel());
    let found = found.map_err(|error| match error {
        HistoryError::NoRepository(_) | HistoryError::Elsewhere(_) | HistoryError::Empty(_) => {
            EngineError::bad_arguments(format!("{error}: nothing is staged"))
        }
        other => EngineError::runtime_failure(other.to_string()),
    })?;
    let staged: BTreeSet<String> = found.files.into_iter().map(|f| f.path).collect();
    let mut files = staged.clone();
    if with_deps {
        for one in &uses.uses {
            let (from, to) = (&uses.paths[one.from as usize], &uses.paths[one.to as usize]);
            if staged.contains(from) {
                files.insert(to.clone());
            }
            if staged.contains(to) {
                files.insert(from.clone());
            }
        }
    }
    Ok(StagedFiles { files })
}

impl StagedFiles {
    /// Whether a file is among them.
    pub(super) fn contains(&self, path: &str) -> bool {
        self.files.contains(path)
    }

    /// Keeps only findings about them. Orphans of other files were never listed.
    pub(super) fn retain_findings(&self, answer: &mut ArchCheckAnswer, uses: &FileUses) {
        // Members of a cycle are files or folders.
        let folders = self.files.iter().filter_map(|path| path.rsplit_once('/'));
        let folders: BTreeSet<&str> = folders.map(|(folder, _)| folder).collect();
        let holds = |member: &String| self.contains(member) || folders.contains(member.as_str());
        answer
            .cycles
            .retain(|cycle| cycle.members.iter().any(holds));
        let known = |path: &&String| uses.paths.binary_search(path).is_ok();
        answer.files = self.files.iter().filter(known).cloned().collect();
        answer.files_checked = answer.files.len();
    }
}
