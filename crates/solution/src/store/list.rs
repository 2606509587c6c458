//! Reading for a search: words, codes, filters, changed vectors, rows to rank.

use super::Store;
use super::derive::Quantised;
use crate::error::Result;
use rusqlite::{OptionalExtension, params};
use std::collections::HashSet;

/// The facts about a candidate that ranking needs.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct AgeAndUse {
    pub(crate) id: String,
    pub(crate) days: f64,
    pub(crate) opened: u32,
}

/// A vector that changed since the last read; none where the row has none now.
pub(crate) type Changed = (i64, Option<Quantised>);

impl Store {
    /// The number of solutions that contain each word, and the number of solutions with words.
    pub(crate) fn document_frequencies(&self, words: &[String]) -> Result<(Vec<u64>, u64)> {
        self.connection.execute_batch(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.solution_terms \
             USING fts5vocab(main, solution_words, row)",
        )?;
        let mut statement = self
            .connection
            .prepare_cached("SELECT doc FROM temp.solution_terms WHERE term = ?1")?;
        let mut counts = Vec::with_capacity(words.len());
        for word in words {
            let count: Option<i64> = statement.query_row([word], |row| row.get(0)).optional()?;
            counts.push(count.unwrap_or(0).unsigned_abs());
        }
        Ok((
            counts,
            self.count_by_sql("SELECT count(*) FROM solution_words_docsize")?,
        ))
    }

    /// Rows that contain any of the words, best first, with BM25 over the fields (greater is better).
    pub(crate) fn search_words(&self, words: &[String], limit: usize) -> Result<Vec<(i64, f64)>> {
        if words.is_empty() {
            return Ok(Vec::new());
        }
        // Words consist of letters and digits; quotes make sure that none is an operator.
        let quoted: Vec<String> = words.iter().map(|w| format!("\"{w}\"")).collect();
        let mut statement = self.connection.prepare_cached(
            "SELECT rowid, -bm25(solution_words, 2.0, 1.0, 0.5, 1.5) AS score FROM solution_words \
             WHERE solution_words MATCH ?1 ORDER BY score DESC, rowid LIMIT ?2",
        )?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = statement.query_map(params![quoted.join(" OR "), limit], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Rows that contain the code, at most `limit`, and their total number.
    pub(crate) fn rows_with_code(&self, code: &str, limit: usize) -> Result<(Vec<i64>, u64)> {
        let mut statement = self.connection.prepare_cached(
            "SELECT rid FROM solution_codes WHERE code = ?1 ORDER BY rid DESC LIMIT ?2",
        )?;
        let rows = statement.query_map(params![code, limit as i64], |row| row.get(0))?;
        let rows: Vec<i64> = rows.collect::<rusqlite::Result<_>>()?;
        let all: i64 = if rows.len() < limit {
            rows.len() as i64
        } else {
            self.connection
                .prepare_cached("SELECT count(*) FROM solution_codes WHERE code = ?1")?
                .query_row([code], |row| row.get(0))?
        };
        Ok((rows, all.unsigned_abs()))
    }

    /// Rows that have all of the tags, ignoring case; none where no tag is given.
    pub(crate) fn rows_with_tags(&self, tags: &[String]) -> Result<Option<HashSet<i64>>> {
        let mut kept: Option<HashSet<i64>> = None;
        let mut statement = self.connection.prepare_cached(
            "SELECT s.rowid FROM tags t JOIN solution_tags st ON st.tag_id = t.id \
             JOIN solutions s ON s.id = st.solution_id WHERE t.name = ?1 COLLATE NOCASE",
        )?;
        for tag in tags.iter().map(|t| t.trim()).filter(|t| !t.is_empty()) {
            let rows = statement.query_map([tag], |row| row.get(0))?;
            let rows: HashSet<i64> = rows.collect::<rusqlite::Result<_>>()?;
            kept = Some(match kept {
                Some(kept) => kept.intersection(&rows).copied().collect(),
                None => rows,
            });
        }
        Ok(kept)
    }

    /// Age and use of a row; none where it is gone.
    pub(crate) fn age_and_use(&self, rid: i64) -> Result<Option<AgeAndUse>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT s.id, coalesce(julianday('now') - julianday(s.created_at), 0), coalesce(u.opened, 0) \
             FROM solutions s LEFT JOIN solution_uses u ON u.solution_id = s.id WHERE s.rowid = ?1",
        )?;
        let found = statement.query_row([rid], |row| {
            Ok(AgeAndUse {
                id: row.get(0)?,
                days: row.get::<_, f64>(1)?.max(0.0),
                opened: row.get(2)?,
            })
        });
        Ok(found.optional()?)
    }

    /// The row number of an id.
    pub(crate) fn row_id(&self, id: &str) -> Result<Option<i64>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT rowid FROM solutions WHERE id = ?1")?;
        Ok(statement.query_row([id], |row| row.get(0)).optional()?)
    }

    /// The number of the last change.
    pub(crate) fn last_change_number(&self) -> Result<i64> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT coalesce(max(seq), 0) FROM solution_changes")?;
        Ok(statement.query_row([], |row| row.get(0))?)
    }

    /// Vectors of a model in rows that changed since `seq`; 0 gives all.
    pub(crate) fn vectors_changed_since(&self, model: &str, seq: i64) -> Result<Vec<Changed>> {
        let sql = match seq {
            0 => {
                "SELECT rid, scale, vector FROM solution_vectors WHERE model = ?1 AND ?2 >= 0 ORDER BY rid"
            }
            _ => {
                "SELECT c.rid, v.scale, v.vector FROM solution_changes c \
                 LEFT JOIN solution_vectors v ON v.rid = c.rid AND v.model = ?1 WHERE c.seq > ?2"
            }
        };
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map(params![model, seq], |row| {
            let values: Option<Vec<u8>> = row.get(2)?;
            let scale: Option<f64> = row.get(1)?;
            let vector = values.zip(scale).map(|(values, scale)| Quantised {
                scale: scale as f32,
                values,
            });
            Ok((row.get(0)?, vector))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}
