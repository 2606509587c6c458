//! The queue of commits to index, in the same database. Any number of workers on any machines take jobs from it.
//!
//! A worker holds a job by a lease, which it renews. If the worker dies, the lease expires, and another worker takes
//! the job. Each commit of a repository is one row, and its job ends in the transaction that publishes the graph. Each
//! commit is therefore published once for each time that it is added.

use crate::client::{Client, Parameter, Transaction};
use crate::error::Failure;
use crate::{Pool, PostgresStore, Repositories, Repository, schema};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use store::{GraphStore, Publication, Published, SharedStores, StoreError};
use tokio_postgres::Row;

/// How often a job is tried before it counts as failed.
pub const MOST_ATTEMPTS: i32 = 5;

/// Pause before the second attempt; it doubles with each further one.
const AGAIN: Duration = Duration::from_secs(5);

/// The longest error text that is stored, in bytes.
const LONGEST_ERROR: usize = 2_000;

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i16)]
pub enum JobState {
    /// It waits for a worker.
    Waiting = 0,
    /// A worker is working on it.
    Running = 1,
    /// The commit, or a newer one, is published.
    Done = 2,
    /// It was tried too often.
    Failed = 3,
}

impl JobState {
    fn from_code(code: i16) -> JobState {
        match code {
            0 => JobState::Waiting,
            1 => JobState::Running,
            2 => JobState::Done,
            _ => JobState::Failed,
        }
    }

    /// The state as a word.
    pub fn as_str(self) -> &'static str {
        match self {
            JobState::Waiting => "waiting",
            JobState::Running => "running",
            JobState::Done => "done",
            JobState::Failed => "failed",
        }
    }
}

/// A commit to be indexed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewJob {
    /// The repository's name in the shared store.
    pub repository: String,
    /// Where it is cloned from.
    pub source: String,
    /// The commit, in full.
    pub commit: String,
}

/// Result of adding a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Added {
    /// Its state before; `None` if it is new.
    pub before: Option<JobState>,
    /// Whether it was put at the end of the queue, as a new job or again.
    pub is_queued: bool,
}

/// A job that a worker has taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// The commit to index.
    pub work: NewJob,
    /// The attempt, from 1.
    pub attempt: i32,
    worker: String,
}

/// A job in the queue with its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobStatus {
    /// The commit to index.
    pub work: NewJob,
    /// Its state.
    pub state: JobState,
    /// Number of attempts so far.
    pub attempts: i32,
    /// How often the commit was published: at most once for each time that it was added.
    pub publications: i32,
    /// The worker that has it, or last had it.
    pub worker: Option<String>,
    /// The error of the last attempt.
    pub error: Option<String>,
}

/// The queue of a database.
#[derive(Clone)]
pub struct Queue {
    pool: Arc<Pool>,
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Queue({})", self.pool.server())
    }
}

impl Queue {
    /// Opens the queue; the schema is first created or upgraded.
    pub fn open(pool: &Arc<Pool>) -> Result<Queue, StoreError> {
        pool.with_connection("opening", |connection| {
            schema::migrate(connection, pool.server())
        })?;
        Ok(Queue { pool: pool.clone() })
    }

    /// The database, without credentials.
    pub fn server(&self) -> String {
        self.pool.server().to_string()
    }

    /// Adds a job. A failed job is tried again. So is a waiting or finished one, if other commits of the repository
    /// were added after it: the commit that was added last is the one to publish. Any other job stays as it is.
    pub fn add(&self, job: &NewJob) -> Result<Added, StoreError> {
        let repository = Repository::new(&job.repository)?;
        let sql = "INSERT INTO knotwork.jobs AS j (repo_id, commit, repository, source) VALUES ($1, $2, $3, $4) \
                   ON CONFLICT (repo_id, commit) DO UPDATE \
                   SET state = 0, attempts = 0, run_after = now(), source = $4, seq = DEFAULT \
                   WHERE j.state = 3 OR j.state IN (0, 2) AND EXISTS (SELECT 1 FROM knotwork.jobs n \
                   WHERE n.repo_id = j.repo_id AND n.seq > j.seq AND n.state < 3)";
        self.pool.with_connection("writing to", |connection| {
            let mut transaction = connection.transaction()?;
            let before =
                "SELECT repository, state FROM knotwork.jobs WHERE repo_id = $1 AND commit = $2";
            let before = transaction.query_opt(before, &[&repository.number, &job.commit])?;
            let before = match before {
                Some(row) if row.try_get::<_, &str>(0)? != job.repository => {
                    let other: String = row.try_get(0)?;
                    return Err(crate::name_taken_error(&repository, &other).into());
                }
                Some(row) => Some(JobState::from_code(row.try_get(1)?)),
                None => None,
            };
            let given: [Parameter<'_>; 4] = [
                &repository.number,
                &job.commit,
                &job.repository,
                &job.source,
            ];
            let is_queued = transaction.execute(sql, &given)? == 1;
            transaction.commit()?;
            Ok(Added { before, is_queued })
        })
    }

    /// Takes the job that has waited longest, or one whose lease has expired. `None` if there is no work.
    pub fn take(&self, worker: &str, lease: Duration) -> Result<Option<Job>, StoreError> {
        self.pool.with_connection("asking", |connection| {
            let mut transaction = connection.transaction()?;
            let given_up = "UPDATE knotwork.jobs SET state = 3, error = 'its worker died, ' || attempts || ' times' \
                            WHERE state = 1 AND lease_until < now() AND attempts >= $1";
            transaction.execute(given_up, &[&MOST_ATTEMPTS])?;
            let sql = "UPDATE knotwork.jobs j SET state = 1, worker = $1, attempts = attempts + 1, started_at = now(), \
                       lease_until = now() + make_interval(secs => $2) \
                       FROM (SELECT repo_id, commit FROM knotwork.jobs \
                             WHERE (state = 0 AND run_after <= now()) OR (state = 1 AND lease_until < now()) \
                             ORDER BY seq LIMIT 1 FOR UPDATE SKIP LOCKED) next \
                       WHERE j.repo_id = next.repo_id AND j.commit = next.commit \
                       RETURNING j.repository, j.source, j.commit, j.attempts";
            let found = transaction.query_opt(sql, &[&worker, &lease.as_secs_f64()])?;
            transaction.commit()?;
            let Some(row) = found else { return Ok(None) };
            Ok(Some(Job {
                work: read_work(&row)?,
                attempt: row.try_get(3)?,
                worker: worker.to_owned(),
            }))
        })
    }

    /// Renews the lease of a job. False if the worker no longer has it.
    pub fn renew(&self, job: &Job, lease: Duration) -> Result<bool, StoreError> {
        let sql = "UPDATE knotwork.jobs SET lease_until = now() + make_interval(secs => $5) \
                   WHERE repo_id = $1 AND commit = $2 AND worker = $3 AND attempts = $4 AND state = 1";
        let seconds = lease.as_secs_f64();
        self.change(job, sql, &[&seconds])
    }

    /// Returns an unfinished job, to be tried again later, or never if it was tried too often. False if the worker no
    /// longer has it.
    pub fn fail(&self, job: &Job, error: &str) -> Result<bool, StoreError> {
        let error = crate::storable_text(error, LONGEST_ERROR);
        let wait = AGAIN.as_secs_f64() * 2f64.powi(job.attempt.clamp(1, 20) - 1);
        let sql = "UPDATE knotwork.jobs SET state = CASE WHEN attempts >= $7 THEN 3 ELSE 0 END, error = $5, \
                   run_after = now() + make_interval(secs => $6) \
                   WHERE repo_id = $1 AND commit = $2 AND worker = $3 AND attempts = $4 AND state = 1";
        self.change(job, sql, &[&error, &wait, &MOST_ATTEMPTS])
    }

    /// Returns a job at once, as if it had not been taken. False if the worker no longer has it.
    pub fn give_back(&self, job: &Job) -> Result<bool, StoreError> {
        let sql = "UPDATE knotwork.jobs SET state = 0, attempts = attempts - 1, run_after = now() \
                   WHERE repo_id = $1 AND commit = $2 AND worker = $3 AND attempts = $4 AND state = 1";
        self.change(job, sql, &[])
    }

    fn change(&self, job: &Job, sql: &str, more: &[Parameter<'_>]) -> Result<bool, StoreError> {
        let repository = Repository::new(&job.work.repository)?;
        self.pool.with_connection("writing to", |connection| {
            let mut given: Vec<Parameter<'_>> = vec![
                &repository.number,
                &job.work.commit,
                &job.worker,
                &job.attempt,
            ];
            given.extend_from_slice(more);
            Ok(connection.execute(sql, &given)? == 1)
        })
    }

    /// At most `most` jobs, newest first: those that are open or failed, then finished ones.
    pub fn jobs(&self, most: i64) -> Result<Vec<JobStatus>, StoreError> {
        let sql = "SELECT repository, source, commit, attempts, state, publications, worker, error FROM knotwork.jobs \
                   ORDER BY (state = 2), seq DESC LIMIT $1";
        self.pool.with_connection("reading", |connection| {
            let found = connection.query(sql, &[&most])?;
            let jobs = found.iter().map(|row| {
                Ok(JobStatus {
                    work: read_work(row)?,
                    attempts: row.try_get(3)?,
                    state: JobState::from_code(row.try_get(4)?),
                    publications: row.try_get(5)?,
                    worker: row.try_get(6)?,
                    error: row.try_get(7)?,
                })
            });
            jobs.collect()
        })
    }

    /// The number of jobs in each state, in the order of [`JobState`].
    pub fn counts(&self) -> Result<[i64; 4], StoreError> {
        self.pool
            .with_connection("reading", |connection: &mut Client| {
                let sql = "SELECT state, count(*) FROM knotwork.jobs GROUP BY state";
                let mut counts = [0; 4];
                for row in connection.query(sql, &[])? {
                    counts[JobState::from_code(row.try_get(0)?) as usize] +=
                        row.try_get::<_, i64>(1)?;
                }
                Ok(counts)
            })
    }

    /// The stores that a worker publishes to for a job. The graph is written and the job ended in one transaction.
    pub fn stores_of(&self, job: &Job) -> JobStores {
        JobStores {
            repositories: Repositories::new(self.pool.clone()),
            job: job.clone(),
        }
    }
}

fn read_work(row: &Row) -> Result<NewJob, tokio_postgres::Error> {
    Ok(NewJob {
        repository: row.try_get(0)?,
        source: row.try_get(1)?,
        commit: row.try_get(2)?,
    })
}

/// Ends a job within the transaction that publishes its graph. Returns whether to publish the graph: false if a newer
/// commit is already published.
///
/// Errors: [`StoreError::Refused`] if the worker no longer has the job.
pub(crate) fn finish_and_check_newest(
    transaction: &mut Transaction<'_>,
    repository: i64,
    job: &Job,
) -> Result<bool, Failure> {
    let sql = "SELECT seq, state FROM knotwork.jobs WHERE repo_id = $1 AND commit = $2 AND worker = $3 AND attempts = $4 \
               AND state IN (1, 2) FOR UPDATE";
    let given: [Parameter<'_>; 4] = [&repository, &job.work.commit, &job.worker, &job.attempt];
    let Some(row) = transaction.query_opt(sql, &given)? else {
        return Err(StoreError::Refused(format!(
            "another worker has taken over {} at {}",
            job.work.repository, job.work.commit
        ))
        .into());
    };
    let own: i64 = row.try_get(0)?;
    if JobState::from_code(row.try_get(1)?) == JobState::Done {
        // The connection was lost after the commit, and this is the second attempt.
        return Ok(false);
    }
    let sql = "SELECT EXISTS (SELECT 1 FROM knotwork.jobs WHERE repo_id = $1 AND seq > $2 AND state = 2 AND publications > 0)";
    let is_old: bool = transaction
        .query_one(sql, &[&repository, &own])?
        .try_get(0)?;
    let sql = "UPDATE knotwork.jobs SET state = 2, error = NULL, finished_at = now(), publications = publications + $3 \
               WHERE repo_id = $1 AND commit = $2";
    let count = i32::from(!is_old);
    transaction.execute(sql, &[&repository, &job.work.commit, &count])?;
    Ok(!is_old)
}

/// The shared stores for one job.
#[derive(Debug)]
pub struct JobStores {
    repositories: Repositories,
    job: Job,
}

impl SharedStores for JobStores {
    fn server(&self) -> String {
        self.repositories.server()
    }

    fn open(&self, repository: &str) -> Result<Box<dyn GraphStore>, StoreError> {
        self.repositories.open(repository)
    }

    fn publish(
        &self,
        repository: &str,
        publication: &Publication<'_>,
    ) -> Result<Published, StoreError> {
        let commit = publication.commit;
        if repository != self.job.work.repository || commit != Some(&*self.job.work.commit) {
            return Err(StoreError::Refused(format!(
                "{repository} at {} is not what this job is about",
                commit.unwrap_or("no commit")
            )));
        }
        let mut store = PostgresStore::open(&self.repositories.pool, repository)?;
        store.publish_job(publication, &self.job)
    }
}
