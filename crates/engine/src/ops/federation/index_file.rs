//! `.devbooks/federation-index.json`: the contracts of all repositories, as of the last time they were read.

use super::contracts::{FileMark, OtherFile, ReadContract};
use crate::EngineError;
use crate::project::Project;
use contract::Contract;
use guard::seal;
use rustc_hash::FxHashSet;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A larger file was not written by us.
const LARGEST: u64 = 256 << 20;
/// The field of the seal, and what it is for; another version may read contracts otherwise. It shows that this user's
/// program wrote the file for this project: another file is as good as none.
const SEAL: (&str, &str) = (
    "seal",
    concat!("federation index 2 ", env!("CARGO_PKG_VERSION")),
);

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
    /// What it says. It is no part of this object: one that is put into another is decoded through values of any kind.
    pub contract: Contract,
    /// Names of its services, operations and types.
    pub symbols: Vec<String>,
    /// Of its bytes.
    pub hash: String,
    /// The state of its file.
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
        bytes.is_some_and(|bytes| serde_json::from_slice::<Shape>(&bytes).is_ok())
    };
    if found.is_file() && is_index() {
        Ok(())
    } else {
        refused("is no federation index")
    }
}

/// What shows that a file is such an index, without keeping what it says.
#[derive(Deserialize)]
#[expect(dead_code, reason = "that they can be decoded is all that matters")]
struct Shape {
    schema_version: String,
    indexed_at: String,
    repositories: Vec<IgnoredAny>,
}

impl FederationIndex {
    /// The file as it is; none where there is none that this user's program wrote for the project.
    pub(super) fn read(path: &Path, root: &Path) -> Option<FederationIndex> {
        let text = guard::state::read_own_file(path, LARGEST).ok()?;
        // Before anything is decoded: what others wrote may take many times its length.
        let is_ours = seal::is_own_object(SEAL, root.as_os_str().as_encoded_bytes(), &text);
        is_ours.then(|| serde_json::from_slice(&text).ok())?
    }

    /// Writes it in place of the old one.
    pub(super) fn write(&self, path: &Path, root: &Path) -> Result<(), EngineError> {
        let not_json =
            |e: &dyn std::fmt::Display| EngineError::runtime_failure(format!("not JSON: {e}"));
        let text = serde_json::to_vec(self).map_err(|e| not_json(&e))?;
        let sealed = seal::seal_object(SEAL, root.as_os_str().as_encoded_bytes(), &text);
        let sealed = sealed.ok_or_else(|| not_json(&"it is no object"))?;
        guard::state::replace_file(path, &sealed).map_err(|e| {
            EngineError::runtime_failure(format!("cannot write {}: {e}", path.display()))
        })
    }
}
