//! `scip parse`: imports a SCIP index into the graph.

use super::precise;
use crate::EngineError;
use crate::graph_state::indexed_at;
use crate::operation::{Access, operation};
use crate::workspace::Workspace;
use ingest::scip::{self, Plan};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Import a SCIP index.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct ScipRequest {
    /// Import only if the index is newer than the database
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub incremental: bool,
    /// Remove what was imported before, and import everything again
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "incremental"))]
    #[serde(default)]
    pub force: bool,
}

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScipAnswer {
    /// The number of documents in the index.
    pub documents: u64,
    /// The number of symbols that it defines.
    pub symbols: u64,
    /// The number of occurrences in it.
    pub occurrences: u64,
    /// The number of edges that come from it, by type.
    pub edges: BTreeMap<String, u64>,
    /// The number of nodes in the graph.
    pub nodes: u64,
    /// The number of files whose edges come from the index.
    pub files: u32,
    /// The number of documents that were left out: their files changed since, or are not in the graph.
    pub passed_over: u64,
    /// `high` with an index, `low` with syntax trees alone.
    pub confidence: String,
    /// `scip`, or `syntax` where the index could not be read.
    pub source: String,
    /// The indexers with their versions.
    pub tools: Vec<String>,
    /// Messages of the import.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<String>,
}

/// The error for an index that is not there.
fn not_found(workspace: &Workspace, path: &str) -> EngineError {
    let languages = present_languages(workspace.root());
    let commands: Vec<String> = precise::indexers_for(workspace.root(), &languages)
        .iter()
        .map(|indexer| match indexer.program {
            "scip-typescript" => {
                "npx @sourcegraph/scip-typescript index (npx scip-typescript)".to_owned()
            }
            program => format!("{program} (install: {})", indexer.install),
        })
        .collect();
    let hint = if commands.is_empty() {
        "write one with `npx scip-typescript index`, scip-python, rust-analyzer scip, scip-go or scip-java".to_owned()
    } else {
        format!(
            "write one with {}, or run `knotwork index --precise --trust-repository`",
            commands.join(" or ")
        )
    };
    EngineError::bad_arguments(format!("SCIP index not found: {path}")).with_hint(hint)
}

/// The answer where reading SCIP indexes is off.
fn disabled_answer() -> ScipAnswer {
    ScipAnswer {
        documents: 0,
        symbols: 0,
        occurrences: 0,
        edges: BTreeMap::new(),
        nodes: 0,
        files: 0,
        passed_over: 0,
        confidence: "low".to_owned(),
        source: "syntax".to_owned(),
        tools: Vec::new(),
        messages: vec!["SCIP parser is disabled (features.scip_parser.enabled)".to_owned()],
    }
}

operation! {
    /// Import of a SCIP index.
    ScipOperation {
        name: "scip",
        request: ScipRequest => ScipAnswer,
        access: |_| Access::Index,
        tool: None,
        answer: read_scip_index,
    }
}

pub(crate) fn read_scip_index(
    workspace: &Workspace,
    request: &ScipRequest,
) -> Result<ScipAnswer, EngineError> {
    workspace.with_repair(|| import(workspace, request))
}

fn import(workspace: &Workspace, request: &ScipRequest) -> Result<ScipAnswer, EngineError> {
    if !workspace.config().features().scip_parser {
        return Ok(disabled_answer());
    }
    let Some(path) = workspace.inputs().scip_path().filter(|path| path.is_file()) else {
        let named = workspace
            .inputs()
            .scip_path()
            .unwrap_or_else(|| "index.scip".into());
        return Err(not_found(workspace, &named.display().to_string()));
    };
    let written = path
        .metadata()
        .and_then(|m| m.modified())
        .map_err(|e| EngineError::bad_arguments(format!("cannot read {}: {e}", path.display())))?;
    let indexed = written_at(workspace)?;
    let plan = scip::plan(written, indexed, request.incremental, request.force);
    let mut messages = Vec::new();
    match plan {
        Plan::Parse => {}
        Plan::Update => messages.push(scip::INCREMENTAL.to_owned()),
        Plan::Skip => messages.push(scip::UP_TO_DATE.to_owned()),
        Plan::Rebuild => messages.push(scip::FORCED.to_owned()),
    }
    if !workspace.config().features().scip_fallback {
        let ceiling = workspace.inputs().memory_ceiling().unwrap_or(u64::MAX);
        check_scip_readable(&path, scip::MOST_BYTES.min(ceiling / 4))?;
    }
    workspace.project().prepare_state()?;
    let mut options = workspace.options();
    options.force = plan == Plan::Rebuild;
    let report = ingest::update(&options, workspace.progress())?;
    messages.extend(report.warnings);
    let Some(imported) = report.scip else {
        return Err(EngineError::runtime_failure(format!(
            "nothing came of {}",
            path.display()
        )));
    };
    let named = |(kind, n): (&base::EdgeType, &usize)| (kind.as_str().to_owned(), *n as u64);
    Ok(ScipAnswer {
        documents: imported.summary.documents as u64,
        symbols: imported.summary.symbols as u64,
        occurrences: imported.summary.occurrences as u64,
        edges: imported.summary.edges.iter().map(named).collect(),
        nodes: report.nodes,
        files: imported.files,
        passed_over: imported.passed_over_count(),
        confidence: imported.confidence().to_owned(),
        source: imported.source().to_owned(),
        tools: imported.tools,
        messages,
    })
}

/// Refuses a damaged index, for callers who prefer an error to a graph from syntax trees.
fn check_scip_readable(path: &Path, most: u64) -> Result<(), EngineError> {
    let shown = path.display();
    let bytes = guard::read_user_file(path, most).map_err(|e| {
        EngineError::runtime_failure(format!("cannot read {shown}: {}", e.reason()))
    })?;
    let problem = match scip::document_paths(&bytes) {
        Ok(documents) if !documents.is_empty() => return Ok(()),
        Ok(_) => "it holds no document".to_owned(),
        Err(error) => error.to_string(),
    };
    Err(
        EngineError::runtime_failure(format!("SCIP parsing failed: {shown}: {problem}")).with_hint(
            "write it anew, or set features.scip_parser.fallback_regex for a graph from syntax trees",
        ),
    )
}

/// The time of the last write to the index: the later of the database's and its log's. None where there is no index.
fn written_at(workspace: &Workspace) -> Result<Option<SystemTime>, EngineError> {
    let mut log = workspace.database().as_os_str().to_owned();
    log.push("-wal");
    let files = [workspace.database(), Path::new(&log)];
    // Opening the database creates an empty log, which is no write.
    let data = files
        .iter()
        .filter_map(|f| f.metadata().ok().filter(|m| m.len() > 0));
    let written = data.filter_map(|m| m.modified().ok()).max();
    let Ok(store) = store::SqliteStore::open_read_only(workspace.database()) else {
        return Ok(None);
    };
    Ok(indexed_at(&store)?.and(written))
}

/// The number of files by language, by their endings, from a limited look.
fn present_languages(root: &Path) -> BTreeMap<String, u32> {
    const LOOKED_AT: usize = 4000;
    let mut found = BTreeMap::new();
    let Ok(root) = guard::Folder::open(root) else {
        return found;
    };
    let mut folders = VecDeque::from([PathBuf::new()]);
    let mut left = LOOKED_AT;
    while let Some(folder) = folders.pop_front() {
        let mut visit = |name: &std::ffi::OsStr, kind| {
            left -= 1;
            let shown = name.to_string_lossy();
            let passed_over =
                shown.starts_with('.') || matches!(&*shown, "node_modules" | "target" | "vendor");
            if kind == guard::list::Kind::Folder && !passed_over {
                folders.push_back(folder.join(name));
            } else if let Some(language) = base::Language::from_path(&shown) {
                *found.entry(language.as_str().to_owned()).or_default() += 1;
            }
            left > 0
        };
        let opened = root.open_folder(&folder);
        // A folder that cannot be listed is left out.
        let _ = opened.and_then(|folder| folder.visit_entries(&mut visit));
        if left == 0 {
            break;
        }
    }
    found
}
