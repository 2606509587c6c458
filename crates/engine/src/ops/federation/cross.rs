//! Virtual edges on the way of a call chain or an impact.

use super::repositories::local_name;
use super::{VirtualEdge, edges, links};
use crate::EngineError;
use crate::session::Session;
use analysis::{AnalysisError, Graph, LinkedGraph, VirtualLink};
use contract::link::Link;
use std::collections::BTreeSet;
use std::sync::Arc;
use store::{GraphStore, VirtualEdgeRecord};

/// Edges that are listed with an answer.
const MOST_LISTED: usize = 30;

/// The edges that a question may cross.
pub(crate) struct Crossing {
    name: String,
    links: Arc<Vec<Link>>,
    arcs: Vec<VirtualLink>,
    /// Stored ones between repositories, where these were asked for.
    stored: Vec<VirtualEdgeRecord>,
}

impl Crossing {
    /// Within this project unless that is switched off (`Some(false)`); to other repositories where that was asked for
    /// (`Some(true)`).
    pub(crate) fn load(
        session: &Session<'_>,
        asked: Option<bool>,
    ) -> Result<Crossing, EngineError> {
        let name = local_name(session.workspace());
        let links = match asked {
            Some(true) => links::local_links(session)?,
            _ => Arc::default(),
        };
        let stored = match asked {
            Some(true) => session.store().virtual_edges(None, 0.0)?,
            _ => Vec::new(),
        };
        let arcs = links.iter().filter(|link| !link.target.is_contract);
        let arcs = arcs.map(|link| VirtualLink {
            source: link.source.place.id.clone(),
            target: link.target.place.id.clone(),
            confidence: link.confidence.total,
            line: link.at.1,
        });
        Ok(Crossing {
            arcs: arcs.collect(),
            name,
            links,
            stored,
        })
    }

    /// Runs an analysis on the graph with the links.
    pub(crate) fn on_graph<T>(
        &self,
        session: &Session<'_>,
        ids: &[String],
        run: impl FnOnce(&dyn Graph, &[u32]) -> Result<T, AnalysisError>,
    ) -> Result<T, EngineError> {
        if self.arcs.is_empty() {
            return session.on_graph(ids, run);
        }
        session.on_graph(ids, |graph, keys| {
            run(&LinkedGraph::new(graph, &self.arcs), keys)
        })
    }

    /// The edges between things that an answer names, and those from these to other repositories: `named` are names with
    /// files.
    pub(crate) fn listed(&self, named: &BTreeSet<(&str, &str)>) -> Vec<VirtualEdge> {
        let is_named = |symbol: &str, file: &str| named.contains(&(symbol, file));
        let within = self.links.iter().filter(|link| {
            let (source, target) = (&link.source.place, &link.target.place);
            is_named(&source.symbol, &source.file_path)
                && is_named(&target.symbol, &target.file_path)
        });
        let mut found: Vec<VirtualEdge> = within
            .map(|link| {
                let mut record = edges::to_record(link);
                record.source_repo.clone_from(&self.name);
                record.target_repo.clone_from(&self.name);
                VirtualEdge::new(record)
            })
            .collect();
        let across = self.stored.iter().filter(|edge| {
            let file = |file: &Option<String>| file.clone().unwrap_or_default();
            let (from, to) = (edge.source_repo == self.name, edge.target_repo == self.name);
            from != to
                && (from
                    && named
                        .iter()
                        .any(|(symbol, _)| *symbol == edge.source_symbol)
                    || to && is_named(&edge.target_symbol, &file(&edge.detail.target_file)))
        });
        found.extend(across.cloned().map(VirtualEdge::new));
        super::sort_edges(&mut found);
        found.truncate(MOST_LISTED);
        found
    }
}
