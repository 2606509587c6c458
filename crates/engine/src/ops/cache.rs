//! `cache`: cached answers, and their removal.

use crate::EngineError;
use crate::operation::{Access, NoArguments, operation};
use crate::ops::federation::state_folders;
use crate::ops::graph_rag::cache::cache_folder;
use crate::workspace::Workspace;
use serde::Serialize;
use std::fs::DirEntry;

/// The cache of answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CacheAnswer {
    /// The folder of the cache.
    pub folder: String,
    /// The number of answers, before any were removed.
    pub entries: usize,
    /// The size of the answers in bytes.
    pub bytes: u64,
    /// Whether the answers were removed.
    pub cleared: bool,
}

operation! {
    /// The state of the cache of answers.
    CacheStatusOperation {
        name: "cache-status",
        request: NoArguments => CacheAnswer,
        access: |_| Access::Read,
        tool: None,
        run: |workspace, _| Ok(status(workspace)),
    }
}

operation! {
    /// Removal of all cached answers.
    CacheClearOperation {
        name: "cache-clear",
        request: NoArguments => CacheAnswer,
        access: |_| Access::Write,
        tool: None,
        run: |workspace, _| clear(workspace),
    }
}

/// The state of the cache of answers.
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

/// Removes every cached answer, and what was kept of repositories elsewhere.
pub(crate) fn clear(workspace: &Workspace) -> Result<CacheAnswer, EngineError> {
    let before = status(workspace);
    let project = workspace.project();
    state_folders::remove_all(project)?;
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
