//! The database: opens, creates and upgrades it, allows one writer at a time, and sets a damaged one aside.

mod derive;
mod files;
mod foreign;
mod list;
mod pages;
mod read;
mod rescue;
mod schema;
mod write;

pub(crate) use derive::{DerivedData, PendingVector, Quantised};
pub(crate) use files::database_path;
pub(crate) use list::AgeAndUse;
pub(crate) use read::Row;
pub(crate) use write::{ImportedRecord, Saved, Tagged};

use crate::error::{Result, SolutionError};
use files::StoreLock;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The longest that a writer waits for another. It is long, because losing a write is worse than a late answer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);
/// The longest that a query waits for a writer.
pub(crate) const QUESTION_PATIENCE: Duration = Duration::from_secs(2);

/// An open database.
pub(crate) struct Store {
    path: PathBuf,
    connection: Connection,
    read_only: bool,
    /// Whether it is open for reading alone until there is space on the disk again.
    is_makeshift: bool,
    /// The longest wait for others.
    patience: Duration,
    identity: files::FileIdentity,
    /// Notes from opening, for the user.
    pub(crate) notes: Vec<String>,
}

impl Store {
    /// Opens the database at `path`, creates it where there is none, upgrades one of the original server, and rescues the
    /// readable rows of a damaged one. Waits for another process at most `patience`.
    pub(crate) fn open(path: &Path, patience: Duration) -> Result<Store> {
        if !files::prepare_folder(path)? {
            return Store::open_read_only(path);
        }
        match Store::open_writable(path, patience) {
            Err(error) if error.damaged => {
                let note = rescue::rescue_database(path)?;
                let mut store = Store::open_writable(path, patience)?;
                store.notes.push(note);
                Ok(store)
            }
            Err(error) => Store::open_unwritable(path, error),
            other => other,
        }
    }

    /// Opens a store that could not be opened for writing, where a full disk may be the reason: what is saved can still be read.
    /// SQLite reports a full disk as such, or as a failure to extend its files. Another reason remains an error.
    fn open_unwritable(path: &Path, error: SolutionError) -> Result<Store> {
        if !(error.full || error.lost) {
            return Err(error);
        }
        let mut store = Store::open_read_only(path).map_err(|_| error.clone())?;
        store.is_makeshift = true;
        store
            .notes
            .push(format!("opened for reading alone: {error}"));
        Ok(store)
    }

    fn open_writable(path: &Path, patience: Duration) -> Result<Store> {
        {
            let _lock = StoreLock::shared(path, patience)?;
            if let Some(store) = Store::open_if_current(path, patience)? {
                return Ok(store);
            }
        }
        let _lock = StoreLock::exclusive(path, patience)?;
        files::finish_rescue(path)?;
        files::create_database_file(path)?;
        let mut store = Store::connect(path, patience)?;
        store.create_or_upgrade_schema()?;
        Ok(store)
    }

    /// Opens the store if nothing has to be set up.
    fn open_if_current(path: &Path, patience: Duration) -> Result<Option<Store>> {
        if !path.metadata().is_ok_and(|m| m.len() > 0) {
            return Ok(None);
        }
        let store = Store::connect(path, patience)?;
        let version = store.schema_version()?;
        if version.is_some_and(|v| v > schema::VERSION) {
            return Err(newer_version_error(path));
        }
        Ok((version == Some(schema::VERSION)).then_some(store))
    }

    fn connect(path: &Path, patience: Duration) -> Result<Store> {
        files::close_to_others(path);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        let connection = Connection::open_with_flags(files::check_and_resolve(path)?, flags)?;
        connection.busy_timeout(patience)?;
        connection.execute_batch(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; \
             PRAGMA secure_delete=ON; PRAGMA cache_size=-32000; PRAGMA temp_store=MEMORY;",
        )?;
        connection.set_prepared_statement_cache_capacity(64);
        foreign::check_schema(&connection, path)?;
        Ok(Store {
            identity: files::FileIdentity::from_path(path),
            path: path.to_owned(),
            connection,
            read_only: false,
            is_makeshift: false,
            patience,
            notes: Vec::new(),
        })
    }

    /// Opens a store that cannot be written. One without the tables of this program is read into memory first.
    fn open_read_only(path: &Path) -> Result<Store> {
        if !path.is_file() {
            let message = format!("{} cannot be written", path.display());
            return Err(SolutionError::failure(message)
                .with_hint("choose another folder with SOLUTION_MEMORY_PATH"));
        }
        let place = files::check_and_resolve(path)?;
        let uri = files::immutable_uri(&place);
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let plain = Connection::open_with_flags(&place, flags);
        // A write-ahead log that cannot be opened in such a folder is empty if its writer ended normally.
        let connection = match plain.and_then(|c| {
            c.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(()))?;
            Ok(c)
        }) {
            Ok(connection) => connection,
            Err(_) => Connection::open_with_flags(&uri, flags)?,
        };
        foreign::check_schema(&connection, path)?;
        let mut store = Store {
            identity: files::FileIdentity::from_path(path),
            path: path.to_owned(),
            connection,
            read_only: true,
            is_makeshift: false,
            patience: QUESTION_PATIENCE,
            notes: vec![format!(
                "{} cannot be written: nothing is saved",
                path.display()
            )],
        };
        if store.schema_version()? != Some(schema::VERSION) {
            let records = rescue::read_records(&store.connection)?;
            store.connection = Connection::open_in_memory()?;
            store.read_only = false;
            store.create_or_upgrade_schema()?;
            store.write_transaction(|tx| rescue::insert_records(tx, &records))?;
            store.read_only = true;
        }
        Ok(store)
    }

    /// The version of this program's schema; none where its tables are missing.
    fn schema_version(&self) -> Result<Option<i64>> {
        if !self.has_table("solution_meta")? {
            return Ok(None);
        }
        Ok(self.meta("schema")?.and_then(|v| v.parse().ok()))
    }

    fn has_table(&self, name: &str) -> Result<bool> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT 1 FROM sqlite_master WHERE name = ?1")?;
        Ok(statement.exists([name])?)
    }

    /// Creates missing tables.
    fn create_or_upgrade_schema(&mut self) -> Result<()> {
        match self.schema_version()? {
            Some(schema::VERSION) => return Ok(()),
            Some(v) if v > schema::VERSION => return Err(newer_version_error(&self.path)),
            _ => {}
        }
        let theirs = self.has_table("solutions")?;
        if theirs && !self.has_expected_columns()? {
            let message = format!("{}: table solutions lacks columns", self.path.display());
            return Err(SolutionError::failure(message).with_hint("move the file away"));
        }
        let tx = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        for statement in split_statements(schema::ORIGINAL).chain(split_statements(schema::OURS)) {
            let exists = created_name(statement).is_some_and(|name| {
                tx.prepare("SELECT 1 FROM sqlite_master WHERE name = ?1")
                    .and_then(|mut s| s.exists([name]))
                    .unwrap_or(false)
            });
            if !exists {
                tx.execute_batch(statement)?;
            }
        }
        if theirs {
            tx.execute_batch(
                "INSERT INTO solutions_fts(solutions_fts) VALUES ('rebuild');
                 INSERT OR REPLACE INTO solution_pending(solution_id) SELECT id FROM solutions;
                 INSERT OR REPLACE INTO solution_changes(rid) SELECT rowid FROM solutions;",
            )?;
        }
        tx.execute(
            "INSERT OR REPLACE INTO solution_meta VALUES ('schema', ?1)",
            [schema::VERSION.to_string()],
        )?;
        tx.commit()?;
        Ok(())
    }

    fn has_expected_columns(&self) -> Result<bool> {
        let look = "SELECT id, title, problem, root_cause, solution, error_messages, project_name, created_at, \
                    updated_at FROM solutions LIMIT 0";
        match self.connection.prepare(look) {
            Ok(_) => Ok(true),
            Err(rusqlite::Error::SqlInputError { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn meta(&self, key: &str) -> Result<Option<String>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT value FROM solution_meta WHERE key = ?1")?;
        Ok(statement.query_row([key], |row| row.get(0)).optional()?)
    }

    pub(crate) fn set_meta(&mut self, key: &str, value: &str) -> Result<()> {
        self.write_transaction(|tx| {
            tx.execute(
                "INSERT OR REPLACE INTO solution_meta VALUES (?1, ?2)",
                [key, value],
            )?;
            Ok(())
        })
    }

    pub(crate) fn remove_meta(&mut self, key: &str) -> Result<()> {
        self.write_transaction(|tx| {
            tx.execute("DELETE FROM solution_meta WHERE key = ?1", [key])?;
            Ok(())
        })
    }

    /// Runs one transaction of the only writer. Nothing of it stays when it fails or the process dies.
    pub(crate) fn write_transaction<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T>,
    ) -> Result<T> {
        if self.read_only {
            let message = format!("{} cannot be written", self.path.display());
            return Err(SolutionError::failure(message).with_hint(
                "make the folder writable, or choose another with SOLUTION_MEMORY_PATH",
            ));
        }
        let in_memory = self.connection.path().is_none_or(str::is_empty);
        let _lock = if in_memory {
            None
        } else {
            Some(StoreLock::shared(&self.path, self.patience)?)
        };
        if !in_memory && !self.identity.matches_path(&self.path) {
            // Another process set a damaged file aside and put a new one in its place.
            let notes = std::mem::take(&mut self.notes);
            *self = Store::connect(&self.path, self.patience)?;
            self.notes = notes;
        }
        let tx = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = work(&tx)?;
        tx.commit()?;
        Ok(done)
    }

    /// Whether the next question may use it: the file at the path is still the open one, and nothing is better after it is opened
    /// again.
    pub(crate) fn is_current(&self) -> bool {
        let in_memory = self.connection.path().is_none_or(str::is_empty);
        !self.is_makeshift && (in_memory || self.identity.matches_path(&self.path))
    }

    pub(crate) fn is_read_only(&self) -> bool {
        self.read_only
    }
}

/// Sets aside a database that turned out to be damaged while it was in use. Returns a note.
pub(crate) fn rescue_damaged(path: &Path) -> Result<String> {
    rescue::rescue_database(path)
}

fn newer_version_error(path: &Path) -> SolutionError {
    SolutionError::failure(format!(
        "{} was written by a newer version of this program",
        path.display()
    ))
    .with_hint("update knotwork")
}

/// The statements of a script. Statements inside a trigger stay part of it.
fn split_statements(script: &str) -> impl Iterator<Item = &str> {
    script
        .split("\nCREATE ")
        .map(str::trim)
        .filter(|s| !s.is_empty())
        .map(|s| s.strip_prefix("CREATE ").unwrap_or(s))
        .map(|s| {
            // Adds the word that the split removed.
            let at = s.as_ptr() as usize - script.as_ptr() as usize;
            let from = script[..at].rfind("CREATE").unwrap_or(at);
            script[from..at + s.len()].trim()
        })
}

/// The name of the object that a statement creates.
fn created_name(statement: &str) -> Option<&str> {
    let mut words = statement.split_whitespace().skip(1);
    loop {
        match words.next()? {
            "TABLE" | "INDEX" | "TRIGGER" | "VIRTUAL" | "IF" | "NOT" | "EXISTS" => {}
            name => return name.split('(').next(),
        }
    }
}

#[cfg(test)]
mod tests;
