//! What an imported index left. It is believed in this project alone: others begin with no index that has it, and neither shared nor
//! own caches take its facts. `index --force` and `index clear` end it.
//!
//! A folder says that it is there, and holds the facts. The database says so too, for as long as it is not built anew.

use crate::IngestError;
use crate::cache::{FactsCache, PACK};
use std::path::{Path, PathBuf};
use store::sqlite::SqliteStore;
use store::{GraphStore, StoreError};

/// The entry of a database's metadata that it was imported; empty where nothing of that is left.
pub(crate) const IMPORTED: &str = "imported";

/// The file that says that all chunks are to be made anew.
const ANEW: &str = "chunks-anew";

fn folder(state_dir: &Path) -> PathBuf {
    state_dir.join("ast-cache").join("imported")
}

/// Where the facts of a project's files are looked up.
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

    /// The project's own facts, and behind them those that were imported.
    pub(crate) fn open(&self) -> FactsCache {
        let imported = self.imported.join(PACK);
        let imported = imported.exists().then(|| FactsCache::open(&self.imported));
        FactsCache::open(&self.own).with_imported(imported)
    }
}

/// Whether a project's index has something that was imported.
pub(crate) fn is_there(state_dir: &Path, database: &Path) -> bool {
    folder(state_dir).symlink_metadata().is_ok() || is_imported_database(database)
}

fn is_imported_database(database: &Path) -> bool {
    let entry = SqliteStore::open_read_only(database).and_then(|store| store.metadata(IMPORTED));
    entry.is_ok_and(|entry| entry.is_some_and(|entry| !entry.is_empty()))
}

/// The folder for an import that is not yet the index.
pub(crate) fn temporary_folder(state_dir: &Path) -> PathBuf {
    state_dir.join("ast-cache").join("import")
}

/// Removes what a killed import left. The caller holds the writer lock of the database.
pub(crate) fn remove_remains(state_dir: &Path) {
    let folder = temporary_folder(state_dir);
    if folder.symlink_metadata().is_ok() {
        // It is in the way of nothing.
        let _ = guard::state::remove_folder_below(state_dir, &folder);
    }
}

/// Puts the facts of an import, a folder of the state folder, in the place of those of an earlier one.
pub(crate) fn replace(state_dir: &Path, facts: &Path) -> Result<(), IngestError> {
    let folder = folder(state_dir);
    let failed = |e: &dyn std::fmt::Display| failure(&folder, e);
    let around = folder.parent().unwrap_or(&folder);
    guard::state::create_private_folders_below(state_dir, around).map_err(|e| failed(&e))?;
    guard::state::remove_folder_below(state_dir, &folder).map_err(|e| failed(&e))?;
    std::fs::rename(facts, &folder).map_err(|e| failed(&e))
}

/// Ends what an imported index said: its facts are removed, and the next update makes all chunks anew. The caller removes or
/// replaces the database, and holds its writer lock. Says whether there was one.
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

/// Whether all chunks are to be made anew.
pub(crate) fn wants_new_chunks(state_dir: &Path) -> bool {
    folder(state_dir).join(ANEW).symlink_metadata().is_ok()
}

/// Notes that all chunks are new: nothing is left of what was imported.
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
