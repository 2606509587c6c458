//! Converts errors of the client to those of the store. No message contains a password.

use crate::client::RequestTooLarge;
use crate::config::Server;
use std::error::Error as _;
use std::io;
use std::time::Duration;
use store::StoreError;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

/// A failure inside a unit of work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error of the protocol or the server.
    Sql(Error),
    /// The server cannot be reached.
    Connecting(io::Error),
    /// The connection has ended.
    Closed,
    /// The server did not answer completely within this time.
    Silent(Duration),
    /// The answer has more rows than this.
    TooManyRows(usize),
    /// A query that always returns a row returned none.
    NoRow,
    /// An error of the store's own rules.
    Store(StoreError),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Sql(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::Store(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Connecting(error)
    }
}

impl Failure {
    /// Whether the connection is gone, so that another one is needed.
    pub(crate) fn is_lost(&self) -> bool {
        match self {
            Failure::Sql(error) => is_lost(error),
            Failure::Connecting(_) | Failure::Closed => true,
            Failure::Silent(_) | Failure::TooManyRows(_) => true,
            Failure::NoRow | Failure::Store(_) => false,
        }
    }

    /// Whether rows of the answer were left unread.
    pub(crate) fn leaves_rows(&self) -> bool {
        !self.is_from_server()
    }

    /// Whether another transaction holds the lock.
    pub(crate) fn is_locked(&self) -> bool {
        matches!(self, Failure::Sql(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE))
    }

    /// Whether a table, or the schema around it, does not exist.
    pub(crate) fn is_missing_table(&self) -> bool {
        let missing = [SqlState::UNDEFINED_TABLE, SqlState::INVALID_SCHEMA_NAME];
        matches!(self, Failure::Sql(error) if error.code().is_some_and(|code| missing.contains(code)))
    }

    /// Whether the server reported the error.
    pub(crate) fn is_from_server(&self) -> bool {
        matches!(self, Failure::Sql(error) if error.as_db_error().is_some())
    }

    /// Whether the same work may succeed when repeated.
    pub(crate) fn may_pass(&self) -> bool {
        let error = match self {
            Failure::Sql(error) => error,
            // Unknown names and impossible addresses stay so.
            Failure::Connecting(error) => return is_worth_another_try(error),
            Failure::Closed => return true,
            _ => return false,
        };
        let again = [
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
        ];
        (is_lost(error) && too_much(error).is_none())
            || error.code().is_some_and(|code| again.contains(code))
    }

    /// The store's error for a failure while `doing` something on `server`.
    pub(crate) fn into_store(self, server: &Server, doing: &str) -> StoreError {
        match self {
            Failure::Sql(error) => match too_much(&error) {
                Some(much) => StoreError::Oversized {
                    server: server.to_string(),
                    reason: much.to_string(),
                },
                None => sql_error(&error, server, doing),
            },
            Failure::TooManyRows(most) => StoreError::Oversized {
                server: server.to_string(),
                reason: format!("more than {most} rows for one request"),
            },
            Failure::Connecting(error) => unreachable(server, error.to_string()),
            Failure::Closed => unreachable(server, "the connection has ended".to_owned()),
            Failure::Silent(time) => {
                let time = time.as_millis() as f64 / 1_000.0;
                unreachable(server, format!("no answer within {time} s"))
            }
            Failure::NoRow => StoreError::Backend {
                context: format!("{doing} {server}"),
                reason: "an answer without its row".to_owned(),
            },
            Failure::Store(error) => error,
        }
    }
}

fn unreachable(server: &Server, reason: String) -> StoreError {
    StoreError::Unreachable {
        server: server.to_string(),
        reason: server.redact(&reason),
    }
}

fn is_worth_another_try(error: &io::Error) -> bool {
    error.raw_os_error().is_some() && error.kind() != io::ErrorKind::PermissionDenied
}

/// The limit that the server's answer exceeded, if any.
fn too_much(error: &Error) -> Option<&RequestTooLarge> {
    let io = error.source()?.downcast_ref::<io::Error>()?;
    io.get_ref()?.downcast_ref::<RequestTooLarge>()
}

fn is_lost(error: &Error) -> bool {
    let ended = [
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::TOO_MANY_CONNECTIONS,
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
        SqlState::IDLE_SESSION_TIMEOUT,
    ];
    match error.code() {
        Some(code) => ended.contains(code) || code.code().starts_with("08"),
        None => error.is_closed() || is_io(error),
    }
}

/// Whether the system reported the error; certificate errors do not count.
fn is_io(error: &Error) -> bool {
    let source = error.source().and_then(|s| s.downcast_ref::<io::Error>());
    source.is_some_and(|io| {
        io.kind() != io::ErrorKind::InvalidData && io.kind() != io::ErrorKind::NotFound
            || io.raw_os_error().is_some()
    })
}

fn sql_error(error: &Error, server: &Server, doing: &str) -> StoreError {
    let reason = server.redact(&describe(error));
    let shown = server.to_string();
    let denied = [
        SqlState::INVALID_PASSWORD,
        SqlState::INVALID_AUTHORIZATION_SPECIFICATION,
        SqlState::INSUFFICIENT_PRIVILEGE,
    ];
    match error.code() {
        Some(code) if denied.contains(code) => StoreError::Denied {
            server: shown,
            reason,
        },
        Some(&SqlState::INVALID_CATALOG_NAME) => StoreError::Missing(format!("{shown}: {reason}")),
        Some(&SqlState::LOCK_NOT_AVAILABLE) => StoreError::Busy(format!("{shown}: {reason}")),
        Some(_) if !is_lost(error) => StoreError::Backend {
            context: format!("{doing} {shown}"),
            reason,
        },
        None if is_authentication(error) => StoreError::Denied {
            server: shown,
            reason,
        },
        None if is_decoding(error) => StoreError::Backend {
            context: format!("{doing} {shown}"),
            reason,
        },
        _ => StoreError::Unreachable {
            server: shown,
            reason,
        },
    }
}

fn is_authentication(error: &Error) -> bool {
    error.to_string().starts_with("authentication error")
        || error.to_string().starts_with("invalid configuration")
}

fn is_decoding(error: &Error) -> bool {
    let text = error.to_string();
    text.starts_with("error deserializing column") || text.starts_with("invalid column")
}

/// The message with its causes, as reported by the server or the client.
fn describe(error: &Error) -> String {
    if let Some(from_server) = error.as_db_error() {
        return from_server.message().to_owned();
    }
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let more = inner.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        cause = inner.source();
    }
    text
}
