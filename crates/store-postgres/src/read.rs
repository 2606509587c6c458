//! Reads the graph.

use crate::PostgresStore;
use crate::client::{Client, Extent, Parameter};
use crate::error::Failure;
use crate::rows::{self, EDGES, FILES, NODES, RELATIONS};
use base::{EdgeType, MarkKind, Tier};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use store::{
    EdgeRecord, ExternalRecord, FileRecord, ImportFlags, ImportKind, ImportRow, MarkRow, NodeFlags,
    NodeRecord, RelationRecord, Stats, StoreError, UnresolvedCallRecord, VirtualEdgeRecord, codes,
};
use tokio_postgres::Row;

pub(crate) type Read<T> = Result<T, tokio_postgres::Error>;

const EXTERNAL: &str = "SELECT u.source_id, u.package, u.symbol, u.line, u.count, n.file_path FROM knotwork.external_uses u \
     JOIN knotwork.nodes n ON n.repo_id = u.repo_id AND n.id = u.source_id WHERE u.repo_id = $1";

/// The order of edges in answers, equal to that of SQLite: missing values come first.
const EDGE_ORDER: &str = "ORDER BY file_path NULLS FIRST, line NULLS FIRST, id";

impl PostgresStore {
    /// All rows of a query as records. The first parameter is the repository.
    pub(crate) fn all<T>(
        &self,
        sql: &str,
        parameters: &[Parameter<'_>],
        read: impl Fn(&Row) -> Read<T>,
    ) -> Result<Vec<T>, StoreError> {
        self.all_of(Extent::Answer, sql, parameters, read)
    }

    /// As [`PostgresStore::all`]; `extent` says how large the answer may be.
    pub(crate) fn all_of<T>(
        &self,
        extent: Extent,
        sql: &str,
        parameters: &[Parameter<'_>],
        read: impl Fn(&Row) -> Read<T>,
    ) -> Result<Vec<T>, StoreError> {
        self.read(|client, repository| {
            let mut bound: Vec<Parameter<'_>> = vec![&repository];
            bound.extend(parameters);
            let mut all = Vec::new();
            client.visit(sql, &bound, extent, |row| {
                all.push(read(&row)?);
                Ok(())
            })?;
            Ok(all)
        })
    }

    fn first<T>(
        &self,
        sql: &str,
        parameters: &[Parameter<'_>],
        read: impl Fn(&Row) -> Read<T>,
    ) -> Result<Option<T>, StoreError> {
        Ok(self.all(sql, parameters, read)?.into_iter().next())
    }

    /// Visits the rows of a query as they arrive. If the connection is lost before a row was visited, the query is
    /// repeated.
    pub(crate) fn each(
        &self,
        sql: &str,
        visit: &mut dyn FnMut(&Row) -> Read<()>,
    ) -> Result<(), StoreError> {
        let mut seen = false;
        self.read(|client, repository| {
            if seen {
                let reason = "the connection was lost while rows were read".to_owned();
                return Err(StoreError::Unreachable {
                    server: self.pool.server().to_string(),
                    reason,
                }
                .into());
            }
            client.visit(sql, &[&repository], Extent::Repository, |row| {
                seen = true;
                Ok(visit(&row)?)
            })
        })
    }

    pub(crate) fn read_node(&self, id: &str) -> Result<Option<NodeRecord>, StoreError> {
        let sql = format!("{} AND id = $2", NODES.select());
        self.first(&sql, &[&id], rows::read_node)
    }

    pub(crate) fn read_nodes(&self, ids: &[&str]) -> Result<Vec<NodeRecord>, StoreError> {
        let sql = format!("{} AND id = ANY($2)", NODES.select());
        self.all(&sql, &[&ids], rows::read_node)
    }

    pub(crate) fn read_edge(&self, id: &str) -> Result<Option<EdgeRecord>, StoreError> {
        let sql = format!("{} AND id = $2", EDGES.select());
        self.first(&sql, &[&id], rows::read_edge)
    }

    /// Edges that have one of the nodes at that end.
    pub(crate) fn read_edges(
        &self,
        end: &str,
        ids: &[&str],
        only: Option<EdgeType>,
    ) -> Result<Vec<EdgeRecord>, StoreError> {
        let only = only.map(|t| i16::from(rows::type_code(t)));
        let typed = if only.is_some() {
            " AND edge_type = $3"
        } else {
            ""
        };
        let at = if ids.len() == 1 { "= $2" } else { "= ANY($2)" };
        let edges = EDGES.select();
        let sql = format!("{edges} AND {end} {at}{typed} {EDGE_ORDER}");
        let one = ids.first().copied().unwrap_or_default();
        let mut bound: Vec<Parameter<'_>> = Vec::with_capacity(2);
        if ids.len() == 1 {
            bound.push(&one);
        } else {
            bound.push(&ids);
        }
        bound.extend(only.as_ref().map(|t| t as Parameter<'_>));
        self.all(&sql, &bound, rows::read_edge)
    }

    pub(crate) fn read_use_count(&self, id: &str, most: usize) -> Result<usize, StoreError> {
        let sql = "SELECT count(*) FROM (SELECT 1 FROM knotwork.edges WHERE repo_id = $1 AND target_id = $2 LIMIT $3) uses";
        let counted: Option<i64> = self.first(sql, &[&id, &(most as i64)], |row| row.try_get(0))?;
        Ok(counted.unwrap_or_default() as usize)
    }

    pub(crate) fn read_symbol(&self, name: &str) -> Result<Vec<NodeRecord>, StoreError> {
        let nodes = NODES.select();
        let sql = format!("{nodes} AND symbol = $2 ORDER BY file_path, line_start NULLS FIRST, id");
        let mut found = self.all(&sql, &[&name], rows::read_node)?;
        if let Some((_, last)) = name.rsplit_once('.') {
            let tail = format!(".{name}");
            let named = self.all(&sql, &[&last], rows::read_node)?;
            found.extend(named.into_iter().filter(|n| {
                let dotted = n.qualified_name.as_deref();
                dotted.is_some_and(|q| q == name || q.ends_with(&tail))
            }));
        }
        Ok(found)
    }

    pub(crate) fn read_file_nodes(&self, path: &str) -> Result<Vec<NodeRecord>, StoreError> {
        let nodes = NODES.select();
        let sql = format!(
            "{nodes} AND file_path = $2 ORDER BY line_start NULLS FIRST, line_end DESC NULLS LAST, id"
        );
        self.all(&sql, &[&path], rows::read_node)
    }

    pub(crate) fn read_orphans(&self, most: usize) -> Result<(Vec<NodeRecord>, usize), StoreError> {
        let nodes = NODES.select();
        let defines = rows::type_code(EdgeType::Defines);
        let unused = format!(
            "flags & {} = 0 AND NOT EXISTS (SELECT 1 FROM knotwork.edges e \
             WHERE e.repo_id = $1 AND e.target_id = nodes.id AND (e.tier_code IS NULL OR \
             (e.edge_type <> {defines} AND e.source_id <> nodes.id)))",
            NodeFlags::LOCAL
        );
        let sql =
            format!("{nodes} AND {unused} ORDER BY file_path, line_start NULLS FIRST, id LIMIT $2");
        let limit = i64::try_from(most).unwrap_or(i64::MAX);
        let first = self.all_of(Extent::Repository, &sql, &[&limit], rows::read_node)?;
        if first.len() < most {
            let total = first.len();
            return Ok((first, total));
        }
        let sql = format!("SELECT count(*) FROM knotwork.nodes WHERE repo_id = $1 AND {unused}");
        let total: Option<i64> = self.first(&sql, &[], |row| row.try_get(0))?;
        Ok((first, total.unwrap_or_default() as usize))
    }

    /// Breadth first: one query reads the edges of all nodes at the same distance.
    pub(crate) fn read_path(
        &self,
        from: &str,
        to: &str,
        max_depth: u32,
        types: &[EdgeType],
    ) -> Result<Option<Vec<EdgeRecord>>, StoreError> {
        if from == to {
            return Ok(self.read_node(from)?.map(|_| Vec::new()));
        }
        let mut came_by: FxHashMap<String, EdgeRecord> = FxHashMap::default();
        let mut level = vec![from.to_owned()];
        for _ in 0..max_depth {
            let ids: Vec<&str> = level.iter().map(String::as_str).collect();
            let mut by_source: FxHashMap<String, Vec<EdgeRecord>> = FxHashMap::default();
            for edge in self.read_edges("source_id", &ids, None)? {
                let from = by_source.entry(edge.source_id.clone());
                from.or_default().push(edge);
            }
            let mut next = Vec::new();
            // In the order in which a queue would process them.
            for edge in level.iter().filter_map(|id| by_source.remove(id)).flatten() {
                let wanted = types.is_empty() || types.contains(&edge.edge_type);
                let known = edge.target_id == from || came_by.contains_key(&edge.target_id);
                if !wanted || known {
                    continue;
                }
                let target = edge.target_id.clone();
                came_by.insert(target.clone(), edge);
                if target == to {
                    return Ok(Some(walk_back(came_by, from, to)));
                }
                next.push(target);
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        Ok(None)
    }

    pub(crate) fn read_has_nodes(&self) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM knotwork.nodes WHERE repo_id = $1)";
        Ok(self.first(sql, &[], |row| row.try_get(0))?.unwrap_or(false))
    }

    pub(crate) fn read_stats(&self) -> Result<Stats, StoreError> {
        let sql = "SELECT count(*) FROM knotwork.nodes WHERE repo_id = $1";
        let nodes: Option<i64> = self.first(sql, &[], |row| row.try_get(0))?;
        let mut by_type: BTreeMap<EdgeType, u64> =
            EdgeType::ALL.into_iter().map(|t| (t, 0)).collect();
        let mut by_tier: BTreeMap<Tier, u64> = Tier::ALL.into_iter().map(|t| (t, 0)).collect();
        let sql = "SELECT edge_type, tier_code, count(*) FROM knotwork.edges WHERE repo_id = $1 GROUP BY edge_type, tier_code";
        let counted = self.all(sql, &[], |row| {
            let tier = codes::tier_from_code(rows::code(row, 1)?);
            let count: i64 = row.try_get(2)?;
            Ok((rows::type_from_code(row.try_get(0)?), tier, count as u64))
        })?;
        for (edge_type, tier, count) in counted {
            *by_type.entry(edge_type).or_default() += count;
            *by_tier.entry(tier).or_default() += count;
        }
        // The size over all repositories, since their rows share tables.
        let sql = "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::BIGINT FROM pg_class c \
                   JOIN pg_namespace s ON s.oid = c.relnamespace \
                   WHERE s.nspname = 'knotwork' AND c.relkind IN ('r', 'p') AND $1::BIGINT IS NOT NULL";
        let size: Option<i64> = self.first(sql, &[], |row| row.try_get(0))?;
        Ok(Stats {
            nodes: nodes.unwrap_or_default() as u64,
            edges: by_type.values().sum(),
            edges_by_type: by_type,
            edges_by_tier: by_tier,
            db_size_bytes: size.unwrap_or_default() as u64,
        })
    }

    pub(crate) fn read_indexed_files(&self) -> Result<BTreeMap<String, FileRecord>, StoreError> {
        let files = self.all_of(Extent::Repository, &FILES.select(), &[], rows::read_file)?;
        Ok(files.into_iter().map(|f| (f.path.clone(), f)).collect())
    }

    pub(crate) fn read_indexed_file(&self, path: &str) -> Result<Option<FileRecord>, StoreError> {
        let sql = format!("{} AND path = $2", FILES.select());
        self.first(&sql, &[&path], rows::read_file)
    }

    pub(crate) fn read_file_count(&self) -> Result<usize, StoreError> {
        let sql = "SELECT count(*) FROM knotwork.files WHERE repo_id = $1";
        let count: Option<i64> = self.first(sql, &[], |row| row.try_get(0))?;
        Ok(usize::try_from(count.unwrap_or_default()).unwrap_or_default())
    }

    pub(crate) fn read_metadata(&self, key: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT value FROM knotwork.metadata WHERE repo_id = $1 AND key = $2";
        self.first(sql, &[&key], |row| row.try_get(0))
    }

    pub(crate) fn read_relations(
        &self,
        end: &str,
        ids: &[&str],
    ) -> Result<Vec<RelationRecord>, StoreError> {
        let relations = RELATIONS.select();
        let sql = format!(
            "{relations} AND {end} = ANY($2) ORDER BY kind, source_id, target_id, coalesce(tier_code, 9), file_path"
        );
        let mut found = self.all(&sql, &[&ids], rows::read_relation)?;
        found.dedup_by(|next, kept| {
            (&next.kind, &next.source_id, &next.target_id)
                == (&kept.kind, &kept.source_id, &kept.target_id)
        });
        Ok(found)
    }

    pub(crate) fn read_unresolved(
        &self,
        name: &str,
    ) -> Result<Vec<(String, Vec<u32>)>, StoreError> {
        let sql = "SELECT n.file_path, u.lines FROM knotwork.unresolved_calls u \
                   JOIN knotwork.nodes n ON n.repo_id = u.repo_id AND n.id = u.source_id \
                   WHERE u.repo_id = $1 AND u.name = $2 ORDER BY n.file_path";
        self.all(sql, &[&name], |row| {
            Ok((row.try_get(0)?, codes::decode_lines(row.try_get(1)?)))
        })
    }

    pub(crate) fn read_unresolved_in(
        &self,
        file: &str,
    ) -> Result<Vec<(String, Vec<u32>)>, StoreError> {
        let sql = "SELECT name, lines FROM knotwork.unresolved_calls \
                   WHERE repo_id = $1 AND source_id = $2 ORDER BY name COLLATE \"C\"";
        self.all(sql, &[&file], |row| {
            Ok((row.try_get(0)?, codes::decode_lines(row.try_get(1)?)))
        })
    }

    pub(crate) fn read_externals(&self, id: &str) -> Result<Vec<ExternalRecord>, StoreError> {
        let sql = format!("{EXTERNAL} AND u.source_id = $2 ORDER BY u.package, u.symbol");
        self.all(&sql, &[&id], rows::read_external)
    }

    pub(crate) fn read_externals_of_packages(
        &self,
        wanted: &mut dyn FnMut(&str) -> bool,
    ) -> Result<Vec<ExternalRecord>, StoreError> {
        let sql = "SELECT DISTINCT package FROM knotwork.external_uses WHERE repo_id = $1";
        let mut packages: Vec<String> = self.all(sql, &[], |row| row.try_get(0))?;
        packages.retain(|package| wanted(package));
        if packages.is_empty() {
            return Ok(Vec::new());
        }
        let sql =
            format!("{EXTERNAL} AND u.package = ANY($2) ORDER BY u.package, u.symbol, u.source_id");
        self.all(&sql, &[&packages], rows::read_external)
    }

    pub(crate) fn read_virtual_edges(
        &self,
        symbol: Option<&str>,
        min_confidence: f64,
    ) -> Result<Vec<VirtualEdgeRecord>, StoreError> {
        let sql = "SELECT id, source_repo, source_symbol, target_repo, target_symbol, edge_type, contract_type, confidence, \
                   name_similarity, signature_similarity, contract_bonus, source_file, source_line, target_file, \
                   target_line, operation, evidence FROM knotwork.virtual_edges WHERE repo_id = $1 AND confidence >= $3 \
                   AND ($2::TEXT IS NULL OR source_symbol = $2 OR target_symbol = $2) ORDER BY confidence DESC, id";
        self.all(sql, &[&symbol, &min_confidence], rows::read_virtual_edge)
    }

    pub(crate) fn visit_nodes(&self, visit: &mut dyn FnMut(NodeRecord)) -> Result<(), StoreError> {
        self.each(&format!("{} ORDER BY id", NODES.select()), &mut |row| {
            visit(rows::read_node(row)?);
            Ok(())
        })
    }

    pub(crate) fn visit_edges(&self, visit: &mut dyn FnMut(EdgeRecord)) -> Result<(), StoreError> {
        self.each(&format!("{} ORDER BY id", EDGES.select()), &mut |row| {
            visit(rows::read_edge(row)?);
            Ok(())
        })
    }

    pub(crate) fn visit_relations(
        &self,
        visit: &mut dyn FnMut(RelationRecord),
    ) -> Result<(), StoreError> {
        let relations = RELATIONS.select();
        let sql = format!("{relations} ORDER BY source_id, kind, target_id, file_path");
        self.each(&sql, &mut |row| {
            visit(rows::read_relation(row)?);
            Ok(())
        })
    }

    pub(crate) fn visit_externals(
        &self,
        visit: &mut dyn FnMut(ExternalRecord),
    ) -> Result<(), StoreError> {
        let sql = format!("{EXTERNAL} ORDER BY u.source_id, u.package, u.symbol");
        self.each(&sql, &mut |row| {
            visit(rows::read_external(row)?);
            Ok(())
        })
    }

    pub(crate) fn visit_imports(
        &self,
        visit: &mut dyn FnMut(ImportRow<'_>),
    ) -> Result<(), StoreError> {
        let sql = "SELECT s.file_path, i.line, i.specifier, t.file_path, i.kind, i.names, i.flags FROM knotwork.imports i \
                   JOIN knotwork.nodes s ON s.repo_id = i.repo_id AND s.id = i.source_id \
                   LEFT JOIN knotwork.nodes t ON t.repo_id = i.repo_id AND t.id = i.target_id \
                   WHERE i.repo_id = $1 ORDER BY i.source_id, i.position";
        self.each(sql, &mut |row| {
            let kind: i16 = row.try_get(4)?;
            let kind = u8::try_from(kind).ok().and_then(ImportKind::from_code);
            let flags: i16 = row.try_get(6)?;
            if let Some(kind) = kind {
                visit(ImportRow {
                    path: row.try_get(0)?,
                    line: row.try_get::<_, i32>(1)? as u32,
                    specifier: row.try_get(2)?,
                    target: row.try_get(3)?,
                    kind,
                    names: row.try_get(5)?,
                    flags: ImportFlags(flags as u8),
                });
            }
            Ok(())
        })
    }

    pub(crate) fn visit_marks(&self, visit: &mut dyn FnMut(MarkRow<'_>)) -> Result<(), StoreError> {
        let sql = "SELECT source_id, kind, name, detail, lines FROM knotwork.marks WHERE repo_id = $1 \
                   ORDER BY source_id, kind, name, detail";
        let mut lines = Vec::new();
        self.each(sql, &mut |row| {
            let kind: i16 = row.try_get(1)?;
            codes::decode_lines_into(row.try_get(4)?, &mut lines);
            if let Some(kind) = u8::try_from(kind).ok().and_then(MarkKind::from_code) {
                visit(MarkRow {
                    source_id: row.try_get(0)?,
                    kind,
                    name: row.try_get(2)?,
                    detail: row.try_get(3)?,
                    lines: &lines,
                });
            }
            Ok(())
        })
    }

    pub(crate) fn visit_unresolved(
        &self,
        visit: &mut dyn FnMut(UnresolvedCallRecord),
    ) -> Result<(), StoreError> {
        let sql = "SELECT source_id, name, lines FROM knotwork.unresolved_calls WHERE repo_id = $1 ORDER BY source_id, name";
        self.each(sql, &mut |row| {
            visit(UnresolvedCallRecord {
                source_id: row.try_get(0)?,
                name: row.try_get(1)?,
                lines: codes::decode_lines(row.try_get(2)?),
            });
            Ok(())
        })
    }

    /// The ids that are nodes, of those given.
    pub(crate) fn known_ids(
        client: &mut Client,
        repository: i64,
        ids: &[&str],
    ) -> Result<FxHashSet<String>, Failure> {
        let sql = "SELECT id FROM knotwork.nodes WHERE repo_id = $1 AND id = ANY($2)";
        let found = client.query(sql, &[&repository, &ids])?;
        let known = found.iter().map(|row| row.try_get(0));
        Ok(known.collect::<Read<FxHashSet<String>>>()?)
    }
}

/// The path that leads to a node.
fn walk_back(mut came_by: FxHashMap<String, EdgeRecord>, from: &str, to: &str) -> Vec<EdgeRecord> {
    let mut path = Vec::new();
    let mut at = to.to_owned();
    while at != from {
        let Some(edge) = came_by.remove(&at) else {
            break;
        };
        at.clone_from(&edge.source_id);
        path.push(edge);
    }
    path.reverse();
    path
}
