//! Free SQL that can only read: a read-only connection, an authorizer that lets nothing but reading
//! through, a limit of rows and one of time.

use super::error::sql_error;
use super::{SqliteStore, connect};
use crate::StoreError;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::{ToSqlOutput, Value as SqlValue, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql};
use serde::Serialize;
use serde_json::Value;
use std::time::{Duration, Instant};

/// Longest text or blob that a query may make, in bytes.
const VALUE_LIMIT: i32 = 4_000_000;

/// Steps of SQLite's virtual machine between two looks at the clock.
const STEPS: i32 = 2_000;

/// Limits of one query.
#[derive(Debug, Clone, Copy)]
pub struct QueryLimits {
    /// Rows given; more are cut off and the answer says so.
    pub rows: usize,
    /// Time it may take.
    pub time: Duration,
}

impl Default for QueryLimits {
    fn default() -> Self {
        QueryLimits {
            rows: 1_000,
            time: Duration::from_secs(5),
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
    /// Runs one statement that reads. Parameters are bound to `?1`, `?2`, … in order.
    ///
    /// Errors: [`StoreError::Refused`] for anything that is not a single reading statement,
    /// [`StoreError::TimeLimit`].
    pub fn query(
        &self,
        sql: &str,
        parameters: &[Value],
        limits: QueryLimits,
    ) -> Result<QueryAnswer, StoreError> {
        let mut connection = connect(&self.path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let fail = |error: rusqlite::Error| refusal(&self.path, &limits, &error);
        guard(&mut connection, &limits).map_err(fail)?;
        let mut statement = connection.prepare(sql).map_err(fail)?;
        if statement.column_count() == 0 || !statement.readonly() {
            return Err(StoreError::Refused(
                "only statements that read are run".to_owned(),
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
        let mut rows = Vec::new();
        while let Some(row) = found.next().map_err(fail)? {
            if rows.len() == limits.rows {
                return Ok(QueryAnswer {
                    columns,
                    rows,
                    truncated: true,
                });
            }
            let values = (0..width).map(|at| row.get_ref(at).map(json));
            rows.push(values.collect::<Result<_, _>>().map_err(fail)?);
        }
        Ok(QueryAnswer {
            columns,
            rows,
            truncated: false,
        })
    }
}

/// Closes every way to write and sets the clock.
fn guard(connection: &mut Connection, limits: &QueryLimits) -> rusqlite::Result<()> {
    connection.execute_batch("PRAGMA query_only=ON; PRAGMA trusted_schema=OFF;")?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, VALUE_LIMIT)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.authorizer(Some(authorize))?;
    let until = Instant::now() + limits.time;
    connection.progress_handler(STEPS, Some(move || Instant::now() > until))
}

fn authorize(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => {
            Authorization::Allow
        }
        AuthAction::Function { function_name } => match function_name.to_ascii_lowercase().as_str()
        {
            "load_extension" | "fts3_tokenizer" | "sqlite_log" => Authorization::Deny,
            _ => Authorization::Allow,
        },
        _ => Authorization::Deny,
    }
}

fn refusal(path: &std::path::Path, limits: &QueryLimits, error: &rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::OperationInterrupted) => StoreError::TimeLimit(limits.time.as_millis()),
        Some(ErrorCode::AuthorizationForStatementDenied | ErrorCode::ReadOnly) => {
            StoreError::Refused("only statements that read are run".to_owned())
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

fn json(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(n) => n.into(),
        ValueRef::Real(x) => serde_json::Number::from_f64(x).map_or(Value::Null, Value::Number),
        ValueRef::Text(t) => String::from_utf8_lossy(t).into_owned().into(),
        ValueRef::Blob(b) => b
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
            .into(),
    }
}
