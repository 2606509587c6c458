//! Databases of older programs are upgraded, with a backup, and keep their rows.

use rusqlite::Connection;
use std::path::{Path, PathBuf};
use store::sqlite::MigrationState;
use store::{GraphStore, SqliteStore, StoreError};
use tempfile::TempDir;

/// The schema of the design documents, without additions.
const BARE: &str = "
CREATE TABLE nodes (
  id TEXT PRIMARY KEY, symbol TEXT NOT NULL, kind TEXT NOT NULL, file_path TEXT NOT NULL,
  line_start INTEGER, line_end INTEGER, created_at INTEGER DEFAULT (strftime('%s', 'now'))
);
CREATE INDEX idx_nodes_file ON nodes(file_path);
CREATE INDEX idx_nodes_symbol ON nodes(symbol);
CREATE TABLE edges (
  id TEXT PRIMARY KEY, source_id TEXT NOT NULL, target_id TEXT NOT NULL,
  edge_type TEXT NOT NULL CHECK(edge_type IN ('DEFINES', 'IMPORTS', 'CALLS', 'MODIFIES')),
  file_path TEXT, line INTEGER, created_at INTEGER DEFAULT (strftime('%s', 'now')),
  FOREIGN KEY (source_id) REFERENCES nodes(id), FOREIGN KEY (target_id) REFERENCES nodes(id)
);
CREATE INDEX idx_edges_source ON edges(source_id);
CREATE INDEX idx_edges_target ON edges(target_id);
CREATE INDEX idx_edges_type ON edges(edge_type);
INSERT INTO nodes VALUES ('a', 'main', 'function', 'a.ts', 1, 9, 1600000000), ('b', 'help', 'function', 'b.ts', NULL, NULL, 1600000001);
INSERT INTO edges VALUES ('e', 'a', 'b', 'CALLS', 'a.ts', 3, 1600000002);
";

/// The schema of a later program: more edge types, more columns, a version, tables of its own.
const VERSION_3: &str = "
CREATE TABLE nodes (
  id TEXT PRIMARY KEY, symbol TEXT NOT NULL, kind TEXT NOT NULL, file_path TEXT NOT NULL,
  line_start INTEGER, line_end INTEGER, created_at INTEGER, visibility TEXT
);
CREATE INDEX idx_nodes_file ON nodes(file_path);
CREATE TABLE edges (
  id TEXT PRIMARY KEY, source_id TEXT NOT NULL, target_id TEXT NOT NULL, edge_type TEXT NOT NULL,
  file_path TEXT, line INTEGER, created_at INTEGER
);
CREATE TABLE metadata (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE files (name TEXT);
INSERT INTO metadata VALUES ('schema_version', '3'), ('owner', 'me');
INSERT INTO files VALUES ('kept');
INSERT INTO nodes VALUES ('a', 'A', 'class', 'a.ts', 1, 9, 1600000000, 'public'), ('b', 'B', 'interface', 'b.ts', 1, 2, 1600000001, NULL);
INSERT INTO edges VALUES
  ('1', 'a', 'b', 'CALLS', 'a.ts', 3, 1), ('2', 'a', 'b', 'IMPLEMENTS', 'a.ts', 1, 1),
  ('3', 'a', 'b', 'REFERENCES', 'a.ts', 4, 1), ('4', 'a', 'gone', 'CALLS', 'a.ts', 5, 1),
  ('5', 'b', 'a', 'ADR_REL', NULL, NULL, 1);
";

fn old(sql: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("graph.db");
    Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    (folder, path)
}

fn count(path: &Path, sql: &str) -> i64 {
    Connection::open(path)
        .unwrap()
        .query_row(sql, [], |r| r.get(0))
        .unwrap()
}

#[test]
fn the_bare_schema_is_upgraded_and_keeps_its_rows() {
    let (_folder, path) = old(BARE);
    let state = SqliteStore::migration_state(&path).unwrap();
    assert!(matches!(&state, MigrationState::NeedsMigration { from, .. } if from == "none"));
    assert_eq!(
        serde_json::to_value(&state).unwrap()["status"],
        "NEEDS_MIGRATION"
    );
    let done = SqliteStore::migrate(&path).unwrap();
    assert_eq!(
        (done.status.as_str(), done.nodes, done.edges, done.dropped),
        ("MIGRATED", 2, 1, 0)
    );
    let backup = done.backup_path.unwrap();
    assert_eq!(
        count(&backup, "SELECT count(*) FROM pragma_table_info('nodes')"),
        7
    );
    assert_eq!(count(&backup, "SELECT count(*) FROM edges"), 1);
    let store = SqliteStore::open_read_only(&path).unwrap();
    let edge = store.edge("e").unwrap().unwrap();
    assert_eq!((edge.line, edge.tier), (Some(3), base::Tier::Manual));
    assert_eq!(count(&path, "SELECT created_at FROM edges"), 1_600_000_002);
    store.check_integrity().unwrap();
    let again = SqliteStore::migrate(&path).unwrap();
    assert_eq!(again.status.as_str(), "UP_TO_DATE");
    // A copy is kept at every migration.
    assert!(again.backup_path.is_some_and(|path| path.exists()));
}

#[test]
fn opening_for_writing_upgrades_and_reading_does_not() {
    let (folder, path) = old(BARE);
    let refused = SqliteStore::open_read_only(&path);
    assert!(matches!(refused, Err(StoreError::Schema { .. })));
    let store = SqliteStore::open(&path).unwrap();
    assert_eq!(store.stats().unwrap().nodes, 2);
    let backups = std::fs::read_dir(folder.path()).unwrap().filter(|f| {
        f.as_ref()
            .unwrap()
            .file_name()
            .to_string_lossy()
            .contains("backup")
    });
    assert_eq!(backups.count(), 1);
}

#[test]
fn relations_get_the_wider_key_and_stay() {
    let (_folder, path) = old(
        "CREATE TABLE nodes (id TEXT PRIMARY KEY, symbol TEXT NOT NULL, kind TEXT NOT NULL, file_path TEXT NOT NULL);
         CREATE TABLE relations (source_id TEXT NOT NULL, kind TEXT NOT NULL, target_id TEXT NOT NULL,
           file_path TEXT NOT NULL, tier_code INTEGER, PRIMARY KEY (source_id, kind, target_id)) WITHOUT ROWID;
         CREATE INDEX idx_relations_target ON relations(target_id);
         CREATE INDEX idx_relations_file ON relations(file_path);
         CREATE TABLE metadata (key TEXT PRIMARY KEY, value TEXT);
         INSERT INTO metadata VALUES ('schema_version', '5');
         INSERT INTO nodes VALUES ('a', 'A', 'class', 'a.ts'), ('b', 'B', 'class', 'b.ts');
         INSERT INTO relations VALUES ('a', 'extends', 'b', 'a.ts', 1);",
    );
    SqliteStore::migrate(&path).unwrap();
    let again = "INSERT INTO relations VALUES ('a', 'extends', 'b', 'b.ts', 2)";
    rusqlite::Connection::open(&path)
        .unwrap()
        .execute_batch(again)
        .unwrap();
    let store = SqliteStore::open(&path).unwrap();
    let relations = store.relations_from("a").unwrap();
    assert_eq!(relations.len(), 1);
    assert_eq!(relations[0].tier, base::Tier::Typed);
    assert_eq!(count(&path, "SELECT count(*) FROM relations"), 2);
}

#[test]
fn what_has_no_place_is_moved_or_counted_and_foreign_things_stay() {
    let (_folder, path) = old(VERSION_3);
    let done = SqliteStore::migrate(&path).unwrap();
    assert_eq!((done.from.as_str(), done.nodes, done.edges), ("3", 2, 2));
    assert_eq!((done.relations, done.dropped), (1, 2));
    let store = SqliteStore::open(&path).unwrap();
    let relation = &store.relations_from("a").unwrap()[0];
    assert_eq!(
        (relation.kind.as_str(), relation.target_id.as_str()),
        ("implements", "b")
    );
    let mention = store.edge("3").unwrap().unwrap();
    assert_eq!(
        (mention.edge_type, mention.site),
        (base::EdgeType::Calls, Some(base::Site::Reference))
    );
    assert_eq!(
        count(
            &path,
            "SELECT count(*) FROM nodes WHERE visibility = 'public'"
        ),
        1
    );
    assert_eq!(count(&path, "SELECT count(*) FROM foreign_files"), 1);
    assert_eq!(store.metadata("owner").unwrap().as_deref(), Some("me"));
    store.check_integrity().unwrap();
}

#[test]
fn a_newer_schema_is_left_alone() {
    let (_folder, path) = old(VERSION_3);
    Connection::open(&path)
        .unwrap()
        .execute_batch("UPDATE metadata SET value = '99' WHERE key = 'schema_version'")
        .unwrap();
    for refused in [
        SqliteStore::open(&path).err(),
        SqliteStore::migrate(&path).err(),
    ] {
        assert!(
            matches!(&refused, Some(StoreError::Schema { found, .. }) if found == "99"),
            "{refused:?}"
        );
    }
    assert_eq!(count(&path, "SELECT count(*) FROM edges"), 5);
}
