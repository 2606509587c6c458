//! Free SQL can only read, and it always ends.

use serde_json::json;
use std::time::{Duration, Instant};
use store::sqlite::QueryLimits;
use store::{GraphStore, SqliteStore, StoreError};
use tempfile::TempDir;

fn store() -> (TempDir, SqliteStore) {
    let folder = TempDir::new().unwrap();
    let mut store = SqliteStore::open(&folder.path().join("graph.db")).unwrap();
    for (id, line) in [("a", 1), ("b", 2), ("c", 3)] {
        store
            .put_node(&store::contract::sample_node(
                id,
                &format!("s_{id}"),
                "a.ts",
                line,
            ))
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
        .query(sql, &[json!(1), json!("a.ts")], limits.clone())
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
        .query(sql, &[json!(3), json!("a.ts")], limits.clone())
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
fn a_query_that_is_wanted_no_more_ends() {
    let (_folder, store) = store();
    let limits = QueryLimits {
        time: Duration::from_secs(600),
        ..QueryLimits::default()
    };
    let cancel = limits.cancel.clone();
    let endless =
        "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r";
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            cancel.set();
        });
        let ended = store.query(endless, &[], limits);
        assert!(matches!(ended, Err(StoreError::Cancelled)), "{ended:?}");
    });
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
    let started = Instant::now();
    let stopped = store.query(endless, &[], limits);
    assert!(
        matches!(stopped, Err(StoreError::TimeLimit(50))),
        "{stopped:?}"
    );
    assert!(started.elapsed() < Duration::from_secs(20));
    let huge = store.query("SELECT zeroblob(900000000)", &[], QueryLimits::default());
    assert!(huge.is_err());
}

#[test]
fn a_query_that_takes_memory_is_stopped() {
    let (_folder, store) = store();
    let limits = QueryLimits {
        memory: 32 << 20,
        time: Duration::from_secs(120),
        ..QueryLimits::default()
    };
    // All of them together would take gigabytes.
    let numbers = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 5000000)";
    let random = "SELECT x, hex(randomblob(500)) h FROM n";
    for sql in [
        format!("{numbers} SELECT x, h FROM ({random}) ORDER BY h"),
        format!("{numbers} SELECT count(DISTINCT h) FROM ({random})"),
        format!(
            "{numbers}, m AS MATERIALIZED ({random}) SELECT count(*) FROM m a, m b WHERE a.h < b.h"
        ),
        format!("{numbers} SELECT length(h), sum(x) OVER () FROM ({random})"),
    ] {
        let before = most_resident();
        let stopped = store.query(&sql, &[], limits.clone());
        let is_told = matches!(&stopped, Err(StoreError::MemoryLimit(32)));
        assert!(is_told, "{sql}: {stopped:?}");
        let grown = most_resident().saturating_sub(before);
        assert!(grown < 128 << 20, "{sql}: {grown}");
    }
    // Values made between two checks have other limits.
    let values: Vec<String> = (0..1_500)
        .map(|n| format!("hex(randomblob({}))", 400_000 + n))
        .collect();
    let joined: Vec<String> = (0..1_500).map(|n| format!("h || {n}")).collect();
    let mut nested = "WITH a0(x) AS (SELECT 1)".to_owned();
    for n in 1..40 {
        let before = n - 1;
        nested += &format!(", a{n}(x) AS (SELECT p.x FROM a{before} p, a{before} q)");
    }
    for sql in [
        format!("SELECT {}", values.join(", ")),
        format!("SELECT 'a' IN ({})", values.join(", ")),
        format!("SELECT length({})", values.join(" || ")),
        format!(
            "SELECT 'a' IN ({}) FROM (SELECT hex(randomblob(400000)) h)",
            joined.join(", ")
        ),
        format!("SELECT {} 1 FROM nodes", "id, ".repeat(200)),
        format!("{nested} SELECT x FROM a39"),
        "SELECT zeroblob(1000001)".to_owned(),
    ] {
        let before = most_resident();
        let stopped = store.query(&sql, &[], limits.clone());
        let shown: String = sql.chars().take(60).collect();
        assert!(
            matches!(&stopped, Err(StoreError::Refused(_))),
            "{shown}: {stopped:?}"
        );
        let grown = most_resident().saturating_sub(before);
        assert!(grown < 128 << 20, "{shown}: {grown}");
    }
    let long = "SELECT hex(zeroblob(400000)) FROM nodes a, nodes b, nodes c";
    let stopped = store.query(long, &[], limits.clone());
    assert!(
        matches!(stopped, Err(StoreError::AnswerLimit(4))),
        "{stopped:?}"
    );
}

/// The most memory that this process has used.
fn most_resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or_default() * 1024
}
