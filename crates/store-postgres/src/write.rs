//! Writes of single records, batch imports, and edges across repositories.

use crate::PostgresStore;
use crate::client::{Client, Parameter, Transaction};
use crate::error::Failure;
use crate::rows;
use rustc_hash::FxHashSet;
use store::{Batch, BatchCount, EdgeRecord, NodeRecord, StoreError, VirtualEdgeRecord, codes};

const PUT_NODE: &str = "INSERT INTO knotwork.nodes (repo_id, id, symbol, kind, file_path, line_start, line_end, qualified_name, \
     signature, doc, flags, scip_symbol) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) \
     ON CONFLICT (repo_id, id) DO UPDATE SET symbol = $3, kind = $4, file_path = $5, line_start = $6, line_end = $7, \
     qualified_name = $8, signature = $9, doc = $10, flags = $11, scip_symbol = $12";

const PUT_EDGE: &str = "INSERT INTO knotwork.edges (repo_id, id, source_id, target_id, edge_type, tier_code, site_code, line, \
     confidence_set, file_path, more_lines) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
     ON CONFLICT (repo_id, id) DO UPDATE SET source_id = $3, target_id = $4, edge_type = $5, tier_code = $6, site_code = $7, \
     line = $8, confidence_set = $9, file_path = $10, more_lines = $11";

const ALL_VIRTUAL: &str = "SELECT id, source_repo, source_symbol, target_repo, target_symbol, edge_type, contract_type, confidence,      name_similarity, signature_similarity, contract_bonus, source_file, source_line, target_file,      target_line, operation, evidence FROM knotwork.virtual_edges WHERE repo_id = $1";
const PUT_VIRTUAL: &str = "INSERT INTO knotwork.virtual_edges (repo_id, id, source_repo, source_symbol, target_repo, target_symbol, \
     edge_type, contract_type, confidence, name_similarity, signature_similarity, contract_bonus, source_file, source_line, \
     target_file, target_line, operation, evidence) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) \
     ON CONFLICT (repo_id, id) DO UPDATE SET source_repo = $3, source_symbol = $4, target_repo = $5, target_symbol = $6, \
     edge_type = $7, contract_type = $8, confidence = $9, name_similarity = $10, signature_similarity = $11, \
     contract_bonus = $12, source_file = $13, source_line = $14, target_file = $15, target_line = $16, operation = $17, \
     evidence = $18";

fn bits(number: Option<u32>) -> Option<i32> {
    number.map(|number| number as i32)
}

fn to_smallint(code: Option<u8>) -> Option<i16> {
    code.map(i16::from)
}

/// Inserts nodes; many of them are sent at a time.
pub(crate) fn put_nodes(
    client: &mut Client,
    repository: i64,
    nodes: &[NodeRecord],
) -> Result<(), Failure> {
    let owned: Vec<_> = nodes
        .iter()
        .map(|n| (bits(n.line_start), bits(n.line_end), n.flags.0 as i32))
        .collect();
    let rows: Vec<[Parameter<'_>; 12]> = (nodes.iter().zip(&owned))
        .map(|(n, (start, end, flags))| -> [Parameter<'_>; 12] {
            [
                &repository,
                &n.id,
                &n.symbol,
                &n.kind,
                &n.file_path,
                start,
                end,
                &n.qualified_name,
                &n.signature,
                &n.doc,
                flags,
                &n.scip_symbol,
            ]
        })
        .collect();
    client.execute_each(PUT_NODE, &rows)
}

/// Inserts edges; many of them are sent at a time.
pub(crate) fn put_edges<'e>(
    client: &mut Client,
    repository: i64,
    edges: impl IntoIterator<Item = &'e EdgeRecord>,
) -> Result<(), Failure> {
    let edges: Vec<_> = edges
        .into_iter()
        .map(|e| {
            (
                e,
                i16::from(rows::type_code(e.edge_type)),
                to_smallint(codes::tier_code(e.tier)),
                to_smallint(codes::site_code(e.site)),
                bits(e.line),
                codes::confidence_to_store(e),
                codes::encode_lines(&e.more_lines),
            )
        })
        .collect();
    let rows: Vec<[Parameter<'_>; 11]> = edges
        .iter()
        .map(
            |(e, kind, tier, site, line, confidence, lines)| -> [Parameter<'_>; 11] {
                [
                    &repository,
                    &e.id,
                    &e.source_id,
                    &e.target_id,
                    kind,
                    tier,
                    site,
                    line,
                    confidence,
                    &e.file_path,
                    lines,
                ]
            },
        )
        .collect();
    client.execute_each(PUT_EDGE, &rows)
}

fn put_virtual_edges(
    client: &mut Client,
    repository: i64,
    edges: &[VirtualEdgeRecord],
) -> Result<(), Failure> {
    let lines: Vec<_> = edges
        .iter()
        .map(|e| (bits(e.detail.source_line), bits(e.detail.target_line)))
        .collect();
    let rows: Vec<[Parameter<'_>; 18]> = (edges.iter().zip(&lines))
        .map(|(e, (source_line, target_line))| -> [Parameter<'_>; 18] {
            let detail = &e.detail;
            [
                &repository,
                &e.id,
                &e.source_repo,
                &e.source_symbol,
                &e.target_repo,
                &e.target_symbol,
                &e.edge_type,
                &e.contract_type,
                &e.confidence,
                &detail.name_similarity,
                &detail.signature_similarity,
                &detail.contract_bonus,
                &detail.source_file,
                source_line,
                &detail.target_file,
                target_line,
                &detail.operation,
                &detail.evidence,
            ]
        })
        .collect();
    client.execute_each(PUT_VIRTUAL, &rows)
}

impl PostgresStore {
    pub(crate) fn write_node(&mut self, node: &NodeRecord) -> Result<(), StoreError> {
        let repository = self.repository.number;
        self.write("writing to", |transaction| {
            put_nodes(transaction, repository, std::slice::from_ref(node))
        })
    }

    pub(crate) fn write_edge(&mut self, edge: &EdgeRecord) -> Result<(), StoreError> {
        let repository = self.repository.number;
        self.write("writing to", |transaction| {
            let ends = [&*edge.source_id, &*edge.target_id];
            let there = PostgresStore::known_ids(transaction, repository, &ends)?;
            match ends.iter().find(|id| !there.contains(**id)) {
                Some(missing) => Err(StoreError::NotFound {
                    what: "node",
                    id: (*missing).to_owned(),
                }
                .into()),
                None => put_edges(transaction, repository, [edge]),
            }
        })
    }

    pub(crate) fn remove_node(&mut self, id: &str) -> Result<bool, StoreError> {
        let repository = self.repository.number;
        self.write("writing to", |transaction| {
            for sql in [
                "DELETE FROM knotwork.edges WHERE repo_id = $1 AND source_id = $2",
                "DELETE FROM knotwork.edges WHERE repo_id = $1 AND target_id = $2",
                "DELETE FROM knotwork.relations WHERE repo_id = $1 AND source_id = $2",
                "DELETE FROM knotwork.relations WHERE repo_id = $1 AND target_id = $2",
                "DELETE FROM knotwork.external_uses WHERE repo_id = $1 AND source_id = $2",
                "DELETE FROM knotwork.imports WHERE repo_id = $1 AND source_id = $2",
                "DELETE FROM knotwork.unresolved_calls WHERE repo_id = $1 AND source_id = $2",
                "DELETE FROM knotwork.marks WHERE repo_id = $1 AND source_id = $2",
                "UPDATE knotwork.imports SET target_id = NULL WHERE repo_id = $1 AND target_id = $2",
            ] {
                transaction.execute(sql, &[&repository, &id])?;
            }
            let sql = "DELETE FROM knotwork.nodes WHERE repo_id = $1 AND id = $2";
            Ok(transaction.execute(sql, &[&repository, &id])? > 0)
        })
    }

    pub(crate) fn remove_edge(&mut self, id: &str) -> Result<bool, StoreError> {
        let repository = self.repository.number;
        self.write("writing to", |transaction| {
            let sql = "DELETE FROM knotwork.edges WHERE repo_id = $1 AND id = $2";
            Ok(transaction.execute(sql, &[&repository, &id])? > 0)
        })
    }

    pub(crate) fn import_batch(&mut self, batch: &Batch) -> Result<BatchCount, StoreError> {
        let (nodes, edges) = store::batch::parse(batch)?;
        let repository = self.repository.number;
        self.write("writing to", |transaction| {
            check_batch_ends(transaction, repository, &nodes, &edges)?;
            put_nodes(transaction, repository, &nodes)?;
            put_edges(transaction, repository, &edges)
        })?;
        Ok(BatchCount {
            nodes: nodes.len(),
            edges: edges.len(),
        })
    }

    pub(crate) fn write_metadata(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        let repository = self.repository.number;
        self.write("writing to", |transaction| {
            set_metadata(transaction, repository, key, value)
        })
    }

    pub(crate) fn write_virtual_edges(
        &mut self,
        edges: &[VirtualEdgeRecord],
    ) -> Result<(), StoreError> {
        let repository = self.repository.number;
        self.write("writing to", |transaction| {
            put_virtual_edges(transaction, repository, edges)
        })
    }

    pub(crate) fn remove_virtual_edges(&mut self, ids: &[String]) -> Result<usize, StoreError> {
        let repository = self.repository.number;
        self.write("writing to", |transaction| {
            let sql = "DELETE FROM knotwork.virtual_edges WHERE repo_id = $1 AND id = ANY($2)";
            Ok(transaction.execute(sql, &[&repository, &ids])? as usize)
        })
    }
}

/// Replaces the virtual edges of a repository. Returns the rows written and removed; none if they were the same.
pub(crate) fn replace_virtual_edges(
    transaction: &mut Client,
    repository: i64,
    edges: &[VirtualEdgeRecord],
) -> Result<Option<u64>, Failure> {
    let before = transaction.query(ALL_VIRTUAL, &[&repository])?;
    let before = before.iter().map(rows::read_virtual_edge);
    let mut before = before.collect::<Result<Vec<_>, _>>()?;
    let mut wanted: Vec<VirtualEdgeRecord> = edges.to_vec();
    for all in [&mut before, &mut wanted] {
        all.sort_by(|a, b| a.id.cmp(&b.id));
    }
    wanted.dedup_by(|a, b| a.id == b.id);
    if before == wanted {
        return Ok(None);
    }
    let sql = "DELETE FROM knotwork.virtual_edges WHERE repo_id = $1";
    let removed = transaction.execute(sql, &[&repository])?;
    put_virtual_edges(transaction, repository, &wanted)?;
    Ok(Some(removed + wanted.len() as u64))
}

pub(crate) fn set_metadata(
    client: &mut Client,
    repository: i64,
    key: &str,
    value: &str,
) -> Result<(), Failure> {
    let sql = "INSERT INTO knotwork.metadata (repo_id, key, value) VALUES ($1, $2, $3) \
               ON CONFLICT (repo_id, key) DO UPDATE SET value = $3";
    client.execute(sql, &[&repository, &key, &value])?;
    Ok(())
}

fn check_batch_ends(
    transaction: &mut Transaction<'_>,
    repository: i64,
    nodes: &[NodeRecord],
    edges: &[EdgeRecord],
) -> Result<(), Failure> {
    let new: FxHashSet<&str> = nodes.iter().map(|n| n.id.as_str()).collect();
    let ends = edges.iter().flat_map(|e| [&*e.source_id, &*e.target_id]);
    let asked: Vec<&str> = ends.filter(|id| !new.contains(id)).collect();
    let there = PostgresStore::known_ids(transaction, repository, &asked)?;
    for (position, edge) in edges.iter().enumerate() {
        for (end, id) in [("source", &edge.source_id), ("target", &edge.target_id)] {
            if !new.contains(id.as_str()) && !there.contains(id) {
                return Err(StoreError::Batch {
                    what: "edge",
                    position,
                    reason: format!("{end} node not found: {id}"),
                }
                .into());
            }
        }
    }
    Ok(())
}
