//! Views and triggers in a store that somebody else may have written. They are programs that run with every question and every
//! save, so only those of our own schema are taken.

use super::{created_name, schema, split_statements};
use crate::error::{Result, SolutionError};
use rusqlite::Connection;
use std::collections::HashMap;
use std::path::Path;

/// The words of a statement, without its line breaks.
fn normalize(sql: &str) -> String {
    let words: Vec<&str> = sql.split_whitespace().collect();
    words.join(" ")
}

/// The triggers of our schema, by name.
fn own_triggers() -> HashMap<&'static str, String> {
    let all = split_statements(schema::ORIGINAL).chain(split_statements(schema::OURS));
    let triggers = all.filter(|statement| statement.starts_with("CREATE TRIGGER"));
    let own = triggers.filter_map(|statement| {
        let text = normalize(statement.trim_end_matches(';'));
        Some((created_name(statement)?, text))
    });
    own.collect()
}

/// Makes sure that nothing in the schema runs but what is ours.
///
/// # Errors
/// A view, or a trigger that is not one of ours to the letter.
pub(super) fn check_schema(connection: &Connection, path: &Path) -> Result<()> {
    connection.execute_batch("PRAGMA trusted_schema=OFF;")?;
    let own = own_triggers();
    let mut statement = connection.prepare(
        "SELECT type, name, coalesce(sql, '') FROM sqlite_master WHERE type IN ('view', 'trigger')",
    )?;
    let rows = statement.query_map([], |row| {
        Ok((
            row.get::<_, String>(0)?,
            row.get::<_, String>(1)?,
            row.get::<_, String>(2)?,
        ))
    })?;
    for row in rows {
        let (kind, name, sql) = row?;
        let is_own = kind == "trigger" && own.get(name.as_str()) == Some(&normalize(&sql));
        if !is_own {
            let name: String = name.chars().take(60).collect();
            let message = format!(
                "{} has a {kind} that is not Knotwork's: {name}",
                path.display()
            );
            return Err(SolutionError::failure(message).with_hint("drop it, or move the file away"));
        }
    }
    Ok(())
}
