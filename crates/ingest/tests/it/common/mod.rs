//! Helpers for tests over whole indexes.

pub(crate) mod sequence;
#[allow(dead_code)]
pub(crate) mod state;

use std::path::Path;
use store::{GraphStore, NodeFlags, NodeRecord, SqliteStore};

/// Adds a node by hand to an index.
pub(crate) fn put_node_by_hand(database: &Path) {
    let node = NodeRecord {
        id: "mine".to_owned(),
        symbol: "mine".to_owned(),
        kind: "function".to_owned(),
        file_path: "mine".to_owned(),
        flags: NodeFlags(NodeFlags::MANUAL),
        ..NodeRecord::default()
    };
    let mut store = SqliteStore::open(database).unwrap();
    store.put_node(&node).unwrap();
}
