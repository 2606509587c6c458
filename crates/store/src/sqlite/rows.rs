//! Converts rows to records.

pub(super) use crate::codes::{
    confidence_to_store, decode_lines, decode_lines_into, encode_lines, join_lines, site_code,
    site_from_code, tier_code, tier_from_code,
};
use crate::{
    EdgeRecord, ExternalRecord, FileRecord, NodeFlags, NodeRecord, RelationRecord,
    VirtualEdgeDetail, VirtualEdgeRecord,
};
use base::EdgeType;
use rusqlite::Row;
use std::str::FromStr;

/// Columns of a node, for [`read_node`].
pub(super) const NODE: &str = "n.id, n.symbol, n.kind, n.file_path, n.line_start, n.line_end, \
     n.qualified_name, n.signature, n.doc, n.flags, n.scip_symbol";

/// Columns of an edge, for [`read_edge`].
pub(super) const EDGE: &str = "e.id, e.source_id, e.target_id, e.edge_type, e.file_path, e.line, \
     e.tier_code, e.confidence_set, e.site_code, e.more_lines";

/// Columns of a relation, for [`read_relation`].
pub(super) const RELATION: &str = "source_id, target_id, kind, file_path, tier_code";

/// Columns of an external, for [`read_external`].
pub(super) const EXTERNAL: &str = "source_id, package, symbol, file_path, line, count";

/// Inserts an import.
pub(super) const INSERT_IMPORT: &str = "INSERT INTO imports \
     (source_id, position, line, specifier, target_id, kind, names, flags) \
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

/// Inserts the unresolved calls of one name in a file.
pub(super) const INSERT_UNRESOLVED: &str =
    "INSERT OR REPLACE INTO unresolved_calls (source_id, name, lines) VALUES (?1, ?2, ?3)";

/// Inserts a mark.
pub(super) const INSERT_MARK: &str = "INSERT OR REPLACE INTO marks (source_id, kind, name, detail, lines) VALUES (?1, ?2, ?3, ?4, ?5)";

pub(super) fn read_node(row: &Row<'_>) -> rusqlite::Result<NodeRecord> {
    Ok(NodeRecord {
        id: row.get(0)?,
        symbol: row.get(1)?,
        kind: row.get(2)?,
        file_path: row.get(3)?,
        line_start: row.get(4)?,
        line_end: row.get(5)?,
        qualified_name: row.get(6)?,
        signature: row.get(7)?,
        doc: row.get(8)?,
        flags: NodeFlags(row.get(9)?),
        scip_symbol: row.get(10)?,
    })
}

pub(super) fn read_edge(row: &Row<'_>) -> rusqlite::Result<EdgeRecord> {
    let tier = tier_from_code(row.get(6)?);
    Ok(EdgeRecord {
        id: row.get(0)?,
        source_id: row.get(1)?,
        target_id: row.get(2)?,
        edge_type: read_edge_type(row, 3)?,
        file_path: row.get(4)?,
        line: row.get(5)?,
        tier,
        confidence: row
            .get::<_, Option<f64>>(7)?
            .unwrap_or_else(|| tier.default_confidence()),
        site: site_from_code(row.get(8)?),
        more_lines: decode_lines(row.get(9)?),
    })
}

pub(super) fn read_edge_type(row: &Row<'_>, column: usize) -> rusqlite::Result<EdgeType> {
    let word = row.get_ref(column)?.as_str()?;
    EdgeType::from_str(word).map_err(|e| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(e))
    })
}

pub(super) fn read_relation(row: &Row<'_>) -> rusqlite::Result<RelationRecord> {
    Ok(RelationRecord {
        source_id: row.get(0)?,
        target_id: row.get(1)?,
        kind: row.get(2)?,
        file_path: row.get(3)?,
        tier: tier_from_code(row.get(4)?),
    })
}

pub(super) fn read_external(row: &Row<'_>) -> rusqlite::Result<ExternalRecord> {
    Ok(ExternalRecord {
        source_id: row.get(0)?,
        package: row.get(1)?,
        symbol: row.get(2)?,
        file_path: row.get(3)?,
        line: row.get(4)?,
        count: row.get(5)?,
    })
}

pub(super) fn read_virtual_edge(row: &Row<'_>) -> rusqlite::Result<VirtualEdgeRecord> {
    Ok(VirtualEdgeRecord {
        id: row.get(0)?,
        source_repo: row.get(1)?,
        source_symbol: row.get(2)?,
        target_repo: row.get(3)?,
        target_symbol: row.get(4)?,
        edge_type: row.get(5)?,
        contract_type: row.get(6)?,
        confidence: row.get(7)?,
        detail: VirtualEdgeDetail {
            name_similarity: row.get(8)?,
            signature_similarity: row.get(9)?,
            contract_bonus: row.get(10)?,
            source_file: row.get(11)?,
            source_line: row.get(12)?,
            target_file: row.get(13)?,
            target_line: row.get(14)?,
            operation: row.get(15)?,
            evidence: row.get(16)?,
        },
    })
}

pub(super) fn read_file(row: &Row<'_>) -> rusqlite::Result<FileRecord> {
    Ok(FileRecord {
        path: row.get(0)?,
        language: row.get(1)?,
        hash: row.get(2)?,
        size: row.get::<_, i64>(3)?.max(0) as u64,
        stat: row.get(4)?,
        lines: row.get(5)?,
        role: row.get(6)?,
        source: row.get(7)?,
        syntax_errors: row.get(8)?,
        calls: row.get(9)?,
        calls_resolved: row.get(10)?,
        calls_external: row.get(11)?,
        output_hash: row.get(12)?,
        complexity: row.get(13)?,
    })
}
