//! `ast-delta`: updates the index at a cost in proportion to the change, and lists the changes.

use crate::operation::{Access, Tool, operation};
use crate::update;
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo, unread};
use ingest::{DeltaCounts, DeltaReport, UpdateMethod};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{GraphStore, SqliteStore};

/// Bring the index up to date after files changed.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct AstDeltaRequest {
    /// A changed file [default: every file that changed]
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(default)]
    pub file: Option<String>,
    /// Changed files [default: every file that changed]
    #[cfg_attr(feature = "cli", arg(value_name = "FILE"))]
    #[serde(default)]
    #[schemars(skip)]
    pub files: Vec<String>,
    /// Files that changed since this commit, e.g. HEAD~1
    #[cfg_attr(feature = "cli", arg(long, value_name = "REF"))]
    #[serde(default)]
    pub since: Option<String>,
    /// Rebuild everything
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    #[schemars(skip)]
    pub force_rebuild: bool,
}

/// The way in which an update was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DeltaStrategy {
    /// Only changed files were read and written.
    Incremental,
    /// Everything was rebuilt.
    FullRebuild,
    /// Facts of unchanged files were missing or damaged, so these files were read again.
    Fallback,
}

/// The result of an update.
#[derive(Debug, Clone, Serialize)]
pub struct AstDeltaAnswer {
    /// The way in which it was done.
    pub strategy: DeltaStrategy,
    /// The number of files whose content changed, with new and removed ones.
    pub files_updated: u32,
    /// The numbers of new, removed and changed definitions (and files).
    pub delta: DeltaCounts,
    /// The duration, milliseconds.
    pub latency_ms: f64,
    /// The reason why it was not done incrementally.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The state of the index.
    pub index: IndexInfo,
}

operation! {
    /// Update of the index after files changed.
    AstDeltaOperation {
        name: "ast-delta",
        request: AstDeltaRequest => AstDeltaAnswer,
        access: |_| Access::Index,
        tool: Some(Tool {
            title: "Update the index",
            about: "Update the index after files changed",
            pages: false,
            core: false,
            writes: false,
        }),
        answer: update_index,
    }
}

/// The most files that are named as not in the graph.
const NAMED: usize = 5;

pub(crate) fn update_index(
    workspace: &Workspace,
    request: &AstDeltaRequest,
) -> Result<AstDeltaAnswer, EngineError> {
    let paths = requested_paths(workspace, request)?;
    workspace.project().prepare_state()?;
    let update = || update::update_files(workspace, &paths, request.force_rebuild);
    let report = workspace.with_repair(update)?;
    let (strategy, reason) = describe_strategy(&report, request);
    let index = IndexInfo {
        commit: report.commit.clone(),
        indexed_at: update::indexed_at_now(workspace),
        fresh: true,
        reindexed_files: report.files_updated,
        notes: [report.warnings, notes_of_unread(workspace, &paths)].concat(),
        ..IndexInfo::default()
    };
    Ok(AstDeltaAnswer {
        strategy,
        files_updated: report.files_updated,
        delta: report.counts,
        latency_ms: (report.duration_ms * 100.0).round() / 100.0,
        reason,
        index,
    })
}

/// Notes on requested files that are not in the graph, with the reason.
fn notes_of_unread(workspace: &Workspace, paths: &[String]) -> Vec<String> {
    let store = SqliteStore::open_read_only(workspace.database());
    let skipped = store
        .ok()
        .and_then(|store| ingest::skipped_files(&store).ok());
    let skipped = skipped.unwrap_or_default();
    let unread = paths.iter().filter_map(|path| {
        let reason = unread::unread_reason(path, &skipped)?;
        Some(format!("{path} is not in the graph: {reason}"))
    });
    unread.take(NAMED).collect()
}

fn describe_strategy(
    report: &DeltaReport,
    request: &AstDeltaRequest,
) -> (DeltaStrategy, Option<String>) {
    match report.way {
        UpdateMethod::Files | UpdateMethod::All => (DeltaStrategy::Incremental, None),
        UpdateMethod::Rebuilt => {
            let reason = if request.force_rebuild {
                "it was asked for"
            } else {
                "there was no index to update"
            };
            (DeltaStrategy::FullRebuild, Some(reason.to_owned()))
        }
        UpdateMethod::Lost => {
            let lost = report.index.as_ref().map_or(0, |index| index.reparsed);
            let reason = format!(
                "the facts cache was missing, damaged or of another version: {lost} unchanged files were read again"
            );
            (DeltaStrategy::Fallback, Some(reason))
        }
    }
}

/// The requested files. Each is in the project, and exists or is known to the index.
fn requested_paths(
    workspace: &Workspace,
    request: &AstDeltaRequest,
) -> Result<Vec<String>, EngineError> {
    let mut paths = Vec::new();
    for argument in request.file.iter().chain(&request.files) {
        let path = workspace.project().relative_path(argument)?;
        let on_disk = workspace.root().join(&path);
        if on_disk.is_dir() {
            return Err(
                EngineError::bad_arguments(format!("a folder, not a file: {argument}"))
                    .with_hint("without a file, all changed files are read"),
            );
        }
        if !on_disk.exists() && !is_file_indexed(workspace, &path) {
            return Err(EngineError::bad_arguments(format!(
                "no such file: {argument}"
            )));
        }
        paths.push(path);
    }
    if let Some(since) = &request.since {
        let changed = ingest::history::changed_paths_since(workspace.root(), since);
        paths.extend(changed.map_err(|e| EngineError::bad_arguments(e.to_string()))?);
    }
    Ok(paths)
}

/// Whether the index has a file of that path.
fn is_file_indexed(workspace: &Workspace, path: &str) -> bool {
    let store = SqliteStore::open_read_only(workspace.database());
    store.is_ok_and(|store| store.find_file(path).is_ok_and(|nodes| !nodes.is_empty()))
}
