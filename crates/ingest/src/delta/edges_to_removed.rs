//! Edges to definitions that were removed.

use crate::emit::FileNodes;
use std::collections::BTreeSet;
use store::sqlite::SqliteStore;
use store::{GraphStore, StoreError};

/// Whether only `files` have edges to nodes that were removed.
pub(crate) fn only_from_files(
    store: &SqliteStore,
    before: &FileNodes,
    after: &FileNodes,
    files: &BTreeSet<&str>,
) -> Result<bool, StoreError> {
    let nodes = |nodes: &FileNodes| -> BTreeSet<String> {
        let own = nodes.of_def.iter().zip(&nodes.own).filter(|(_, own)| **own);
        own.filter_map(|(id, _)| id.map(|id| id.to_string()))
            .collect()
    };
    for id in nodes(before).difference(&nodes(after)) {
        for edge in store.edges_to(id, None)? {
            if !edge
                .file_path
                .is_some_and(|path| files.contains(path.as_str()))
            {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
