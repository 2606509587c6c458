//! Data of an imported index. It is trusted in this project alone: no other index is copied from one that has it, and
//! its facts enter neither the shared nor the project's own cache. `index --force` and `index clear` remove it.
//!
//! A folder marks its presence, and holds the facts. The database marks it as well, until it is built anew.

use crate::IngestError;
use crate::cache::{FactsCache, PACK};
use std::path::{Path, PathBuf};
use store::sqlite::SqliteStore;
use store::{GraphStore, StoreError};

/// The metadata entry that marks an imported database; empty once no imported data is left.
pub(crate) const IMPORTED: &str = "imported";

/// The file that requests new chunks for all files.
const ANEW: &str = "chunks-anew";

fn folder(state_dir: &Path) -> PathBuf {
    state_dir.join("ast-cache").join("imported")
}

/// The folders in which the facts of a project's files are looked up.
#[derive(Debug, Clone)]
pub(crate) struct FactsFolders {
    own: PathBuf,
    imported: PathBuf,
}

impl FactsFolders {
    /// `own` is the folder of the project's own facts.
    pub(crate) fn new(own: PathBuf, state_dir: &Path) -> FactsFolders {
        FactsFolders {
            own,
            imported: folder(state_dir),
        }
    }

    /// The project's own facts, with the imported ones as a fallback.
    pub(crate) fn open(&self) -> FactsCache {
        let imported = self.imported.join(PACK);
        let imported = imported.exists().then(|| FactsCache::open(&self.imported));
        FactsCache::open(&self.own).with_imported(imported)
    }
}

/// Whether a project's index has imported data.
pub(crate) fn is_there(state_dir: &Path, database: &Path) -> bool {
    folder(state_dir).symlink_metadata().is_ok() || is_imported_database(database)
}

fn is_imported_database(database: &Path) -> bool {
    let entry = SqliteStore::open_read_only(database).and_then(|store| store.metadata(IMPORTED));
    entry.is_ok_and(|entry| entry.is_some_and(|entry| !entry.is_empty()))
}

/// The folder for an import that is not installed yet.
pub(crate) fn temporary_folder(state_dir: &Path) -> PathBuf {
    state_dir.join("ast-cache").join("import")
}

/// Removes the remains of a killed import. The caller holds the writer lock of the database.
pub(crate) fn remove_remains(state_dir: &Path) {
    let folder = temporary_folder(state_dir);
    if folder.symlink_metadata().is_ok() {
        // If this fails, the remains do no harm.
        let _ = guard::state::remove_folder_below(state_dir, &folder);
    }
}

/// Replaces the facts of an earlier import by `facts`, a folder in the state folder.
pub(crate) fn replace(state_dir: &Path, facts: &Path) -> Result<(), IngestError> {
    let folder = folder(state_dir);
    let failed = |e: &dyn std::fmt::Display| failure(&folder, e);
    let around = folder.parent().unwrap_or(&folder);
    guard::state::create_private_folders_below(state_dir, around).map_err(|e| failed(&e))?;
    guard::state::remove_folder_below(state_dir, &folder).map_err(|e| failed(&e))?;
    platform::file::replace(facts, &folder).map_err(|e| failed(&e))
}

/// Removes the imported facts, and makes the next update renew all chunks. The caller removes or replaces the database,
/// and holds its writer lock. Returns whether there was an import.
///
/// Errors: [`IngestError::Store`] if something cannot be removed.
pub fn forget_imported(state_dir: &Path, database: &Path) -> Result<bool, IngestError> {
    remove_remains(state_dir);
    if !is_there(state_dir, database) {
        return Ok(false);
    }
    let folder = folder(state_dir);
    let failed = |e: &dyn std::fmt::Display| failure(&folder, e);
    guard::state::remove_folder_below(state_dir, &folder).map_err(|e| failed(&e))?;
    guard::state::create_private_folders_below(state_dir, &folder).map_err(|e| failed(&e))?;
    guard::state::create_file_if_absent(&folder.join(ANEW), b"").map_err(|e| failed(&e))?;
    Ok(true)
}

/// Whether all chunks must be made anew.
pub(crate) fn wants_new_chunks(state_dir: &Path) -> bool {
    folder(state_dir).join(ANEW).symlink_metadata().is_ok()
}

/// Records that all chunks are new: no imported data is left.
pub(crate) fn note_new_chunks(state_dir: &Path) -> Result<(), IngestError> {
    let folder = folder(state_dir);
    guard::state::remove_folder_below(state_dir, &folder)
        .map(drop)
        .map_err(|e| failure(&folder, &e))
}

fn failure(path: &Path, error: &dyn std::fmt::Display) -> IngestError {
    IngestError::Store(StoreError::Backend {
        context: format!("changing {}", path.display()),
        reason: error.to_string(),
    })
}
