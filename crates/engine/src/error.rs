//! The one error type. Its kind is the exit code; its hint says what to do.

use ingest::IngestError;
use serde::Serialize;
use std::fmt;

/// Kinds of error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// The arguments are wrong, or name something that does not exist.
    BadArguments,
    /// Something that is needed is not installed.
    MissingDependency,
    /// The operation failed while running.
    Failure,
}

impl ErrorKind {
    /// The process's exit code: 1, 2 or 3.
    pub fn exit_code(self) -> u8 {
        match self {
            ErrorKind::BadArguments => 1,
            ErrorKind::MissingDependency => 2,
            ErrorKind::Failure => 3,
        }
    }
}

/// A symbol that an argument may have meant.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Candidate {
    /// Name, dotted within its file.
    pub symbol: String,
    /// The kind of symbol.
    pub kind: String,
    /// `path:line`, which chooses it.
    pub place: String,
    /// The id, which chooses it too.
    pub id: String,
}

/// The fault of the database that caused an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DatabaseFault {
    /// The database's files were changed under open connections.
    Lost,
    /// The database is damaged.
    Damaged,
    /// The database contains rows that this program does not write.
    Malformed,
}

/// The error, and what to do about it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EngineError {
    /// The kind.
    pub kind: ErrorKind,
    /// The message, with the path or query.
    pub message: String,
    /// Advice on what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Symbols to choose from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// The fault of the database, if that is the cause.
    #[serde(skip)]
    pub(crate) fault: Option<DatabaseFault>,
    /// Whether the graph can neither be read nor built, so that other sources answer.
    #[serde(skip)]
    pub(crate) no_graph: bool,
    /// Whether another program holds the database at the moment.
    #[serde(skip)]
    pub(crate) is_busy: bool,
}

impl EngineError {
    /// Wrong arguments.
    pub fn bad_arguments(message: impl Into<String>) -> EngineError {
        EngineError::new(ErrorKind::BadArguments, message)
    }

    /// Something is not installed.
    pub fn missing_dependency(message: impl Into<String>) -> EngineError {
        EngineError::new(ErrorKind::MissingDependency, message)
    }

    /// A failure while running.
    pub fn runtime_failure(message: impl Into<String>) -> EngineError {
        EngineError::new(ErrorKind::Failure, message)
    }

    /// Adds a hint to the error.
    pub fn with_hint(mut self, hint: impl Into<String>) -> EngineError {
        self.hint = Some(hint.into());
        self
    }

    /// Says that the graph can neither be read nor built.
    pub(crate) fn without_graph(mut self) -> EngineError {
        self.no_graph = !self.is_busy && self.fault.is_none();
        self
    }

    fn new(kind: ErrorKind, message: impl Into<String>) -> EngineError {
        EngineError {
            kind,
            message: message.into(),
            hint: None,
            candidates: Vec::new(),
            fault: None,
            no_graph: false,
            is_busy: false,
        }
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for EngineError {}

impl From<store::StoreError> for EngineError {
    fn from(error: store::StoreError) -> EngineError {
        use store::StoreError as E;
        let message = error.to_string();
        let is_busy = matches!(error, E::Busy(_));
        let fault = match error {
            E::Lost { .. } => Some(DatabaseFault::Lost),
            E::Damaged { .. } | E::Irregular { .. } => Some(DatabaseFault::Damaged),
            E::Malformed { .. } => Some(DatabaseFault::Malformed),
            _ => None,
        };
        let converted = match error {
            E::EdgeType(_) => EngineError::bad_arguments(message)
                .with_hint("edge types are written in capitals, e.g. --type CALLS"),
            E::Batch { .. } => EngineError::bad_arguments(message)
                .with_hint("nothing was written; correct this record and import again"),
            E::NotFound { .. } | E::Invalid(_) => EngineError::bad_arguments(message),
            E::Refused(_) => EngineError::bad_arguments(message).with_hint(
                "queries may only read; use add-node, add-edge or batch-import to write",
            ),
            E::MemoryLimit(_) => EngineError::bad_arguments(message).with_hint(
                "ask for less: a narrower WHERE, joins with conditions, counts instead of lists",
            ),
            E::AnswerLimit(_) => EngineError::bad_arguments(message).with_hint(
                "ask for fewer rows (LIMIT) or columns, or cut long texts with substr()",
            ),
            E::Oversized { .. } => EngineError::runtime_failure(message)
                .with_hint("ask for less: a smaller depth or limit, or a symbol with fewer users"),
            E::Foreign { .. } => EngineError::runtime_failure(message)
                .with_hint("the database's administrator can remove it from the schema knotwork"),
            E::Missing(_) => {
                EngineError::bad_arguments(message).with_hint("run `knotwork index` first")
            }
            E::Damaged { .. } | E::Malformed { .. } | E::Irregular { .. } => {
                EngineError::runtime_failure(message).with_hint(
                    "run `knotwork index`: it moves the damaged file aside and builds a new one",
                )
            }
            E::Lost { .. } => EngineError::runtime_failure(message).with_hint("ask again"),
            E::Unvouched(_) => EngineError::runtime_failure(message).with_hint(
                "`knotwork index` builds it anew; `knotwork index --trust-index` trusts it unchanged",
            ),
            E::Busy(_) => EngineError::runtime_failure(message)
                .with_hint("try again in a moment, or end the program that holds it"),
            E::Schema { .. } => EngineError::runtime_failure(message)
                .with_hint("run `knotwork graph-store migrate --apply`"),
            _ => EngineError::runtime_failure(message),
        };
        EngineError {
            fault,
            is_busy,
            ..converted
        }
    }
}

impl From<analysis::AnalysisError> for EngineError {
    fn from(error: analysis::AnalysisError) -> EngineError {
        match error {
            analysis::AnalysisError::Store(error) => error.into(),
            other => EngineError::bad_arguments(other.to_string()),
        }
    }
}

impl From<IngestError> for EngineError {
    fn from(error: IngestError) -> EngineError {
        match error {
            IngestError::Store(error) => error.into(),
            other => EngineError::runtime_failure(other.to_string()),
        }
    }
}
