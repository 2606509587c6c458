//! Converts errors of the client to the store's. No message has a password in it.

use crate::config::Server;
use postgres::error::SqlState;
use std::error::Error as _;
use store::StoreError;

/// A failure inside a unit of work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Of the client or the server.
    Sql(postgres::Error),
    /// Of the store's own rules.
    Store(StoreError),
}

impl From<postgres::Error> for Failure {
    fn from(error: postgres::Error) -> Failure {
        Failure::Sql(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::Store(error)
    }
}

impl From<std::io::Error> for Failure {
    /// Writing to COPY gives the client's errors in this type.
    fn from(error: std::io::Error) -> Failure {
        match error.downcast::<postgres::Error>() {
            Ok(error) => Failure::Sql(error),
            Err(error) => Failure::Store(StoreError::Backend {
                context: "writing".to_owned(),
                reason: error.to_string(),
            }),
        }
    }
}

impl Failure {
    /// Whether the connection is gone, so that only another one helps.
    pub(crate) fn is_lost(&self) -> bool {
        match self {
            Failure::Sql(error) => is_lost(error),
            Failure::Store(_) => false,
        }
    }

    /// Whether the same work may succeed when it is done again.
    pub(crate) fn may_pass(&self) -> bool {
        let Failure::Sql(error) = self else {
            return false;
        };
        let again = [
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
        ];
        is_lost(error) || error.code().is_some_and(|code| again.contains(code))
    }

    /// The store's error for a failure met while `doing` something on `server`.
    pub(crate) fn into_store(self, server: &Server, doing: &str) -> StoreError {
        match self {
            Failure::Sql(error) => sql_error(&error, server, doing),
            Failure::Store(error) => error,
        }
    }
}

fn is_lost(error: &postgres::Error) -> bool {
    let ended = [
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::TOO_MANY_CONNECTIONS,
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
    ];
    match error.code() {
        Some(code) => ended.contains(code) || code.code().starts_with("08"),
        None => error.is_closed() || is_io(error),
    }
}

/// Whether the system reported the error, other than one of certificates.
fn is_io(error: &postgres::Error) -> bool {
    let source = error
        .source()
        .and_then(|s| s.downcast_ref::<std::io::Error>());
    source.is_some_and(|io| {
        io.kind() != std::io::ErrorKind::InvalidData && io.kind() != std::io::ErrorKind::NotFound
            || io.raw_os_error().is_some()
    })
}

fn sql_error(error: &postgres::Error, server: &Server, doing: &str) -> StoreError {
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

fn is_authentication(error: &postgres::Error) -> bool {
    error.to_string().starts_with("authentication error")
        || error.to_string().starts_with("invalid configuration")
}

fn is_decoding(error: &postgres::Error) -> bool {
    let text = error.to_string();
    text.starts_with("error deserializing column") || text.starts_with("invalid column")
}

/// The message with its causes, as the server or the client gives them.
fn describe(error: &postgres::Error) -> String {
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
