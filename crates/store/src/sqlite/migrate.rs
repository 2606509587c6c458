//! Upgrades a database of an older schema, including the seeds' bare one.
//!
//! Tables are created again and rows copied, so that the result has exactly the present schema. Columns that other
//! programs added are kept after ours. A backup is written first.

use super::error::{SqlContext, sql_error};
use super::schema::{self, SCHEMA_VERSION};
use super::{SqliteStore, connect, seal};
use crate::StoreError;
use rusqlite::{Connection, OpenFlags, OptionalExtension, TransactionBehavior};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Relation of a database's schema to this program's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MigrationState {
    /// There is no database.
    Missing,
    /// It has this program's schema.
    UpToDate {
        /// The present version.
        version: String,
    },
    /// It has an older schema.
    NeedsMigration {
        /// The old version; `none` if the database states none.
        from: String,
        /// This program's version.
        to: String,
    },
}

impl MigrationState {
    /// Whether an upgrade is needed.
    pub fn needs_migration(&self) -> bool {
        matches!(self, MigrationState::NeedsMigration { .. })
    }
}

/// Result of an upgrade.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Migration {
    /// `MIGRATED` or `UP_TO_DATE`.
    pub status: String,
    /// Version before.
    pub from: String,
    /// Version after.
    pub to: String,
    /// The backup of the database; `None` if nothing was done.
    pub backup_path: Option<PathBuf>,
    /// Nodes kept.
    pub nodes: u64,
    /// Edges kept.
    pub edges: u64,
    /// Edges of other types that became relations.
    pub relations: u64,
    /// Edges that were left out: their type has no place in this schema, or one of their ends does not exist.
    pub dropped: u64,
}

impl SqliteStore {
    /// Compares the schema of the database at `path` with this program's. Changes nothing.
    ///
    /// Errors: [`StoreError::Schema`] when it is newer than this program.
    pub fn migration_state(path: &Path) -> Result<MigrationState, StoreError> {
        read_state(path)
    }

    /// Upgrades the database at `path` in one transaction, after copying it to `<path>.backup-<version>-<unix time>`. It
    /// is copied even if nothing is to be done.
    pub fn migrate(path: &Path) -> Result<Migration, StoreError> {
        let from = match read_state(path)? {
            MigrationState::Missing => return Err(StoreError::Missing(path.display().to_string())),
            MigrationState::UpToDate { version } => {
                // Callers that ask for a migration rely on the backup.
                let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
                let backup = write_backup(&connection, path, &version)?;
                return Ok(Migration {
                    backup_path: Some(backup),
                    status: "UP_TO_DATE".to_owned(),
                    from: version.clone(),
                    to: version,
                    ..Migration::default()
                });
            }
            MigrationState::NeedsMigration { from, .. } => from,
        };
        let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let backup = write_backup(&connection, path, &from)?;
        connection
            .execute_batch("PRAGMA foreign_keys=OFF; PRAGMA legacy_alter_table=ON;")
            .with_path(path, "migrating")?;
        let mut done = run_migration(&mut connection).with_path(path, "migrating")?;
        done.from = from;
        done.backup_path = Some(backup);
        Ok(done)
    }
}

pub(super) fn read_state(path: &Path) -> Result<MigrationState, StoreError> {
    if !path.metadata().is_ok_and(|m| m.len() > 0) {
        return Ok(MigrationState::Missing);
    }
    // Opening it may roll back a journal that another program put beside it.
    seal::check_trusted(path)?;
    let connection = match connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY) {
        // A killed writer may have left a journal, which only a writer can roll back.
        Err(StoreError::Backend { .. }) => connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?,
        other => other?,
    };
    let look = || -> rusqlite::Result<(bool, Option<String>)> {
        if !has_table(&connection, "nodes")? {
            return Ok((!has_table(&connection, "edges")?, None));
        }
        let nodes = table_columns(&connection, "nodes")?;
        let edges = table_columns(&connection, "edges")?;
        let has = |columns: &[Column], name| columns.iter().any(|c| c.name == name);
        let complete = has(&nodes, "flags") && has(&edges, "more_lines");
        Ok((complete, read_schema_version(&connection)?))
    };
    let (complete, found) = look().with_path(path, "reading")?;
    let number = |v: &str| v.split('.').next().and_then(|n| n.parse::<u32>().ok());
    let newer = |v: &str| number(v) > number(SCHEMA_VERSION);
    match found {
        Some(found) if newer(&found) => Err(StoreError::Schema {
            path: path.display().to_string(),
            found,
            wanted: SCHEMA_VERSION.to_owned(),
        }),
        Some(found) if complete && found == SCHEMA_VERSION => {
            Ok(MigrationState::UpToDate { version: found })
        }
        // A file without any table of ours is a new database.
        None if complete => Ok(MigrationState::UpToDate {
            version: SCHEMA_VERSION.to_owned(),
        }),
        found => Ok(MigrationState::NeedsMigration {
            from: found.unwrap_or_else(|| "none".to_owned()),
            to: SCHEMA_VERSION.to_owned(),
        }),
    }
}

fn read_schema_version(connection: &Connection) -> rusqlite::Result<Option<String>> {
    if !has_table(connection, "metadata")? {
        return Ok(None);
    }
    connection
        .query_row(
            "SELECT CAST(value AS TEXT) FROM metadata WHERE key = 'schema_version'",
            [],
            |r| r.get(0),
        )
        .optional()
        .map(Option::flatten)
}

pub(super) fn has_table(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    connection
        .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1")?
        .exists([name])
}

struct Column {
    name: String,
    declared: String,
}

fn table_columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<Column>> {
    read_columns(connection, table, "WHERE hidden = 0")
}

/// All columns, computed ones included.
fn all_columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<Column>> {
    read_columns(connection, table, "")
}

fn read_columns(
    connection: &Connection,
    table: &str,
    which: &str,
) -> rusqlite::Result<Vec<Column>> {
    let sql = format!("SELECT name, type FROM pragma_table_xinfo(?1) {which}");
    let mut statement = connection.prepare(&sql)?;
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Column {
            name: row.get(0)?,
            declared: row.get(1)?,
        })
    };
    statement.query_map([table], read)?.collect()
}

/// Copies the database with its log.
fn write_backup(connection: &Connection, path: &Path, from: &str) -> Result<PathBuf, StoreError> {
    let safe: String = from
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '.')
        .collect();
    let mut to = super::maintain::path_with_extension(
        path,
        &format!("backup-{safe}-{}", super::maintain::unix_now()),
    );
    for again in 1.. {
        if !to.exists() {
            break;
        }
        to = super::maintain::path_with_extension(
            path,
            &format!("backup-{safe}-{}.{again}", super::maintain::unix_now()),
        );
    }
    let target = to.to_string_lossy().into_owned();
    connection
        .execute("VACUUM INTO ?1", [&target])
        .map_err(|e| sql_error(&to, "writing the backup", &e))?;
    Ok(to)
}

fn run_migration(connection: &mut Connection) -> rusqlite::Result<Migration> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    rename_foreign_tables(&transaction)?;
    recreate_table(&transaction, "nodes", schema::NODES)?;
    recreate_table(&transaction, "edges", schema::EDGES)?;
    add_complexity_column(&transaction)?;
    rename_mtime_column(&transaction)?;
    let had_relations = rename_old_relations(&transaction)?;
    transaction.execute_batch(schema::OTHER)?;
    if had_relations {
        transaction.execute_batch(RELATIONS_BACK)?;
    }
    add_missing_virtual_edge_columns(&transaction)?;
    copy_nodes(&transaction)?;
    let (relations, dropped) = copy_edges(&transaction)?;
    transaction.execute_batch("DROP TABLE IF EXISTS old_nodes; DROP TABLE IF EXISTS old_edges;")?;
    transaction.execute_batch(&schema::create_indexes_sql())?;
    transaction.execute(
        "INSERT OR REPLACE INTO metadata (key, value) VALUES ('schema_version', ?1)",
        [SCHEMA_VERSION],
    )?;
    let count = |sql: &str| transaction.query_row(sql, [], |r| r.get::<_, i64>(0));
    let done = Migration {
        status: "MIGRATED".to_owned(),
        to: SCHEMA_VERSION.to_owned(),
        nodes: count("SELECT count(*) FROM nodes")? as u64,
        edges: count("SELECT count(*) FROM edges")? as u64,
        relations,
        dropped,
        ..Migration::default()
    };
    transaction.commit()?;
    Ok(done)
}

/// Adds the column of complexity to an older database; the next index fills it.
fn add_complexity_column(connection: &Connection) -> rusqlite::Result<()> {
    let old = table_columns(connection, "files")?;
    if old.is_empty() || old.iter().any(|c| c.name == "complexity") {
        return Ok(());
    }
    connection.execute_batch("ALTER TABLE files ADD COLUMN complexity INTEGER NOT NULL DEFAULT 0")
}

/// Renames the column of file times in an older database. None of its values equals a hash of this program, so the next
/// index reads the files again.
fn rename_mtime_column(connection: &Connection) -> rusqlite::Result<()> {
    let old = table_columns(connection, "files")?;
    if old.iter().any(|c| c.name == "mtime_ns") {
        connection.execute_batch("ALTER TABLE files RENAME COLUMN mtime_ns TO stat")?;
    }
    Ok(())
}

const RELATIONS_BACK: &str = "
INSERT OR IGNORE INTO relations (source_id, kind, target_id, file_path, tier_code)
  SELECT source_id, kind, target_id, file_path, tier_code FROM old_relations;
DROP TABLE old_relations;";

/// Renames the table of relations, whose key was extended; returns whether there was one.
fn rename_old_relations(connection: &Connection) -> rusqlite::Result<bool> {
    let there = has_table(connection, "relations")?;
    if there {
        connection.execute_batch(
            "DROP INDEX IF EXISTS idx_relations_target; DROP INDEX IF EXISTS idx_relations_file; \
             ALTER TABLE relations RENAME TO old_relations;",
        )?;
    }
    Ok(there)
}

/// Renames tables of other programs that have the names of ours.
fn rename_foreign_tables(connection: &Connection) -> rusqlite::Result<()> {
    let ours = [
        ("files", "output_hash"),
        ("relations", "tier_code"),
        ("external_symbols", "package"),
        ("external_uses", "external_id"),
        ("imports", "specifier"),
        ("unresolved_calls", "lines"),
        ("marks", "detail"),
    ];
    for (table, mark) in ours {
        let foreign = has_table(connection, table)?
            && !table_columns(connection, table)?
                .iter()
                .any(|c| c.name == mark);
        if foreign {
            connection.execute_batch(&format!("ALTER TABLE {table} RENAME TO foreign_{table}"))?;
        }
    }
    Ok(())
}

/// Renames a table to `old_…` and creates it again, followed by the columns that other programs added.
fn recreate_table(connection: &Connection, table: &str, create: &str) -> rusqlite::Result<()> {
    if !has_table(connection, table)? {
        return connection.execute_batch(create);
    }
    connection.execute_batch(&format!(
        "ALTER TABLE {table} RENAME TO old_{table}; {create};"
    ))?;
    let ours = table_columns(connection, table)?;
    let virtual_too = ["tier", "site", "confidence"];
    for old in table_columns(connection, &format!("old_{table}"))? {
        let known =
            ours.iter().any(|c| c.name == old.name) || virtual_too.contains(&old.name.as_str());
        if !known {
            let name = quote_identifier(&old.name);
            let declared: String = old
                .declared
                .chars()
                .filter(|c| c.is_alphanumeric() || *c == ' ')
                .collect();
            connection
                .execute_batch(&format!("ALTER TABLE {table} ADD COLUMN {name} {declared}"))?;
        }
    }
    Ok(())
}

fn quote_identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Names of the columns that both the old and the new table have.
fn common_columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let old = table_columns(connection, &format!("old_{table}"))?;
    let new = table_columns(connection, table)?;
    let both = |c: &Column| new.iter().any(|n| n.name == c.name);
    Ok(old
        .into_iter()
        .filter(both)
        .map(|c| quote_identifier(&c.name))
        .collect())
}

fn copy_nodes(connection: &Connection) -> rusqlite::Result<()> {
    if !has_table(connection, "old_nodes")? {
        return Ok(());
    }
    let list = common_columns(connection, "nodes")?.join(", ");
    connection.execute_batch(&format!(
        "INSERT OR IGNORE INTO nodes ({list}) SELECT {list} FROM old_nodes WHERE id IS NOT NULL ORDER BY id"
    ))
}

/// Copies the edges; returns how many became relations and how many were left out.
fn copy_edges(connection: &Connection) -> rusqlite::Result<(u64, u64)> {
    if !has_table(connection, "old_edges")? {
        return Ok((0, 0));
    }
    let given = common_columns(connection, "edges")?;
    let with_id: Vec<String> = given
        .iter()
        .map(|c| match c.as_str() {
            "\"id\"" => "coalesce(\"id\", lower(hex(randomblob(8))))".to_owned(),
            "\"edge_type\"" => {
                "CASE edge_type WHEN 'REFERENCES' THEN 'CALLS' ELSE edge_type END".to_owned()
            }
            _ => c.clone(),
        })
        .collect();
    let ends = "source_id IN (SELECT id FROM nodes) AND target_id IN (SELECT id FROM nodes)";
    let mut changed = connection.execute(
        &format!(
            "INSERT OR IGNORE INTO edges ({}) SELECT {} FROM old_edges WHERE {ends} \
             AND edge_type IN ('DEFINES', 'IMPORTS', 'CALLS', 'MODIFIES', 'REFERENCES')",
            given.join(", "),
            with_id.join(", ")
        ),
        [],
    )?;
    connection.execute(
        "UPDATE edges SET site_code = 1 WHERE id IN (SELECT id FROM old_edges WHERE edge_type = 'REFERENCES')",
        [],
    )?;
    let relations = connection.execute(
        &format!(
            "INSERT OR IGNORE INTO relations (source_id, kind, target_id, file_path) \
             SELECT e.source_id, CASE e.edge_type WHEN 'IMPLEMENTS' THEN 'implements' \
             WHEN 'EXTENDS' THEN 'extends' ELSE 'type_definition' END, e.target_id, n.file_path \
             FROM old_edges e JOIN nodes n ON n.id = e.source_id WHERE {ends} \
             AND e.edge_type IN ('IMPLEMENTS', 'EXTENDS', 'RETURNS_TYPE')"
        ),
        [],
    )?;
    changed += relations;
    let before: i64 = connection.query_row("SELECT count(*) FROM old_edges", [], |r| r.get(0))?;
    Ok((
        relations as u64,
        (before as u64).saturating_sub(changed as u64),
    ))
}

/// Adds the columns that an older `virtual_edges` table lacks.
fn add_missing_virtual_edge_columns(connection: &Connection) -> rusqlite::Result<()> {
    let there = all_columns(connection, "virtual_edges")?;
    let wanted = [
        ("contract_type", "TEXT NOT NULL DEFAULT ''"),
        ("confidence", "REAL DEFAULT 1.0"),
        ("created_at", "TEXT"),
        ("updated_at", "TEXT"),
        (
            "confidence_level",
            "TEXT AS (CASE WHEN confidence >= 0.8 THEN 'high' WHEN confidence >= 0.5 THEN 'medium' ELSE 'low' END) VIRTUAL",
        ),
        ("name_similarity", "REAL"),
        ("signature_similarity", "REAL"),
        ("contract_bonus", "REAL"),
        ("exact_match", "INTEGER AS (name_similarity >= 1.0) VIRTUAL"),
        ("source_file", "TEXT"),
        ("source_line", "INTEGER"),
        ("target_file", "TEXT"),
        ("target_line", "INTEGER"),
        ("operation", "TEXT"),
        ("evidence", "TEXT"),
    ];
    for (name, definition) in wanted {
        if !there.iter().any(|c| c.name == name) {
            connection.execute_batch(&format!(
                "ALTER TABLE virtual_edges ADD COLUMN {name} {definition}"
            ))?;
        }
    }
    Ok(())
}
