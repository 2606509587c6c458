//! How central files are: how many others use each, by the graph.

use crate::EngineError;
use std::collections::BTreeMap;
use store::{GraphStore, SqliteStore};

/// See the module.
pub(crate) struct Prior {
    users: BTreeMap<String, u32>,
    most: u32,
}

impl Prior {
    pub(crate) fn load(store: &SqliteStore) -> Result<Prior, EngineError> {
        let text = store.metadata(ingest::FILE_USERS)?.unwrap_or_default();
        let users: BTreeMap<String, u32> = serde_json::from_str(&text).unwrap_or_default();
        let most = users.values().copied().max().unwrap_or_default();
        Ok(Prior { users, most })
    }

    /// 0–1.
    pub(crate) fn of_file(&self, path: &str) -> f32 {
        let users = self.users.get(path).copied().unwrap_or_default();
        search::rank::centrality(users as usize, self.most as usize)
    }
}
