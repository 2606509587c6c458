//! A few connections to one server, which are reused, and replaced when they are lost.

use crate::client::Client;
use crate::config::Server;
use crate::error::Failure;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use store::StoreError;

/// Pauses before work is tried again on another connection.
const AGAIN: [Duration; 3] = [
    Duration::from_millis(100),
    Duration::from_millis(400),
    Duration::from_millis(1_500),
];

/// Time to wait for a connection while all are in use.
const WAIT: Duration = Duration::from_secs(10);

/// Settings of every connection. The server ends a statement that hangs, and a transaction whose client is stuck. Every
/// read concerns one repository, for which each table has an index; before a table has statistics, the planner would
/// otherwise read all of it. Prepared statements are planned once, since the plan does not depend on the parameters.
fn settings(statement: Duration) -> String {
    format!(
        "SET client_min_messages = warning; SET statement_timeout = {}; SET lock_timeout = '10s'; \
         SET idle_in_transaction_session_timeout = '300s'; SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan; SET search_path = pg_catalog",
        server_time(statement)
    )
}

/// The server's time limit for a statement, in milliseconds. It is slightly shorter than the client's, so that the
/// server can report the reason.
pub(crate) fn server_time(client: Duration) -> u128 {
    (client.as_millis() * 9 / 10).max(1)
}

/// Begins a read-only transaction that sees one state.
pub(crate) const BEGIN_READING: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

#[derive(Default)]
struct State {
    idle: Vec<Client>,
    /// Number of connections, idle or in use.
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
    /// A pool of at most `most` connections, without any connection yet.
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
                if !idle.is_closed() {
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
                Err(error)
            }
        }
    }

    fn connect(&self) -> Result<Client, Failure> {
        let mut client = self.server.connect()?;
        client.batch_execute(&settings(self.server.limits().statement))?;
        Ok(client)
    }

    /// Closes the idle connections: if one is lost, the others usually are, too, and work is tried only a few times.
    fn close_idle(&self) {
        let mut state = self.state();
        let idle = std::mem::take(&mut state.idle);
        state.open -= idle.len();
        // Other threads need not wait while the connections are closed.
        drop(state);
        drop(idle);
    }

    fn lease(self: &Arc<Self>, connection: Client) -> Lease {
        Lease {
            pool: self.clone(),
            connection: Some(connection),
            is_in_transaction: false,
        }
    }

    /// Runs a unit of work, and repeats it on another connection if one was lost.
    pub(crate) fn with_connection<T>(
        self: &Arc<Self>,
        doing: &str,
        mut work: impl FnMut(&mut Client) -> Result<T, Failure>,
    ) -> Result<T, StoreError> {
        self.retry(doing, |lease| work(lease)).map(|(done, _)| done)
    }

    /// As [`Pool::with_connection`]; keeps the connection.
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
                        self.close_idle();
                    }
                    Err(failure)
                }
            });
            match (done, waits.next()) {
                (Err(failure), Some(wait)) if failure.may_pass() => std::thread::sleep(*wait),
                (done, _) => return done.map_err(|f| f.into_store(&self.server, doing)),
            }
        }
    }
}

/// A connection in use; it returns to the pool when dropped.
pub(crate) struct Lease {
    pool: Arc<Pool>,
    connection: Option<Client>,
    /// Whether it is in a transaction, which must end before another caller uses the connection.
    is_in_transaction: bool,
}

impl Lease {
    /// Records that the connection stays in a transaction until the end of the lease.
    pub(crate) fn stay_in_transaction(&mut self) {
        self.is_in_transaction = true;
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
    type Target = Client;

    #[allow(clippy::expect_used)]
    fn deref(&self) -> &Client {
        self.connection.as_ref().expect("held until it is dropped")
    }
}

impl DerefMut for Lease {
    #[allow(clippy::expect_used)]
    fn deref_mut(&mut self) -> &mut Client {
        self.connection.as_mut().expect("held until it is dropped")
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else {
            return;
        };
        let ended = !self.is_in_transaction || connection.batch_execute("ROLLBACK").is_ok();
        let mut state = self.pool.state();
        if !ended || connection.is_closed() {
            state.open -= 1;
        } else {
            state.idle.push(connection);
        }
        drop(state);
        self.pool.returned.notify_one();
    }
}
