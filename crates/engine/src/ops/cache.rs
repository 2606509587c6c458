//! `cache`: what is kept of earlier answers, and its end.

use crate::EngineError;
use crate::operation::{Access, NoArguments, operation};
use crate::ops::graph_rag::cache::cache_folder;
use crate::workspace::Workspace;
use serde::Serialize;
use std::fs::DirEntry;

/// What is kept of answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CacheAnswer {
    /// Where they lie.
    pub folder: String,
    /// How many there are, or were before they were removed.
    pub entries: usize,
    /// Their size.
    pub bytes: u64,
    /// Whether they were removed.
    pub cleared: bool,
}

operation! {
    /// What is kept of answers.
    CacheStatusOperation {
        name: "cache-status",
        request: NoArguments => CacheAnswer,
        access: |_| Access::Read,
        tool: None,
        run: |workspace, _| Ok(status(workspace)),
    }
}

operation! {
    /// Forgetting answers.
    CacheClearOperation {
        name: "cache-clear",
        request: NoArguments => CacheAnswer,
        access: |_| Access::Write,
        tool: None,
        run: |workspace, _| clear(workspace),
    }
}

/// How many answers are kept.
pub(crate) fn status(workspace: &Workspace) -> CacheAnswer {
    let folder = cache_folder(workspace.project());
    let files: Vec<DirEntry> = std::fs::read_dir(&folder)
        .map(|all| all.filter_map(Result::ok).collect())
        .unwrap_or_default();
    let sizes = files.iter().filter_map(|file| file.metadata().ok());
    CacheAnswer {
        folder: folder.display().to_string(),
        entries: files.len(),
        bytes: sizes.map(|m| m.len()).sum(),
        cleared: false,
    }
}

/// Forgets every answer.
pub(crate) fn clear(workspace: &Workspace) -> Result<CacheAnswer, EngineError> {
    let before = status(workspace);
    let project = workspace.project();
    match guard::state::remove_folder_below(&project.cache_dir, &cache_folder(project)) {
        Err(error) => Err(EngineError::runtime_failure(format!(
            "cannot remove {}: {error}",
            before.folder
        ))),
        Ok(_) => Ok(CacheAnswer {
            cleared: true,
            ..before
        }),
    }
}
