//! Writes of single records and batch imports.

use super::SqliteStore;
use super::error::{SqlContext, sql_error};
use super::{read, rows};
use crate::{
    Batch, BatchCount, EdgeRecord, FileRecord, NodeFlags, NodeRecord, StoreError, VirtualEdgeRecord,
};
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use rustc_hash::FxHashSet;

/// Runs `work` in one write transaction.
pub(super) fn in_transaction<T>(
    store: &mut SqliteStore,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let path = store.path.clone();
    let transaction = store
        .connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .with_path(&path, "writing to")?;
    let done = work(&transaction)?;
    transaction.commit().with_path(&path, "writing to")?;
    Ok(done)
}

pub(super) fn put_node(connection: &Connection, node: &NodeRecord) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO nodes (id, symbol, kind, file_path, line_start, line_end, qualified_name, \
             signature, doc, flags, scip_symbol) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) \
             ON CONFLICT (id) DO UPDATE SET symbol = ?2, kind = ?3, file_path = ?4, line_start = ?5, \
             line_end = ?6, qualified_name = ?7, signature = ?8, doc = ?9, flags = ?10, scip_symbol = ?11",
        )?
        .execute(params![
            node.id,
            node.symbol,
            node.kind,
            node.file_path,
            node.line_start,
            node.line_end,
            node.qualified_name,
            node.signature,
            node.doc,
            node.flags.0,
            node.scip_symbol,
        ])?;
    Ok(())
}

pub(super) fn put_edge(connection: &Connection, edge: &EdgeRecord) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO edges (id, source_id, target_id, edge_type, file_path, line, tier_code, \
             site_code, confidence_set, more_lines) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) \
             ON CONFLICT (id) DO UPDATE SET source_id = ?2, target_id = ?3, edge_type = ?4, \
             file_path = ?5, line = ?6, tier_code = ?7, site_code = ?8, confidence_set = ?9, more_lines = ?10",
        )?
        .execute(params![
            edge.id,
            edge.source_id,
            edge.target_id,
            edge.edge_type.as_str(),
            edge.file_path,
            edge.line,
            rows::tier_code(edge.tier),
            rows::site_code(edge.site),
            rows::confidence_to_store(edge),
            rows::encode_lines(&edge.more_lines),
        ])?;
    Ok(())
}

/// Nodes and edges that were added by hand.
pub(super) fn read_manual_rows(
    connection: &Connection,
) -> rusqlite::Result<(Vec<NodeRecord>, Vec<EdgeRecord>)> {
    let sql = format!("SELECT {} FROM nodes n WHERE n.flags & ?1", rows::NODE);
    let mut statement = connection.prepare(&sql)?;
    let nodes = statement
        .query_map([NodeFlags::MANUAL], rows::read_node)?
        .collect::<Result<_, _>>()?;
    let sql = format!(
        "SELECT {} FROM edges e WHERE e.tier_code IS NULL",
        rows::EDGE
    );
    let mut statement = connection.prepare(&sql)?;
    let edges = statement
        .query_map([], rows::read_edge)?
        .collect::<Result<_, _>>()?;
    Ok((nodes, edges))
}

/// Restores the rows that were added by hand, except edges whose ends were removed.
pub(super) fn restore_manual_rows(
    connection: &Connection,
    nodes: &[NodeRecord],
    edges: &[EdgeRecord],
) -> rusqlite::Result<()> {
    for node in nodes {
        put_node(connection, node)?;
    }
    let mut there = connection.prepare_cached("SELECT 1 FROM nodes WHERE id = ?1")?;
    for edge in edges {
        if there.exists([&edge.source_id])? && there.exists([&edge.target_id])? {
            put_edge(connection, edge)?;
        }
    }
    Ok(())
}

pub(super) fn put_file(connection: &Connection, f: &FileRecord) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO files (path, language, hash, size, stat, lines, boundary, source, \
             syntax_errors, calls, calls_resolved, calls_external, output_hash, complexity) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        )?
        .execute(params![
            f.path,
            f.language,
            f.hash,
            f.size as i64,
            f.stat,
            f.lines,
            f.role,
            f.source,
            f.syntax_errors,
            f.calls,
            f.calls_resolved,
            f.calls_external,
            f.output_hash,
            f.complexity,
        ])?;
    Ok(())
}

pub(super) fn set_metadata(
    connection: &Connection,
    key: &str,
    value: &str,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO metadata (key, value) VALUES (?1, ?2)")?
        .execute([key, value])?;
    Ok(())
}

/// Checks that both ends of an edge are nodes.
pub(super) fn check_edge_ends(store: &SqliteStore, edge: &EdgeRecord) -> Result<(), StoreError> {
    for id in [&edge.source_id, &edge.target_id] {
        if read::node(store, id)?.is_none() {
            return Err(StoreError::NotFound {
                what: "node",
                id: id.clone(),
            });
        }
    }
    Ok(())
}

pub(super) fn delete_node(store: &mut SqliteStore, id: &str) -> Result<bool, StoreError> {
    let path = store.path.clone();
    in_transaction(store, |transaction| {
        let run = || {
            for sql in [
                "DELETE FROM edges WHERE source_id = ?1",
                "DELETE FROM edges WHERE target_id = ?1",
                "DELETE FROM relations WHERE source_id = ?1",
                "DELETE FROM relations WHERE target_id = ?1",
                "DELETE FROM external_uses WHERE source_id = ?1",
                "DELETE FROM imports WHERE source_id = ?1",
                "DELETE FROM unresolved_calls WHERE source_id = ?1",
                "DELETE FROM marks WHERE source_id = ?1",
                "UPDATE imports SET target_id = NULL WHERE target_id = ?1",
            ] {
                transaction.prepare_cached(sql)?.execute([id])?;
            }
            transaction.execute("DELETE FROM nodes WHERE id = ?1", [id])
        };
        Ok(run().with_path(&path, "writing to")? > 0)
    })
}

pub(super) fn put_virtual_edges(
    store: &mut SqliteStore,
    edges: &[VirtualEdgeRecord],
) -> Result<(), StoreError> {
    let path = store.path.clone();
    in_transaction(store, |transaction| {
        edges
            .iter()
            .try_for_each(|e| put_virtual_edge(transaction, e))
            .with_path(&path, "writing to")
    })
}

pub(super) fn put_virtual_edge(
    connection: &Connection,
    edge: &VirtualEdgeRecord,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO virtual_edges (id, source_repo, source_symbol, target_repo, target_symbol, \
             edge_type, contract_type, confidence, name_similarity, signature_similarity, contract_bonus, \
             source_file, source_line, target_file, target_line, operation, evidence) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17) \
             ON CONFLICT (id) DO UPDATE SET source_repo = ?2, source_symbol = ?3, target_repo = ?4, \
             target_symbol = ?5, edge_type = ?6, contract_type = ?7, confidence = ?8, \
             name_similarity = ?9, signature_similarity = ?10, contract_bonus = ?11, source_file = ?12, \
             source_line = ?13, target_file = ?14, target_line = ?15, operation = ?16, evidence = ?17, \
             updated_at = datetime('now')",
        )?
        .execute(params![
            edge.id,
            edge.source_repo,
            edge.source_symbol,
            edge.target_repo,
            edge.target_symbol,
            edge.edge_type,
            edge.contract_type,
            edge.confidence,
            edge.detail.name_similarity,
            edge.detail.signature_similarity,
            edge.detail.contract_bonus,
            edge.detail.source_file,
            edge.detail.source_line,
            edge.detail.target_file,
            edge.detail.target_line,
            edge.detail.operation,
            edge.detail.evidence,
        ])?;
    Ok(())
}

pub(super) fn delete_virtual_edges(
    store: &mut SqliteStore,
    ids: &[String],
) -> Result<usize, StoreError> {
    let path = store.path.clone();
    in_transaction(store, |transaction| {
        let run = || {
            let mut statement =
                transaction.prepare_cached("DELETE FROM virtual_edges WHERE id = ?1")?;
            ids.iter()
                .try_fold(0, |n, id| Ok(n + statement.execute([id])?))
        };
        run().with_path(&path, "writing to")
    })
}

pub(super) fn batch_import(
    store: &mut SqliteStore,
    batch: &Batch,
) -> Result<BatchCount, StoreError> {
    let (nodes, edges) = crate::batch::parse(batch)?;
    check_batch_ends(store, &nodes, &edges)?;
    let path = store.path.clone();
    in_transaction(store, |transaction| {
        put_all("node", &nodes, |n| put_node(transaction, n), &path)?;
        put_all("edge", &edges, |e| put_edge(transaction, e), &path)
    })?;
    Ok(BatchCount {
        nodes: nodes.len(),
        edges: edges.len(),
    })
}

fn put_all<T>(
    what: &'static str,
    records: &[T],
    put: impl Fn(&T) -> rusqlite::Result<()>,
    path: &std::path::Path,
) -> Result<(), StoreError> {
    for (position, record) in records.iter().enumerate() {
        put(record).map_err(|error| match sql_error(path, "writing to", &error) {
            StoreError::Backend { .. } if is_constraint(&error) => StoreError::Batch {
                what,
                position,
                reason: error.to_string(),
            },
            other => other,
        })?;
    }
    Ok(())
}

fn is_constraint(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation)
}

fn check_batch_ends(
    store: &SqliteStore,
    nodes: &[NodeRecord],
    edges: &[EdgeRecord],
) -> Result<(), StoreError> {
    let mut known: FxHashSet<&str> = nodes.iter().map(|n| n.id.as_str()).collect();
    for (position, edge) in edges.iter().enumerate() {
        for (end, id) in [("source", &edge.source_id), ("target", &edge.target_id)] {
            if known.contains(id.as_str()) {
                continue;
            }
            if read::node(store, id)?.is_none() {
                return Err(StoreError::Batch {
                    what: "edge",
                    position,
                    reason: format!("{end} node not found: {id}"),
                });
            }
            known.insert(id);
        }
    }
    Ok(())
}
