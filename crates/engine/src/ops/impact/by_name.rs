//! Calls of a name that lead nowhere known: what an impact cannot count, and should not hide.

use crate::EngineError;
use crate::call_sites;
use crate::graph_state::GraphState;
use crate::graph_state::is_manual_graph;
use crate::session::Session;
use crate::workspace::Workspace;
use base::Language;
use rayon::prelude::*;
use schemars::JsonSchema;
use search::index::Index;
use search::rank::{FileWords, WeightedTerms, score_files};
use serde::Serialize;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use store::{GraphStore, Name};

/// Files that are read.
const MOST_FILES: usize = 60;
/// The longest that this may take.
const TIME: Duration = Duration::from_millis(300);
/// Definitions of one name beyond which nothing is said.
const MOST_NODES: usize = 100;
/// Places that are named.
const SHOWN: usize = 5;

/// Calls by a name for which there is no edge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UnresolvedCalls {
    /// The name.
    pub name: String,
    /// How many there are.
    pub calls: usize,
    /// How many of them are in tests.
    pub in_tests: usize,
    /// The first places, tests first.
    pub such_as: Vec<String>,
}

/// Has calls by name gathered, in a process that answers many questions.
pub(crate) fn prefetch_call_sites(workspace: &Workspace, index: &Index) {
    if let Some(kept) = workspace.call_sites() {
        let code = |path: &String| Language::from_path(path).is_some();
        kept.fill_in_background(workspace.inputs(), || {
            index.content_hashes().into_keys().filter(code).collect()
        });
    }
}

/// Calls of the name that no edge stands for; none where there are none.
pub(crate) fn find_unresolved_calls(
    session: &Session<'_>,
    name: &str,
) -> Result<Option<UnresolvedCalls>, EngineError> {
    if is_manual_graph(session.store())? {
        return Ok(None);
    }
    let Ok(from) = session.search_index() else {
        session.check_cancelled()?;
        return Ok(None);
    };
    prefetch_call_sites(session.workspace(), &from.index);
    // What half the repository defines says nothing of this one.
    let nodes = session.names().by_symbol(name)?;
    if nodes.len() > MOST_NODES {
        return Ok(None);
    }
    let known = resolved_call_lines(&session.state, &nodes)?;
    let mut words = WeightedTerms::default();
    words.add(name, 1.0);
    let mut files = score_files(&from.index, &words);
    files.retain(|f| Language::from_path(&f.path).is_some());
    // Of a name of several parts only files that have it as a whole.
    if files.iter().any(|f| f.names > 0.0) {
        files.retain(|f| f.names > 0.0);
    }
    let test = |f: &FileWords| base::is_test_path(&f.path);
    files.sort_by(|a, b| {
        let order = test(b).cmp(&test(a)).then(b.chunk.total_cmp(&a.chunk));
        order.then_with(|| a.path.cmp(&b.path))
    });
    files.truncate(MOST_FILES);
    let source = (session.project(), session.workspace().call_sites());
    let deadline = Instant::now() + TIME;
    let mut found: Vec<(bool, String, u32)> = files
        .par_iter()
        .filter(|_| Instant::now() < deadline)
        .flat_map_iter(|file| {
            let is_news = |line: u32| !known.contains(&(file.path.clone(), line));
            let lines = call_sites::call_lines_in_file(source, &file.path, name, is_news);
            let place = |line| (!base::is_test_path(&file.path), file.path.clone(), line);
            lines.into_iter().map(place).collect::<Vec<_>>()
        })
        .filter(|(_, path, line)| !known.contains(&(path.clone(), *line)))
        .collect();
    found.sort();
    let shown = found
        .iter()
        .take(SHOWN)
        .map(|(_, path, line)| format!("{path}:{line}"));
    Ok((!found.is_empty()).then(|| UnresolvedCalls {
        name: name.to_owned(),
        calls: found.len(),
        in_tests: found.iter().filter(|(source, ..)| !source).count(),
        such_as: shown.collect(),
    }))
}

/// Places of edges that lead to anything of that name.
fn resolved_call_lines(
    state: &GraphState,
    nodes: &[Name],
) -> Result<BTreeSet<(String, u32)>, EngineError> {
    let mut lines = BTreeSet::new();
    for node in nodes {
        for edge in state.store.edges_to(&node.id, None)? {
            let Some(path) = &edge.file_path else {
                continue;
            };
            let all = edge.line.into_iter().chain(edge.more_lines.iter().copied());
            lines.extend(all.map(|line| (path.clone(), line)));
        }
    }
    Ok(lines)
}
