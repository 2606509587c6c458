//! CT-GS-001, CT-GS-002: the schema on disk is the documented one, and it refuses invalid rows.

use rusqlite::Connection;
use std::path::Path;
use store::{GraphStore, SqliteStore, StoreError};
use tempfile::TempDir;

fn columns(
    connection: &Connection,
    table: &str,
) -> Vec<(String, String, bool, Option<String>, i64)> {
    let mut statement = connection
        .prepare("SELECT name, type, \"notnull\", dflt_value, pk FROM pragma_table_info(?1)")
        .unwrap();
    let rows = statement.query_map([table], |r| {
        Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?, r.get(4)?))
    });
    rows.unwrap().map(Result::unwrap).collect()
}

fn column(
    name: &str,
    kind: &str,
    required: bool,
    default: Option<&str>,
    key: i64,
) -> (String, String, bool, Option<String>, i64) {
    (
        name.to_owned(),
        kind.to_owned(),
        required,
        default.map(str::to_owned),
        key,
    )
}

fn raw(path: &Path) -> Connection {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch("PRAGMA foreign_keys=ON").unwrap();
    connection
}

fn database() -> (TempDir, std::path::PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("deep/er/graph.db");
    SqliteStore::open(&path).unwrap();
    (folder, path)
}

#[test]
fn ct_gs_001_tables_have_the_documented_columns() {
    let (_folder, path) = database();
    let connection = raw(&path);
    let now = Some("strftime('%s', 'now')");
    let nodes = columns(&connection, "nodes");
    assert_eq!(
        nodes[..7],
        [
            column("id", "TEXT", false, None, 1),
            column("symbol", "TEXT", true, None, 0),
            column("kind", "TEXT", true, None, 0),
            column("file_path", "TEXT", true, None, 0),
            column("line_start", "INTEGER", false, None, 0),
            column("line_end", "INTEGER", false, None, 0),
            column("created_at", "INTEGER", false, now, 0),
        ]
    );
    let edges = columns(&connection, "edges");
    assert_eq!(
        edges[..7],
        [
            column("id", "TEXT", false, None, 1),
            column("source_id", "TEXT", true, None, 0),
            column("target_id", "TEXT", true, None, 0),
            column("edge_type", "TEXT", true, None, 0),
            column("file_path", "TEXT", false, None, 0),
            column("line", "INTEGER", false, None, 0),
            column("created_at", "INTEGER", false, now, 0),
        ]
    );
    let names: Vec<String> = columns(&connection, "virtual_edges")
        .into_iter()
        .map(|c| c.0)
        .collect();
    // The documented columns come first, followed by those with the evidence.
    assert_eq!(
        names[..10],
        [
            "id",
            "source_repo",
            "source_symbol",
            "target_repo",
            "target_symbol",
            "edge_type",
            "contract_type",
            "confidence",
            "created_at",
            "updated_at"
        ]
    );
}

#[test]
fn ct_gs_001_indexes_log_mode_and_metadata_are_there() {
    let (_folder, path) = database();
    let connection = raw(&path);
    let mut statement = connection
        .prepare("SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'idx_%' ORDER BY name")
        .unwrap();
    let names: Vec<String> = statement
        .query_map([], |r| r.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    for wanted in [
        "idx_edges_source",
        "idx_edges_target",
        "idx_edges_type",
        "idx_nodes_file",
        "idx_nodes_symbol",
        "idx_virtual_edges_source",
        "idx_virtual_edges_target",
        "idx_virtual_edges_type",
    ] {
        assert!(names.iter().any(|n| n == wanted), "{wanted} in {names:?}");
    }
    let mode: String = connection
        .query_row("PRAGMA journal_mode", [], |r| r.get(0))
        .unwrap();
    assert_eq!(mode, "wal");
    let store = SqliteStore::open_read_only(&path).unwrap();
    assert_eq!(
        store.metadata("version_stamp").unwrap().as_deref(),
        Some("{}")
    );
    assert!(store.metadata("schema_version").unwrap().is_some());
}

#[test]
fn ct_gs_002_the_schema_itself_refuses_other_edge_types_and_loose_ends() {
    let (_folder, path) = database();
    let connection = raw(&path);
    connection
        .execute_batch(
            "INSERT INTO nodes (id, symbol, kind, file_path) VALUES ('a', 'a', 'function', 'a.ts')",
        )
        .unwrap();
    for (edge_type, target) in [
        ("CALL", "a"),
        ("calls", "a"),
        ("EXTENDS", "a"),
        ("", "a"),
        ("CALLS", "nobody"),
    ] {
        let refused = connection.execute(
            "INSERT INTO edges (id, source_id, target_id, edge_type) VALUES ('e', 'a', ?2, ?1)",
            [edge_type, target],
        );
        assert!(refused.is_err(), "{edge_type} {target}");
    }
    for edge_type in ["DEFINES", "IMPORTS", "CALLS", "MODIFIES"] {
        connection
            .execute(
                "INSERT INTO edges (id, source_id, target_id, edge_type) VALUES (?1, 'a', 'a', ?1)",
                [edge_type],
            )
            .unwrap();
    }
    // Rows of other programs count as added by hand, and have a time.
    let store = SqliteStore::open(&path).unwrap();
    assert!(
        store
            .node("a")
            .unwrap()
            .unwrap()
            .flags
            .contains(store::NodeFlags::MANUAL)
    );
    assert_eq!(
        store.edge("CALLS").unwrap().unwrap().tier,
        base::Tier::Manual
    );
    let timed: i64 = connection
        .query_row("SELECT count(*) FROM edges WHERE created_at > 1700000000 AND typeof(created_at) = 'integer'", [], |r| r.get(0))
        .unwrap();
    assert_eq!(timed, 4);
}

#[test]
fn spelled_out_columns_agree_with_the_records() {
    let (_folder, path) = database();
    let mut store = SqliteStore::open(&path).unwrap();
    let nodes = vec![store::contract::sample_node("a", "a", "a.ts", 1)];
    let mut edges = Vec::new();
    for tier in base::Tier::ALL {
        let mut edge = store::contract::sample_call("a", "a", "a.ts", 1);
        edge.id = tier.to_string();
        edge.tier = tier;
        edge.confidence = tier.default_confidence();
        edges.push(edge);
    }
    let change = store::GraphChange {
        nodes,
        edges: edges.clone(),
        ..store::GraphChange::default()
    };
    store.apply_change(&change).unwrap();
    for edge in edges {
        let row: (String, f64, String) = raw(&path)
            .query_row(
                "SELECT tier, confidence, site FROM edges WHERE id = ?1",
                [&edge.id],
                |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)),
            )
            .unwrap();
        assert_eq!(
            row,
            (edge.tier.to_string(), edge.confidence, "call".to_owned())
        );
    }
}

#[test]
fn a_second_init_keeps_the_data_and_says_so() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("graph.db");
    let (mut store, existed) = SqliteStore::open_or_create(&path).unwrap();
    assert!(!existed);
    store
        .put_node(&store::contract::sample_node("a", "a", "a.ts", 1))
        .unwrap();
    drop(store);
    let (store, existed) = SqliteStore::open_or_create(&path).unwrap();
    assert!(existed);
    assert!(store.node("a").unwrap().is_some());
}

#[test]
fn a_missing_database_is_not_created_by_reading() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("graph.db");
    let missing = SqliteStore::open_read_only(&path);
    assert!(matches!(missing, Err(StoreError::Missing(_))));
    assert!(!path.exists());
}
