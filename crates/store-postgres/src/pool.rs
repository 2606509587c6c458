//! Connections to one server: a few, used again, and made anew when they are lost.

use crate::config::Server;
use crate::error::Failure;
use postgres::fallible_iterator::FallibleIterator;
use postgres::{Client, Row, Statement};
use rustc_hash::FxHashMap;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use store::StoreError;

/// Waits before work is tried again on another connection.
const AGAIN: [Duration; 3] = [
    Duration::from_millis(100),
    Duration::from_millis(400),
    Duration::from_millis(1_500),
];

/// Time to wait for a connection while all are in use.
const WAIT: Duration = Duration::from_secs(10);

/// Settings of every connection. A statement that hangs ends, and so does a transaction whose client is stuck. Every read is of one
/// repository, for which each table has an index; before a table's first statistics the planner would read all of it.
const SETTINGS: &str = "SET client_min_messages = warning; SET statement_timeout = '120s'; SET lock_timeout = '10s'; \
     SET idle_in_transaction_session_timeout = '300s'; SET enable_seqscan = off";

/// Begins a transaction that reads one state.
pub(crate) const BEGIN_READING: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// A connection, with the statements that were prepared on it.
pub(crate) struct Connection {
    pub(crate) client: Client,
    statements: FxHashMap<String, Statement>,
}

impl Connection {
    /// The prepared statement of a text.
    pub(crate) fn prepare(&mut self, sql: &str) -> Result<Statement, postgres::Error> {
        if let Some(known) = self.statements.get(sql) {
            return Ok(known.clone());
        }
        let made = self.client.prepare(sql)?;
        self.statements.insert(sql.to_owned(), made.clone());
        Ok(made)
    }

    /// Visits the rows of a query as they arrive. Its only parameter is the repository.
    pub(crate) fn visit(
        &mut self,
        sql: &str,
        repository: i64,
        mut visit: impl FnMut(&Row) -> Result<(), postgres::Error>,
    ) -> Result<(), postgres::Error> {
        let statement = self.prepare(sql)?;
        let mut found = self.client.query_raw(&statement, [repository])?;
        while let Some(row) = found.next()? {
            visit(&row)?;
        }
        Ok(())
    }
}

#[derive(Default)]
struct State {
    idle: Vec<Connection>,
    /// Connections that are idle or in use.
    open: usize,
}

/// Connections to one server.
pub struct Pool {
    server: Server,
    most: usize,
    state: Mutex<State>,
    returned: Condvar,
}

impl Pool {
    /// A pool of at most `most` connections; none is made yet.
    pub fn new(server: Server, most: usize) -> Arc<Pool> {
        Arc::new(Pool {
            server,
            most: most.max(1),
            state: Mutex::default(),
            returned: Condvar::new(),
        })
    }

    /// The server.
    pub fn server(&self) -> &Server {
        &self.server
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection: an idle one, or a new one.
    fn take(self: &Arc<Self>) -> Result<Lease, Failure> {
        let until = Instant::now() + WAIT;
        let mut state = self.state();
        loop {
            while let Some(idle) = state.idle.pop() {
                if !idle.client.is_closed() {
                    return Ok(self.lease(idle));
                }
                state.open -= 1;
            }
            if state.open < self.most {
                state.open += 1;
                break;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let most = self.most;
                let why = format!("{}: all {most} connections are in use", self.server);
                return Err(StoreError::Busy(why).into());
            }
            let waited = self.returned.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(state);
        match self.connect() {
            Ok(made) => Ok(self.lease(made)),
            Err(error) => {
                self.state().open -= 1;
                self.returned.notify_one();
                Err(error.into())
            }
        }
    }

    fn connect(&self) -> Result<Connection, postgres::Error> {
        let mut client = self.server.connect()?;
        client.batch_execute(SETTINGS)?;
        Ok(Connection {
            client,
            statements: FxHashMap::default(),
        })
    }

    fn lease(self: &Arc<Self>, connection: Connection) -> Lease {
        Lease {
            pool: self.clone(),
            connection: Some(connection),
            is_in_transaction: false,
        }
    }

    /// Runs a unit of work, on another connection again where one was lost.
    pub(crate) fn run<T>(
        self: &Arc<Self>,
        doing: &str,
        mut work: impl FnMut(&mut Connection) -> Result<T, Failure>,
    ) -> Result<T, StoreError> {
        self.retry(doing, |lease| work(lease)).map(|(done, _)| done)
    }

    /// As [`Pool::run`]; keeps the connection.
    pub(crate) fn run_leased(
        self: &Arc<Self>,
        doing: &str,
        work: impl FnMut(&mut Lease) -> Result<(), Failure>,
    ) -> Result<Lease, StoreError> {
        self.retry(doing, work).map(|(_, lease)| lease)
    }

    fn retry<T>(
        self: &Arc<Self>,
        doing: &str,
        mut work: impl FnMut(&mut Lease) -> Result<T, Failure>,
    ) -> Result<(T, Lease), StoreError> {
        let mut waits = AGAIN.iter();
        loop {
            let done = self.take().and_then(|mut lease| match work(&mut lease) {
                Ok(done) => Ok((done, lease)),
                Err(failure) => {
                    if failure.is_lost() {
                        lease.discard();
                    }
                    Err(failure)
                }
            });
            match (done, waits.clone().next()) {
                (Err(failure), Some(wait)) if failure.may_pass() => {
                    waits.next();
                    std::thread::sleep(*wait);
                }
                (done, _) => return done.map_err(|f| f.into_store(&self.server, doing)),
            }
        }
    }
}

/// A connection in use; it goes back to the pool in the end.
pub(crate) struct Lease {
    pool: Arc<Pool>,
    connection: Option<Connection>,
    /// Whether it is inside a transaction, which ends before anybody else uses the connection.
    is_in_transaction: bool,
}

impl Lease {
    /// Begins a transaction that reads one state, to the end of the lease.
    pub(crate) fn begin_reading(&mut self) -> Result<(), postgres::Error> {
        self.is_in_transaction = true;
        self.client.batch_execute(BEGIN_READING)
    }

    /// Closes the connection instead of returning it.
    pub(crate) fn discard(&mut self) {
        if self.connection.take().is_some() {
            self.pool.state().open -= 1;
            self.pool.returned.notify_one();
        }
    }
}

impl Deref for Lease {
    type Target = Connection;

    #[allow(clippy::expect_used)]
    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("held until it is dropped")
    }
}

impl DerefMut for Lease {
    #[allow(clippy::expect_used)]
    fn deref_mut(&mut self) -> &mut Connection {
        self.connection.as_mut().expect("held until it is dropped")
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else {
            return;
        };
        let ended = !self.is_in_transaction || connection.client.batch_execute("ROLLBACK").is_ok();
        let mut state = self.pool.state();
        if !ended || connection.client.is_closed() {
            state.open -= 1;
        } else {
            state.idle.push(connection);
        }
        drop(state);
        self.pool.returned.notify_one();
    }
}
