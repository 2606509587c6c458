//! Virtual edges in a database of another program: its table `virtual_edges` with the columns of the predecessor.
//!
//! The user names the database. Nothing of it is run: its triggers and views are off, and only columns of this list are
//! read and written.

use crate::StoreError;
use guard::seal;
use rusqlite::config::DbConfig;
use rusqlite::types::Value as SqlValue;
use rusqlite::{Connection, OpenFlags, params_from_iter};
use serde::Serialize;
use serde_json::{Map, Number, Value};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

/// Columns of the table, each with the field of an edge that it holds.
static COLUMNS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let lines = include_str!("virtual_edge_columns.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(' ')).collect()
});
/// The columns that tell one edge from another.
const KEY: usize = 5;

/// The table, where the database has none.
const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS virtual_edges (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source_repo TEXT NOT NULL,
  source_symbol TEXT NOT NULL,
  target_repo TEXT NOT NULL,
  target_symbol TEXT NOT NULL,
  edge_type TEXT DEFAULT 'VIRTUAL_CALLS',
  contract_type TEXT,
  confidence REAL NOT NULL DEFAULT 1.0,
  confidence_level TEXT DEFAULT 'medium',
  exact_match REAL DEFAULT 0.0,
  signature_similarity REAL DEFAULT 0.0,
  contract_bonus REAL DEFAULT 0.0,
  created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
)";

/// The longest wait for another process.
const PATIENCE: Duration = Duration::from_secs(5);
/// The most rows of an answer.
const MOST_ROWS: usize = 10_000;

/// Counts of a change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct EdgeTableCounts {
    /// Rows that were added.
    pub edges_created: usize,
    /// Rows that existed and were written again.
    pub edges_updated: usize,
    /// Rows that were removed.
    pub edges_removed: usize,
    /// All rows.
    pub total_edges: usize,
}

/// The table of another program's database.
#[derive(Debug)]
pub struct VirtualEdgeTable {
    connection: Connection,
    path: PathBuf,
    /// The positions in [`COLUMNS`] of those that the table has.
    columns: Vec<usize>,
    has_time: bool,
}

impl VirtualEdgeTable {
    /// Whether a file is a database that another program made: it is not empty, and does not have this user's seal.
    pub fn is_foreign(path: &Path) -> bool {
        let has_content = path
            .symlink_metadata()
            .is_ok_and(|found| found.is_file() && found.len() > 0);
        has_content && !seal::has_valid_seal(path)
    }

    /// Opens the table, and creates it where the database has none.
    ///
    /// # Errors
    /// If the file is no database, or its table lacks the names of the two ends.
    pub fn open(path: &Path) -> Result<VirtualEdgeTable, StoreError> {
        let opened = || -> rusqlite::Result<(Connection, Vec<String>)> {
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NOFOLLOW;
            let connection = Connection::open_with_flags(path, flags)?;
            connection.busy_timeout(PATIENCE)?;
            for (switch, on) in [
                (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
                (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
                (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
                (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
            ] {
                connection.set_db_config(switch, on)?;
            }
            connection.execute_batch(SCHEMA)?;
            let names = column_names(&connection)?;
            Ok((connection, names))
        };
        let (connection, names) = opened().map_err(|e| backend(path, &e))?;
        let has = |name: &str| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        let columns = (0..COLUMNS.len()).filter(|at| has(COLUMNS[*at].0));
        let columns: Vec<usize> = columns.collect();
        if !columns.starts_with(&[0, 1, 2, 3]) {
            return Err(StoreError::Backend {
                context: path.display().to_string(),
                reason: "its table virtual_edges has other columns".to_owned(),
            });
        }
        Ok(VirtualEdgeTable {
            connection,
            path: path.to_path_buf(),
            columns,
            has_time: has("updated_at"),
        })
    }

    /// Writes edges, given by the fields of an answer. Rows between two repositories of `synced` that are not among them
    /// are removed.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn write(
        &mut self,
        edges: &[Map<String, Value>],
        synced: &[String],
    ) -> Result<EdgeTableCounts, StoreError> {
        let mut change = || -> rusqlite::Result<EdgeTableCounts> {
            let mut counts = EdgeTableCounts::default();
            let key: Vec<usize> = self
                .columns
                .iter()
                .copied()
                .filter(|at| *at < KEY)
                .collect();
            let names = |all: &[usize]| all.iter().map(|at| COLUMNS[*at].0).collect::<Vec<_>>();
            let is_same: Vec<String> = names(&key).iter().map(|n| format!("{n} IS ?")).collect();
            let delete = format!("DELETE FROM virtual_edges WHERE {}", is_same.join(" AND "));
            let mut written = names(&self.columns).join(", ");
            let mut marks = vec!["?"; self.columns.len()].join(", ");
            if self.has_time {
                written += ", updated_at";
                marks += ", strftime('%Y-%m-%d %H:%M:%f', 'now')";
            }
            let insert = format!("INSERT INTO virtual_edges ({written}) VALUES ({marks})");
            let transaction = self.connection.transaction()?;
            for edge in edges {
                let values = |all: &[usize]| {
                    let values = all.iter().map(|at| sql_value(edge.get(COLUMNS[*at].1)));
                    params_from_iter(values.collect::<Vec<_>>())
                };
                let before = transaction.execute(&delete, values(&key))?;
                counts.edges_updated += usize::from(before > 0);
                counts.edges_created += usize::from(before == 0);
                transaction.execute(&insert, values(&self.columns))?;
            }
            if !synced.is_empty() {
                counts.edges_removed = remove_others(&transaction, edges, synced)?;
            }
            let total: i64 =
                transaction
                    .query_row("SELECT count(*) FROM virtual_edges", [], |row| row.get(0))?;
            counts.total_edges = total as usize;
            transaction.commit()?;
            Ok(counts)
        };
        change().map_err(|e| backend(&self.path, &e))
    }

    /// The rows whose source or target contains a name, the surest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn find(&self, name: &str, least: f64) -> Result<Vec<Value>, StoreError> {
        let read = || -> rusqlite::Result<Vec<Value>> {
            let names: Vec<&str> = self.columns.iter().map(|at| COLUMNS[*at].0).collect();
            let sql = format!(
                "SELECT {} FROM virtual_edges WHERE (instr(lower(source_symbol), ?1) OR instr(lower(target_symbol), ?1))",
                names.join(", ")
            );
            let mut statement = self.connection.prepare(&sql)?;
            let rows = statement.query_map([name.to_lowercase()], |row| {
                let mut fields = Map::new();
                for (at, name) in names.iter().enumerate() {
                    fields.insert((*name).to_owned(), json_value(row.get(at)?));
                }
                Ok(Value::Object(fields))
            })?;
            rows.take(MOST_ROWS).collect()
        };
        let mut rows = read().map_err(|e| backend(&self.path, &e))?;
        let confidence = |row: &Value| row["confidence"].as_f64().unwrap_or(1.0);
        rows.retain(|row| confidence(row) >= least);
        rows.sort_by(|a, b| confidence(b).total_cmp(&confidence(a)));
        Ok(rows)
    }
}

/// The columns of the table; none if something else has its name.
fn column_names(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    // A view has columns, too.
    let sql = "SELECT c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
               WHERE m.type = 'table' AND m.name = 'virtual_edges' COLLATE NOCASE";
    let mut names = connection.prepare(sql)?;
    let names = names.query_map([], |row| row.get(0))?;
    names.collect()
}

/// Removes rows between two of the repositories that are not among the edges.
fn remove_others(
    transaction: &Connection,
    edges: &[Map<String, Value>],
    synced: &[String],
) -> rusqlite::Result<usize> {
    let text = |edge: &Map<String, Value>, name: &str| {
        edge.get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let ends = [
        "source_repo",
        "source_symbol",
        "target_repo",
        "target_symbol",
    ];
    let known: std::collections::BTreeSet<[String; 4]> = edges
        .iter()
        .map(|edge| ends.map(|end| text(edge, end)))
        .collect();
    let mut statement = transaction.prepare(
        "SELECT rowid, source_repo, source_symbol, target_repo, target_symbol FROM virtual_edges",
    )?;
    let rows = statement.query_map([], |row| {
        let end = |at| {
            row.get::<_, Option<String>>(at)
                .map(Option::unwrap_or_default)
        };
        Ok((row.get::<_, i64>(0)?, [end(1)?, end(2)?, end(3)?, end(4)?]))
    })?;
    let mut removed = 0;
    for row in rows.collect::<rusqlite::Result<Vec<_>>>()? {
        let (id, ends) = row;
        let is_synced = synced.contains(&ends[0]) && synced.contains(&ends[2]);
        if is_synced && !known.contains(&ends) {
            removed += transaction.execute("DELETE FROM virtual_edges WHERE rowid = ?1", [id])?;
        }
    }
    Ok(removed)
}

fn sql_value(value: Option<&Value>) -> SqlValue {
    match value {
        Some(Value::Number(number)) => number.as_f64().map_or(SqlValue::Null, SqlValue::Real),
        Some(Value::String(text)) => SqlValue::Text(text.clone()),
        _ => SqlValue::Null,
    }
}

fn json_value(value: SqlValue) -> Value {
    match value {
        SqlValue::Integer(number) => number.into(),
        SqlValue::Real(number) => Number::from_f64(number).map_or(Value::Null, Value::Number),
        SqlValue::Text(text) => text.into(),
        SqlValue::Null | SqlValue::Blob(_) => Value::Null,
    }
}

fn backend(path: &Path, error: &rusqlite::Error) -> StoreError {
    StoreError::Backend {
        context: path.display().to_string(),
        reason: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn edge(source: &str, target: &str, confidence: f64) -> Map<String, Value> {
        let edge = json!({
            "source_repo": "here", "source_symbol": source, "target_repo": "api", "target_symbol": target,
            "edge_type": "VIRTUAL_CALLS", "contract_type": "proto", "confidence": confidence,
            "name_similarity": 0.7, "evidence": "rpc",
        });
        edge.as_object().unwrap().clone()
    }

    fn table(sql: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("theirs.db");
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        (folder, path)
    }

    #[test]
    fn rows_are_written_once_and_those_that_no_longer_hold_are_removed() {
        let (_folder, path) = table(SCHEMA);
        let mut table = VirtualEdgeTable::open(&path).unwrap();
        let (one, two) = (
            edge("getUserById", "S.GetUser", 0.61),
            edge("x", "S.List", 0.9),
        );
        let counts = table.write(&[one.clone(), two], &[]).unwrap();
        assert_eq!((counts.edges_created, counts.total_edges), (2, 2));
        let rows = table.find("getuser", 0.5).unwrap();
        assert_eq!(rows.len(), 1, "{rows:?}");
        assert_eq!(
            (&rows[0]["exact_match"], &rows[0]["source_repo"]),
            (&json!(0.7), &json!("here"))
        );
        assert!(table.find("getuser", 0.7).unwrap().is_empty());
        let names = ["here".to_owned(), "api".to_owned()];
        let counts = table.write(&[one], &names).unwrap();
        let expected = (0, 1, 1, 1);
        let found = (
            counts.edges_created,
            counts.edges_updated,
            counts.edges_removed,
            counts.total_edges,
        );
        assert_eq!(found, expected);
    }

    #[test]
    fn a_table_with_fewer_columns_is_written_and_triggers_do_not_run() {
        let (_folder, path) = table(
            "CREATE TABLE virtual_edges (id INTEGER PRIMARY KEY, source_repo TEXT, source_symbol TEXT, target_repo TEXT, target_symbol TEXT, confidence REAL);
             CREATE TABLE other (a TEXT);
             CREATE TRIGGER t AFTER INSERT ON virtual_edges BEGIN INSERT INTO other VALUES ('ran'); END;",
        );
        let mut table = VirtualEdgeTable::open(&path).unwrap();
        table.write(&[edge("a", "b", 0.6)], &[]).unwrap();
        let count: i64 = table
            .connection
            .query_row("SELECT count(*) FROM other", [], |row| row.get(0))
            .unwrap();
        assert_eq!(count, 0);
    }

    #[test]
    fn another_table_of_that_name_is_refused() {
        let (_folder, path) = table("CREATE TABLE virtual_edges (a TEXT)");
        assert!(VirtualEdgeTable::open(&path).is_err());
        let (_folder, path) = table(
            "CREATE TABLE real (source_repo TEXT, source_symbol TEXT, target_repo TEXT, target_symbol TEXT);
             CREATE VIEW virtual_edges AS SELECT * FROM real;",
        );
        assert!(VirtualEdgeTable::open(&path).is_err());
    }
}
