//! `.devbooks/federation-index.json`: the contracts of all repositories, as of the last time they were read.

use super::contracts::{FileMark, OtherFile, ReadContract};
use crate::EngineError;
use crate::project::Project;
use contract::Contract;
use guard::seal;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A larger file was not written by us.
const LARGEST: u64 = 256 << 20;
/// What a seal of the file is for; another version may read contracts otherwise.
const KIND: &str = concat!("federation index 1 ", env!("CARGO_PKG_VERSION"));

/// The file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FederationIndex {
    /// Version of this shape.
    pub schema_version: String,
    /// When, in UTC (ISO 8601).
    pub indexed_at: String,
    /// The repositories, this project first.
    pub repositories: Vec<IndexedRepository>,
    /// Shows that this user's program wrote the file for this project: another file is as good as none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub seal: String,
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
    /// The project that it is, or of which it is a folder.
    #[serde(default)]
    pub root: String,
    /// Its contracts.
    pub contracts: Vec<IndexedContract>,
    /// Files that are no contracts, though they are named like some.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherFile>,
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
    /// The state of its file.
    #[serde(flatten)]
    pub mark: FileMark,
}

impl IndexedContract {
    pub(super) fn new(read: &ReadContract) -> IndexedContract {
        let contract = read.contract.clone();
        let mut symbols = Vec::new();
        let mut seen = FxHashSet::default();
        for op in &contract.operations {
            if let Some(service) = &op.service
                && seen.insert(service.as_str())
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
            hash: read.hash.clone(),
            mark: read.mark,
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

/// Whether a place that the user named may be written to: nothing or such an index is there, and it is not in `.git`.
pub(super) fn check_named(path: &Path) -> Result<(), EngineError> {
    let refused = |why: &str| {
        let message = format!("FEDERATION_INDEX: {} {why}", path.display());
        Err(EngineError::bad_arguments(message).with_hint("name a file that is not there yet"))
    };
    let absolute = guard::state::resolve_existing_part(path);
    let is_git = |path: &Path| path.components().any(|part| part.as_os_str() == ".git");
    if is_git(&absolute) || is_git(path) {
        return refused("lies in .git");
    }
    let Ok(found) = path.symlink_metadata() else {
        return Ok(());
    };
    let is_index = || {
        let bytes = guard::state::read_own_file(path, LARGEST).ok();
        bytes.is_some_and(|bytes| serde_json::from_slice::<FederationIndex>(&bytes).is_ok())
    };
    if found.is_file() && is_index() {
        Ok(())
    } else {
        refused("is no federation index")
    }
}

impl FederationIndex {
    /// The file as it is; none where there is none that this user's program wrote for the project.
    pub(super) fn read(path: &Path, root: &Path) -> Option<FederationIndex> {
        let text = guard::state::read_own_file(path, LARGEST).ok()?;
        let mut index: FederationIndex = serde_json::from_slice(&text).ok()?;
        let found = std::mem::take(&mut index.seal);
        let is_ours = !seal::is_enabled()
            || seal::trusts_everything()
            || index.own_seal(root).is_some_and(|own| own == found);
        is_ours.then_some(index)
    }

    /// Writes it in place of the old one.
    pub(super) fn write(&self, path: &Path, root: &Path) -> Result<(), EngineError> {
        let mut sealed = self.clone();
        sealed.seal = self.own_seal(root).unwrap_or_default();
        let text = serde_json::to_vec_pretty(&sealed)
            .map_err(|e| EngineError::runtime_failure(format!("not JSON: {e}")))?;
        guard::state::replace_file(path, &text).map_err(|e| {
            EngineError::runtime_failure(format!("cannot write {}: {e}", path.display()))
        })
    }

    /// A checksum of all but the seal that only this user can make, for the project in that folder.
    fn own_seal(&self, root: &Path) -> Option<String> {
        let mut bytes = root.as_os_str().as_encoded_bytes().to_vec();
        bytes.push(0);
        serde_json::to_writer(&mut bytes, self).ok()?;
        let sum = seal::keyed_checksum(KIND, &bytes);
        Some(sum.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}
