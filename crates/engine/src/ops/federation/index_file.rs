//! `.devbooks/federation-index.json`: the contracts of all repositories, as they were when they were read last.

use super::config::FederationConfig;
use crate::EngineError;
use crate::project::Project;
use contract::Contract;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A larger file was not written by us.
const LARGEST: u64 = 256 << 20;

/// The file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FederationIndex {
    /// Version of this shape.
    pub schema_version: String,
    /// When, in UTC (ISO 8601).
    pub indexed_at: String,
    /// The repositories, this project first.
    pub repositories: Vec<IndexedRepository>,
}

/// A repository of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct IndexedRepository {
    /// Its name.
    pub name: String,
    /// `indexed`, `missing` or `refused`.
    pub status: String,
    /// Why it is not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Its contracts.
    pub contracts: Vec<IndexedContract>,
}

/// A contract of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct IndexedContract {
    /// What it says.
    #[serde(flatten)]
    pub contract: Contract,
    /// Names of its services, operations and types.
    pub symbols: Vec<String>,
    /// Of its bytes.
    pub hash: String,
}

impl IndexedContract {
    pub(super) fn new(contract: Contract, hash: String) -> IndexedContract {
        let mut symbols = Vec::new();
        for op in &contract.operations {
            if let Some(service) = &op.service
                && !symbols.contains(service)
                && symbols.len() < 1_000
            {
                symbols.push(service.clone());
            }
        }
        symbols.extend(contract.operations.iter().map(|op| op.name.clone()));
        symbols.extend(contract.types.iter().map(|ty| ty.name.clone()));
        symbols.extend(contract.uses.iter().map(|one| one.name.clone()));
        IndexedContract {
            contract,
            symbols,
            hash,
        }
    }
}

/// Where the file is.
pub(super) fn path(project: &Project, given: Option<&PathBuf>) -> PathBuf {
    match given {
        Some(path) => path.clone(),
        None => project.state_dir.join("federation-index.json"),
    }
}

impl FederationIndex {
    /// The file as it is; none where there is none that can be read.
    pub(super) fn read(path: &std::path::Path) -> Option<FederationIndex> {
        let text = guard::state::read_own_file(path, LARGEST).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Writes it in place of the old one.
    pub(super) fn write(&self, path: &std::path::Path) -> Result<(), EngineError> {
        let text = serde_json::to_vec_pretty(self)
            .map_err(|e| EngineError::runtime_failure(format!("not JSON: {e}")))?;
        guard::state::replace_file(path, &text).map_err(|e| {
            EngineError::runtime_failure(format!("cannot write {}: {e}", path.display()))
        })
    }

    /// The repository of that name.
    pub(super) fn repository(&self, name: &str) -> Option<&IndexedRepository> {
        self.repositories.iter().find(|r| r.name == name)
    }

    /// Names of the configuration that are not in it: it was changed since.
    pub(super) fn unread(&self, config: &FederationConfig) -> Vec<String> {
        let repositories = config.repositories.iter();
        let unread = repositories.filter(|r| self.repository(&r.name).is_none());
        unread.map(|r| r.name.clone()).collect()
    }
}
