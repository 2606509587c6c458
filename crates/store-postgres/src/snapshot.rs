//! Reads the whole graph into memory, in the state of one moment.

use crate::PostgresStore;
use crate::client::{Client, Extent};
use crate::error::Failure;
use crate::pool::BEGIN_READING;
use crate::rows;
use store::{EdgeRow, NameRow, NodeFlags, Snapshot, StoreError, codes};
use tokio_postgres::Row;

const NAME: &str = "SELECT id, symbol, qualified_name, kind, file_path, line_start, line_end, flags FROM knotwork.nodes \
     WHERE repo_id = $1";
const EDGE: &str = "SELECT source_id, target_id, edge_type, tier_code, site_code, file_path, line, confidence_set, more_lines \
     FROM knotwork.edges WHERE repo_id = $1";

impl PostgresStore {
    pub(crate) fn read_snapshot(&self) -> Result<Snapshot, StoreError> {
        let is_alone = self.read_version.is_none();
        let builder = self.read(|connection, repository| {
            if !is_alone {
                return build(connection, repository);
            }
            let mut transaction = connection.transaction_by(BEGIN_READING)?;
            build(&mut transaction, repository)
        })?;
        builder.finish()
    }

    pub(crate) fn visit_names(&self, visit: &mut dyn FnMut(NameRow<'_>)) -> Result<(), StoreError> {
        self.each(NAME, &mut |row| {
            visit(name_row(row)?);
            Ok(())
        })
    }
}

fn build(connection: &mut Client, repository: i64) -> Result<store::SnapshotBuilder, Failure> {
    let mut builder = Snapshot::builder();
    connection.visit(NAME, &[&repository], Extent::Repository, |row| {
        builder.add_node(&name_row(&row)?);
        Ok(())
    })?;
    let mut lines = Vec::new();
    connection.visit(EDGE, &[&repository], Extent::Repository, |row| {
        codes::decode_lines_into(row.try_get(8)?, &mut lines);
        let tier = codes::tier_from_code(rows::code(&row, 3)?);
        let confidence: Option<f64> = row.try_get(7)?;
        builder.add_edge(&EdgeRow {
            source: row.try_get(0)?,
            target: row.try_get(1)?,
            edge_type: rows::type_from_code(row.try_get(2)?),
            file: row.try_get(5)?,
            line: rows::number_or_none(&row, 6)?,
            tier,
            confidence: confidence.unwrap_or_else(|| tier.default_confidence()),
            site: codes::site_from_code(rows::code(&row, 4)?),
            more_lines: &lines,
        });
        Ok(())
    })?;
    let sql =
        "SELECT source_id, kind, target_id, tier_code FROM knotwork.relations WHERE repo_id = $1";
    connection.visit(sql, &[&repository], Extent::Repository, |row| {
        let tier = codes::tier_from_code(rows::code(&row, 3)?);
        builder.add_relation(row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, tier);
        Ok(())
    })?;
    let sql = "SELECT path, size, stat, language FROM knotwork.files WHERE repo_id = $1";
    connection.visit(sql, &[&repository], Extent::Repository, |row| {
        let size = row.try_get::<_, i64>(1)?.max(0) as u64;
        builder.add_file(row.try_get(0)?, (size, row.try_get(2)?), row.try_get(3)?);
        Ok(())
    })?;
    Ok(builder)
}

fn name_row(row: &Row) -> Result<NameRow<'_>, tokio_postgres::Error> {
    Ok(NameRow {
        id: row.try_get(0)?,
        symbol: row.try_get(1)?,
        qualified_name: row.try_get(2)?,
        kind: row.try_get(3)?,
        file_path: row.try_get(4)?,
        line_start: rows::number_or_none(row, 5)?,
        line_end: rows::number_or_none(row, 6)?,
        flags: NodeFlags(row.try_get::<_, i32>(7)? as u32),
    })
}
