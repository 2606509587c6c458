//! The contract suite over the SQLite backend.

use store::SqliteStore;
use tempfile::TempDir;

fn fresh() -> (TempDir, SqliteStore) {
    let folder = TempDir::new().unwrap();
    let store = SqliteStore::open(&folder.path().join("graph.db")).unwrap();
    (folder, store)
}

store::contract_tests!(fresh);
