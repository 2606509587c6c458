//! Facts about the project for ranking: how central files are, their roles by the project's own rules, and their lines.

use crate::EngineError;
use crate::ops::boundary::rules::FileRoleRules;
use crate::project::Project;
use crate::snippet::read_masked_lines;
use search::doc::FileRole;
use search::rank::ProjectView;
use std::collections::BTreeMap;
use std::sync::Arc;
use store::{GraphStore, SqliteStore};

/// The number of users of each file, and its lines.
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

    /// The number of other files that use a file.
    pub(crate) fn users_of(&self, path: &str) -> u32 {
        self.users.get(path).copied().unwrap_or_default()
    }

    /// The highest such number.
    pub(crate) fn most(&self) -> u32 {
        self.most
    }

    /// The prior of a file, 0–1.
    pub(crate) fn of_file(&self, path: &str) -> f32 {
        let users = self.users_of(path);
        search::rank::centrality(users as usize, self.most as usize)
    }
}

/// Facts about the project for ranking: the prior of each file, and the rules of file roles.
pub(crate) struct SearchView<'p> {
    pub(crate) prior: Arc<Prior>,
    pub(crate) rules: Arc<FileRoleRules>,
    pub(crate) project: &'p Project,
}

impl ProjectView for SearchView<'_> {
    fn centrality(&self, path: &str) -> f32 {
        self.prior.of_file(path)
    }

    fn role(&self, path: &str, indexed: FileRole) -> FileRole {
        self.rules.role_of(path, indexed)
    }

    fn lines(&self, path: &str, first: u32, last: u32) -> Option<String> {
        read_masked_lines(self.project, path, first, last)
    }
}
