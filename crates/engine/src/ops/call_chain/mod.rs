//! `call-chain`: callers and callees of a symbol.

mod mock;

use super::arguments::{asked_virtual_edges, in_range};
use super::federation::VirtualEdge;
use super::federation::cross::Crossing;
use crate::fallback::{self, GraphAnswer, Origin};
use crate::operation::{Access, DoorDefault, Tool, operation};
use crate::ops::graph_rag::answer::Fallback;
use crate::session::Session;
use crate::symbols::Definitions;
use crate::unresolved_calls::{
    UnresolvedCallees, UnresolvedCalls, unresolved_callees_of, unresolved_calls_of,
};
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo, shared, symbols, unread};
use analysis::{AnalysisError, CallChain, CallChainOptions, ChainNode, Direction, Graph};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use store::{Names, Snapshot};

/// Which way to follow calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[schemars(inline, description = "")]
pub enum DirectionArg {
    /// What calls the symbol
    #[default]
    Callers,
    /// What the symbol calls
    Callees,
    /// Both directions
    Both,
}

/// Follow calls from a symbol.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct CallChainRequest {
    /// name, Class.method, path:line, path::name or id
    #[cfg_attr(feature = "cli", arg(skip))]
    pub symbol: String,
    /// Direction
    #[cfg_attr(feature = "cli", arg(long, short, value_enum, default_value_t))]
    #[serde(default)]
    #[schemars(description = "")]
    pub direction: DirectionArg,
    /// How many calls to follow, 1-4
    #[schemars(description = "How many calls to follow")]
    #[cfg_attr(
        feature = "cli",
        arg(long, default_value_t = 2, allow_negative_numbers = true)
    )]
    #[serde(default = "default_depth")]
    #[schemars(range(min = 1, max = 4))]
    pub depth: i64,
    /// Also follow references that are not calls (callbacks, types)
    #[schemars(description = "Also callbacks and types")]
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub references: bool,
    /// Also show paths from entry points to the symbol, shortest first
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    #[schemars(description = "")]
    pub trace_usage: bool,
    /// Read the call graph from this JSON file instead of the index (for tests)
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(skip)]
    pub mock_ckb: Option<String>,
    /// Maximum number of nodes
    #[cfg_attr(feature = "cli", arg(long, short = 'n', default_value_t = NODES.command_line))]
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
    /// Count many callers in tests, and do not list them
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(skip)]
    pub fold_tests: bool,
}

fn default_depth() -> i64 {
    2
}

/// Default number of nodes. An agent pays for every line that it reads; a person scrolls.
const NODES: DoorDefault<usize> = DoorDefault {
    command_line: 200,
    client: 80,
};

fn default_limit() -> usize {
    NODES.client
}

/// The chain, and the state of the index.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallChainAnswer {
    /// The chain.
    #[serde(flatten)]
    pub chain: CallChain,
    /// The definitions of the name, where several symbols have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definitions: Option<Definitions>,
    /// Unresolved calls of that name, which may lead here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unresolved: Option<UnresolvedCalls>,
    /// Unresolved calls in its body, where callees are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unresolved_callees: Option<UnresolvedCallees>,
    /// Virtual edges that were followed, with their evidence. Where they were asked for, also those to other repositories.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub virtual_edges: Vec<VirtualEdge>,
    /// The source that answered instead of the graph, and the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Fallback>,
    /// The state of the index.
    pub index: IndexInfo,
}

impl CallChainAnswer {
    /// The answer as Markdown.
    pub fn to_markdown(&self) -> String {
        let mut out = analysis::chain_to_markdown(&self.chain);
        for note in self.notes() {
            out.push_str(&format!("\n{note}\n"));
        }
        out
    }

    /// Further notes, one line each.
    pub fn notes(&self) -> Vec<String> {
        let definitions = self.definitions.iter();
        let definitions = definitions.map(|d| d.to_line(&self.chain.target_symbol));
        let unresolved = self.unresolved.iter().map(UnresolvedCalls::to_line);
        let callees = self
            .unresolved_callees
            .iter()
            .map(UnresolvedCallees::to_line);
        definitions.chain(unresolved).chain(callees).collect()
    }

    /// The answer as a Mermaid flowchart.
    pub fn to_mermaid(&self) -> String {
        analysis::chain_to_mermaid(&self.chain)
    }
}

/// The most kinds of use that are listed.
const WAYS: usize = 10;

operation! {
    /// Callers and callees.
    CallChainOperation {
        name: "call-chain",
        request: CallChainRequest => CallChainAnswer,
        access: |_| Access::Read,
        tool: Some(Tool {
            title: "Callers and callees",
            about: "List the callers or callees of a symbol, with the line of every call, instead of grep",
            pages: true,
            core: true,
            writes: false,
        }),
        answer: trace_calls,
    }
}

pub(crate) fn trace_calls(
    workspace: &Workspace,
    request: &CallChainRequest,
) -> Result<CallChainAnswer, EngineError> {
    let options = CallChainOptions {
        direction: match request.direction {
            DirectionArg::Callers => Direction::Callers,
            DirectionArg::Callees => Direction::Callees,
            DirectionArg::Both => Direction::Both,
        },
        depth: in_range("depth", request.depth, 1, 4)?,
        references: request.references,
        limit: request.limit,
        fold_tests: request.fold_tests,
    };
    let follow = |graph: &dyn Graph, keys: &[u32]| {
        let mut chain = analysis::call_chain(graph, keys, &options)?;
        if request.trace_usage {
            chain.usage = Some(analysis::find_entry_paths(graph, keys, WAYS)?);
        }
        Ok(chain)
    };
    if let Some(text) = &request.mock_ckb {
        let symbol = request.symbol.trim();
        return answer_from_prepared(&PreparedGraph::read(text, symbol)?, symbol, follow);
    }
    let ask = || {
        workspace.ask_on(shared::open_structure, |session| {
            let (ids, definitions) = symbols::resolve_all(session, &request.symbol)?;
            let asked = asked_virtual_edges(request.virtual_edges, request.no_virtual_edges);
            let crossing = Crossing::load(session, asked)?;
            let mut chain = crossing.on_graph(session, &ids, follow)?;
            crossing.explain_chain(&mut chain);
            let mut names = BTreeSet::new();
            collect_names(&chain.paths, &mut names);
            let virtual_edges = crossing.listed(session, &names)?;
            session.check_files(&files_in_chain(&chain))?;
            let unresolved = match request.direction {
                DirectionArg::Callees => None,
                DirectionArg::Callers | DirectionArg::Both => unresolved_calls_of(session, &ids)?,
            };
            let callees = match request.direction {
                DirectionArg::Callers => None,
                DirectionArg::Callees | DirectionArg::Both => unresolved_callees_of(session, &ids)?,
            };
            let unread = unread::unread_calls_line(session, &ids)?;
            let name = unresolved.as_ref().map(|calls| calls.name.as_str());
            note_damaged(session, &chain, name)?;
            let unresolved = (unresolved, callees);
            Ok((chain, definitions, unresolved, (unread, virtual_edges)))
        })
    };
    let (found, mut index) = match fallback::ask_graph(workspace, ask)? {
        GraphAnswer::Graph(found) => found,
        GraphAnswer::Without(why) => {
            return answer_without_graph(workspace, request, (options.depth, &why), follow);
        }
    };
    let (mut chain, definitions, (unresolved, unresolved_callees), (unread, virtual_edges)) = found;
    chain.target_symbol = request.symbol.clone();
    index.notes.extend(unread);
    Ok(CallChainAnswer {
        chain,
        definitions,
        unresolved,
        unresolved_callees,
        virtual_edges,
        fallback: None,
        index,
    })
}

/// The chain where there is no graph: from CKB, or from the lines of the files.
fn answer_without_graph(
    workspace: &Workspace,
    request: &CallChainRequest,
    (depth, why): (u32, &str),
    follow: impl Fn(&dyn Graph, &[u32]) -> Result<CallChain, AnalysisError>,
) -> Result<CallChainAnswer, EngineError> {
    let symbol = request.symbol.trim();
    let (prepared, origin) = calls_without_graph(workspace, symbol, (depth, why))?;
    let (fallback, index) = fallback::describe(&origin, why);
    let mut answer = answer_from_prepared(&prepared, symbol, follow)?;
    set_confidence(&mut answer.chain.paths, origin.instead.confidence());
    Ok(CallChainAnswer {
        fallback: Some(fallback),
        index,
        ..answer
    })
}

/// The calls around a symbol where there is no graph, and what gave them.
pub(super) fn calls_without_graph(
    workspace: &Workspace,
    symbol: &str,
    (depth, why): (u32, &str),
) -> Result<(PreparedGraph, Origin), EngineError> {
    let (graph, origin) = fallback::call_graph(workspace, symbol, depth)?;
    let Some(graph) = graph else {
        let searched = if origin.is_cut {
            fallback::CUT
        } else {
            "no line of the files defines or calls it"
        };
        let error = EngineError::bad_arguments(format!("symbol not found: {symbol}"));
        return Err(error.with_hint(format!("there is no graph ({why}), and {searched}")));
    };
    Ok((PreparedGraph::read(&graph.to_string(), symbol)?, origin))
}

/// Sets the confidence of edges that this program did not make.
fn set_confidence(nodes: &mut [ChainNode], confidence: f64) {
    for node in nodes {
        if let Some(edge) = &mut node.edge {
            edge.tier = base::Tier::Named;
            edge.confidence = confidence;
        }
        for next in [&mut node.callers, &mut node.callees].into_iter().flatten() {
            set_confidence(next, confidence);
        }
    }
}

/// Notes files that mention the symbols of the chain and are not in the graph, or only in part.
fn note_damaged(
    session: &Session<'_>,
    chain: &CallChain,
    name: Option<&str>,
) -> Result<(), EngineError> {
    let Some(first) = chain.paths.first() else {
        return Ok(());
    };
    let last = first.symbol_name.rsplit('.').next().unwrap_or_default();
    let files: Vec<String> = chain.paths.iter().map(|t| t.file_path.clone()).collect();
    unread::note_unread_mentions(session, name.unwrap_or(last), &files)
}

/// The files whose lines the chain names.
fn files_in_chain(chain: &CallChain) -> BTreeSet<&str> {
    let mut files = BTreeSet::new();
    collect_files(&chain.paths, &mut files);
    let ways = chain.usage.iter().flat_map(|usage| &usage.entry_paths);
    files.extend(ways.flat_map(|way| &way.steps).map(|step| &*step.file_path));
    files
}

/// The files of a chain's nodes.
fn collect_files<'c>(nodes: &'c [ChainNode], files: &mut BTreeSet<&'c str>) {
    for node in nodes {
        files.insert(&node.file_path);
        for next in [&node.callers, &node.callees].into_iter().flatten() {
            collect_files(next, files);
        }
    }
}

/// The names of a chain's nodes with their files.
fn collect_names<'c>(nodes: &'c [ChainNode], names: &mut BTreeSet<(&'c str, &'c str)>) {
    for node in nodes {
        names.insert((&node.symbol_name, &node.file_path));
        for next in [&node.callers, &node.callees].into_iter().flatten() {
            collect_names(next, names);
        }
    }
}

/// A call graph that was not made from the files, and the nodes of a symbol in it.
pub(super) struct PreparedGraph {
    pub(super) graph: Snapshot,
    pub(super) keys: Vec<u32>,
}

impl PreparedGraph {
    fn read(text: &str, symbol: &str) -> Result<PreparedGraph, EngineError> {
        let graph: Snapshot = mock::read(text)?;
        let found = match graph.by_id(symbol)? {
            Some(node) => vec![node],
            None => graph.by_symbol(symbol)?,
        };
        let keys: Vec<u32> = found
            .iter()
            .filter_map(|n| graph.node_index(&n.id))
            .collect();
        if keys.is_empty() {
            return Err(
                EngineError::bad_arguments(format!("symbol not found: {symbol}"))
                    .with_hint("the given call graph has no node of that name"),
            );
        }
        Ok(PreparedGraph { graph, keys })
    }
}

/// The chain in a prepared graph.
fn answer_from_prepared(
    prepared: &PreparedGraph,
    symbol: &str,
    follow: impl Fn(&dyn Graph, &[u32]) -> Result<CallChain, AnalysisError>,
) -> Result<CallChainAnswer, EngineError> {
    let mut chain = follow(&prepared.graph, &prepared.keys)?;
    chain.target_symbol = symbol.to_owned();
    Ok(CallChainAnswer {
        chain,
        definitions: None,
        unresolved: None,
        unresolved_callees: None,
        virtual_edges: Vec::new(),
        fallback: None,
        index: IndexInfo::default(),
    })
}
