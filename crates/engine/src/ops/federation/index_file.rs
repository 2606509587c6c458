//! `.devbooks/federation-index.json`: the contracts of all repositories, as they were last read.

use super::contracts::ReadContract;
use super::stored_index::{FederationIndex, IndexedContract};
use crate::EngineError;
use crate::project::Project;
use crate::workspace::Workspace;
use guard::seal;
use rustc_hash::FxHashSet;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most bytes of the file; a larger one was not written by this program.
const LARGEST: u64 = 256 << 20;
/// The field of the seal, and its purpose. The seal shows that this user's program wrote the file for this project:
/// any other file counts as missing. It names the version, since another version may read contracts differently.
const SEAL: (&str, &str) = (
    "seal",
    concat!("federation index 3 ", env!("CARGO_PKG_VERSION")),
);

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
            path: contract.path.clone(),
            kind: contract.contract_type.as_str().to_owned(),
            contract,
            symbols,
            hash: read.hash.clone(),
            mark: read.mark,
        }
    }
}

/// The path of the index file.
pub(super) fn path(project: &Project, given: Option<&PathBuf>) -> PathBuf {
    match given {
        Some(path) => path.clone(),
        None => project.state_dir.join("federation-index.json"),
    }
}

/// Refuses a path that the user named and that may not be written to: it must be free or hold such an index, and lie
/// outside `.git`.
pub(super) fn check_named(path: &Path) -> Result<(), EngineError> {
    let refused = |why: &str| {
        let message = format!("FEDERATION_INDEX: {} {why}", path.display());
        Err(EngineError::bad_arguments(message).with_hint("name a new file"))
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

/// The fields by which an index file is recognized, without keeping their values.
#[derive(Deserialize)]
#[expect(dead_code, reason = "that they can be decoded is all that matters")]
struct Shape {
    schema_version: String,
    indexed_at: String,
    repositories: Vec<IgnoredAny>,
}

impl FederationIndex {
    /// The index of a project. None if there is none that this user's program wrote for it.
    pub(super) fn of_project(workspace: &Workspace) -> Option<Arc<FederationIndex>> {
        let path = super::index_path(workspace);
        let cache = &workspace.shared().federation_index;
        cache.index(&path, || FederationIndex::read(&path, workspace.root()))
    }

    /// Reads the file. None if there is none that this user's program wrote for the project.
    fn read(path: &Path, root: &Path) -> Option<FederationIndex> {
        let text = guard::state::read_own_file(path, LARGEST).ok()?;
        // The seal is checked first: a file of others may take many times its length in memory when it is decoded.
        let is_ours = seal::is_own_object(SEAL, root.as_os_str().as_encoded_bytes(), &text);
        is_ours.then(|| serde_json::from_slice(&text).ok())?
    }

    /// Writes the file in place of the old one.
    pub(super) fn write(&self, path: &Path, root: &Path) -> Result<(), EngineError> {
        let not_json =
            |e: &dyn std::fmt::Display| EngineError::runtime_failure(format!("not JSON: {e}"));
        let text = serde_json::to_vec(self).map_err(|e| not_json(&e))?;
        let sealed = seal::seal_object(SEAL, root.as_os_str().as_encoded_bytes(), &text);
        let sealed = sealed.ok_or_else(|| not_json(&"it is no object"))?;
        if sealed.len() as u64 > LARGEST {
            let message = format!(
                "the contracts of all repositories take {} MB, more than the index may have",
                sealed.len() >> 20
            );
            return Err(EngineError::runtime_failure(message)
                .with_hint("name fewer repositories, or choose contracts with `patterns`"));
        }
        guard::state::replace_file(path, &sealed).map_err(|e| {
            EngineError::runtime_failure(format!("cannot write {}: {e}", path.display()))
        })
    }
}
