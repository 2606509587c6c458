//! Rescue: a damaged database is set aside as it is, and its readable rows go into a new one.

use super::derive::DerivedData;
use super::files::{self, StoreLock};
use super::{PATIENCE, QUESTION_PATIENCE, Store, pages, read, write};
use crate::error::{Result, SolutionError};
use crate::record::{Category, Solution};
use crate::tags;
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, Transaction, params_from_iter};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The rows read from a database.
#[derive(Default)]
pub(super) struct Records {
    solutions: Vec<Solution>,
    categories: HashMap<String, String>,
    versions: Vec<Vec<Value>>,
    uses: Vec<Vec<Value>>,
    /// Whether something could not be read.
    damaged: bool,
}

/// Sets the database at `path` aside and puts one with the readable rows in its place. Returns a note.
pub(super) fn rescue_database(path: &Path) -> Result<String> {
    let _lock = StoreLock::exclusive(path, QUESTION_PATIENCE)?;
    if passes_integrity_check(path) {
        // Another process was faster.
        return Ok(String::from(
            "the solution store was damaged and has been rescued",
        ));
    }
    let records = salvage_records(path);
    let rescued = files::rescued_path(path);
    let _ = std::fs::remove_file(&rescued);
    let unfinished = files::sibling_path(path, ".rescuing");
    let _ = std::fs::remove_file(&unfinished);
    write_rescued_database(&unfinished, &records)?;
    rename(&unfinished, &rescued)?;
    let aside = damaged_backup_path(path);
    // The log first: a new database beside an old log would be given its pages.
    for ending in ["-wal", "-shm", ""] {
        let from = files::sibling_path(path, ending);
        if from.exists() {
            rename(&from, &files::sibling_path(&aside, ending))?;
        }
    }
    files::finish_rescue(path)?;
    Ok(format!(
        "the database was damaged: it is kept as {}, and {} solutions that could be read were rescued",
        aside.display(),
        records.solutions.len()
    ))
}

fn rename(from: &Path, to: &Path) -> Result<()> {
    platform::file::replace(from, to).map_err(|e| SolutionError::from_io(from, "cannot rename", &e))
}

fn damaged_backup_path(path: &Path) -> PathBuf {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = now.map_or(0, |d| d.as_secs());
    let first = files::sibling_path(path, &format!(".damaged-{seconds}"));
    let more = (1..).map(|n| files::sibling_path(path, &format!(".damaged-{seconds}.{n}")));
    std::iter::once(first)
        .chain(more)
        .find(|name| !name.exists())
        .unwrap_or_else(|| files::sibling_path(path, ".damaged"))
}

fn open_damaged(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let place = files::check_and_resolve(path).unwrap_or_else(|_| path.to_owned());
    let connection = Connection::open_with_flags(place, flags)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    // A torn log must not be written into the file.
    connection.execute_batch("PRAGMA wal_autocheckpoint=0;")?;
    Ok(connection)
}

fn passes_integrity_check(path: &Path) -> bool {
    let look = |connection: Connection| {
        connection.query_row("PRAGMA integrity_check(1)", [], |row| {
            row.get::<_, String>(0)
        })
    };
    open_damaged(path)
        .and_then(look)
        .is_ok_and(|said| said == "ok")
}

/// All readable rows: through SQLite as far as it gets, else from the file's pages.
fn salvage_records(path: &Path) -> Records {
    let mut records = match open_damaged(path) {
        Ok(connection) => read_records(&connection).unwrap_or_else(|_| Records {
            damaged: true,
            ..Records::default()
        }),
        Err(_) => Records {
            damaged: true,
            ..Records::default()
        },
    };
    if records.damaged {
        let mut known: HashSet<String> = records.solutions.iter().map(|s| s.id.clone()).collect();
        for solution in pages::salvage_solutions(path) {
            if known.insert(solution.id.clone()) {
                records.solutions.push(solution);
            }
        }
    }
    records
}

/// The rows that SQLite can read.
pub(super) fn read_records(connection: &Connection) -> Result<Records> {
    let mut records = Records::default();
    let mut seen = HashSet::new();
    // Rows after the damage are reached from the other end.
    for order in ["ASC", "DESC"] {
        let sql = format!(
            "SELECT {} FROM solutions ORDER BY rowid {order}",
            read::COLUMNS
        );
        let Ok(mut statement) = connection.prepare(&sql) else {
            records.damaged = true;
            return Ok(records);
        };
        let mut whole = true;
        for row in statement.query_map([], read::parse_row)? {
            match row {
                Ok(row) if seen.insert(row.rid) => records.solutions.push(row.solution),
                Ok(_) => {}
                Err(_) => {
                    whole = false;
                    break;
                }
            }
        }
        if whole {
            break;
        }
        records.damaged = true;
    }
    for solution in &mut records.solutions {
        solution.tags = read::tags_of(connection, &solution.id).unwrap_or_default();
    }
    for row in read_rows(connection, "SELECT name, category FROM tags", 2) {
        if let [Value::Text(name), Value::Text(category)] = &row[..] {
            records.categories.insert(name.clone(), category.clone());
        }
    }
    records.versions = read_rows(
        connection,
        "SELECT solution_id, version, replaced_at, why, body FROM solution_versions",
        5,
    );
    records.uses = read_rows(
        connection,
        "SELECT solution_id, opened, last_opened FROM solution_uses",
        3,
    );
    Ok(records)
}

/// The rows up to the first that cannot be read.
fn read_rows(connection: &Connection, sql: &str, width: usize) -> Vec<Vec<Value>> {
    let Ok(mut statement) = connection.prepare(sql) else {
        return Vec::new();
    };
    let read = statement.query_map([], |row| (0..width).map(|at| row.get(at)).collect());
    read.map(|rows| rows.map_while(std::result::Result::ok).collect())
        .unwrap_or_default()
}

fn write_rescued_database(path: &Path, records: &Records) -> Result<()> {
    files::create_database_file(path)?;
    let mut store = Store::connect(path, PATIENCE)?;
    // One file without a log beside it, so that it can be renamed.
    store
        .connection
        .execute_batch("PRAGMA journal_mode=DELETE;")?;
    store.create_or_upgrade_schema()?;
    let tx = store.connection.transaction()?;
    insert_records(&tx, records)?;
    tx.commit()?;
    Ok(())
}

/// Writes rescued rows into a new database.
pub(super) fn insert_records(tx: &Transaction<'_>, records: &Records) -> Result<()> {
    for solution in &records.solutions {
        let category = |name: &String| match records.categories.get(name).map(String::as_str) {
            Some("tech_stack") => Category::TechStack,
            Some("problem_type") => Category::ProblemType,
            Some("error_code") => Category::ErrorCode,
            _ => tags::categorize_tag(name),
        };
        let tagged: Vec<write::Tagged> = solution
            .tags
            .iter()
            .map(|name| (name.clone(), category(name)))
            .collect();
        let rid = write::insert(tx, solution)?;
        write::write_tags_and_derived(
            tx,
            rid,
            &solution.id,
            &tagged,
            &DerivedData::new(solution),
            None,
        )?;
    }
    for (sql, rows) in [
        (
            "INSERT OR IGNORE INTO solution_versions(solution_id, version, replaced_at, why, body) VALUES (?1, ?2, ?3, ?4, ?5)",
            &records.versions,
        ),
        (
            "INSERT OR IGNORE INTO solution_uses(solution_id, opened, last_opened) VALUES (?1, ?2, ?3)",
            &records.uses,
        ),
    ] {
        let mut statement = tx.prepare(sql)?;
        for row in rows {
            statement.execute(params_from_iter(row))?;
        }
    }
    Ok(())
}
