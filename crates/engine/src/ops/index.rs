//! `index` and `index status`: builds the graph, and compares it with the files on disk.

use super::embedding::{self, EmbeddingAnswer};
use super::precise::{self, PreciseRun};
use crate::graph_state::indexed_at;
use crate::operation::{Access, NoArguments, Removed, Tool, operation};
use crate::shared::{self, PublishAnswer};
use crate::workspace::WRITER_LOCK_TIMEOUT;
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo};
use base::Language;
use ingest::{IndexReport, IngestError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use store::{GraphStore, SqliteStore, Stats};

/// The most files that a status names.
const SHOWN: usize = 20;
/// The most files with syntax errors that are named.
const MOST_NAMED: usize = 1_000;

/// Build the index, or bring it up to date.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct IndexRequest {
    /// Rebuild everything, even if nothing changed
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub force: bool,
    /// Run the installed SCIP indexers for the languages of the project and import their output
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub precise: bool,
    /// Allow --precise to run code of this repository, such as build scripts and macros
    // Only people give this, at the command line.
    #[cfg_attr(feature = "cli", arg(long, requires = "precise"))]
    #[serde(skip)]
    pub trust_repository: bool,
    /// Let this folder publish its graph to the shared store under the name that its `origin` gives, now and from now on. Not needed
    /// where GRAPH_REPOSITORY names the repository
    // Only people give this, at the command line: a folder with a foreign `origin` must not replace a team's graph by itself.
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(skip)]
    pub publish: bool,
}

/// The result of an index run.
#[derive(Debug, Clone, Serialize)]
pub struct IndexAnswer {
    /// The counts.
    #[serde(flatten)]
    pub report: IndexReport,
    /// SCIP indexers that ran, failed or are missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub precise: Vec<PreciseRun>,
    /// The vectors made with a provider, where one is chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedding: Option<EmbeddingAnswer>,
    /// The result of publishing to the shared store, where one is chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared: Option<PublishAnswer>,
    /// The state of the index.
    pub index: IndexInfo,
}

/// The state of the index.
#[derive(Debug, Clone, Serialize)]
pub struct StatusAnswer {
    /// The project's root.
    pub project: String,
    /// The database.
    pub database: String,
    /// Whether there is an index.
    pub exists: bool,
    /// The number of files by language.
    pub languages: BTreeMap<String, u32>,
    /// The number of files that are only searched as text, by language. There is no grammar for it, so their definitions and
    /// calls are not in the graph.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub text_only: BTreeMap<String, u32>,
    /// The number of files of which only definitions are read, by language: their calls and imports are not.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub names_only: BTreeMap<String, u32>,
    /// The number of skipped files, by reason.
    pub skipped: BTreeMap<String, u32>,
    /// The skipped files by path, each with its reason; at most the first 1,000.
    pub skipped_files: BTreeMap<String, String>,
    /// The call sites: how many have an edge, lead outside the repository, or are not resolved.
    pub calls: Calls,
    /// Files with call sites for which resolution was given up, with the number of these.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub given_up_files: BTreeMap<String, u64>,
    /// The number of files whose edges come from a SCIP index.
    pub scip_files: u32,
    /// The number of files with syntax errors.
    pub files_with_syntax_errors: u32,
    /// Paths of the files with syntax errors; at most the first 1,000. Parts of them may be unread.
    pub syntax_error_files: Vec<String>,
    /// Counts and sizes of the graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<Stats>,
    /// The vectors of the chunks.
    pub embedding: EmbeddingAnswer,
    /// Changed and new files that are not yet read; at most 20.
    pub changed: Vec<String>,
    /// Files removed since; at most 20.
    pub removed: Vec<String>,
    /// The number of changed, new and removed files.
    pub changes: usize,
    /// The state of the index.
    pub index: IndexInfo,
}

/// Call sites of the indexed files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Calls {
    /// All call sites.
    pub total: u64,
    /// Call sites with an edge.
    pub resolved: u64,
    /// Call sites whose target is outside the repository.
    pub external: u64,
    /// All other call sites.
    pub unresolved: u64,
    /// The unresolved call sites for which resolution was given up, because it would have taken too much work.
    pub given_up: u64,
}

/// The action.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IndexStatusRequest {
    /// The action
    #[serde(default)]
    #[schemars(description = "")]
    pub action: IndexStatusAction,
}

/// The action.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline, description = "")]
pub enum IndexStatusAction {
    /// Say how it stands
    #[default]
    Status,
    /// Build it, or bring it up to date
    Build,
    /// Remove it
    Clear,
}

fn to_json(answer: &impl Serialize) -> Result<Value, EngineError> {
    serde_json::to_value(answer).map_err(|e| EngineError::runtime_failure(format!("not JSON: {e}")))
}

operation! {
    /// The state of the index; building and removing it.
    IndexStatusOperation {
        name: "index-status",
        request: IndexStatusRequest => Value,
        access: |request| match request.action {
            IndexStatusAction::Status => Access::Read,
            IndexStatusAction::Build => Access::Index,
            IndexStatusAction::Clear => Access::Write,
        },
        tool: Some(Tool {
            title: "Index",
            about: "Show, build or clear the index",
            pages: true,
            core: false,
            writes: true,
        }),
        answer: |workspace, request| match request.action {
            IndexStatusAction::Status => to_json(&index_status(workspace)?),
            IndexStatusAction::Build => to_json(&build_index(workspace, &IndexRequest::default())?),
            IndexStatusAction::Clear => to_json(&Removed::new(clear_index(workspace)?)),
        },
    }
}

operation! {
    /// Building the index.
    IndexOperation {
        name: "index",
        request: IndexRequest => IndexAnswer,
        access: |_| Access::Index,
        tool: None,
        answer: build_index,
    }
}

operation! {
    /// Removing the index.
    IndexClearOperation {
        name: "index-clear",
        request: NoArguments => Removed,
        access: |_| Access::Write,
        tool: None,
        answer: |workspace, _| clear_index(workspace).map(Removed::new),
    }
}

pub(crate) fn build_index(
    workspace: &Workspace,
    request: &IndexRequest,
) -> Result<IndexAnswer, EngineError> {
    shared::ensure_may_publish(workspace, request.publish)?;
    let mut answer = workspace.with_repair(|| build(workspace, request))?;
    answer.shared = shared::publish(workspace)?;
    Ok(answer)
}

fn build(workspace: &Workspace, request: &IndexRequest) -> Result<IndexAnswer, EngineError> {
    if request.precise {
        precise::require_trust(workspace, request.trust_repository)?;
    }
    workspace.project().prepare_state()?;
    let mut options = workspace.options();
    options.force = request.force;
    if guard::seal::trusts_everything() {
        ingest::trust_existing_indexes(&options)?;
    }
    let mut report = ingest::update_all(&options, workspace.progress())?;
    let scip = workspace.inputs().precise_scip_path();
    if scip.is_file() && !guard::seal::has_valid_seal(&scip) {
        report.warnings.push(format!(
            "{} was not written by this user on this machine and is not read; `knotwork index --precise` makes another",
            scip.display()
        ));
    }
    let mut precise = Vec::new();
    if request.precise {
        precise = precise::run_indexers(workspace, &report.languages)?;
        if precise.iter().any(|run| run.ran) {
            report = ingest::update(&workspace.options(), workspace.progress())?;
        }
    }
    let store = SqliteStore::open_read_only(&workspace.project().db_path)?;
    let mut index = IndexInfo::from_full_report(&report, indexed_at(&store)?);
    index.notes.append(&mut workspace.take_repair_notes());
    Ok(IndexAnswer {
        shared: None,
        report,
        precise,
        embedding: embedding::after_index(workspace)?,
        index,
    })
}

/// The result of importing an index.
#[derive(Debug, Clone, Serialize)]
pub struct ImportAnswer {
    /// Counts of the data taken from the file.
    pub imported: ingest::ImportReport,
    /// The update after that: it read the files that differ.
    #[serde(flatten)]
    pub index: IndexAnswer,
}

/// Brings the index up to date, and writes it to a file.
pub(crate) fn export_index(
    workspace: &Workspace,
    file: &Path,
) -> Result<ingest::ExportReport, EngineError> {
    workspace.with_repair(|| build(workspace, &IndexRequest::default()))?;
    Ok(ingest::export(&workspace.options(), file)?)
}

/// Imports the index of a file, and reads the files that differ here. An existing index is replaced only if `force`.
pub(crate) fn import_index(
    workspace: &Workspace,
    file: &Path,
    force: bool,
) -> Result<ImportAnswer, EngineError> {
    workspace.project().prepare_state()?;
    let mut options = workspace.options();
    options.force = force;
    let imported = ingest::import(&options, file, workspace.progress())?;
    Ok(ImportAnswer {
        imported,
        index: build_index(workspace, &IndexRequest::default())?,
    })
}

pub(crate) fn index_status(workspace: &Workspace) -> Result<StatusAnswer, EngineError> {
    let mut answer = StatusAnswer {
        project: workspace.project().root.display().to_string(),
        database: workspace.project().db_path.display().to_string(),
        exists: false,
        languages: BTreeMap::new(),
        text_only: BTreeMap::new(),
        skipped: BTreeMap::new(),
        skipped_files: BTreeMap::new(),
        names_only: BTreeMap::new(),
        calls: Calls::default(),
        given_up_files: BTreeMap::new(),
        scip_files: 0,
        files_with_syntax_errors: 0,
        syntax_error_files: Vec::new(),
        graph: None,
        embedding: embedding::status(workspace)?,
        changed: Vec::new(),
        removed: Vec::new(),
        changes: 0,
        index: IndexInfo::default(),
    };
    let freshness = match ingest::check_freshness(&workspace.options()) {
        Ok(freshness) => freshness,
        Err(IngestError::Store(error)) if error.is_file_damaged() => {
            let next = "the next question builds it anew";
            answer.index.notes.push(format!("{error}; {next}"));
            return Ok(answer);
        }
        Err(other) => return Err(other.into()),
    };
    let text_only = freshness.texts.iter();
    for language in text_only.filter_map(|t| search::plain::language_without_grammar(&t.path)) {
        *answer.text_only.entry(language.to_owned()).or_default() += 1;
    }
    answer.exists = freshness.exists;
    answer.changes = freshness.changed.len() + freshness.removed.len();
    answer.changed = freshness.changed.into_iter().take(SHOWN).collect();
    answer.removed = freshness.removed.into_iter().take(SHOWN).collect();
    let fresh = answer.exists && answer.changes == 0 && freshness.same_inputs;
    answer.index = IndexInfo {
        commit: freshness.commit.filter(|c| !c.is_empty()),
        indexed_at: freshness.indexed_at,
        fresh,
        notes: freshness.warnings,
        ..IndexInfo::default()
    };
    let Ok(store) = SqliteStore::open_read_only(&workspace.project().db_path) else {
        return Ok(answer);
    };
    if answer.exists {
        count_files(&store, &mut answer)?;
        answer.graph = Some(store.stats()?);
    } else if crate::graph_state::is_manual_graph(&store)? {
        answer.exists = true;
        answer.graph = Some(store.stats()?);
        answer
            .index
            .notes
            .push(crate::graph_state::BY_HAND.to_owned());
    }
    Ok(answer)
}

fn count_files(store: &SqliteStore, answer: &mut StatusAnswer) -> Result<(), EngineError> {
    let skipped = store.metadata("skipped")?.unwrap_or_default();
    answer.skipped = serde_json::from_str(&skipped).unwrap_or_default();
    answer.skipped_files = ingest::skipped_files(store)?;
    for file in store.indexed_files()?.into_values() {
        if file.source.starts_with("skipped: ") {
            continue;
        }
        *answer.languages.entry(file.language).or_default() += 1;
        answer.scip_files += u32::from(file.source == "scip");
        if file.syntax_errors > 0 {
            answer.files_with_syntax_errors += 1;
            if answer.syntax_error_files.len() < MOST_NAMED {
                answer.syntax_error_files.push(file.path);
            }
        }
        let calls = &mut answer.calls;
        calls.total += u64::from(file.calls);
        calls.resolved += u64::from(file.calls_resolved);
        calls.external += u64::from(file.calls_external);
    }
    let is_named_only = |word: &str| {
        let mut all = Language::ALL.into_iter();
        all.any(|l| l.as_str() == word && !l.has_calls())
    };
    let names_only = answer.languages.iter().filter(|(l, _)| is_named_only(l));
    answer.names_only = names_only.map(|(l, count)| (l.clone(), *count)).collect();
    let calls = &mut answer.calls;
    calls.unresolved = calls.total.saturating_sub(calls.resolved + calls.external);
    answer.given_up_files = ingest::given_up_by_file(store)?;
    answer.given_up_files.retain(|_, sites| *sites > 0);
    answer.calls.given_up = answer.given_up_files.values().sum();
    Ok(())
}

/// Removes the index, and imported data. Everything else under `.devbooks/` stays.
pub(crate) fn clear_index(workspace: &Workspace) -> Result<Vec<String>, EngineError> {
    let database = &workspace.project().db_path;
    let _lock = if database.parent().is_some_and(std::path::Path::is_dir) {
        Some(store::WriterLock::acquire_with_seal(
            database,
            WRITER_LOCK_TIMEOUT,
        )?)
    } else {
        None
    };
    // This comes first, while the database still says that it was imported.
    ingest::forget_imported(&workspace.project().state_dir, database)?;
    let was_there = store::sqlite::remove_with_tails(database)?;
    let removed = was_there.then(|| database.display().to_string());
    Ok(removed.into_iter().collect())
}
