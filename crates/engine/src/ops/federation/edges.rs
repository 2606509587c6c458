//! Virtual edges: links as rows of the store.

use contract::link::{Link, LinkEnd};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use store::{VirtualEdgeDetail, VirtualEdgeRecord};

/// Counts of the rows after an update.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct EdgeCounts {
    /// Edges that hold now.
    pub total: usize,
    /// Edges that were added.
    pub added: usize,
    /// Edges that existed with other values.
    pub updated: usize,
    /// Edges that existed and no longer hold: removed with `sync`, kept otherwise.
    pub outdated: usize,
    /// Edges that were removed.
    pub removed: usize,
    /// Edges with a confidence of 0.8 or more.
    pub high: usize,
}

/// A link as a row.
pub(super) fn to_record(link: &Link) -> VirtualEdgeRecord {
    let symbol = |side: &LinkEnd| side.place.symbol.clone();
    let key = [
        link.source.repo.as_str(),
        &link.source.place.file_path,
        &link.source.place.symbol,
        &link.target.repo,
        &link.target.place.file_path,
        &link.target.place.symbol,
        &link.edge_type,
        &link.what,
    ];
    let key: Vec<&[u8]> = key.iter().map(|part| part.as_bytes()).collect();
    VirtualEdgeRecord {
        id: format!("ve-{:016x}", base::fingerprint(&key)),
        source_repo: link.source.repo.clone(),
        source_symbol: symbol(&link.source),
        target_repo: link.target.repo.clone(),
        target_symbol: symbol(&link.target),
        edge_type: link.edge_type.clone(),
        contract_type: link.contract_type.as_str().to_owned(),
        confidence: link.confidence.total,
        detail: VirtualEdgeDetail {
            name_similarity: Some(link.confidence.name),
            signature_similarity: Some(link.confidence.signature),
            contract_bonus: Some(link.confidence.contract),
            source_file: Some(link.at.0.clone()),
            source_line: Some(link.at.1),
            target_file: Some(link.target.place.file_path.clone()),
            target_line: Some(link.target.place.line),
            operation: Some(link.what.clone()),
            evidence: Some(link.evidence.join("; ")),
        },
    }
}

/// The repositories whose outdated edges are known.
pub(super) enum Scope<'n> {
    /// All repositories except these, which could not be read.
    AllBut(BTreeSet<&'n str>),
    /// These repositories alone: the full list is not known.
    Only(BTreeSet<&'n str>),
}

impl Scope<'_> {
    fn contains(&self, edge: &VirtualEdgeRecord) -> bool {
        let ends = [edge.source_repo.as_str(), edge.target_repo.as_str()];
        match self {
            Scope::AllBut(unread) => !ends.iter().any(|name| unread.contains(name)),
            Scope::Only(read) => ends.iter().all(|name| read.contains(name)),
        }
    }
}

/// What to change so that the stored edges match the links.
pub(super) struct EdgeChanges {
    /// The rows to write.
    pub write: Vec<VirtualEdgeRecord>,
    /// The ids of rows to remove.
    pub remove: Vec<String>,
    pub counts: EdgeCounts,
}

/// Compares the links with the stored edges.
pub(super) fn difference(
    links: &[Link],
    before: &[VirtualEdgeRecord],
    scope: &Scope<'_>,
    sync: bool,
) -> EdgeChanges {
    let mut old: BTreeMap<&str, &VirtualEdgeRecord> =
        before.iter().map(|edge| (&*edge.id, edge)).collect();
    let mut counts = EdgeCounts {
        total: links.len(),
        ..EdgeCounts::default()
    };
    let mut write = Vec::new();
    for link in links {
        let record = to_record(link);
        counts.high += usize::from(link.confidence.total >= contract::link::HIGH);
        match old.remove(&*record.id) {
            None => counts.added += 1,
            Some(same) if *same == record => continue,
            Some(_) => counts.updated += 1,
        }
        write.push(record);
    }
    let outdated = old.into_values().filter(|edge| scope.contains(edge));
    let outdated: Vec<String> = outdated.map(|edge| edge.id.clone()).collect();
    counts.outdated = outdated.len();
    let remove = if sync { outdated } else { Vec::new() };
    counts.removed = remove.len();
    EdgeChanges {
        write,
        remove,
        counts,
    }
}
