//! A client with one connection, for one thread at a time. Every request ends: with an answer, an error, or a limit.
//!
//! The protocol is that of `tokio-postgres`. It runs in the calling thread, without a runtime.

mod connect;
mod copy_in;
mod drive;
mod line;
mod socket;
mod transaction;

pub(crate) use connect::connect;
pub(crate) use copy_in::CopyIn;
pub(crate) use socket::{RequestTooLarge, Socket};
pub(crate) use transaction::Transaction;

use crate::config::Limits;
use crate::error::Failure;
use drive::Patience;
use futures::{StreamExt, future};
use line::Line;
use rustc_hash::FxHashMap;
use std::pin::pin;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Row, Statement};

/// A parameter of a statement.
pub(crate) type Parameter<'p> = &'p (dyn ToSql + Sync);

/// Most statements that are sent before the first answer has arrived.
const PIPELINE: usize = 128;

/// A connection, with the statements that were prepared on it.
pub(crate) struct Client {
    // Fields are dropped in this order: the connection ends when nothing can use it any more.
    statements: FxHashMap<String, Statement>,
    inner: tokio_postgres::Client,
    line: Line,
    limits: Limits,
    /// Whether the work is on all rows of a repository, with the longer time limit.
    is_bulk: bool,
}

impl Client {
    /// Whether the connection can no longer be used.
    pub(crate) fn is_closed(&self) -> bool {
        self.line.is_broken || self.inner.is_closed()
    }

    /// Limits of the server's answers.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Time limits of one statement.
    fn patience(&self) -> Patience {
        Patience::for_all(if self.is_bulk {
            self.limits.bulk
        } else {
            self.limits.statement
        })
    }

    /// The prepared statement for an SQL text; each text is prepared once.
    fn statement(&mut self, sql: &str) -> Result<Statement, Failure> {
        if let Some(known) = self.statements.get(sql) {
            return Ok(known.clone());
        }
        let (patience, inner) = (self.patience(), &self.inner);
        self.line.allow(self.limits.answer_bytes);
        let made = self.line.wait_for(patience, async {
            Ok::<_, Failure>(inner.prepare(sql).await?)
        })?;
        self.statements.insert(sql.to_owned(), made.clone());
        Ok(made)
    }

    /// Runs statements without parameters and results.
    pub(crate) fn batch_execute(&mut self, sql: &str) -> Result<(), Failure> {
        let (patience, inner) = (self.patience(), &self.inner);
        self.line.allow(self.limits.answer_bytes);
        self.line.wait_for(patience, async {
            Ok::<_, Failure>(inner.batch_execute(sql).await?)
        })
    }

    /// Runs a statement. Returns the number of changed rows.
    pub(crate) fn execute(
        &mut self,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<u64, Failure> {
        let statement = self.statement(sql)?;
        let (patience, inner) = (self.patience(), &self.inner);
        self.line.allow(self.limits.answer_bytes);
        self.line.wait_for(patience, async {
            Ok::<_, Failure>(inner.execute(&statement, parameters).await?)
        })
    }

    /// Runs a statement once for each list of parameters; many of them are sent at a time.
    pub(crate) fn execute_each<'p, P: AsRef<[Parameter<'p>]>>(
        &mut self,
        sql: &str,
        all: &[P],
    ) -> Result<(), Failure> {
        if all.is_empty() {
            return Ok(());
        }
        let statement = self.statement(sql)?;
        let (patience, inner) = (self.patience(), &self.inner);
        for some in all.chunks(PIPELINE) {
            self.line.allow(self.limits.answer_bytes);
            let sent = some
                .iter()
                .map(|parameters| inner.execute(&statement, parameters.as_ref()));
            let done = future::join_all(sent);
            self.line.wait_for(patience, async {
                for one in done.await {
                    one?;
                }
                Ok::<_, Failure>(())
            })?;
        }
        Ok(())
    }

    /// The rows of a query.
    pub(crate) fn query(
        &mut self,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, Failure> {
        let mut rows = Vec::new();
        self.visit(sql, parameters, Extent::Answer, |row| {
            rows.push(row);
            Ok(())
        })?;
        Ok(rows)
    }

    /// The first row of a query, if there is one.
    pub(crate) fn query_opt(
        &mut self,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Option<Row>, Failure> {
        Ok(self.query(sql, parameters)?.into_iter().next())
    }

    /// The first row of a query that always has one.
    pub(crate) fn query_one(
        &mut self,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Row, Failure> {
        self.query_opt(sql, parameters)?.ok_or(Failure::NoRow)
    }

    /// Visits the rows of a query as they arrive.
    pub(crate) fn visit(
        &mut self,
        sql: &str,
        parameters: &[Parameter<'_>],
        extent: Extent,
        visit: impl FnMut(Row) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let statement = self.statement(sql)?;
        let AnswerLimits {
            patience,
            bytes,
            rows,
        } = self.answer_limits(extent);
        let inner = &self.inner;
        self.line.allow(bytes);
        let visited = self
            .line
            .wait_for(patience, read(inner, &statement, parameters, rows, visit));
        self.end_if_unread(visited)
    }

    /// Begins a transaction, and visits the rows of a query that is sent with it.
    pub(crate) fn begin_and_visit(
        &mut self,
        begin: &str,
        sql: &str,
        parameters: &[Parameter<'_>],
        visit: impl FnMut(Row) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let statement = self.statement(sql)?;
        let AnswerLimits {
            patience,
            bytes,
            rows,
        } = self.answer_limits(Extent::Answer);
        let inner = &self.inner;
        self.line.allow(bytes);
        let begun = async { Ok(inner.batch_execute(begin).await?) };
        let both = future::join(begun, read(inner, &statement, parameters, rows, visit));
        let visited = self.line.wait_for(patience, async {
            let (begun, visited) = both.await;
            begun.and(visited)
        });
        self.end_if_unread(visited)
    }

    fn answer_limits(&self, extent: Extent) -> AnswerLimits {
        let limits = &self.limits;
        match extent {
            Extent::Answer => AnswerLimits {
                patience: self.patience(),
                bytes: limits.answer_bytes,
                rows: limits.answer_rows,
            },
            Extent::Repository => AnswerLimits {
                patience: Patience {
                    silence: limits.statement,
                    whole: limits.bulk,
                },
                bytes: limits.repository_bytes,
                rows: usize::MAX,
            },
        }
    }

    /// Closes the connection if rows were left unread, since they may be many.
    fn end_if_unread(&mut self, visited: Result<(), Failure>) -> Result<(), Failure> {
        if let Err(failure) = &visited {
            self.line.is_broken |= failure.leaves_rows();
        }
        visited
    }

    /// Begins to copy rows into a table.
    pub(crate) fn copy_in(&mut self, sql: &str) -> Result<CopyIn<'_>, Failure> {
        let patience = self.patience();
        self.line.allow(self.limits.answer_bytes);
        let inner = &self.inner;
        let sink = self.line.wait_for(patience, async {
            Ok::<_, Failure>(inner.copy_in(sql).await?)
        })?;
        Ok(CopyIn::new(&mut self.line, patience, sink))
    }

    /// Begins a transaction together with its first query, and returns the first row of that.
    pub(crate) fn begin(
        &mut self,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<(Transaction<'_>, Option<Row>), Failure> {
        let mut found = None;
        // On failure the transaction is rolled back.
        let mut transaction = Transaction::new(self);
        transaction.begin_and_visit("BEGIN", sql, parameters, |row| {
            found.get_or_insert(row);
            Ok(())
        })?;
        Ok((transaction, found))
    }

    /// Begins a transaction.
    pub(crate) fn transaction(&mut self) -> Result<Transaction<'_>, Failure> {
        self.transaction_by("BEGIN")
    }

    /// Begins a transaction with the given statement.
    pub(crate) fn transaction_by(&mut self, begin: &str) -> Result<Transaction<'_>, Failure> {
        self.batch_execute(begin)?;
        Ok(Transaction::new(self))
    }
}

/// The limits of an answer.
struct AnswerLimits {
    patience: Patience,
    bytes: u64,
    rows: usize,
}

/// How large an answer may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The answer to a question.
    Answer,
    /// Whole tables of a repository.
    Repository,
}

async fn read(
    inner: &tokio_postgres::Client,
    statement: &Statement,
    parameters: &[Parameter<'_>],
    most: usize,
    mut visit: impl FnMut(Row) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let found = inner
        .query_raw(statement, parameters.iter().copied())
        .await?;
    let mut found = pin!(found);
    let mut seen = 0;
    while let Some(row) = found.next().await {
        let row = row?;
        seen += 1;
        if seen > most {
            return Err(Failure::TooManyRows(most));
        }
        visit(row)?;
    }
    Ok(())
}
