//! `impact`: the symbols and files that a change of a symbol, a file or a diff may affect.

pub(crate) mod diff;
pub(crate) mod reach;
mod render;
mod touched;

use super::arguments::{asked_virtual_edges, in_range};
use super::call_chain::calls_without_graph;
use super::federation::VirtualEdge;
use super::federation::cross::Crossing;
use crate::fallback::{self, GraphAnswer};
use crate::operation::{Access, DoorDefault, Tool, operation};
use crate::ops::graph_rag::answer::Fallback;
use crate::session::Session;
use crate::symbols::Definitions;
use crate::unresolved_calls::{UnresolvedCalls, unresolved_calls_of};
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo, shared, symbols, unread, update};
use analysis::{Impact, ImpactOptions};
use base::Tier;
use diff::DiffImpact;
use ingest::diff::DiffBase;
use reach::ImpactReach;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline, description = "")]
pub enum ImpactFormat {
    /// JSON
    #[default]
    Json,
    /// A Markdown table
    Md,
    /// A Mermaid flowchart
    Mermaid,
}

/// What a change may affect.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct ImpactRequest {
    /// a symbol, or the path of a file; empty with since or staged
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(default)]
    #[schemars(required)]
    pub symbol: String,
    /// The symbol is the path of a file
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(default)]
    #[schemars(skip)]
    pub file: bool,
    /// Impact of the changes since this commit
    #[schemars(description = "Changes since this commit")]
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "REF", conflicts_with = "staged")
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Impact of the staged changes
    #[schemars(description = "Staged changes")]
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub staged: bool,
    /// How many edges to follow, 1-10
    #[schemars(description = "How many edges to follow")]
    #[cfg_attr(
        feature = "cli",
        arg(long, default_value_t = 5, allow_negative_numbers = true)
    )]
    #[serde(default = "default_depth")]
    #[schemars(range(min = 1, max = 10))]
    pub depth: i64,
    /// Minimum impact, 0-1 (0.8^depth)
    #[schemars(description = "0-1 (0.8^depth)")]
    #[cfg_attr(
        feature = "cli",
        arg(long, default_value_t = 0.1, allow_negative_numbers = true)
    )]
    #[serde(default = "default_threshold")]
    pub threshold: f64,
    /// The share of the impact that one hop leaves
    #[cfg_attr(feature = "cli", arg(long, default_value_t = analysis::IMPACT_DECAY, hide = true))]
    #[serde(default = "default_decay")]
    #[schemars(skip)]
    pub decay: f64,
    /// Maximum number of entries. Above it, the symbols of one file share an entry. 0 lists every
    /// symbol
    #[cfg_attr(feature = "cli", arg(long, short = 'n', default_value_t = ENTRIES.command_line))]
    #[serde(default = "default_limit")]
    #[schemars(skip)]
    pub limit: usize,
    /// Follow virtual edges, from requests to those who serve them, within the project [default: true]. With `true` the edges
    /// to other repositories are listed as well
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", require_equals = true)
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(description = "Cross to other services [default: true]")]
    pub virtual_edges: Option<bool>,
    /// Follow no virtual edges
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "virtual_edges"))]
    #[serde(skip)]
    pub no_virtual_edges: bool,
    /// List what is beyond the limit, too: it says only from where on the symbols of one file share an entry
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(skip)]
    pub uncut: bool,
    /// Name the id of each symbol
    #[cfg_attr(feature = "cli", arg(long, hide = true))]
    #[serde(skip)]
    pub ids: bool,
    /// Output format
    #[schemars(description = "")]
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(default)]
    pub format: ImpactFormat,
}

fn default_depth() -> i64 {
    5
}

/// Default number of entries. An agent pays for every line that it reads, and can ask for the next page.
const ENTRIES: DoorDefault<usize> = DoorDefault {
    command_line: 60,
    client: 25,
};

fn default_limit() -> usize {
    ENTRIES.client
}

fn default_threshold() -> f64 {
    0.1
}

fn default_decay() -> f64 {
    analysis::IMPACT_DECAY
}

/// The impact, and the state of the index.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImpactAnswer {
    /// The impact.
    #[serde(flatten)]
    pub impact: Impact,
    /// Tests to run, owners, public API.
    #[serde(flatten)]
    pub reach: ImpactReach,
    /// The changes, where a diff was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<DiffImpact>,
    /// The definitions of the name, where several symbols have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definitions: Option<Definitions>,
    /// Unresolved calls of that name, which may lead here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unresolved: Option<UnresolvedCalls>,
    /// Virtual edges that were followed, with their evidence. Where they were asked for, also those to other repositories.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub virtual_edges: Vec<VirtualEdge>,
    /// The source that answered instead of the graph, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Fallback>,
    /// The state of the index.
    pub index: IndexInfo,
}

operation! {
    /// The symbols and files that a change may affect.
    ImpactOperation {
        name: "impact",
        request: ImpactRequest => ImpactAnswer,
        access: |_| Access::Read,
        tool: Some(Tool {
            title: "Impact",
            about: "List what a change to a symbol or file may break, and its tests; ask before an edit",
            pages: true,
            core: true,
            writes: false,
        }),
        answer: assess_impact,
    }
}

pub(crate) fn assess_impact(
    workspace: &Workspace,
    request: &ImpactRequest,
) -> Result<ImpactAnswer, EngineError> {
    if !(0.0..=1.0).contains(&request.threshold) {
        return Err(EngineError::bad_arguments(format!(
            "invalid threshold: {}. Must be between 0 and 1",
            request.threshold
        )));
    }
    let options = ImpactOptions {
        depth: in_range("depth", request.depth, 1, 10)?,
        threshold: request.threshold,
        decay: request.decay,
        limit: request.limit,
        uncut: request.uncut,
        ids: request.ids,
    };
    if request.file {
        // Checked before anything is indexed: a path outside the project is refused at once.
        workspace.project().relative_path(&request.symbol)?;
    }
    let against = match (&request.since, request.staged) {
        (Some(revision), false) => Some(DiffBase::Since(revision.clone())),
        (None, true) => Some(DiffBase::Staged),
        (None, false) => None,
        (Some(_), true) => {
            return Err(EngineError::bad_arguments(
                "use either since or staged, not both",
            ));
        }
    };
    // A comparison of files needs the graph of these files.
    let open = match against {
        Some(_) => update::open_current,
        None => shared::open_structure,
    };
    let ask = || {
        workspace.ask_on(open, |session| {
            let answer = analyze_open_graph(session, request, (against.as_ref(), &options))?;
            session.check_files(&files_in_answer(&answer))?;
            Ok(answer)
        })
    };
    // Only the callers of a symbol can be found without a graph.
    let is_symbol = against.is_none() && !request.file;
    let (mut answer, index) = if is_symbol {
        match fallback::ask_graph(workspace, ask)? {
            GraphAnswer::Graph(found) => found,
            GraphAnswer::Without(why) => {
                return impact_without_graph(workspace, request.symbol.trim(), (&options, &why));
            }
        }
    } else {
        ask()?
    };
    let unread = std::mem::take(&mut answer.index.notes);
    answer.index = index;
    answer.index.notes.extend(unread);
    Ok(answer)
}

/// The impact on the callers of a symbol where there is no graph: from CKB, or from the lines of the files.
fn impact_without_graph(
    workspace: &Workspace,
    symbol: &str,
    (options, why): (&ImpactOptions, &str),
) -> Result<ImpactAnswer, EngineError> {
    let (prepared, origin) = calls_without_graph(workspace, symbol, (options.depth, why))?;
    let mut impact = analysis::analyze_impact(&prepared.graph, symbol, &prepared.keys, options)?;
    for affected in &mut impact.affected {
        affected.edge.tier = Tier::Named;
        affected.edge.confidence = origin.instead.confidence();
    }
    let (fallback, index) = fallback::describe(&origin, why);
    Ok(ImpactAnswer {
        impact,
        reach: ImpactReach::default(),
        diff: None,
        definitions: None,
        unresolved: None,
        virtual_edges: Vec::new(),
        fallback: Some(fallback),
        index,
    })
}

/// The files whose lines an answer names.
fn files_in_answer(answer: &ImpactAnswer) -> BTreeSet<&str> {
    let mut files = BTreeSet::new();
    for one in &answer.impact.affected {
        files.insert(&*one.file_path);
        files.extend(one.edge.file_path.as_deref());
    }
    let changed = answer.diff.iter().flat_map(|diff| &diff.changed);
    files.extend(changed.map(|one| &*one.file_path));
    files
}

/// The answer besides the state of the index.
fn analyze_open_graph(
    session: &Session<'_>,
    request: &ImpactRequest,
    (against, options): (Option<&DiffBase>, &ImpactOptions),
) -> Result<ImpactAnswer, EngineError> {
    let roots = match against {
        Some(against) => Roots::from_diff(session, against)?,
        None => Roots::from_symbol(session, request)?,
    };
    let asked = asked_virtual_edges(request.virtual_edges, request.no_virtual_edges);
    let crossing = Crossing::load(session, asked)?;
    let mut impact = crossing.on_graph(session, &roots.ids, |graph, keys| {
        analysis::analyze_impact(graph, &roots.name, keys, options)
    })?;
    crossing.explain_impact(&mut impact);
    let virtual_edges = crossing.listed(
        session,
        &names_in_answer(session, &roots, &impact)?
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .collect(),
    )?;
    let reach = reach::summarize_reach(session, (&roots.files, &roots.ids), &impact.files)?;
    let unresolved = match &roots.diff {
        None => unresolved_calls_of(session, &roots.ids)?,
        Some(_) => None,
    };
    let unread = unread::unread_calls_line(session, &roots.ids)?;
    match (&roots.symbol, &roots.diff) {
        (Some(name), _) => unread::note_unread_mentions(session, name, &roots.files)?,
        (None, None) => unread::note_damaged_file(session, &roots.name)?,
        (None, Some(_)) => {}
    }
    Ok(ImpactAnswer {
        impact,
        reach,
        diff: roots.diff,
        definitions: roots.definitions,
        unresolved,
        virtual_edges,
        fallback: None,
        index: IndexInfo {
            notes: Vec::from_iter(unread),
            ..IndexInfo::default()
        },
    })
}

/// The symbols that an impact starts from and those that it names, with their files.
fn names_in_answer(
    session: &Session<'_>,
    roots: &Roots,
    impact: &Impact,
) -> Result<BTreeSet<(String, String)>, EngineError> {
    let affected = impact.affected.iter();
    let mut names: BTreeSet<(String, String)> = affected
        .map(|a| (a.symbol.clone(), a.file_path.clone()))
        .collect();
    for id in roots.ids.iter().take(1_000) {
        if let Some(row) = session.names().by_id(id)? {
            let name = row.qualified_name.unwrap_or(row.symbol);
            names.insert((name, row.file_path));
        }
    }
    Ok(names)
}

/// The changed symbols and files.
struct Roots {
    name: String,
    ids: Vec<String>,
    files: Vec<String>,
    diff: Option<DiffImpact>,
    definitions: Option<Definitions>,
    /// The name that calls use, where one symbol changes.
    symbol: Option<String>,
}

impl Roots {
    fn from_diff(session: &Session<'_>, against: &DiffBase) -> Result<Roots, EngineError> {
        let changed = diff::changed_definitions(session, against)?;
        Ok(Roots {
            name: match against {
                DiffBase::Since(revision) => format!("what differs from {revision}"),
                DiffBase::Staged => "what is staged".to_owned(),
            },
            ids: changed.ids,
            files: changed.paths,
            diff: Some(changed.diff),
            definitions: None,
            symbol: None,
        })
    }

    fn from_symbol(session: &Session<'_>, request: &ImpactRequest) -> Result<Roots, EngineError> {
        let file = symbols::indexed_file(session.names(), session.project(), &request.symbol)?;
        let mut definitions = None;
        let (name, ids) = match file {
            Some(path) => {
                let mut nodes = session.names().by_file(&path)?;
                // The file stands for everything in it.
                if nodes.iter().any(|node| node.kind == "file") {
                    nodes.retain(|node| node.kind == "file");
                }
                (path, nodes.into_iter().map(|node| node.id).collect())
            }
            None if request.file => {
                return Err(symbols::missing_file_error(session, &request.symbol)?);
            }
            None => {
                let (ids, several) = symbols::resolve_all(session, &request.symbol)?;
                definitions = several;
                (request.symbol.clone(), ids)
            }
        };
        let (mut files, mut symbol) = (Vec::new(), None);
        for id in &ids {
            let Some(node) = session.names().by_id(id)? else {
                continue;
            };
            if node.kind != "file" && symbol.is_none() {
                symbol = Some(node.symbol);
            }
            files.push(node.file_path);
        }
        files.sort();
        files.dedup();
        Ok(Roots {
            name,
            ids,
            files,
            diff: None,
            definitions,
            symbol,
        })
    }
}
