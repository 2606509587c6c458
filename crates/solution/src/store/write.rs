//! Saving, updating and deleting. Each is one transaction over the solution, its tags, its words and its vector.

use super::derive::{self, DerivedData, Quantised};
use super::{Store, read};
use crate::error::Result;
use crate::record::{Category, Solution};
use rusqlite::{OptionalExtension, Transaction, params};
use std::collections::HashSet;

/// A tag with its category.
pub(crate) type Tagged = (String, Category);

/// The result of saving.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Saved {
    /// A new solution.
    New(String),
    /// An updated solution, which replaced an earlier state.
    Updated(String),
    /// A solution that was there already, unchanged.
    Known(String),
}

impl Saved {
    /// The id under which it is in the store.
    pub(crate) fn id(&self) -> &str {
        let (Saved::New(id) | Saved::Updated(id) | Saved::Known(id)) = self;
        id
    }
}

/// A solution to import, with its derived data.
pub(crate) struct ImportedRecord {
    pub(crate) solution: Solution,
    pub(crate) tags: Vec<Tagged>,
    pub(crate) prepared: DerivedData,
    /// Whether it brings its own id. Two such records are two solutions, even about the same problem.
    pub(crate) has_own_id: bool,
}

/// A vector with the name of its model, to be stored.
pub(crate) type Vector<'a> = Option<(&'a str, &'a Quantised)>;

impl Store {
    /// Saves a solution under `solution.id`, or updates the one about the same problem.
    pub(crate) fn save(
        &mut self,
        solution: &Solution,
        tags: &[Tagged],
        prepared: &DerivedData,
        vector: Vector<'_>,
    ) -> Result<Saved> {
        self.write_transaction(|tx| insert_or_replace(tx, solution, tags, prepared, vector))
    }

    /// Imports exported solutions in one transaction. Returns for each what was done, or the reason why it could not be imported.
    /// A solution with a known id replaces an older state. `written` holds the ids of those that the same import wrote before.
    pub(crate) fn import(
        &mut self,
        records: &[ImportedRecord],
        written: &HashSet<String>,
    ) -> Result<Vec<Result<Saved>>> {
        self.write_transaction(|tx| {
            let mut all = Vec::with_capacity(records.len());
            let mut now = HashSet::new();
            for record in records {
                tx.execute_batch("SAVEPOINT record")?;
                let is_written = |id: &str| written.contains(id) || now.contains(id);
                let taken = import_record(tx, record, &is_written);
                match &taken {
                    Ok(saved) => {
                        tx.execute_batch("RELEASE record")?;
                        now.insert(saved.id().to_owned());
                    }
                    // An error of the whole store is not one of this record.
                    Err(error) if error.damaged || error.lost => return taken.map(|_| all),
                    Err(_) => tx.execute_batch("ROLLBACK TO record; RELEASE record")?,
                }
                all.push(taken);
            }
            Ok(all)
        })
    }

    /// Replaces the solution with the id of `solution`.
    pub(crate) fn update(
        &mut self,
        solution: &Solution,
        tags: &[Tagged],
        prepared: &DerivedData,
        vector: Vector<'_>,
        base: Option<&Solution>,
    ) -> Result<Option<Saved>> {
        self.write_transaction(|tx| {
            let now = read::find_by_id(tx, &solution.id)?;
            let now = now.ok_or_else(|| read::unknown_id_error(&solution.id))?;
            if base.is_some_and(|base| *base != now.solution) {
                return Ok(None);
            }
            let content = Content::new(solution, tags);
            replace_solution(tx, &now, &content, prepared, vector).map(Some)
        })
    }

    /// Deletes a solution. Its last state stays in the history, unless `forget` is set.
    pub(crate) fn delete(&mut self, id: &str, forget: bool) -> Result<()> {
        self.write_transaction(|tx| {
            match read::find_by_id(tx, id)? {
                Some(now) => {
                    insert_version(tx, &now.solution, "delete")?;
                    tx.execute("DELETE FROM solutions WHERE id = ?1", [id])?;
                }
                None if !forget => return Err(read::unknown_id_error(id)),
                None => {}
            }
            if forget {
                let removed =
                    tx.execute("DELETE FROM solution_versions WHERE solution_id = ?1", [id])?;
                tx.execute("DELETE FROM solution_uses WHERE solution_id = ?1", [id])?;
                if removed == 0 {
                    return Err(read::unknown_id_error(id));
                }
                // The words of a deleted row stay in older parts of the index until those are merged.
                tx.execute_batch(
                    "INSERT INTO solutions_fts(solutions_fts) VALUES ('optimize'); \
                     INSERT INTO solution_words(solution_words) VALUES ('optimize');",
                )?;
            }
            drop_unused_tags(tx)?;
            Ok(())
        })?;
        if forget {
            // The log keeps the words while a program has the store open. If one is reading right now, they stay until the next
            // checkpoint.
            self.connection.busy_timeout(super::QUESTION_PATIENCE)?;
            self.connection
                .execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
            self.connection.busy_timeout(self.patience)?;
        }
        Ok(())
    }

    /// Counts that a solution was opened.
    pub(crate) fn increment_use(&mut self, id: &str) -> Result<()> {
        self.write_transaction(|tx| {
            tx.prepare_cached(
                "INSERT INTO solution_uses(solution_id, opened) VALUES (?1, 1) \
                 ON CONFLICT(solution_id) DO UPDATE SET opened = opened + 1, last_opened = CURRENT_TIMESTAMP",
            )?
            .execute([id])?;
            Ok(())
        })
    }
}

fn insert_or_replace(
    tx: &Transaction<'_>,
    solution: &Solution,
    tags: &[Tagged],
    prepared: &DerivedData,
    vector: Vector<'_>,
) -> Result<Saved> {
    if let Some(twin) = find_same_problem(tx, solution)? {
        return replace_solution(tx, &twin, &Content::new(solution, tags), prepared, vector);
    }
    insert_new(tx, solution, tags, prepared, vector)
}

fn insert_new(
    tx: &Transaction<'_>,
    solution: &Solution,
    tags: &[Tagged],
    prepared: &DerivedData,
    vector: Vector<'_>,
) -> Result<Saved> {
    let rid = insert(tx, solution)?;
    write_tags_and_derived(tx, rid, &solution.id, tags, prepared, vector)?;
    Ok(Saved::New(solution.id.clone()))
}

fn import_record(
    tx: &Transaction<'_>,
    record: &ImportedRecord,
    is_written: &dyn Fn(&str) -> bool,
) -> Result<Saved> {
    let ImportedRecord {
        solution,
        tags,
        prepared,
        has_own_id,
    } = record;
    let by_id = read::find_by_id(tx, &solution.id)?;
    let known = match by_id {
        Some(known) => Some(known),
        None => {
            let twin = find_same_problem(tx, solution)?;
            twin.filter(|twin| !has_own_id || !is_written(&twin.solution.id))
        }
    };
    match known {
        Some(known)
            if !is_newer(tx, &solution.updated_at, &known.solution.updated_at)?
                || is_in_the_future(tx, &solution.updated_at)? =>
        {
            Ok(Saved::Known(known.solution.id))
        }
        Some(known) => {
            let content = Content::new(solution, tags).written_at(&solution.updated_at);
            replace_solution(tx, &known, &content, prepared, None)
        }
        None => insert_new(tx, solution, tags, prepared, None),
    }
}

/// Whether the first time is later than the second. Another program may have written them in another form.
fn is_newer(tx: &Transaction<'_>, first: &str, second: &str) -> Result<bool> {
    let sql = "SELECT coalesce(datetime(?1), ?1) > coalesce(datetime(?2), ?2)";
    Ok(tx.query_row(sql, [first, second], |row| row.get(0))?)
}

/// Whether a time is later than tomorrow: such a line would always count as newer than the user's own changes.
fn is_in_the_future(tx: &Transaction<'_>, time: &str) -> Result<bool> {
    let sql = "SELECT datetime(?1) > datetime('now', '+1 day')";
    let later: Option<bool> = tx.query_row(sql, [time], |row| row.get(0))?;
    Ok(later.unwrap_or(false))
}

/// The solution about the same problem, if there is one.
fn find_same_problem(
    tx: &Transaction<'_>,
    solution: &Solution,
) -> rusqlite::Result<Option<read::Row>> {
    let print = derive::problem_fingerprint(solution);
    let id: Option<String> = tx
        .prepare_cached(
            "SELECT s.id FROM solution_prints p JOIN solutions s ON s.rowid = p.rid \
             WHERE p.print = ?1 ORDER BY s.rowid LIMIT 1",
        )?
        .query_row([print], |row| row.get(0))
        .optional()?;
    let found = id
        .map(|id| read::find_by_id(tx, &id))
        .transpose()?
        .flatten();
    Ok(found.filter(|row| derive::problem_fingerprint(&row.solution) == print))
}

/// The content that replaces a solution's.
struct Content<'a> {
    to: &'a Solution,
    tags: &'a [Tagged],
    /// The time of writing; `None` means now.
    written_at: Option<&'a str>,
}

impl<'a> Content<'a> {
    fn new(to: &'a Solution, tags: &'a [Tagged]) -> Content<'a> {
        Content {
            to,
            tags,
            written_at: None,
        }
    }

    /// Sets the time at which somebody else wrote it. The time counts in the next import too: of several exports, the newest
    /// stays.
    fn written_at(self, time: &'a str) -> Content<'a> {
        Content {
            written_at: Some(time),
            ..self
        }
    }
}

fn replace_solution(
    tx: &Transaction<'_>,
    now: &read::Row,
    content: &Content<'_>,
    prepared: &DerivedData,
    vector: Vector<'_>,
) -> Result<Saved> {
    let Content {
        to,
        tags,
        written_at,
    } = *content;
    let mut names: Vec<&String> = tags.iter().map(|(name, _)| name).collect();
    names.sort();
    let mut had: Vec<&String> = now.solution.tags.iter().collect();
    had.sort();
    let old = &now.solution;
    let same = old.title == to.title
        && old.problem == to.problem
        && old.root_cause == to.root_cause
        && old.solution == to.solution
        && old.error_messages == to.error_messages
        && old.project_name == to.project_name
        && names == had;
    if same {
        return Ok(Saved::Known(old.id.clone()));
    }
    insert_version(tx, old, "update")?;
    tx.prepare_cached(
        "UPDATE solutions SET title = ?2, problem = ?3, root_cause = ?4, solution = ?5, error_messages = ?6, \
         project_name = ?7, \
         updated_at = coalesce(min(datetime(?8), CURRENT_TIMESTAMP), CURRENT_TIMESTAMP) WHERE id = ?1",
    )?
    .execute(params![
        old.id,
        to.title,
        to.problem,
        to.root_cause,
        to.solution,
        serialize_messages(to),
        to.project_name,
        written_at
    ])?;
    tx.prepare_cached("DELETE FROM solution_tags WHERE solution_id = ?1")?
        .execute([&old.id])?;
    write_tags_and_derived(tx, now.rid, &old.id, tags, prepared, vector)?;
    drop_unused_tags(tx)?;
    Ok(Saved::Updated(old.id.clone()))
}

/// Inserts the solution itself, with given times kept. Returns its row number.
pub(super) fn insert(tx: &Transaction<'_>, solution: &Solution) -> rusqlite::Result<i64> {
    let time = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    tx.prepare_cached(
        "INSERT INTO solutions(id, title, problem, root_cause, solution, error_messages, project_name, \
         created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, coalesce(?8, CURRENT_TIMESTAMP), \
         coalesce(?9, ?8, CURRENT_TIMESTAMP))",
    )?
    .execute(params![
        solution.id,
        solution.title,
        solution.problem,
        solution.root_cause,
        solution.solution,
        serialize_messages(solution),
        solution.project_name,
        time(&solution.created_at),
        time(&solution.updated_at)
    ])?;
    // The last inserted row is that of a trigger.
    tx.prepare_cached("SELECT rowid FROM solutions WHERE id = ?1")?
        .query_row([&solution.id], |row| row.get(0))
}

/// The messages in their stored form.
fn serialize_messages(solution: &Solution) -> Option<String> {
    if solution.error_messages.is_empty() {
        None
    } else {
        serde_json::to_string(&solution.error_messages).ok()
    }
}

pub(super) fn write_tags_and_derived(
    tx: &Transaction<'_>,
    rid: i64,
    id: &str,
    tags: &[Tagged],
    prepared: &DerivedData,
    vector: Vector<'_>,
) -> rusqlite::Result<()> {
    for (name, category) in tags {
        tx.prepare_cached("INSERT OR IGNORE INTO tags(name, category) VALUES (?1, ?2)")?
            .execute([name.as_str(), category.as_str()])?;
        tx.prepare_cached(
            "INSERT OR IGNORE INTO solution_tags SELECT ?1, id FROM tags WHERE name = ?2",
        )?
        .execute([id, name])?;
    }
    prepared.write_derived(tx, rid)?;
    match vector {
        Some((model, vector)) => {
            derive::write_vector(tx, rid, model, vector)?;
            tx.prepare_cached("DELETE FROM solution_pending WHERE solution_id = ?1")?
                .execute([id])?;
        }
        None => {
            tx.prepare_cached("INSERT OR REPLACE INTO solution_pending VALUES (?1, 1)")?
                .execute([id])?;
        }
    }
    Ok(())
}

fn insert_version(tx: &Transaction<'_>, solution: &Solution, why: &str) -> Result<()> {
    let body = serde_json::to_string(solution)
        .map_err(|e| crate::SolutionError::failure(format!("not JSON: {e}")))?;
    tx.prepare_cached(
        "INSERT INTO solution_versions(solution_id, version, why, body) SELECT ?1, \
         1 + coalesce((SELECT max(version) FROM solution_versions WHERE solution_id = ?1), 0), ?2, ?3",
    )?
    .execute([solution.id.as_str(), why, &body])?;
    Ok(())
}

fn drop_unused_tags(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    tx.execute(
        "DELETE FROM tags WHERE NOT EXISTS (SELECT 1 FROM solution_tags st WHERE st.tag_id = tags.id)",
        [],
    )?;
    Ok(())
}
