//! A check for code in a store that somebody else may have written: views, triggers, computed columns, indexes over expressions,
//! computing defaults and checks, virtual tables. Such code runs with every question or save, so only our own schema's is
//! accepted.

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

/// Makes sure that only our own code runs in the schema.
///
/// # Errors
/// A view, a trigger that is not exactly one of ours, or anything else that computes.
pub(super) fn check_schema(connection: &Connection, path: &Path) -> Result<()> {
    connection.execute_batch("PRAGMA trusted_schema=OFF;")?;
    let refuse = |kind: &str, name: &str| {
        let name: String = name.chars().take(60).collect();
        let message = format!(
            "{} has a {kind} that is not Knotwork's: {name}",
            path.display()
        );
        Err(SolutionError::failure(message)
            .with_hint("drop it from the database, or move the file"))
    };
    let own = own_triggers();
    let mut statement =
        connection.prepare("SELECT type, name, coalesce(sql, '') FROM sqlite_master")?;
    let rows = statement.query_map([], |row| {
        Ok((
            row.get::<_, String>(0)?,
            row.get::<_, String>(1)?,
            row.get::<_, String>(2)?,
        ))
    })?;
    for row in rows {
        let (kind, name, sql) = row?;
        let computes = match kind.as_str() {
            "table" if is_virtual(&sql) => !is_own_virtual_table(&name, &sql),
            "table" => table_computes(connection, &name, &sql)?,
            "index" => index_computes(connection, &name, &sql)?,
            "trigger" => own.get(name.as_str()) != Some(&normalize(&sql)),
            _ => true,
        };
        if computes {
            let kind = match kind.as_str() {
                "table" => "table with computed values",
                "index" => "index over computed values",
                kind => kind,
            };
            return refuse(kind, &name);
        }
    }
    Ok(())
}

fn is_virtual(sql: &str) -> bool {
    normalize(sql)
        .to_ascii_uppercase()
        .starts_with("CREATE VIRTUAL TABLE")
}

fn is_own_virtual_table(name: &str, sql: &str) -> bool {
    let is_own = matches!(name, "solutions_fts" | "solution_words");
    is_own && normalize(sql).to_ascii_lowercase().contains(" using fts5(")
}

/// Whether a table has a computed column, or a default or a check that computes.
fn table_computes(connection: &Connection, name: &str, sql: &str) -> Result<bool> {
    let mut columns =
        connection.prepare("SELECT hidden, dflt_value FROM pragma_table_xinfo(?1)")?;
    let mut rows = columns.query([name])?;
    while let Some(row) = rows.next()? {
        let is_computed = row.get::<_, i64>(0)? > 1;
        let default: Option<String> = row.get(1)?;
        if is_computed || default.is_some_and(|text| text.contains('(')) {
            return Ok(true);
        }
    }
    // The word may also be in a comment or a name. None of our tables has a check.
    let lower = normalize(sql).to_ascii_lowercase();
    Ok(lower.contains("check (") || lower.contains("check("))
}

/// Whether an index is over an expression or has a condition.
fn index_computes(connection: &Connection, name: &str, sql: &str) -> Result<bool> {
    const EXPRESSION: i64 = -2;
    let mut columns = connection.prepare("SELECT cid FROM pragma_index_xinfo(?1)")?;
    let mut rows = columns.query([name])?;
    while let Some(row) = rows.next()? {
        if row.get::<_, i64>(0)? == EXPRESSION {
            return Ok(true);
        }
    }
    Ok(normalize(sql).to_ascii_lowercase().contains(" where "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(statement: &str) -> Result<()> {
        let connection = Connection::open_in_memory().unwrap();
        let own = [schema::ORIGINAL, schema::OURS].concat();
        connection.execute_batch(&own).unwrap();
        connection.execute_batch(statement).unwrap();
        check_schema(&connection, Path::new("store.db"))
    }

    #[test]
    fn only_programs_of_our_own_schema_are_taken() {
        assert!(check("").is_ok());
        assert!(check("CREATE TABLE other (a TEXT DEFAULT 'x', b INTEGER UNIQUE)").is_ok());
        for foreign in [
            "CREATE VIEW v AS SELECT 1",
            "CREATE TRIGGER t AFTER INSERT ON tags BEGIN SELECT 1; END",
            "ALTER TABLE solutions ADD COLUMN more TEXT GENERATED ALWAYS AS (hex(title)) VIRTUAL",
            "CREATE TABLE other (a TEXT, b TEXT AS (hex(a)) STORED)",
            "CREATE TABLE other (a TEXT DEFAULT (hex(zeroblob(9))))",
            "CREATE TABLE other (a TEXT CHECK (length(a) > 1))",
            "CREATE INDEX i ON solutions(hex(title))",
            "CREATE INDEX i ON solutions(title) WHERE title > 'a'",
            "CREATE VIRTUAL TABLE other USING fts5(a)",
        ] {
            let error = check(foreign).unwrap_err();
            assert!(error.to_string().contains("not Knotwork's"), "{foreign}");
        }
    }
}
