//! Why a resident process cannot prepare for the next question.

use crate::EngineError;
use ingest::IngestError;
use store::StoreError;

/// The reason why files and index were not compared, or the graph was not read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotReady {
    #[error("no database")]
    NoDatabase,
    #[error("files move")]
    Moving,
    #[error("the watch does not hear of hard links")]
    HardLinks,
    #[error("files have changed")]
    FilesChanged,
    #[error("the index was changed by another process")]
    IndexChanged,
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Check(#[from] IngestError),
    #[error(transparent)]
    Store(#[from] StoreError),
}
