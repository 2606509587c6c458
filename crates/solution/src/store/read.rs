//! Reading of solutions, tags, versions and statistics.

use super::Store;
use crate::error::{Result, SolutionError};
use crate::record::{Category, Solution, Stats, Tag, Used, Version};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row as SqlRow};

/// A solution with its row number.
#[derive(Debug, Clone, Default)]
pub(crate) struct Row {
    pub(crate) rid: i64,
    pub(crate) solution: Solution,
}

pub(super) const COLUMNS: &str = "rowid, id, title, problem, root_cause, solution, error_messages, \
    project_name, created_at, updated_at";

/// Reads a row of [`COLUMNS`]. Values that another program left empty or wrote with another type are read as text.
pub(super) fn parse_row(row: &SqlRow<'_>) -> rusqlite::Result<Row> {
    let text = |at: usize| -> rusqlite::Result<Option<String>> {
        Ok(match row.get::<_, Value>(at)? {
            Value::Null => None,
            Value::Text(text) => Some(text),
            Value::Integer(number) => Some(number.to_string()),
            Value::Real(number) => Some(number.to_string()),
            Value::Blob(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        })
    };
    let whole = |at: usize| Ok::<_, rusqlite::Error>(text(at)?.unwrap_or_default());
    Ok(Row {
        rid: row.get(0)?,
        solution: Solution {
            id: whole(1)?,
            title: whole(2)?,
            problem: whole(3)?,
            root_cause: text(4)?,
            solution: whole(5)?,
            error_messages: parse_messages(text(6)?.as_deref()),
            project_name: whole(7)?,
            created_at: whole(8)?,
            updated_at: whole(9)?,
            tags: Vec::new(),
        },
    })
}

/// The messages from their stored form, a JSON array. Any other text is one message.
pub(crate) fn parse_messages(text: Option<&str>) -> Vec<String> {
    match text {
        None | Some("") => Vec::new(),
        Some(text) => serde_json::from_str(text).unwrap_or_else(|_| vec![text.to_owned()]),
    }
}

/// The tags of one solution, sorted by name.
pub(super) fn tags_of(connection: &Connection, id: &str) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare_cached(
        "SELECT t.name FROM solution_tags st JOIN tags t ON t.id = st.tag_id \
         WHERE st.solution_id = ?1 ORDER BY t.category DESC, t.name",
    )?;
    statement.query_map([id], |row| row.get(0))?.collect()
}

pub(super) fn find_by_id(connection: &Connection, id: &str) -> rusqlite::Result<Option<Row>> {
    let mut statement =
        connection.prepare_cached(&format!("SELECT {COLUMNS} FROM solutions WHERE id = ?1"))?;
    let Some(mut found) = statement.query_row([id], parse_row).optional()? else {
        return Ok(None);
    };
    found.solution.tags = tags_of(connection, id)?;
    Ok(Some(found))
}

impl Store {
    /// The solution with that id, and its row.
    pub(crate) fn get(&self, id: &str) -> Result<Option<Row>> {
        Ok(find_by_id(&self.connection, id)?)
    }

    /// The solution with that id; an error where there is none.
    pub(crate) fn get_or_error(&self, id: &str) -> Result<Row> {
        let id = id.trim();
        let lower = id.to_ascii_lowercase();
        let found = match self.get(id)? {
            None if lower != id => self.get(&lower)?,
            found => found,
        };
        found.ok_or_else(|| unknown_id_error(id))
    }

    /// The solution of a row.
    pub(crate) fn get_by_row(&self, rid: i64) -> Result<Option<Row>> {
        let sql = format!("SELECT {COLUMNS} FROM solutions WHERE rowid = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let Some(mut found) = statement.query_row([rid], parse_row).optional()? else {
            return Ok(None);
        };
        found.solution.tags = tags_of(&self.connection, &found.solution.id)?;
        Ok(Some(found))
    }

    /// Passes every solution to `each`, oldest first.
    pub(crate) fn for_each_solution(
        &self,
        mut each: impl FnMut(Solution) -> Result<()>,
    ) -> Result<()> {
        let sql = format!("SELECT {COLUMNS} FROM solutions ORDER BY created_at, rowid");
        let mut statement = self.connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(next) = rows.next()? {
            let mut found = parse_row(next)?.solution;
            found.tags = tags_of(&self.connection, &found.id)?;
            each(found)?;
        }
        Ok(())
    }

    /// The tags of one category or of all, most used first.
    pub(crate) fn tags(&self, category: Option<Category>) -> Result<Vec<Tag>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT t.name, t.category, count(st.solution_id) AS uses FROM tags t \
             JOIN solution_tags st ON st.tag_id = t.id WHERE ?1 IS NULL OR t.category = ?1 \
             GROUP BY t.id ORDER BY t.category DESC, uses DESC, t.name",
        )?;
        let tags = statement.query_map([category.map(Category::as_str)], |row| {
            Ok(Tag {
                name: row.get(0)?,
                category: row.get(1)?,
                count: row.get::<_, i64>(2)?.unsigned_abs(),
            })
        })?;
        Ok(tags.collect::<rusqlite::Result<_>>()?)
    }

    /// Earlier states of a solution, oldest first.
    pub(crate) fn versions(&self, id: &str) -> Result<Vec<Version>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT version, replaced_at, why, body FROM solution_versions \
             WHERE solution_id = ?1 ORDER BY version",
        )?;
        let rows = statement.query_map([id], |row| {
            let body: String = row.get(3)?;
            Ok(Version {
                version: row.get::<_, i64>(0)?.unsigned_abs(),
                replaced_at: row.get(1)?,
                why: row.get(2)?,
                solution: serde_json::from_str(&body).unwrap_or_default(),
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    pub(crate) fn count_by_sql(&self, sql: &str) -> Result<u64> {
        let number: i64 = self
            .connection
            .prepare_cached(sql)?
            .query_row([], |row| row.get(0))?;
        Ok(number.unsigned_abs())
    }

    /// Statistics of the store, without those of models.
    pub(crate) fn stats(&self) -> Result<Stats> {
        let mut statement = self.connection.prepare(
            "SELECT u.solution_id, s.title, u.opened FROM solution_uses u \
             JOIN solutions s ON s.id = u.solution_id ORDER BY u.opened DESC, s.title LIMIT 5",
        )?;
        let most_used = statement.query_map([], |row| {
            Ok(Used {
                id: row.get(0)?,
                title: row.get(1)?,
                opened: row.get::<_, i64>(2)?.unsigned_abs(),
            })
        })?;
        let log = super::files::sibling_path(&self.path, "-wal");
        let size = |path: &std::path::Path| path.metadata().map_or(0, |m| m.len());
        Ok(Stats {
            path: self.path.display().to_string(),
            solutions: self.count_by_sql("SELECT count(*) FROM solutions")?,
            tags: self.count_by_sql("SELECT count(DISTINCT tag_id) FROM solution_tags")?,
            projects: self.count_by_sql(
                "SELECT count(DISTINCT project_name) FROM solutions WHERE project_name <> ''",
            )?,
            versions: self.count_by_sql("SELECT count(*) FROM solution_versions")?,
            vectors: self.count_by_sql("SELECT count(*) FROM solution_vectors")?,
            pending: self.count_by_sql("SELECT count(*) FROM solution_pending")?,
            bytes: size(&self.path) + size(&log),
            most_used: most_used.collect::<rusqlite::Result<_>>()?,
            notes: self.notes.clone(),
            ..Stats::default()
        })
    }
}

pub(crate) fn unknown_id_error(id: &str) -> SolutionError {
    let shown: String = id.chars().take(80).collect();
    SolutionError::bad_arguments(format!("no solution has the id {shown}"))
        .with_hint("search_solutions lists ids; a deleted solution is in its history")
}
