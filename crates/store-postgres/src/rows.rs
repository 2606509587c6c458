//! Converts rows to records.

use crate::copy::{Rows, Table};
use base::EdgeType;
use store::codes;
use store::{
    EdgeRecord, ExternalRecord, FileRecord, ImportRecord, MarkRecord, NodeFlags, NodeRecord,
    RelationRecord, UnresolvedCallRecord, VirtualEdgeDetail, VirtualEdgeRecord,
};
use tokio_postgres::Row;

type Read<T> = Result<T, tokio_postgres::Error>;

pub(crate) const NODES: Table = Table {
    name: "nodes",
    columns: "id, symbol, kind, file_path, line_start, line_end, qualified_name, signature, doc, flags, scip_symbol",
    key: "id",
    width: 12,
};

pub(crate) const EDGES: Table = Table {
    name: "edges",
    columns: "id, source_id, target_id, edge_type, tier_code, site_code, line, confidence_set, file_path, more_lines",
    key: "id",
    width: 11,
};

pub(crate) const RELATIONS: Table = Table {
    name: "relations",
    columns: "source_id, kind, target_id, file_path, tier_code",
    key: "source_id, kind, target_id, file_path",
    width: 6,
};

pub(crate) const EXTERNAL_USES: Table = Table {
    name: "external_uses",
    columns: "source_id, package, symbol, line, count",
    key: "source_id, package, symbol",
    width: 6,
};

pub(crate) const IMPORTS: Table = Table {
    name: "imports",
    columns: "source_id, position, line, specifier, target_id, kind, names, flags",
    key: "source_id, position",
    width: 9,
};

pub(crate) const UNRESOLVED_CALLS: Table = Table {
    name: "unresolved_calls",
    columns: "source_id, name, lines",
    key: "source_id, name",
    width: 4,
};

pub(crate) const MARKS: Table = Table {
    name: "marks",
    columns: "source_id, kind, name, detail, lines",
    key: "source_id, kind, name, detail",
    width: 6,
};

pub(crate) const FILES: Table = Table {
    name: "files",
    columns: "path, language, hash, size, stat, lines, boundary, source, syntax_errors, calls, calls_resolved, \
              calls_external, output_hash, complexity",
    key: "path",
    width: 15,
};

pub(crate) fn write_node(rows: &mut Rows<'_>, n: &NodeRecord) {
    rows.begin()
        .text(&n.id)
        .text(&n.symbol)
        .text(&n.kind)
        .text(&n.file_path)
        .int_or_null(n.line_start)
        .int_or_null(n.line_end)
        .text_or_null(n.qualified_name.as_deref())
        .text_or_null(n.signature.as_deref())
        .text_or_null(n.doc.as_deref())
        .int(n.flags.0)
        .text_or_null(n.scip_symbol.as_deref());
}

pub(crate) fn write_edge(rows: &mut Rows<'_>, e: &EdgeRecord) {
    rows.begin()
        .text(&e.id)
        .text(&e.source_id)
        .text(&e.target_id)
        .short(type_code(e.edge_type))
        .short_or_null(codes::tier_code(e.tier))
        .short_or_null(codes::site_code(e.site))
        .int_or_null(e.line)
        .real_or_null(codes::confidence_to_store(e))
        .text_or_null(e.file_path.as_deref())
        .text_or_null(codes::encode_lines(&e.more_lines).as_deref());
}

pub(crate) fn write_relation(rows: &mut Rows<'_>, r: &RelationRecord) {
    rows.begin()
        .text(&r.source_id)
        .text(&r.kind)
        .text(&r.target_id)
        .text(&r.file_path)
        .short_or_null(codes::tier_code(r.tier));
}

pub(crate) fn write_import(rows: &mut Rows<'_>, position: u32, i: &ImportRecord) {
    rows.begin()
        .text(&i.source_id)
        .int(position)
        .int(i.line)
        .text(&i.specifier)
        .text_or_null(i.target_id.as_deref())
        .short(i.kind.code())
        .text(&i.names)
        .short(i.flags.0);
}

pub(crate) fn write_unresolved(rows: &mut Rows<'_>, u: &UnresolvedCallRecord) {
    let lines = codes::join_lines(&u.lines);
    rows.begin().text(&u.source_id).text(&u.name).text(&lines);
}

pub(crate) fn write_mark(rows: &mut Rows<'_>, m: &MarkRecord) {
    rows.begin()
        .text(&m.source_id)
        .short(m.kind.code())
        .text(&m.name)
        .text(&m.detail)
        .text(&codes::join_lines(&m.lines));
}

pub(crate) fn write_file(rows: &mut Rows<'_>, f: &FileRecord) {
    rows.begin()
        .text(&f.path)
        .text(&f.language)
        .text(&f.hash)
        .long(f.size as i64)
        .long(f.stat)
        .int(f.lines)
        .text(&f.role)
        .text(&f.source)
        .int(f.syntax_errors)
        .int(f.calls)
        .int(f.calls_resolved)
        .int(f.calls_external)
        .text(&f.output_hash)
        .int(f.complexity);
}

/// The stored form of an edge's type.
pub(crate) fn type_code(edge_type: EdgeType) -> u8 {
    let at = EdgeType::ALL.iter().position(|t| *t == edge_type);
    at.unwrap_or_default() as u8
}

pub(crate) fn type_from_code(code: i16) -> EdgeType {
    let known = usize::try_from(code).ok();
    let known = known.and_then(|at| EdgeType::ALL.get(at));
    // The check of the table allows no other number.
    known.copied().unwrap_or(EdgeType::Calls)
}

fn bits(number: i32) -> u32 {
    number as u32
}

fn number(row: &Row, at: usize) -> Read<u32> {
    row.try_get(at).map(bits)
}

pub(crate) fn number_or_none(row: &Row, at: usize) -> Read<Option<u32>> {
    Ok(row.try_get::<_, Option<i32>>(at)?.map(bits))
}

pub(crate) fn code(row: &Row, at: usize) -> Read<Option<i64>> {
    Ok(row.try_get::<_, Option<i16>>(at)?.map(i64::from))
}

pub(crate) fn read_node(row: &Row) -> Read<NodeRecord> {
    Ok(NodeRecord {
        id: row.try_get(0)?,
        symbol: row.try_get(1)?,
        kind: row.try_get(2)?,
        file_path: row.try_get(3)?,
        line_start: number_or_none(row, 4)?,
        line_end: number_or_none(row, 5)?,
        qualified_name: row.try_get(6)?,
        signature: row.try_get(7)?,
        doc: row.try_get(8)?,
        flags: NodeFlags(number(row, 9)?),
        scip_symbol: row.try_get(10)?,
    })
}

pub(crate) fn read_edge(row: &Row) -> Read<EdgeRecord> {
    let tier = codes::tier_from_code(code(row, 4)?);
    let confidence: Option<f64> = row.try_get(7)?;
    Ok(EdgeRecord {
        id: row.try_get(0)?,
        source_id: row.try_get(1)?,
        target_id: row.try_get(2)?,
        edge_type: type_from_code(row.try_get(3)?),
        file_path: row.try_get(8)?,
        line: number_or_none(row, 6)?,
        tier,
        confidence: confidence.unwrap_or_else(|| tier.default_confidence()),
        site: codes::site_from_code(code(row, 5)?),
        more_lines: codes::decode_lines(row.try_get(9)?),
    })
}

pub(crate) fn read_relation(row: &Row) -> Read<RelationRecord> {
    Ok(RelationRecord {
        source_id: row.try_get(0)?,
        kind: row.try_get(1)?,
        target_id: row.try_get(2)?,
        file_path: row.try_get(3)?,
        tier: codes::tier_from_code(code(row, 4)?),
    })
}

/// Reads the columns source, package, symbol, line, count and the source's file.
pub(crate) fn read_external(row: &Row) -> Read<ExternalRecord> {
    Ok(ExternalRecord {
        source_id: row.try_get(0)?,
        package: row.try_get(1)?,
        symbol: row.try_get(2)?,
        line: number(row, 3)?,
        count: number(row, 4)?,
        file_path: row.try_get(5)?,
    })
}

pub(crate) fn read_file(row: &Row) -> Read<FileRecord> {
    Ok(FileRecord {
        path: row.try_get(0)?,
        language: row.try_get(1)?,
        hash: row.try_get(2)?,
        size: row.try_get::<_, i64>(3)?.max(0) as u64,
        stat: row.try_get(4)?,
        lines: number(row, 5)?,
        role: row.try_get(6)?,
        source: row.try_get(7)?,
        syntax_errors: number(row, 8)?,
        calls: number(row, 9)?,
        calls_resolved: number(row, 10)?,
        calls_external: number(row, 11)?,
        output_hash: row.try_get(12)?,
        complexity: number(row, 13)?,
    })
}

pub(crate) fn read_virtual_edge(row: &Row) -> Read<VirtualEdgeRecord> {
    Ok(VirtualEdgeRecord {
        id: row.try_get(0)?,
        source_repo: row.try_get(1)?,
        source_symbol: row.try_get(2)?,
        target_repo: row.try_get(3)?,
        target_symbol: row.try_get(4)?,
        edge_type: row.try_get(5)?,
        contract_type: row.try_get(6)?,
        confidence: row.try_get(7)?,
        detail: VirtualEdgeDetail {
            name_similarity: row.try_get(8)?,
            signature_similarity: row.try_get(9)?,
            contract_bonus: row.try_get(10)?,
            source_file: row.try_get(11)?,
            source_line: number_or_none(row, 12)?,
            target_file: row.try_get(13)?,
            target_line: number_or_none(row, 14)?,
            operation: row.try_get(15)?,
            evidence: row.try_get(16)?,
        },
    })
}
