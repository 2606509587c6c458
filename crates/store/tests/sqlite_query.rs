//! Free SQL reads and does nothing else, and it ends.

use serde_json::json;
use std::time::Duration;
use store::sqlite::QueryLimits;
use store::{GraphStore, SqliteStore, StoreError};
use tempfile::TempDir;

fn store() -> (TempDir, SqliteStore) {
    let folder = TempDir::new().unwrap();
    let mut store = SqliteStore::open(&folder.path().join("graph.db")).unwrap();
    for (id, line) in [("a", 1), ("b", 2), ("c", 3)] {
        store
            .put_node(&store::contract::node(id, &format!("s_{id}"), "a.ts", line))
            .unwrap();
    }
    (folder, store)
}

#[test]
fn rows_come_with_columns_bound_parameters_and_a_limit() {
    let (_folder, store) = store();
    let limits = QueryLimits {
        rows: 2,
        ..QueryLimits::default()
    };
    let sql = "SELECT id, line_start AS line, NULL FROM nodes WHERE line_start >= ?1 AND file_path = ?2 ORDER BY id";
    let answer = store
        .query(sql, &[json!(1), json!("a.ts")], limits)
        .unwrap();
    assert_eq!(answer.columns, ["id", "line", "NULL"]);
    assert_eq!(
        answer.rows,
        [
            [json!("a"), json!(1), json!(null)],
            [json!("b"), json!(2), json!(null)]
        ]
    );
    assert!(answer.truncated);
    let answer = store
        .query(sql, &[json!(3), json!("a.ts")], limits)
        .unwrap();
    assert_eq!((answer.rows.len(), answer.truncated), (1, false));
    let quoted = store.query(
        "SELECT count(*) FROM nodes WHERE id = ?1",
        &[json!("a' OR '1'='1")],
        limits,
    );
    assert_eq!(quoted.unwrap().rows, [[json!(0)]]);
}

#[test]
fn what_would_write_or_reach_out_is_refused() {
    let (folder, store) = store();
    let elsewhere = folder.path().join("other.db");
    let attach = format!("ATTACH '{}' AS other", elsewhere.display());
    let into = format!("VACUUM INTO '{}'", elsewhere.display());
    for sql in [
        "INSERT INTO nodes (id, symbol, kind, file_path) VALUES ('x', 'x', 'x', 'x')",
        "DELETE FROM nodes",
        "delete from nodes returning id",
        "UPDATE nodes SET symbol = 'x'",
        "DROP TABLE nodes",
        "CREATE TABLE t (x)",
        "CREATE TEMP TABLE t AS SELECT * FROM nodes",
        "WITH x AS (SELECT 1) DELETE FROM nodes",
        "SELECT 1; DELETE FROM nodes",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA writable_schema = ON",
        "BEGIN IMMEDIATE",
        "SELECT load_extension('x')",
        "VACUUM",
        "",
        "no sql at all",
        attach.as_str(),
        into.as_str(),
    ] {
        let refused = store.query(sql, &[], QueryLimits::default());
        assert!(
            matches!(refused, Err(StoreError::Refused(_))),
            "{sql}: {refused:?}"
        );
    }
    assert!(!elsewhere.exists());
    assert_eq!(store.stats().unwrap().nodes, 3);
    let wrong_count = store.query("SELECT ?1", &[], QueryLimits::default());
    assert!(matches!(wrong_count, Err(StoreError::Refused(_))));
}

#[test]
fn a_query_without_end_is_stopped() {
    let (_folder, store) = store();
    let endless =
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";
    let limits = QueryLimits {
        time: Duration::from_millis(50),
        ..QueryLimits::default()
    };
    let started = std::time::Instant::now();
    let stopped = store.query(endless, &[], limits);
    assert!(
        matches!(stopped, Err(StoreError::TimeLimit(50))),
        "{stopped:?}"
    );
    assert!(started.elapsed() < Duration::from_secs(20));
    let huge = store.query("SELECT zeroblob(900000000)", &[], QueryLimits::default());
    assert!(huge.is_err());
}
