//! Reading the graph.

use super::error::SqlContext;
use super::rows;
use super::{Outgoing, SqliteStore};
use crate::{
    EdgeRecord, ExternalRecord, FileRecord, ImportFlags, ImportKind, ImportRow, MarkRow, NameRow,
    NodeFlags, NodeRecord, RelationRecord, Stats, StoreError, UnresolvedCallRecord, UseRow,
    VirtualEdgeRecord,
};
use base::{EdgeType, MarkKind, Tier};
use rusqlite::{OptionalExtension, Params, Row};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

/// All rows of a query as records.
fn query_all<T>(
    store: &SqliteStore,
    sql: &str,
    params: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, StoreError> {
    let run = || -> rusqlite::Result<Vec<T>> {
        let mut statement = store.connection.prepare_cached(sql)?;
        statement.query_map(params, read)?.collect()
    };
    run().with_path(&store.path, "reading")
}

/// The first row of a query, if there is one.
fn query_first<T>(
    store: &SqliteStore,
    sql: &str,
    params: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, StoreError> {
    let run = || {
        let mut statement = store.connection.prepare_cached(sql)?;
        statement.query_row(params, read).optional()
    };
    run().with_path(&store.path, "reading")
}

/// Visits every row of a query without collecting them.
fn query_each<T>(
    store: &SqliteStore,
    sql: &str,
    read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    visit: &mut dyn FnMut(T),
) -> Result<(), StoreError> {
    let mut run = || {
        let mut statement = store.connection.prepare_cached(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            visit(read(row)?);
        }
        Ok(())
    };
    run().with_path(&store.path, "reading")
}

pub(super) fn node(store: &SqliteStore, id: &str) -> Result<Option<NodeRecord>, StoreError> {
    let sql = format!("SELECT {} FROM nodes n WHERE n.id = ?1", rows::NODE);
    query_first(store, &sql, [id], rows::read_node)
}

pub(super) fn edge(store: &SqliteStore, id: &str) -> Result<Option<EdgeRecord>, StoreError> {
    let sql = format!("SELECT {} FROM edges e WHERE e.id = ?1", rows::EDGE);
    query_first(store, &sql, [id], rows::read_edge)
}

pub(super) fn edges(
    store: &SqliteStore,
    end: &str,
    id: &str,
    only: Option<EdgeType>,
) -> Result<Vec<EdgeRecord>, StoreError> {
    // The plus keeps the planner from using the index of types, which excludes few rows.
    let sql = format!(
        "SELECT {} FROM edges e WHERE e.{end} = ?1 AND (?2 IS NULL OR +e.edge_type = ?2) \
         ORDER BY e.file_path, e.line, e.id",
        rows::EDGE
    );
    query_all(
        store,
        &sql,
        (id, only.map(EdgeType::as_str)),
        rows::read_edge,
    )
}

/// Uses only the index of targets.
pub(super) fn count_uses(store: &SqliteStore, id: &str, most: usize) -> Result<usize, StoreError> {
    let sql = "SELECT COUNT(*) FROM (SELECT 1 FROM edges e WHERE e.target_id = ?1 LIMIT ?2)";
    let counted = query_all(store, sql, (id, most as i64), |row| row.get::<_, i64>(0))?;
    Ok(counted.first().map_or(0, |count| *count as usize))
}

pub(super) fn find_symbol(store: &SqliteStore, name: &str) -> Result<Vec<NodeRecord>, StoreError> {
    let sql = format!(
        "SELECT {} FROM nodes n WHERE n.symbol = ?1 ORDER BY n.file_path, n.line_start, n.id",
        rows::NODE
    );
    let mut found = query_all(store, &sql, [name], rows::read_node)?;
    if let Some((_, last)) = name.rsplit_once('.') {
        let tail = format!(".{name}");
        let ends_so = |n: &NodeRecord| {
            n.qualified_name
                .as_deref()
                .is_some_and(|q| q == name || q.ends_with(&tail))
        };
        found.extend(
            query_all(store, &sql, [last], rows::read_node)?
                .into_iter()
                .filter(ends_so),
        );
    }
    Ok(found)
}

pub(super) fn find_file(store: &SqliteStore, path: &str) -> Result<Vec<NodeRecord>, StoreError> {
    let sql = format!(
        "SELECT {} FROM nodes n WHERE n.file_path = ?1 ORDER BY n.line_start, n.line_end DESC, n.id",
        rows::NODE
    );
    query_all(store, &sql, [path], rows::read_node)
}

/// See [`SqliteStore::outgoing_edges`].
pub(super) fn outgoing_edges(store: &SqliteStore, path: &str) -> Result<Vec<Outgoing>, StoreError> {
    let sql = "SELECT e.source_id, e.target_id, e.edge_type, e.site_code, t.file_path FROM nodes s \
               JOIN edges e ON e.source_id = s.id JOIN nodes t ON t.id = e.target_id \
               WHERE s.file_path = ?1 AND e.tier_code IS NOT NULL";
    query_all(store, sql, [path], |row| {
        Ok(Outgoing {
            source_id: row.get(0)?,
            target_id: row.get(1)?,
            edge_type: rows::read_edge_type(row, 2)?,
            site: rows::site_from_code(row.get(3)?),
            target_path: row.get(4)?,
        })
    })
}

/// The first nodes without uses, and the number of all. Containment edges of the indexer, and edges from a symbol to itself, do
/// not count as uses.
pub(super) fn orphans(
    store: &SqliteStore,
    most: usize,
) -> Result<(Vec<NodeRecord>, usize), StoreError> {
    let sql = format!(
        "SELECT {} FROM nodes n WHERE n.flags & ?1 = 0 AND NOT EXISTS (\
         SELECT 1 FROM edges e WHERE e.target_id = n.id AND (e.tier_code IS NULL OR \
         (e.edge_type <> 'DEFINES' AND e.source_id <> n.id))) ORDER BY n.file_path, n.line_start, n.id",
        rows::NODE
    );
    let run = || -> rusqlite::Result<(Vec<NodeRecord>, usize)> {
        let mut statement = store.connection.prepare_cached(&sql)?;
        let mut rows = statement.query([NodeFlags::LOCAL])?;
        let (mut first, mut total) = (Vec::new(), 0);
        while let Some(row) = rows.next()? {
            total += 1;
            if first.len() < most {
                first.push(rows::read_node(row)?);
            }
        }
        Ok((first, total))
    };
    run().with_path(&store.path, "reading")
}

pub(super) fn shortest_path(
    store: &SqliteStore,
    from: &str,
    to: &str,
    max_depth: u32,
    types: &[EdgeType],
) -> Result<Option<Vec<EdgeRecord>>, StoreError> {
    if from == to {
        return Ok(node(store, from)?.map(|_| Vec::new()));
    }
    let mut came_by: FxHashMap<String, Option<EdgeRecord>> = FxHashMap::default();
    came_by.insert(from.to_owned(), None);
    let mut queue = VecDeque::from([(from.to_owned(), 0)]);
    while let Some((at, depth)) = queue.pop_front() {
        if depth == max_depth {
            continue;
        }
        for edge in edges(store, "source_id", &at, None)? {
            let wanted = types.is_empty() || types.contains(&edge.edge_type);
            if !wanted || came_by.contains_key(&edge.target_id) {
                continue;
            }
            let next = edge.target_id.clone();
            came_by.insert(next.clone(), Some(edge));
            if next == to {
                return Ok(Some(reconstruct_path(&mut came_by, to)));
            }
            queue.push_back((next, depth + 1));
        }
    }
    Ok(None)
}

fn reconstruct_path(
    came_by: &mut FxHashMap<String, Option<EdgeRecord>>,
    to: &str,
) -> Vec<EdgeRecord> {
    let mut path = Vec::new();
    let mut at = to.to_owned();
    while let Some(edge) = came_by.remove(&at).flatten() {
        at.clone_from(&edge.source_id);
        path.push(edge);
    }
    path.reverse();
    path
}

pub(super) fn node_and_edge_counts(store: &SqliteStore) -> Result<(u64, u64), StoreError> {
    let count = |sql| query_first(store, sql, [], |r| r.get::<_, i64>(0));
    let nodes = count("SELECT count(*) FROM nodes")?;
    let edges = count("SELECT count(*) FROM edges")?;
    Ok((
        nodes.unwrap_or_default() as u64,
        edges.unwrap_or_default() as u64,
    ))
}

pub(super) fn stats(store: &SqliteStore) -> Result<Stats, StoreError> {
    let nodes = query_first(store, "SELECT count(*) FROM nodes", [], |r| {
        r.get::<_, i64>(0)
    })?;
    let mut by_type: BTreeMap<EdgeType, u64> = EdgeType::ALL.into_iter().map(|t| (t, 0)).collect();
    let counted = query_all(
        store,
        "SELECT edge_type, count(*) FROM edges GROUP BY edge_type",
        [],
        |r| Ok((rows::read_edge_type(r, 0)?, r.get::<_, i64>(1)?)),
    )?;
    by_type.extend(counted.into_iter().map(|(t, n)| (t, n as u64)));
    let mut by_tier: BTreeMap<Tier, u64> = Tier::ALL.into_iter().map(|t| (t, 0)).collect();
    let counted = query_all(
        store,
        "SELECT tier_code, count(*) FROM edges GROUP BY tier_code",
        [],
        |r| Ok((rows::tier_from_code(r.get(0)?), r.get::<_, i64>(1)?)),
    )?;
    by_tier.extend(counted.into_iter().map(|(t, n)| (t, n as u64)));
    Ok(Stats {
        nodes: nodes.unwrap_or_default() as u64,
        edges: by_type.values().sum(),
        edges_by_type: by_type,
        edges_by_tier: by_tier,
        db_size_bytes: size_on_disk(&store.path),
    })
}

fn size_on_disk(path: &Path) -> u64 {
    let size = |p: &Path| p.metadata().map_or(0, |m| m.len());
    let mut wal = path.as_os_str().to_owned();
    wal.push("-wal");
    size(path) + size(Path::new(&wal))
}

/// The number of files, by the names of their languages.
pub(super) fn files_by_language(
    store: &SqliteStore,
) -> Result<BTreeMap<String, usize>, StoreError> {
    let sql = "SELECT language, COUNT(*) FROM files GROUP BY language";
    let counts = query_all(store, sql, [], |row| {
        let count: i64 = row.get(1)?;
        Ok((row.get(0)?, usize::try_from(count).unwrap_or_default()))
    })?;
    Ok(counts.into_iter().collect())
}

/// Paths of files, a part of which could not be read.
pub(super) fn files_with_syntax_errors(store: &SqliteStore) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT path FROM files WHERE syntax_errors > 0 ORDER BY path";
    query_all(store, sql, [], |row| row.get(0))
}

pub(super) fn indexed_files(
    store: &SqliteStore,
) -> Result<BTreeMap<String, FileRecord>, StoreError> {
    let sql = "SELECT path, language, hash, size, stat, lines, boundary, source, syntax_errors, \
               calls, calls_resolved, calls_external, output_hash, complexity FROM files";
    let files = query_all(store, sql, [], rows::read_file)?;
    Ok(files.into_iter().map(|f| (f.path.clone(), f)).collect())
}

pub(super) fn file_record(
    store: &SqliteStore,
    path: &str,
) -> Result<Option<FileRecord>, StoreError> {
    let sql = "SELECT path, language, hash, size, stat, lines, boundary, source, syntax_errors, \
               calls, calls_resolved, calls_external, output_hash, complexity FROM files WHERE path = ?1";
    query_first(store, sql, [path], rows::read_file)
}

pub(super) fn file_count(store: &SqliteStore) -> Result<usize, StoreError> {
    let count = query_first(store, "SELECT COUNT(*) FROM files", [], |r| {
        r.get::<_, i64>(0)
    })?;
    Ok(usize::try_from(count.unwrap_or_default()).unwrap_or_default())
}

pub(super) fn has_nodes(store: &SqliteStore) -> Result<bool, StoreError> {
    let found = query_first(store, "SELECT EXISTS (SELECT 1 FROM nodes)", [], |r| {
        r.get(0)
    })?;
    Ok(found.unwrap_or(false))
}

pub(super) fn data_version(store: &SqliteStore) -> Result<i64, StoreError> {
    let version = query_first(store, "PRAGMA data_version", [], |r| r.get(0))?;
    Ok(version.unwrap_or_default())
}

pub(super) fn for_each_file_stamp(
    store: &SqliteStore,
    visit: &mut dyn FnMut(&str, u64, i64),
) -> Result<(), StoreError> {
    let mut run = || {
        let sql = "SELECT path, size, stat FROM files ORDER BY path";
        let mut statement = store.connection.prepare_cached(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let size = row.get::<_, i64>(1)?.max(0) as u64;
            visit(row.get_ref(0)?.as_str()?, size, row.get(2)?);
        }
        Ok(())
    };
    run().with_path(&store.path, "reading")
}

pub(super) fn metadata(store: &SqliteStore, key: &str) -> Result<Option<String>, StoreError> {
    let sql = "SELECT value FROM metadata WHERE key = ?1";
    let value = query_first(store, sql, [key], |r| r.get::<_, Option<String>>(0))?;
    Ok(value.flatten())
}

pub(super) fn relations(
    store: &SqliteStore,
    end: &str,
    id: &str,
) -> Result<Vec<RelationRecord>, StoreError> {
    let sql = format!(
        "SELECT {} FROM relations WHERE {end} = ?1 \
         ORDER BY kind, source_id, target_id, coalesce(tier_code, 9), file_path",
        rows::RELATION
    );
    let mut found: Vec<RelationRecord> = query_all(store, &sql, [id], rows::read_relation)?;
    found.dedup_by(|next, kept| {
        (&next.kind, &next.source_id, &next.target_id)
            == (&kept.kind, &kept.source_id, &kept.target_id)
    });
    Ok(found)
}

pub(super) fn unresolved_calls(
    store: &SqliteStore,
    name: &str,
) -> Result<Vec<(String, Vec<u32>)>, StoreError> {
    let sql = "SELECT n.file_path, u.lines FROM unresolved_calls u JOIN nodes n ON n.id = u.source_id \
               WHERE u.name = ?1 ORDER BY n.file_path";
    query_all(store, sql, [name], read_call_lines)
}

pub(super) fn unresolved_calls_in(
    store: &SqliteStore,
    file: &str,
) -> Result<Vec<(String, Vec<u32>)>, StoreError> {
    let sql = "SELECT name, lines FROM unresolved_calls WHERE source_id = ?1 ORDER BY name";
    query_all(store, sql, [file], read_call_lines)
}

/// A text and the lines of calls.
fn read_call_lines(row: &rusqlite::Row<'_>) -> rusqlite::Result<(String, Vec<u32>)> {
    let mut lines = Vec::new();
    rows::decode_lines_into(row.get_ref(1)?.as_str_or_null()?, &mut lines);
    Ok((row.get(0)?, lines))
}

pub(super) fn externals_of(
    store: &SqliteStore,
    id: &str,
) -> Result<Vec<ExternalRecord>, StoreError> {
    let sql = format!(
        "SELECT {} FROM externals WHERE source_id = ?1 ORDER BY package, symbol",
        rows::EXTERNAL
    );
    query_all(store, &sql, [id], rows::read_external)
}

pub(super) fn virtual_edges(
    store: &SqliteStore,
    symbol: Option<&str>,
    min_confidence: f64,
) -> Result<Vec<VirtualEdgeRecord>, StoreError> {
    query_all(
        store,
        "SELECT id, source_repo, source_symbol, target_repo, target_symbol, edge_type, contract_type, \
         confidence, name_similarity, signature_similarity, contract_bonus, source_file, source_line, \
         target_file, target_line, operation, evidence FROM virtual_edges \
         WHERE confidence >= ?2 AND (?1 IS NULL OR source_symbol = ?1 OR target_symbol = ?1) \
         ORDER BY confidence DESC, id",
        (symbol, min_confidence),
        rows::read_virtual_edge,
    )
}

pub(super) fn for_each_relation(
    store: &SqliteStore,
    visit: &mut dyn FnMut(RelationRecord),
) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT {} FROM relations ORDER BY source_id, kind, target_id, file_path",
        rows::RELATION
    );
    query_each(store, &sql, rows::read_relation, visit)
}

/// There are few symbols and many uses, so the packages are selected first.
pub(super) fn externals_of_packages(
    store: &SqliteStore,
    wanted: &mut dyn FnMut(&str) -> bool,
) -> Result<Vec<ExternalRecord>, StoreError> {
    let sql = "SELECT id, package FROM external_symbols ORDER BY id";
    let symbols: Vec<(i64, String)> = query_all(store, sql, [], |r| Ok((r.get(0)?, r.get(1)?)))?;
    let chosen: Vec<i64> = symbols
        .into_iter()
        .filter(|(_, package)| wanted(package))
        .map(|(id, _)| id)
        .collect();
    if chosen.is_empty() {
        return Ok(Vec::new());
    }
    let sql = "SELECT u.source_id, s.package, s.symbol, n.file_path, u.line, u.count FROM external_uses u \
               JOIN external_symbols s ON s.id = u.external_id JOIN nodes n ON n.id = u.source_id \
               WHERE u.external_id IN (SELECT value FROM json_each(?1)) \
               ORDER BY s.package, s.symbol, u.source_id";
    let ids = serde_json::to_string(&chosen).unwrap_or_default();
    query_all(store, sql, [ids], rows::read_external)
}

pub(super) fn for_each_external(
    store: &SqliteStore,
    visit: &mut dyn FnMut(ExternalRecord),
) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT {} FROM externals ORDER BY source_id, package, symbol",
        rows::EXTERNAL
    );
    query_each(store, &sql, rows::read_external, visit)
}

/// Visits uses in the order of the table, without a record for each row.
pub(super) fn for_each_use(
    store: &SqliteStore,
    visit: &mut dyn FnMut(UseRow<'_>),
) -> Result<(), StoreError> {
    store.read_consistently(|connection| {
        let mut named: FxHashMap<i64, (String, String)> = FxHashMap::default();
        let mut symbols =
            connection.prepare_cached("SELECT id, package, symbol FROM external_symbols")?;
        let mut rows = symbols.query([])?;
        while let Some(row) = rows.next()? {
            named.insert(row.get(0)?, (row.get(1)?, row.get(2)?));
        }
        let mut uses = connection
            .prepare_cached("SELECT source_id, external_id, line, count FROM external_uses")?;
        let mut rows = uses.query([])?;
        while let Some(row) = rows.next()? {
            let Some((package, symbol)) = named.get(&row.get(1)?) else {
                continue;
            };
            visit(UseRow {
                source_id: row.get_ref(0)?.as_str()?,
                package,
                symbol,
                line: row.get(2)?,
                count: row.get(3)?,
            });
        }
        Ok(())
    })
}

/// Visits imports in the order of the table; the path of each file is looked up once.
pub(super) fn for_each_import(
    store: &SqliteStore,
    visit: &mut dyn FnMut(ImportRow<'_>),
) -> Result<(), StoreError> {
    store.read_consistently(|connection| {
        let mut paths: FxHashMap<String, Option<String>> = FxHashMap::default();
        let mut path_of = connection.prepare_cached("SELECT file_path FROM nodes WHERE id = ?1")?;
        let mut imports = connection.prepare_cached(
            "SELECT source_id, line, specifier, target_id, kind, names, flags FROM imports \
             ORDER BY source_id, position",
        )?;
        let mut rows = imports.query([])?;
        while let Some(row) = rows.next()? {
            let (source, target) = (row.get_ref(0)?.as_str()?, row.get_ref(3)?.as_str_or_null()?);
            for id in std::iter::once(source).chain(target) {
                if !paths.contains_key(id) {
                    let path: Option<String> =
                        path_of.query_row([id], |row| row.get(0)).optional()?;
                    paths.insert(id.to_owned(), path);
                }
            }
            let path = |id: &str| paths.get(id)?.as_deref();
            let (Some(from), Some(kind)) = (path(source), ImportKind::from_code(row.get(4)?))
            else {
                continue;
            };
            visit(ImportRow {
                path: from,
                line: row.get(1)?,
                specifier: row.get_ref(2)?.as_str()?,
                target: target.and_then(path),
                kind,
                names: row.get_ref(5)?.as_str()?,
                flags: ImportFlags(row.get(6)?),
            });
        }
        Ok(())
    })
}

/// Visits unresolved calls in the order of the table.
pub(super) fn for_each_unresolved(
    store: &SqliteStore,
    visit: &mut dyn FnMut(UnresolvedCallRecord),
) -> Result<(), StoreError> {
    let sql = "SELECT source_id, name, lines FROM unresolved_calls ORDER BY source_id, name";
    let read = |row: &Row<'_>| {
        Ok(UnresolvedCallRecord {
            source_id: row.get(0)?,
            name: row.get(1)?,
            lines: rows::decode_lines(row.get(2)?),
        })
    };
    query_each(store, sql, read, visit)
}

/// Visits marks in the order of the table.
pub(super) fn for_each_mark(
    store: &SqliteStore,
    visit: &mut dyn FnMut(MarkRow<'_>),
) -> Result<(), StoreError> {
    store.read_consistently(|connection| {
        let mut marks = connection.prepare_cached(
            "SELECT source_id, kind, name, detail, lines FROM marks ORDER BY source_id, kind, name, detail",
        )?;
        let mut found = marks.query([])?;
        let mut lines = Vec::new();
        while let Some(row) = found.next()? {
            let Some(kind) = MarkKind::from_code(row.get(1)?) else {
                continue;
            };
            rows::decode_lines_into(row.get_ref(4)?.as_str_or_null()?, &mut lines);
            visit(MarkRow {
                source_id: row.get_ref(0)?.as_str()?,
                kind,
                name: row.get_ref(2)?.as_str()?,
                detail: row.get_ref(3)?.as_str()?,
                lines: &lines,
            });
        }
        Ok(())
    })
}

pub(super) fn for_each_node(
    store: &SqliteStore,
    visit: &mut dyn FnMut(NodeRecord),
) -> Result<(), StoreError> {
    let sql = format!("SELECT {} FROM nodes n ORDER BY n.id", rows::NODE);
    query_each(store, &sql, rows::read_node, visit)
}

/// Visits names in the order of the table, without a record for each row.
pub(super) fn for_each_name(
    store: &SqliteStore,
    visit: &mut dyn FnMut(NameRow<'_>),
) -> Result<(), StoreError> {
    super::snapshot::for_each_name(&store.connection, visit).with_path(&store.path, "reading")
}

pub(super) fn for_each_edge(
    store: &SqliteStore,
    visit: &mut dyn FnMut(EdgeRecord),
) -> Result<(), StoreError> {
    let sql = format!("SELECT {} FROM edges e ORDER BY e.id", rows::EDGE);
    query_each(store, &sql, rows::read_edge, visit)
}
