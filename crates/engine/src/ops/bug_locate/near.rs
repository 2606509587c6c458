//! Callers and callees of the definitions that a report leads to.

use super::gather::EvidenceCollector;
use super::request::{BugCandidate, BugImpact};
use crate::EngineError;
use crate::graph_state::GraphState;
use analysis::{ExpandOptions, ImpactOptions, Root, expand};

/// The most hops from a definition that the report leads to.
const HOPS: u32 = 2;
/// The most anchors that are followed, the surest first.
const MOST: usize = 24;
/// The most files that are listed as affected.
const FILES: usize = 10;

impl EvidenceCollector<'_> {
    /// Scores files within two calls of what the report names.
    pub(super) fn score_call_neighbors(&mut self, state: &GraphState) -> Result<(), EngineError> {
        let mut anchors: Vec<(&String, f64)> =
            self.anchors.iter().map(|(id, w)| (id, *w)).collect();
        anchors.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        anchors.truncate(MOST);
        let ids: Vec<String> = anchors.iter().map(|(id, _)| (*id).clone()).collect();
        let weights: Vec<f64> = anchors.iter().map(|(_, w)| *w).collect();
        if ids.is_empty() {
            return Ok(());
        }
        let options = ExpandOptions {
            depth: HOPS,
            tuning: self.tuning.calls,
            ..ExpandOptions::default()
        };
        let reached = state.on_graph(&ids, |graph, keys| {
            // Every id belongs to a node of this graph.
            let roots = keys.iter().zip(&weights);
            let roots: Vec<Root> = roots
                .map(|(key, weight)| Root {
                    key: *key,
                    relevance: *weight,
                })
                .collect();
            let mut found = Vec::new();
            for near in expand(graph, &roots, &options)? {
                let mut name = store::Name::default();
                graph.visit_node(near.key, &mut |row| name = row.into())?;
                let mut from = store::Name::default();
                graph.visit_node(near.hop.from, &mut |row| from = row.into())?;
                found.push((name, near.relevance, near.hops, from));
            }
            Ok(found)
        })?;
        for (node, relevance, hops, from) in reached {
            let lines = (node.line_start.unwrap_or(1), node.line_end.unwrap_or(1));
            let (places, reasons) = (&self.tuning.places, &self.tuning.reasons);
            let found = self.evidence_of(&node.file_path);
            if relevance > found.signals.near {
                found.signals.near = relevance;
            }
            found.note_location(lines, places.near * relevance);
            if relevance > reasons.near_least {
                let calls = if hops == 1 { "one call" } else { "two calls" };
                let text = format!(
                    "{} is {calls} from {}",
                    node.qualified_or_symbol(),
                    from.qualified_or_symbol()
                );
                found.add_reason(reasons.near * relevance, text);
            }
        }
        Ok(())
    }
}

/// The impact of a change of the candidate's definition, else of its file.
pub(super) fn impact_of_candidate(
    gathered: &EvidenceCollector<'_>,
    state: &GraphState,
    candidate: &BugCandidate,
    depth: u32,
) -> Result<BugImpact, EngineError> {
    let path = &candidate.file_path;
    let node = gathered.enclosing_definition(state, path, candidate.line_range.0)?;
    let ids = match node {
        Some(node) => vec![node.id],
        None => {
            let mut nodes = state.names().by_file(path)?;
            nodes.retain(|node| node.kind == "file");
            nodes.into_iter().map(|node| node.id).collect()
        }
    };
    let options = ImpactOptions {
        depth,
        ..ImpactOptions::default()
    };
    let impact = state.on_graph(&ids, |graph, keys| {
        analysis::analyze_impact(graph, path, keys, &options)
    })?;
    let mut affected_files: Vec<String> = Vec::new();
    for affected in &impact.affected {
        if affected_files.len() < FILES && !affected_files.contains(&affected.file_path) {
            affected_files.push(affected.file_path.clone());
        }
    }
    Ok(BugImpact {
        total_affected: impact.total_affected,
        tests: impact.tests,
        affected_files,
    })
}
