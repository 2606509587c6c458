//! The graph's store on PostgreSQL: one database holds many repositories, each separate from the others.
//!
//! Every key begins with the repository. Never knows: SQLite, the caller, the environment.

mod apply;
mod client;
mod config;
mod copy;
mod error;
mod pool;
mod publish;
mod publish_texts;
mod queue;
mod read;
mod rows;
mod schema;
mod shared;
mod snapshot;
mod store_impl;
mod texts;
mod tls;
mod users;
mod write;

pub use config::{Limits, Server};
pub use pool::Pool;
pub use queue::{Added, Job, JobState, JobStatus, JobStores, MOST_ATTEMPTS, NewJob, Queue};
pub use schema::SCHEMA_VERSION;
pub use shared::Repositories;
pub use users::{Admission, AuditEntry, NewUser, PublishedRepository, User, Users, may_read};

use client::{Client, Transaction};
use error::Failure;
use pool::Lease;
use std::cell::RefCell;
use std::sync::Arc;
use store::StoreError;

/// One repository's graph in a PostgreSQL database.
///
/// A store that was opened for reading sees one state of the database as long as it lives.
pub struct PostgresStore {
    pool: Arc<Pool>,
    repository: Repository,
    /// The connection whose transaction holds the reader's state. `None` while it is in use.
    pinned: RefCell<Option<Lease>>,
    /// The number of that state; `None` for a store that writes.
    read_version: Option<i64>,
}

/// A repository's name, and the number with which every key begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Repository {
    name: String,
    number: i64,
}

/// The longest name of a repository, in bytes.
const LONGEST_NAME: usize = 500;

impl Repository {
    fn new(name: &str) -> Result<Repository, StoreError> {
        let is_plain = !name.is_empty()
            && name.len() <= LONGEST_NAME
            && !name.chars().any(|c| c.is_control() || c.is_whitespace());
        if !is_plain {
            return Err(StoreError::Invalid(format!(
                "not the name of a repository: {name:?}"
            )));
        }
        Ok(Repository {
            name: name.to_owned(),
            number: base::fingerprint(&[b"repository", name.as_bytes()]) as i64,
        })
    }
}

impl PostgresStore {
    /// Opens a repository for reading and writing. The schema is first created or upgraded, in one transaction.
    ///
    /// Errors: [`StoreError::Unreachable`], [`StoreError::Denied`], and [`StoreError::Schema`] if the database has a
    /// newer schema; nothing is written then.
    pub fn open(pool: &Arc<Pool>, repository: &str) -> Result<PostgresStore, StoreError> {
        let repository = Repository::new(repository)?;
        pool.with_connection("opening", |connection| {
            schema::migrate(connection, pool.server())?;
            register(connection, &repository)
        })?;
        Ok(PostgresStore {
            pool: pool.clone(),
            repository,
            pinned: RefCell::new(None),
            read_version: None,
        })
    }

    /// Opens a repository for reading, in its present state. Nothing is written, not even a schema.
    ///
    /// Errors: [`StoreError::Missing`] if the repository is not published, [`StoreError::Schema`] if the database has
    /// another schema.
    pub fn open_read_only(pool: &Arc<Pool>, repository: &str) -> Result<PostgresStore, StoreError> {
        let repository = Repository::new(repository)?;
        let (lease, version) = pin_state(pool, &repository)?;
        Ok(PostgresStore {
            pool: pool.clone(),
            repository,
            pinned: RefCell::new(Some(lease)),
            read_version: Some(version),
        })
    }

    /// The repository's name.
    pub fn repository(&self) -> &str {
        &self.repository.name
    }

    /// Removes all rows of the repository; returns whether there were any.
    pub fn remove(&mut self) -> Result<bool, StoreError> {
        let number = self.repository.number;
        self.write("removing from", |transaction| {
            for table in schema::TABLES {
                let sql = format!("DELETE FROM knotwork.{table} WHERE repo_id = $1");
                transaction.execute(&sql, &[&number])?;
            }
            publish_texts::remove_texts(transaction, number)?;
            let sql = "DELETE FROM knotwork.repositories WHERE repo_id = $1";
            Ok(transaction.execute(sql, &[&number])? > 0)
        })
    }

    /// Runs a read. A reader uses its own connection and state. If that connection is lost, it uses another one,
    /// provided that the repository is still in the same state.
    fn read<T>(
        &self,
        mut work: impl FnMut(&mut Client, i64) -> Result<T, Failure>,
    ) -> Result<T, StoreError> {
        let number = self.repository.number;
        let Some(version) = self.read_version else {
            return self
                .pool
                .with_connection("reading", |connection| work(connection, number));
        };
        let server = self.pool.server();
        let pinned = self.pinned.borrow_mut().take();
        let mut lease = match pinned {
            Some(lease) => lease,
            None => self.pin_again(version)?,
        };
        let mut done = work(&mut lease, number);
        if done.as_ref().is_err_and(|f| f.is_lost() && f.may_pass()) {
            lease.discard();
            lease = self.pin_again(version)?;
            done = work(&mut lease, number);
        }
        if done.as_ref().is_err_and(Failure::is_lost) {
            lease.discard();
        } else {
            *self.pinned.borrow_mut() = Some(lease);
        }
        done.map_err(|failure| failure.into_store(server, "reading"))
    }

    /// Another connection that sees the state of this reader.
    fn pin_again(&self, version: i64) -> Result<Lease, StoreError> {
        let (lease, now) = pin_state(&self.pool, &self.repository)?;
        if now == version {
            return Ok(lease);
        }
        Err(StoreError::Unreachable {
            server: self.pool.server().to_string(),
            reason: "the connection was lost, and the graph has changed since: ask again"
                .to_owned(),
        })
    }

    /// Runs a write in one transaction, as the only writer of the repository. The number of the repository's state is
    /// increased.
    fn write<T>(
        &mut self,
        doing: &'static str,
        mut work: impl FnMut(&mut Transaction<'_>) -> Result<T, Failure>,
    ) -> Result<T, StoreError> {
        let number = self.repository.number;
        self.write_uncounted(doing, |transaction| {
            let done = work(transaction)?;
            count_up(transaction, number)?;
            Ok(done)
        })
    }

    /// As [`PostgresStore::write`], but the work itself decides whether to increase the number of the state.
    fn write_uncounted<T>(
        &mut self,
        doing: &'static str,
        mut work: impl FnMut(&mut Transaction<'_>) -> Result<T, Failure>,
    ) -> Result<T, StoreError> {
        if self.read_version.is_some() {
            return Err(StoreError::Refused(
                "this store was opened for reading".to_owned(),
            ));
        }
        let repository = self.repository.clone();
        self.pool.with_connection(doing, |client| {
            let sql = "SELECT 1 FROM knotwork.repositories WHERE repo_id = $1 FOR UPDATE";
            let (mut transaction, found) = client
                .begin(sql, &[&repository.number])
                .map_err(|failure| as_busy(failure, &repository))?;
            if found.is_none() {
                return Err(StoreError::Missing(repository.name.clone()).into());
            }
            let done = work(&mut transaction)?;
            transaction.commit()?;
            Ok(done)
        })
    }
}

/// A text that the database can store: at most its first `most` bytes, with U+FFFD instead of the character 0, which
/// PostgreSQL cannot store.
fn storable_text(text: &str, most: usize) -> String {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].replace('\0', "\u{fffd}")
}

fn name_taken_error(repository: &Repository, other: &str) -> StoreError {
    StoreError::Invalid(format!(
        "the repositories {} and {other} have the same number: rename one",
        repository.name
    ))
}

fn register(client: &mut Client, repository: &Repository) -> Result<(), Failure> {
    let known = "SELECT name FROM knotwork.repositories WHERE repo_id = $1";
    let mut found = client.query_opt(known, &[&repository.number])?;
    if found.is_none() {
        let sql = "INSERT INTO knotwork.repositories (repo_id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        client.execute(sql, &[&repository.number, &repository.name])?;
        found = client.query_opt(known, &[&repository.number])?;
    }
    match found.map(|row| row.try_get::<_, String>(0)).transpose()? {
        Some(name) if name != repository.name => Err(name_taken_error(repository, &name).into()),
        _ => Ok(()),
    }
}

/// A connection that sees the present state of a repository until it is returned, and the number of that state.
fn pin_state(pool: &Arc<Pool>, repository: &Repository) -> Result<(Lease, i64), StoreError> {
    let mut version = 0;
    let lease = pool.run_leased("opening", |lease| {
        schema::check(lease, pool.server())?;
        lease.stay_in_transaction();
        let sql =
            "SELECT name, version FROM knotwork.repositories WHERE repo_id = $1 AND version > 0";
        let mut found = None;
        lease.begin_and_visit(pool::BEGIN_READING, sql, &[&repository.number], |row| {
            found = Some((row.try_get::<_, String>(0)?, row.try_get(1)?));
            Ok(())
        })?;
        let Some((name, now)) = found else {
            return Err(StoreError::Missing(format!(
                "{}: nobody has published {}",
                pool.server(),
                repository.name
            ))
            .into());
        };
        version = now;
        if name == repository.name {
            Ok(())
        } else {
            Err(name_taken_error(repository, &name).into())
        }
    })?;
    Ok((lease, version))
}

/// The error if another writer holds the repository.
fn as_busy(failure: Failure, repository: &Repository) -> Failure {
    if failure.is_locked() {
        let name = &repository.name;
        let why = format!("another process is writing {name} to the shared store");
        return StoreError::Busy(why).into();
    }
    failure
}

/// Increases the number of the repository's state.
fn count_up(transaction: &mut Transaction<'_>, repository: i64) -> Result<(), Failure> {
    let sql = "UPDATE knotwork.repositories SET version = version + 1 WHERE repo_id = $1";
    transaction.execute(sql, &[&repository])?;
    Ok(())
}
