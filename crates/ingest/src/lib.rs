//! Turns files on disk into the graph: walks the project, collects facts, links them and writes the store.
//!
//! Never knows: queries, terminals, wire formats.

mod adopt;
mod archive;
pub mod cache;
mod check;
mod chunks;
mod delta;
pub mod diff;
mod effort;
mod embed;
pub mod emit;
pub mod git;
mod git_index;
pub mod history;
mod imported;
mod isolated;
mod linked;
mod pipeline;
mod repository;
pub mod scip;
pub mod search_doc;
pub mod text;
pub mod walk;
pub mod watch;

pub use archive::{ExportReport, ImportReport, export, import};
pub use base::Cancel;
pub use check::{Freshness, check_freshness, check_store_freshness};
pub use chunks::{
    ChunksReport, are_chunks_current, chunk_index_dir as chunks_folder, trust_existing_indexes,
    update_chunks, update_chunks_for,
};
pub use delta::{
    ChunkUpdateScope, DeltaCounts, DeltaReport, DeltaRequest, ResidentCell, UpdateMethod,
    run_deferred_maintenance, update_incremental,
};
pub use embed::{EmbedReport, EmbedRequest, embeddings_folder, open_embedded, update_embedded};
pub use imported::forget_imported;
pub use isolated::{WorkerOptions, isolate_parsers, serve_parser};
pub use pipeline::{
    FILE_USERS, IndexOptions, IndexReport, LeftOut, Parsed, Progress, Strategy, UNREADABLE,
    calls_given_up, given_up_by_file, link_repo, load_repo, memory_in_use, piece_bytes,
    skipped_files, update, update_all,
};

/// Opens the root of a project, to read files beneath it.
pub(crate) fn open_project_root(root: &std::path::Path) -> Result<guard::Folder, IngestError> {
    guard::Folder::open(root).map_err(|_| IngestError::NoProject(root.display().to_string()))
}

/// Errors of indexing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IngestError {
    /// The folder does not exist.
    #[error("no such folder: {0}")]
    NoProject(String),
    /// The store reported an error.
    #[error(transparent)]
    Store(#[from] store::StoreError),
    /// The caller cancelled. The previous index stays.
    #[error("indexing was cancelled; the earlier index is kept")]
    Cancelled,
    /// The index of chunks could not be read or written.
    #[error("search index: {0}")]
    Chunks(String),
    /// An exported index cannot be written, or the file cannot be imported. The project's index stays.
    #[error("{path}: {reason}")]
    Archive {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Threads could not be started.
    #[error("starting worker threads: {0}")]
    Threads(String),
    /// The system is short of open files or memory. The previous index stays.
    #[error("{path}: {why}; the earlier index is kept")]
    Shortage {
        /// The file that could not be opened.
        path: String,
        /// Error of the system.
        why: String,
    },
}
