//! Data derived from a solution so that it can be found: words, codes, the fingerprint of its problem, its
//! vector.

use super::{Store, read};
use crate::error::Result;
use crate::record::Solution;
use crate::words;
use rusqlite::{Connection, Transaction, params};

/// The derived data of a solution.
#[derive(Debug, Clone, Default)]
pub(crate) struct DerivedData {
    title: String,
    problem: String,
    solution: String,
    errors: String,
    codes: Vec<String>,
    print: i64,
}

/// A vector as signed bytes, each times `scale`.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Quantised {
    pub(crate) scale: f32,
    pub(crate) values: Vec<u8>,
}

impl Quantised {
    pub(crate) fn quantize(vector: &[f32]) -> Quantised {
        let most = vector.iter().fold(0f32, |m, v| m.max(v.abs()));
        if most <= 0.0 || !most.is_finite() {
            return Quantised {
                scale: 0.0,
                values: vec![0; vector.len()],
            };
        }
        let scale = most / 127.0;
        let values = vector.iter().map(|v| (v / scale).round() as i8 as u8);
        Quantised {
            scale,
            values: values.collect(),
        }
    }
}

impl DerivedData {
    pub(crate) fn new(solution: &Solution) -> DerivedData {
        let errors = solution.error_messages.join("\n");
        let mut body = solution.solution.clone();
        if let Some(cause) = &solution.root_cause {
            body.push('\n');
            body.push_str(cause);
        }
        let named = [&solution.title, &solution.problem, &errors];
        let mut codes: Vec<String> = named.iter().flat_map(|t| words::error_codes(t)).collect();
        codes.extend(solution.tags.iter().flat_map(|t| words::error_codes(t)));
        codes.sort();
        codes.dedup();
        DerivedData {
            title: words::index_text(&solution.title),
            problem: words::index_text(&solution.problem),
            solution: words::index_text(&body),
            errors: words::index_text(&errors),
            codes,
            print: problem_fingerprint(solution),
        }
    }

    pub(super) fn write_derived(&self, tx: &Transaction<'_>, rid: i64) -> rusqlite::Result<()> {
        for sql in [
            "DELETE FROM solution_words WHERE rowid = ?1",
            "DELETE FROM solution_codes WHERE rid = ?1",
            "DELETE FROM solution_prints WHERE rid = ?1",
        ] {
            tx.prepare_cached(sql)?.execute([rid])?;
        }
        tx.prepare_cached(
            "INSERT INTO solution_words(rowid, title, problem, solution, errors) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![rid, self.title, self.problem, self.solution, self.errors])?;
        let mut code = tx.prepare_cached("INSERT OR IGNORE INTO solution_codes VALUES (?1, ?2)")?;
        for name in &self.codes {
            code.execute(params![name, rid])?;
        }
        tx.prepare_cached("INSERT INTO solution_prints VALUES (?1, ?2)")?
            .execute([rid, self.print])?;
        Ok(())
    }
}

/// A fingerprint of the problem that ignores case and blanks.
pub(crate) fn problem_fingerprint(solution: &Solution) -> i64 {
    let plain = |text: &str| {
        let lower = text.to_lowercase();
        lower.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let parts: Vec<String> = [&solution.title, &solution.problem]
        .into_iter()
        .chain(&solution.error_messages)
        .map(|text| plain(text))
        .collect();
    let parts: Vec<&[u8]> = parts.iter().map(|p| p.as_bytes()).collect();
    base::fingerprint(&parts).cast_signed()
}

pub(super) fn write_vector(
    tx: &Transaction<'_>,
    rid: i64,
    model: &str,
    vector: &Quantised,
) -> rusqlite::Result<()> {
    tx.prepare_cached("DELETE FROM solution_vectors WHERE rid = ?1")?
        .execute([rid])?;
    tx.prepare_cached("INSERT INTO solution_vectors VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![rid, model, f64::from(vector.scale), vector.values])?;
    Ok(())
}

/// A solution that waits for its vector, or whose vector is to be removed.
#[derive(Debug, Clone)]
pub(crate) enum PendingVector {
    /// The vector is to be made.
    Make(Box<read::Row>),
    /// The solution with this id was deleted.
    Gone(String),
}

fn read_waiting(connection: &Connection, limit: usize) -> rusqlite::Result<Vec<PendingVector>> {
    let sql = format!(
        "SELECT {}, p.solution_id FROM solution_pending p LEFT JOIN solutions s ON s.id = p.solution_id \
         ORDER BY p.rowid LIMIT ?1",
        "s.rowid, s.id, s.title, s.problem, s.root_cause, s.solution, s.error_messages, \
         s.project_name, s.created_at, s.updated_at"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([i64::try_from(limit).unwrap_or(i64::MAX)], |row| {
        Ok(match row.get::<_, Option<i64>>(0)? {
            Some(_) => PendingVector::Make(Box::new(read::parse_row(row)?)),
            None => PendingVector::Gone(row.get(10)?),
        })
    })?;
    rows.collect()
}

impl Store {
    /// Indexes the words of rows that another program wrote.
    pub(crate) fn index_missing_words(&mut self) -> Result<()> {
        loop {
            let sql = format!(
                "SELECT {} FROM solutions WHERE id IN \
                 (SELECT solution_id FROM solution_pending WHERE words = 0 LIMIT 200)",
                read::COLUMNS
            );
            let rows: Vec<read::Row> = self
                .connection
                .prepare_cached(&sql)?
                .query_map([], read::parse_row)?
                .collect::<rusqlite::Result<_>>()?;
            if rows.is_empty() {
                return Ok(());
            }
            let prepared: Vec<(i64, String, DerivedData)> = rows
                .iter()
                .map(|r| (r.rid, r.solution.id.clone(), DerivedData::new(&r.solution)))
                .collect();
            self.write_transaction(|tx| {
                for (rid, id, prepared) in &prepared {
                    prepared.write_derived(tx, *rid)?;
                    tx.prepare_cached(
                        "UPDATE solution_pending SET words = 1 WHERE solution_id = ?1",
                    )?
                    .execute([id])?;
                }
                Ok(())
            })?;
        }
    }

    /// Whether rows are missing in the word index.
    pub(crate) fn has_unindexed_rows(&self) -> Result<bool> {
        let sql = "SELECT 1 FROM solution_pending p JOIN solutions s ON s.id = p.solution_id \
                   WHERE p.words = 0 LIMIT 1";
        Ok(self.connection.prepare_cached(sql)?.exists([])?)
    }

    /// The next solutions that wait for a vector.
    pub(crate) fn rows_waiting_for_vectors(&self, limit: usize) -> Result<Vec<PendingVector>> {
        Ok(read_waiting(&self.connection, limit)?)
    }

    /// Stores new vectors, except those of rows that changed meanwhile.
    pub(crate) fn store_vectors(
        &mut self,
        model: &str,
        vectors: &[(read::Row, Quantised)],
    ) -> Result<()> {
        self.write_transaction(|tx| {
            for (row, vector) in vectors {
                if is_unchanged(tx, row)? {
                    write_vector(tx, row.rid, model, vector)?;
                    dequeue_one(tx, &row.solution.id)?;
                }
            }
            Ok(())
        })
    }

    /// Records that another backend has stored, or has removed, the vectors of these solutions.
    pub(crate) fn dequeue(&mut self, rows: &[read::Row], gone: &[String]) -> Result<()> {
        if rows.is_empty() && gone.is_empty() {
            return Ok(());
        }
        self.write_transaction(|tx| {
            for row in rows {
                if is_unchanged(tx, row)? {
                    dequeue_one(tx, &row.solution.id)?;
                }
            }
            for id in gone {
                if read::find_by_id(tx, id)?.is_none() {
                    dequeue_one(tx, id)?;
                }
            }
            Ok(())
        })
    }

    /// Removes all vectors, and queues every solution for a new one.
    pub(crate) fn requeue_all_vectors(&mut self) -> Result<()> {
        self.write_transaction(|tx| {
            tx.execute_batch(
                "DELETE FROM solution_vectors;
                 INSERT INTO solution_pending(solution_id, words) SELECT id, 1 FROM solutions WHERE true
                 ON CONFLICT(solution_id) DO NOTHING;",
            )?;
            Ok(())
        })
    }
}

fn is_unchanged(tx: &Transaction<'_>, row: &read::Row) -> rusqlite::Result<bool> {
    let now = read::find_by_id(tx, &row.solution.id)?;
    Ok(now.is_some_and(|now| {
        now.rid == row.rid
            && problem_fingerprint(&now.solution) == problem_fingerprint(&row.solution)
    }))
}

fn dequeue_one(tx: &Transaction<'_>, id: &str) -> rusqlite::Result<()> {
    tx.prepare_cached("DELETE FROM solution_pending WHERE solution_id = ?1")?
        .execute([id])?;
    Ok(())
}
