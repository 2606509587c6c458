//! Virtual edges of a graph in a shared store. They are published with the graph, because who asks there need not have the
//! project's files.

use super::edges::to_record;
use super::ends::StoredEdges;
use super::links;
use super::repositories::local_name;
use crate::EngineError;
use crate::session::Session;
use contract::link::{Confidence, FoundLinks, Link, LinkEnd};
use contract::{ContractType, SymbolLocation};
use rustc_hash::FxHashMap;
use store::{NodeRecord, VirtualEdgeRecord};

/// The metadata of a graph that was published with its virtual edges: the name of its project in them.
pub(crate) const PROJECT: &str = "virtual_edges_of";

/// The note on a graph that was published without virtual edges.
const NOT_PUBLISHED: &str = "this graph was published without virtual edges: calls over a network are missing from this answer; `knotwork index` publishes them";

/// The project's name in its virtual edges, and the edges: those within it as they are now, and the stored ones to other
/// repositories.
pub(crate) fn edges_to_publish(
    session: &Session<'_>,
) -> Result<(String, Vec<VirtualEdgeRecord>), EngineError> {
    let name = local_name(session.workspace());
    let here = links::local_links(session)?;
    let mut all: Vec<VirtualEdgeRecord> = here.links.iter().map(to_record).collect();
    for record in &mut all {
        record.source_repo.clone_from(&name);
        record.target_repo.clone_from(&name);
    }
    let mut stored = StoredEdges::read(session)?;
    let across = std::mem::take(&mut stored.edges);
    let across = stored.check(session, across)?;
    all.extend(across.into_iter().map(|edge| edge.edge));
    Ok((name, all))
}

/// The published virtual edges of a shared graph.
#[derive(Default)]
pub(super) struct PublishedEdges {
    /// The project's name in them.
    pub name: String,
    /// Edges within the project.
    pub within: Vec<VirtualEdgeRecord>,
    /// Edges to and from other repositories.
    pub across: Vec<VirtualEdgeRecord>,
}

impl PublishedEdges {
    /// Reads those of a confidence. A graph that has none because it was published without says so.
    pub(super) fn read(session: &Session<'_>, least: f64) -> Result<PublishedEdges, EngineError> {
        let store = session.store();
        let Some(name) = store.metadata(PROJECT)? else {
            session.note(NOT_PUBLISHED.to_owned());
            return Ok(PublishedEdges::default());
        };
        let all = store.virtual_edges(None, least)?;
        let is_within = |edge: &VirtualEdgeRecord| edge.source_repo == edge.target_repo;
        let (within, across) = all.into_iter().partition(is_within);
        Ok(PublishedEdges {
            name,
            within,
            across,
        })
    }

    /// The edges within the project as links between nodes of the graph.
    pub(super) fn links(&self, session: &Session<'_>) -> Result<FoundLinks, EngineError> {
        let mut nodes = NodesByFile {
            session,
            files: FxHashMap::default(),
        };
        let mut found = FoundLinks::default();
        for record in &self.within {
            found.links.extend(nodes.link_of(record)?);
        }
        Ok(found)
    }
}

/// Nodes of the files that edges name.
struct NodesByFile<'s, 'w> {
    session: &'s Session<'w>,
    files: FxHashMap<String, Vec<NodeRecord>>,
}

impl NodesByFile<'_, '_> {
    fn link_of(&mut self, record: &VirtualEdgeRecord) -> Result<Option<Link>, EngineError> {
        let detail = &record.detail;
        let Some(contract_type) = ContractType::from_name(&record.contract_type) else {
            return Ok(None);
        };
        let source_file = detail.source_file.clone().unwrap_or_default();
        let line = detail.source_line.unwrap_or(1);
        let source = self.place(&source_file, &record.source_symbol, line)?;
        let target_file = detail.target_file.clone().unwrap_or_default();
        let target_line = detail.target_line.unwrap_or(1);
        let target = self.place(&target_file, &record.target_symbol, target_line)?;
        if source.id.is_empty() {
            return Ok(None);
        }
        let side = |repo: &str, place: SymbolLocation| LinkEnd {
            repo: repo.to_owned(),
            // An end without a node is the operation of a contract.
            is_contract: place.id.is_empty(),
            place,
        };
        let evidence = detail.evidence.as_deref().unwrap_or_default().split("; ");
        Ok(Some(Link {
            source: side(&record.source_repo, source),
            target: side(&record.target_repo, target),
            edge_type: record.edge_type.clone(),
            contract_type,
            what: detail.operation.clone().unwrap_or_default(),
            at: (source_file, line),
            confidence: Confidence {
                name: detail.name_similarity.unwrap_or_default(),
                signature: detail.signature_similarity.unwrap_or_default(),
                contract: detail.contract_bonus.unwrap_or_default(),
                total: record.confidence,
            },
            evidence: evidence
                .filter(|one| !one.is_empty())
                .map(str::to_owned)
                .collect(),
        }))
    }

    /// The place of a symbol. Of several with its name it is the one around the line, else the first.
    fn place(
        &mut self,
        file: &str,
        symbol: &str,
        line: u32,
    ) -> Result<SymbolLocation, EngineError> {
        if !self.files.contains_key(file) {
            let nodes = self.session.store().find_file(file)?;
            self.files.insert(file.to_owned(), nodes);
        }
        let nodes = self.files.get(file).map_or(&[][..], |nodes| nodes);
        let has_name = |node: &&NodeRecord| {
            let name = node.qualified_name.as_ref().unwrap_or(&node.symbol);
            name == symbol || symbol == file && node.kind == base::SymbolKind::File.as_str()
        };
        let is_around = |node: &&NodeRecord| {
            let first = node.line_start.unwrap_or(1);
            (first..=node.line_end.unwrap_or(first)).contains(&line)
        };
        let mut named = nodes.iter().filter(has_name);
        let chosen = named.clone().find(is_around).or_else(|| named.next());
        Ok(SymbolLocation {
            id: chosen.map_or_else(String::new, |node| node.id.clone()),
            symbol: symbol.to_owned(),
            file_path: file.to_owned(),
            line: chosen.and_then(|node| node.line_start).unwrap_or(line),
            ..SymbolLocation::default()
        })
    }
}
