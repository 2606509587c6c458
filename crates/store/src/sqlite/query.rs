//! Free SQL that can only read: a read-only connection, an authorizer that allows nothing but reading, and limits of
//! rows, time and memory.

use super::error::sql_error;
use super::{SqliteStore, connect};
use crate::StoreError;
use base::Cancel;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::{ToSqlOutput, Value as SqlValue, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql};
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Longest text or blob that a query may make, in bytes.
const VALUE_LIMIT: i32 = 1_000_000;

/// Most columns of an answer, each of which can hold such a value.
const COLUMNS: i32 = 128;

/// Most function calls and `||` in one statement. SQLite checks for an interrupt only at jumps, so a long list of
/// expressions would compute all its values first.
const MAKERS: usize = 64;

/// Functions that return no long values, or none longer than their arguments.
const PLAIN: [&str; 14] = [
    "abs",
    "avg",
    "count",
    "dense_rank",
    "glob",
    "instr",
    "length",
    "like",
    "rank",
    "round",
    "row_number",
    "sum",
    "total",
    "typeof",
];

/// Most instructions of a compiled statement.
const INSTRUCTIONS: i32 = 12_000;

/// Longest statement, in bytes.
const STATEMENT_LIMIT: i32 = 1_000_000;

/// Steps of SQLite's virtual machine between two checks of the clock: few, since each can make a long value.
const STEPS: i32 = 20;

/// Time between two checks of the process's memory. They cost more than those of the clock.
const LOOK: Duration = Duration::from_micros(500);

/// Limits of one query.
#[derive(Debug, Clone)]
pub struct QueryLimits {
    /// Rows returned; further ones are cut off, and the answer says so.
    pub rows: usize,
    /// Longest time.
    pub time: Duration,
    /// Most bytes by which the process may grow meanwhile. The answer may take an eighth of that.
    pub memory: u64,
    /// Cancels the query.
    pub cancel: Cancel,
}

impl Default for QueryLimits {
    fn default() -> Self {
        QueryLimits {
            rows: 1_000,
            time: Duration::from_secs(5),
            memory: 128 << 20,
            cancel: Cancel::default(),
        }
    }
}

/// Rows of a query.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QueryAnswer {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows; blobs as hexadecimal text.
    pub rows: Vec<Vec<Value>>,
    /// Whether there were more rows than the limit.
    pub truncated: bool,
}

impl SqliteStore {
    /// Runs a single reading statement. Parameters are bound to `?1`, `?2`, … in order.
    ///
    /// Errors: [`StoreError::Refused`] for anything but a single reading statement, [`StoreError::TimeLimit`],
    /// [`StoreError::MemoryLimit`].
    pub fn query(
        &self,
        sql: &str,
        parameters: &[Value],
        limits: QueryLimits,
    ) -> Result<QueryAnswer, StoreError> {
        let mut connection = connect(&self.path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let seen = Arc::new(StatementMonitor::default());
        let fail = |error: rusqlite::Error| {
            if seen.too_much.load(Ordering::Relaxed) {
                return StoreError::MemoryLimit(limits.memory >> 20);
            }
            if seen.makers.load(Ordering::Relaxed) > MAKERS {
                too_many_calls_error()
            } else {
                query_error(&self.path, &limits, &error)
            }
        };
        // Those in texts and comments count, too: the error says so, and texts can be bound.
        let joins = sql.matches("||").count();
        seen.makers.store(joins, Ordering::Relaxed);
        if joins > MAKERS {
            return Err(too_many_calls_error());
        }
        restrict_connection(&mut connection, &limits, &seen).map_err(fail)?;
        let mut statement = connection.prepare(sql).map_err(fail)?;
        if statement.column_count() == 0 || !statement.readonly() {
            return Err(StoreError::Refused(
                "only read-only statements are allowed".to_owned(),
            ));
        }
        let columns = statement.column_names().map(str::to_owned).collect();
        let wanted = statement.parameter_count();
        if wanted != parameters.len() {
            return Err(StoreError::Refused(format!(
                "{wanted} parameters expected, {} given",
                parameters.len()
            )));
        }
        let width = statement.column_count();
        let bound = rusqlite::params_from_iter(parameters.iter().map(Parameter));
        let mut found = statement.query(bound).map_err(fail)?;
        let (mut rows, mut bytes) = (Vec::new(), 0);
        while let Some(row) = found.next().map_err(fail)? {
            if rows.len() == limits.rows {
                return Ok(QueryAnswer {
                    columns,
                    rows,
                    truncated: true,
                });
            }
            let mut values = Vec::with_capacity(width);
            for at in 0..width {
                let value = value_to_json(row.get_ref(at).map_err(fail)?);
                bytes += size_of_value(&value);
                if bytes > limits.memory / 8 {
                    return Err(StoreError::AnswerLimit(limits.memory >> 23));
                }
                values.push(value);
            }
            rows.push(values);
        }
        Ok(QueryAnswer {
            columns,
            rows,
            truncated: false,
        })
    }
}

/// Observations of a running statement.
#[derive(Default)]
struct StatementMonitor {
    /// Whether it was stopped because it took too much memory.
    too_much: AtomicBool,
    /// Calls of functions, and `||`.
    makers: AtomicUsize,
}

fn too_many_calls_error() -> StoreError {
    StoreError::Refused(format!(
        "more than {MAKERS} calls of functions and `||` in one statement"
    ))
}

/// Disables every way to write, and sets the limits of time and memory. SQLite's own memory limits need counters that
/// are compiled out, and do not cover the registers of a statement, so the memory of the process is checked.
fn restrict_connection(
    connection: &mut Connection,
    limits: &QueryLimits,
    seen: &Arc<StatementMonitor>,
) -> rusqlite::Result<()> {
    connection.execute_batch("PRAGMA query_only=ON; PRAGMA trusted_schema=OFF;")?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, VALUE_LIMIT)?;
    connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, STATEMENT_LIMIT)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.set_limit(Limit::SQLITE_LIMIT_COLUMN, COLUMNS)?;
    connection.set_limit(Limit::SQLITE_LIMIT_VDBE_OP, INSTRUCTIONS)?;
    let counted = seen.clone();
    connection.authorizer(Some(move |context: AuthContext<'_>| {
        authorize_action(&context, &counted)
    }))?;
    let seen = seen.clone();
    let (until, cancel) = (Instant::now() + limits.time, limits.cancel.clone());
    let most = process_memory().saturating_add(limits.memory);
    let mut looked = Instant::now();
    let is_over = move || {
        let now = Instant::now();
        if now.duration_since(looked) >= LOOK {
            looked = now;
            seen.too_much
                .fetch_or(process_memory() > most, Ordering::Relaxed);
        }
        now > until || cancel.is_set() || seen.too_much.load(Ordering::Relaxed)
    };
    connection.progress_handler(STEPS, Some(is_over))
}

/// Memory of the process now, in bytes; 0 if the system does not tell.
fn process_memory() -> u64 {
    memory_stats::memory_stats().map_or(0, |m| m.physical_mem as u64)
}

/// Approximate bytes of a value of an answer.
fn size_of_value(value: &Value) -> u64 {
    let text = value.as_str().map_or(0, str::len);
    (size_of::<Value>() + text) as u64
}

fn authorize_action(context: &AuthContext<'_>, seen: &StatementMonitor) -> Authorization {
    match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => {
            Authorization::Allow
        }
        AuthAction::Function { function_name } => {
            let name = function_name.to_ascii_lowercase();
            if matches!(&*name, "load_extension" | "fts3_tokenizer" | "sqlite_log") {
                return Authorization::Deny;
            }
            let made = usize::from(!PLAIN.contains(&&*name));
            if seen.makers.fetch_add(made, Ordering::Relaxed) + made > MAKERS {
                Authorization::Deny
            } else {
                Authorization::Allow
            }
        }
        _ => Authorization::Deny,
    }
}

fn query_error(
    path: &std::path::Path,
    limits: &QueryLimits,
    error: &rusqlite::Error,
) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::OperationInterrupted) if limits.cancel.is_set() => StoreError::Cancelled,
        Some(ErrorCode::OperationInterrupted) => StoreError::TimeLimit(limits.time.as_millis()),
        Some(ErrorCode::AuthorizationForStatementDenied | ErrorCode::ReadOnly) => {
            StoreError::Refused("only read-only statements are allowed".to_owned())
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            sql_error(path, "reading", error)
        }
        _ => StoreError::Refused(error.to_string()),
    }
}

struct Parameter<'v>(&'v Value);

impl ToSql for Parameter<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self.0 {
            Value::Null => ToSqlOutput::Borrowed(ValueRef::Null),
            Value::Bool(b) => ToSqlOutput::Borrowed(ValueRef::Integer((*b).into())),
            Value::Number(n) => match n.as_i64() {
                Some(whole) => ToSqlOutput::Borrowed(ValueRef::Integer(whole)),
                None => ToSqlOutput::Borrowed(ValueRef::Real(n.as_f64().unwrap_or_default())),
            },
            Value::String(s) => ToSqlOutput::Borrowed(ValueRef::Text(s.as_bytes())),
            other => ToSqlOutput::Owned(SqlValue::Text(other.to_string())),
        })
    }
}

fn value_to_json(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(n) => n.into(),
        ValueRef::Real(x) => serde_json::Number::from_f64(x).map_or(Value::Null, Value::Number),
        ValueRef::Text(t) => String::from_utf8_lossy(t).into_owned().into(),
        ValueRef::Blob(b) => base::hex::encode(b).into(),
    }
}
