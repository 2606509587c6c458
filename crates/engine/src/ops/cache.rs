//! `cache`: cached answers, and their removal.

use crate::EngineError;
use crate::operation::{Access, NoArguments, operation};
use crate::ops::federation::state_folders;
use crate::ops::{graph_rag, rerank};
use crate::project::Project;
use crate::workspace::Workspace;
use serde::Serialize;
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

/// One folder of cached answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CachePart {
    /// `graph-context` or `reranker`.
    pub name: &'static str,
    /// The folder.
    pub folder: String,
    /// The number of answers.
    pub entries: usize,
    /// The size of the answers in bytes.
    pub bytes: u64,
}

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
    /// The parts of the cache: contexts, and orders of a language model.
    pub parts: Vec<CachePart>,
}

operation! {
    /// The state of the cache of answers.
    CacheStatusOperation {
        name: "cache-status",
        request: NoArguments => CacheAnswer,
        access: |_| Access::Read,
        tool: None,
        answer: |workspace, _| Ok(status(workspace)),
    }
}

operation! {
    /// Removal of all cached answers.
    CacheClearOperation {
        name: "cache-clear",
        request: NoArguments => CacheAnswer,
        access: |_| Access::Write,
        tool: None,
        answer: |workspace, _| clear(workspace),
    }
}

/// The parts of the cache, by name.
fn parts(project: &Project) -> [(&'static str, PathBuf); 2] {
    [
        ("graph-context", graph_rag::cache::cache_folder(project)),
        ("reranker", rerank::cache_folder(project)),
    ]
}

fn measure(name: &'static str, folder: &Path) -> CachePart {
    let files: Vec<DirEntry> = std::fs::read_dir(folder)
        .map(|all| all.filter_map(Result::ok).collect())
        .unwrap_or_default();
    let sizes = files.iter().filter_map(|file| file.metadata().ok());
    CachePart {
        name,
        folder: folder.display().to_string(),
        entries: files.len(),
        bytes: sizes.map(|m| m.len()).sum(),
    }
}

/// The state of the cache of answers.
pub(crate) fn status(workspace: &Workspace) -> CacheAnswer {
    let project = workspace.project();
    let parts = parts(project).map(|(name, folder)| measure(name, &folder));
    CacheAnswer {
        folder: project.cache_dir.display().to_string(),
        entries: parts.iter().map(|part| part.entries).sum(),
        bytes: parts.iter().map(|part| part.bytes).sum(),
        cleared: false,
        parts: parts.to_vec(),
    }
}

/// Removes every cached answer, and the state of repositories that lie elsewhere.
pub(crate) fn clear(workspace: &Workspace) -> Result<CacheAnswer, EngineError> {
    let before = status(workspace);
    let project = workspace.project();
    state_folders::remove_all(project)?;
    for (_, folder) in parts(project) {
        guard::state::remove_folder_below(&project.cache_dir, &folder).map_err(|error| {
            EngineError::runtime_failure(format!("cannot remove {}: {error}", folder.display()))
        })?;
    }
    Ok(CacheAnswer {
        cleared: true,
        ..before
    })
}
