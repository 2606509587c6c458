//! `cache`: what is kept of earlier answers, and its end.

use crate::operation::{Access, NoArguments, Operation, Tool};
use crate::ops::graph_rag::cache::folder;
use crate::{Engine, EngineError};
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

/// What is kept of answers.
pub(crate) struct CacheStatusOperation;

impl Operation for CacheStatusOperation {
    const NAME: &'static str = "cache-status";
    const TOOL: Option<Tool> = None;
    type Request = NoArguments;
    type Answer = CacheAnswer;

    fn access(_: &NoArguments) -> Access {
        Access::Read
    }

    fn run(engine: &Engine, _: &NoArguments) -> Result<CacheAnswer, EngineError> {
        Ok(engine.cache_status())
    }
}

/// Forgetting answers.
pub(crate) struct CacheClearOperation;

impl Operation for CacheClearOperation {
    const NAME: &'static str = "cache-clear";
    const TOOL: Option<Tool> = None;
    type Request = NoArguments;
    type Answer = CacheAnswer;

    fn access(_: &NoArguments) -> Access {
        Access::Write
    }

    fn run(engine: &Engine, _: &NoArguments) -> Result<CacheAnswer, EngineError> {
        engine.cache_clear()
    }
}

impl Engine {
    /// How many answers are kept.
    pub fn cache_status(&self) -> CacheAnswer {
        let folder = folder(self);
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
    pub fn cache_clear(&self) -> Result<CacheAnswer, EngineError> {
        let before = self.cache_status();
        match guard::state::remove_below(&self.project().cache_dir, &folder(self)) {
            Err(error) => Err(EngineError::failure(format!(
                "cannot remove {}: {error}",
                before.folder
            ))),
            Ok(_) => Ok(CacheAnswer {
                cleared: true,
                ..before
            }),
        }
    }
}
