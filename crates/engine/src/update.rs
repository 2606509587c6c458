//! Updates of graph and chunks before a question, and opening them.

use crate::embedder::{Degradation, EmbedderChoice, SearchIndex, missing_vectors_note};
use crate::graph_state::{BY_HAND, GraphState, indexed_at, is_manual_graph};
use crate::question_store::QuestionStore;
use crate::workspace::{WRITER_LOCK_TIMEOUT, Workspace};
use crate::{EngineError, IndexInfo};
use ingest::{
    ChunkUpdateScope, DeltaReport, DeltaRequest, EmbedReport, EmbedRequest, IndexOptions,
    IngestError, ResidentCell,
};
use search::index::Index;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{GraphStore, SqliteStore, StoreError};

/// Metadata that the indexer leaves.
const COMMIT: &str = "commit";

/// The longest that a question waits for vectors of files that changed.
const EMBED_PATIENCE: Duration = Duration::from_secs(2);
/// The most chunks that a question sends to a provider.
const MOST_CHUNKS: usize = 64;

/// The graph, with every changed file read again. Where another process writes, or nothing can be written here, it is the last
/// state, and the answer says so.
pub(crate) fn open_current(workspace: &Workspace) -> Result<GraphState, EngineError> {
    let ready = || {
        workspace
            .resident()
            .and_then(|resident| resident.open_if_unchanged())
    };
    if let Some(state) = ready() {
        return Ok(state);
    }
    workspace.check_cancelled()?;
    let _turn = workspace.lock_updates();
    workspace.check_cancelled()?;
    if let Some(resident) = workspace.resident() {
        resident.check_if_overdue();
    }
    // Another thread may have updated it while this one waited for the lock.
    if let Some(state) = ready() {
        return Ok(state);
    }
    let (store, mut index) = update_and_open(workspace)?;
    index.notes.append(&mut workspace.take_repair_notes());
    workspace.check_cancelled()?;
    let state = open_at_snapshot(workspace, store, index)?;
    if let Some(resident) = workspace.resident() {
        resident.prepare_in_background();
    }
    Ok(state)
}

/// A store that is ready for a question, with a snapshot of its current state.
pub(crate) fn open_at_snapshot(
    workspace: &Workspace,
    store: SqliteStore,
    index: IndexInfo,
) -> Result<GraphState, EngineError> {
    let version = match workspace.resident() {
        Some(resident) => resident.begin_read(&store)?,
        None => {
            store.begin_read_snapshot()?;
            None
        }
    };
    let resident = workspace.resident().zip(version);
    Ok(GraphState {
        store: QuestionStore::Local(store),
        version,
        memory: resident.and_then(|(resident, version)| resident.graph(version)),
        index,
        watcher_settled: false,
    })
}

/// Walks the tree. The database is opened for writing only where something changed.
fn update_and_open(workspace: &Workspace) -> Result<(SqliteStore, IndexInfo), EngineError> {
    let db_path = &workspace.project().db_path;
    let progress = workspace.progress();
    let store = SqliteStore::open_read_only(db_path).ok();
    let mut options = workspace.inputs().options_for_store(store.as_ref());
    options.cancel = workspace.cancel().clone();
    let follows = workspace
        .resident()
        .is_some_and(|resident| resident.is_following_changes());
    if let Some(store) = store.filter(|_| !follows) {
        if is_manual_graph(&store)? {
            return Ok((store, IndexInfo::stale(None, None, BY_HAND)));
        }
        match ingest::check_store_freshness(&store, &options) {
            Ok(mut freshness) if freshness.is_fresh() => {
                workspace.store_walk(std::mem::take(&mut freshness.texts));
                progress.detail(format_args!("no file changed since the last index run"));
                return Ok((store, IndexInfo::from_freshness(freshness)));
            }
            Ok(freshness) => progress.detail(format_args!(
                "changed: {:?}, gone: {:?}, built with the same versions and manifests: {}",
                freshness.changed, freshness.removed, freshness.same_inputs
            )),
            Err(error) => progress.detail(format_args!("{error}")),
        }
    }
    // The wait for a better state is short where there is a last state to answer from.
    if db_path.exists() {
        options.wait = WRITER_LOCK_TIMEOUT;
    }
    let prepared = workspace.project().prepare_state();
    let updated = prepared.and_then(|()| run_delta(workspace, &options, &[], false));
    match updated {
        Ok(report) => {
            let store = SqliteStore::open_read_only(db_path)?;
            let index = IndexInfo::from_report(report, indexed_at(&store)?);
            Ok((store, index))
        }
        Err(error) => open_outdated(workspace, error),
    }
}

fn open_outdated(
    workspace: &Workspace,
    error: EngineError,
) -> Result<(SqliteStore, IndexInfo), EngineError> {
    // A damaged database gives no answer.
    if error.fault.is_some() {
        return Err(error);
    }
    workspace.check_cancelled()?;
    let Ok(store) = SqliteStore::open_read_only(workspace.database()) else {
        return Err(error.without_graph());
    };
    let indexed_at = indexed_at(&store)?;
    // Half of a first build gives no answer.
    if indexed_at.is_none() {
        return Err(error.without_graph());
    }
    let index = IndexInfo::stale(
        store.metadata(COMMIT)?.filter(|c| !c.is_empty()),
        indexed_at,
        &format!("answered from the last index: {error}"),
    );
    Ok((store, index))
}

/// Opens the store for operations on the store itself. An old schema is upgraded; a database that the caller named is not created
/// where it is missing.
pub(crate) fn open_for_store_operation(workspace: &Workspace) -> Result<GraphState, EngineError> {
    if let Some(state) = workspace
        .resident()
        .and_then(|resident| resident.open_if_unchanged())
    {
        return Ok(state);
    }
    match SqliteStore::open_read_only(workspace.database()) {
        // A damaged database that was moved aside is rebuilt.
        Err(error @ StoreError::Missing(_))
            if workspace.project().db_is_given && !workspace.has_repair_notes() =>
        {
            Err(EngineError::from(error).with_hint("create it with `knotwork graph-store init`"))
        }
        // Created with `init` and still empty.
        Ok(store) if indexed_at(&store)?.is_none() => {
            open_at_snapshot(workspace, store, IndexInfo::stale(None, None, BY_HAND))
        }
        Err(StoreError::Schema { .. }) => {
            drop(SqliteStore::open_writer(
                workspace.database(),
                WRITER_LOCK_TIMEOUT,
            )?);
            open_current(workspace)
        }
        Ok(_) | Err(StoreError::Missing(_) | StoreError::Unvouched(_)) => open_current(workspace),
        Err(other) => Err(other.into()),
    }
}

/// The graph as it was last left, where there is one; else one that is brought up to date.
pub(crate) fn open_last(workspace: &Workspace) -> Result<GraphState, EngineError> {
    if let Ok(store) = SqliteStore::open_read_only(workspace.database()) {
        let indexed_at = indexed_at(&store)?;
        if indexed_at.is_some() || is_manual_graph(&store)? {
            let index = IndexInfo::stale(None, indexed_at, "the graph of the last index run");
            return open_at_snapshot(workspace, store, index);
        }
    }
    workspace.with_repair(|| open_current(workspace))
}

/// The store for writing by hand, created where it is missing.
pub(crate) fn open_for_writing(workspace: &Workspace) -> Result<SqliteStore, EngineError> {
    if !workspace.project().db_is_given {
        workspace.project().prepare_state()?;
    }
    Ok(SqliteStore::open_writer(
        workspace.database(),
        WRITER_LOCK_TIMEOUT,
    )?)
}

/// Brings the index up to date. The content of the named files is compared whatever their times are.
pub(crate) fn update_files(
    workspace: &Workspace,
    paths: &[String],
    force: bool,
) -> Result<DeltaReport, EngineError> {
    let _turn = workspace.lock_updates();
    workspace.check_cancelled()?;
    let mut options = workspace.options();
    options.force = force;
    if options.db_path.exists() {
        options.wait = WRITER_LOCK_TIMEOUT;
    }
    run_delta(workspace, &options, paths, true)
}

fn run_delta(
    workspace: &Workspace,
    options: &IndexOptions,
    paths: &[String],
    with_chunks: bool,
) -> Result<DeltaReport, EngineError> {
    if let Some(resident) = workspace.resident() {
        return Ok(resident.update(options, paths, with_chunks)?);
    }
    let ask = DeltaRequest {
        paths,
        no_other_changes: false,
        chunks: if with_chunks {
            ChunkUpdateScope::All
        } else {
            ChunkUpdateScope::Nothing
        },
    };
    let residence = ResidentCell::default();
    let progress = workspace.progress();
    Ok(ingest::update_incremental(
        options, &residence, ask, progress,
    )?)
}

/// The time of the last write to the index, seconds since 1970.
pub(crate) fn indexed_at_now(workspace: &Workspace) -> Option<u64> {
    if let Some(resident) = workspace.resident() {
        return resident.indexed_at();
    }
    let store = SqliteStore::open_read_only(workspace.database()).ok()?;
    indexed_at(&store).ok().flatten()
}

/// The chunks, with every changed file read again, and a note on their state. Where they cannot be brought up to date, the last
/// state. `watcher_settled` if the question has waited for the watcher already.
pub(crate) fn chunks(
    workspace: &Workspace,
    watcher_settled: bool,
) -> Result<(Arc<Index>, Option<String>), EngineError> {
    workspace.check_cancelled()?;
    let before = match workspace
        .resident()
        .map(|resident| resident.chunks(watcher_settled))
    {
        Some(Ok(index)) => return Ok((index, None)),
        Some(Err(before)) => before,
        None => None,
    };
    let mut options = workspace.options();
    let folder = ingest::chunks_folder(&options);
    if !folder.exists() && !workspace.config().embedding().auto_build {
        let message = "there is no search index, and embedding.auto_build is off";
        return Err(
            EngineError::missing_dependency(message).with_hint("build it with `knotwork index`")
        );
    }
    if folder.exists() {
        options.wait = WRITER_LOCK_TIMEOUT;
    }
    let progress = workspace.progress();
    // One walk serves graph and chunks. With a watcher, only a walk after its report counts.
    let walked = workspace.take_recent_walk().filter(|_| before.is_none());
    let updated = match walked {
        Some(found) => ingest::update_chunks_for(&options, found, progress),
        None => ingest::update_chunks(&options, progress),
    };
    match updated {
        Ok((index, report)) => {
            let index = Arc::new(index);
            if let (Some(resident), Some(before)) = (workspace.resident(), before) {
                resident.cache_chunks(before, &index);
            }
            // A rebuild does not change the answer, so it is no fallback. A note on the index reports it.
            if let Some(why) = report.rebuilt {
                workspace.record_repair(format!("{why}; it was rebuilt"));
            }
            Ok((index, None))
        }
        Err(IngestError::Cancelled) => {
            workspace.check_cancelled()?;
            Err(IngestError::Cancelled.into())
        }
        Err(error) => match Index::open(&folder) {
            Ok(index) => Ok((
                Arc::new(index),
                Some(format!("answered from the last index: {error}")),
            )),
            Err(_) => Err(error.into()),
        },
    }
}

/// The chunks to search, with every changed file read again, and the model for queries. `watcher_settled` if the question has
/// waited for the watcher already.
pub(crate) fn search_index(
    workspace: &Workspace,
    watcher_settled: bool,
) -> Result<SearchIndex, EngineError> {
    let built_in = |degraded: Option<Degradation>| {
        let (index, note) = chunks(workspace, watcher_settled)?;
        Ok(SearchIndex::built_in(index, note, degraded))
    };
    let (embedder, is_local) = match workspace.embedder() {
        EmbedderChoice::BuiltIn => return built_in(None),
        EmbedderChoice::Missing(error) => return built_in(Some(Degradation::without_key(&error))),
        EmbedderChoice::Provider { embedder, is_local } => (embedder, is_local),
    };
    let waiting = (Instant::now() + EMBED_PATIENCE, MOST_CHUNKS);
    let ask = EmbedRequest {
        embedder: &*embedder,
        force: false,
        waiting: Some(waiting).filter(|_| !is_local),
    };
    let mut options = workspace.options();
    options.wait = WRITER_LOCK_TIMEOUT;
    let (index, note) = match ingest::update_embedded(&options, &ask, workspace.progress()) {
        Ok((index, report)) => (index, missing_vectors_note(&report)),
        Err(error) => {
            let last = ingest::open_embedded(&options, embedder.model());
            let note = format!("answered from the last index: {error}");
            (last.map(|(index, _)| index), Some(note))
        }
    };
    match index {
        Some(index) => Ok(SearchIndex::of_provider(Arc::new(index), note, embedder)),
        None => built_in(Some(Degradation::not_built(embedder.model()))),
    }
}

/// Builds a provider's vectors, or brings them up to date. None where the built-in model is chosen.
pub(crate) fn update_embeddings(
    workspace: &Workspace,
    force: bool,
) -> Result<Option<(Option<Index>, EmbedReport)>, EngineError> {
    let embedder = match workspace.embedder() {
        EmbedderChoice::BuiltIn => return Ok(None),
        EmbedderChoice::Missing(error) => {
            let report = EmbedReport {
                problem: Some(error.to_string()),
                ..EmbedReport::default()
            };
            return Ok(Some((None, report)));
        }
        EmbedderChoice::Provider { embedder, .. } => embedder,
    };
    let ask = EmbedRequest {
        embedder: &*embedder,
        force,
        waiting: None,
    };
    let options = workspace.options();
    let updated = ingest::update_embedded(&options, &ask, workspace.progress())?;
    Ok(Some(updated))
}
