//! Reads the whole graph into memory without making a record of each row.

use super::{SqliteStore, rows};
use crate::{EdgeRow, NameRow, NodeFlags, Snapshot, StoreError};
use rusqlite::Connection;

/// Reads all tables in the state of one moment.
pub(super) fn read_snapshot(store: &SqliteStore) -> Result<Snapshot, StoreError> {
    let builder = store.read_consistently(|connection| {
        let mut builder = Snapshot::builder();
        for_each_name(connection, &mut |row| builder.add_node(&row))?;
        for_each_edge(connection, &mut |row| builder.add_edge(&row))?;
        let mut statement = connection
            .prepare_cached("SELECT source_id, kind, target_id, tier_code FROM relations")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            builder.add_relation(
                row.get_ref(0)?.as_str()?,
                row.get_ref(1)?.as_str()?,
                row.get_ref(2)?.as_str()?,
                rows::tier_from_code(row.get(3)?),
            );
        }
        let mut statement =
            connection.prepare_cached("SELECT path, size, stat, language FROM files")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let size = row.get::<_, i64>(1)?.max(0) as u64;
            let (path, language) = (row.get_ref(0)?.as_str()?, row.get_ref(3)?.as_str()?);
            builder.add_file(path, (size, row.get(2)?), language);
        }
        Ok(builder)
    })?;
    builder.finish()
}

/// Visits every node's name and place, in the order of the table.
pub(super) fn for_each_name(
    connection: &Connection,
    visit: &mut dyn FnMut(NameRow<'_>),
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "SELECT id, symbol, qualified_name, kind, file_path, line_start, line_end, flags FROM nodes NOT INDEXED",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        visit(NameRow {
            id: row.get_ref(0)?.as_str()?,
            symbol: row.get_ref(1)?.as_str()?,
            qualified_name: row.get_ref(2)?.as_str_or_null()?,
            kind: row.get_ref(3)?.as_str()?,
            file_path: row.get_ref(4)?.as_str()?,
            line_start: row.get(5)?,
            line_end: row.get(6)?,
            flags: NodeFlags(row.get(7)?),
        });
    }
    Ok(())
}

fn for_each_edge(
    connection: &Connection,
    visit: &mut dyn FnMut(EdgeRow<'_>),
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "SELECT source_id, target_id, edge_type, tier_code, site_code, file_path, line, \
         confidence_set, more_lines FROM edges NOT INDEXED",
    )?;
    let mut rows = statement.query([])?;
    let mut lines = Vec::new();
    while let Some(row) = rows.next()? {
        let tier = rows::tier_from_code(row.get(3)?);
        rows::decode_lines_into(row.get_ref(8)?.as_str_or_null()?, &mut lines);
        visit(EdgeRow {
            source: row.get_ref(0)?.as_str()?,
            target: row.get_ref(1)?.as_str()?,
            edge_type: rows::read_edge_type(row, 2)?,
            file: row.get_ref(5)?.as_str_or_null()?,
            line: row.get(6)?,
            tier,
            confidence: row
                .get::<_, Option<f64>>(7)?
                .unwrap_or_else(|| tier.default_confidence()),
            site: rows::site_from_code(row.get(4)?),
            more_lines: &lines,
        });
    }
    Ok(())
}
