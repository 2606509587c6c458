//! Writes the indexer's changes, each in one transaction.

use crate::PostgresStore;
use crate::client::Transaction;
use crate::copy::{Existing, Scope, insert};
use crate::error::Failure;
use crate::rows;
use crate::write;
use rustc_hash::{FxHashMap, FxHashSet};
use store::{
    ExternalRecord, GraphChange, ImportRecord, MarkRecord, NodeFlags, RelationRecord, StoreError,
    UnresolvedCallRecord,
};

/// Tables that a full build fills.
const BUILT: &[&str] = &[
    "edges",
    "nodes",
    "relations",
    "external_uses",
    "imports",
    "unresolved_calls",
    "marks",
    "files",
];

impl PostgresStore {
    pub(crate) fn write_change(&mut self, change: &GraphChange) -> Result<(), StoreError> {
        let repository = self.repository.number;
        self.write("writing to", |transaction| {
            Change {
                transaction,
                repository,
                change,
            }
            .apply()
        })
    }
}

/// Prepares a transaction that writes many rows of a repository.
pub(crate) fn begin_bulk(transaction: &mut Transaction<'_>) -> Result<(), Failure> {
    transaction.allow_bulk();
    // Rows are compared with those of temporary tables, which have no index. Such a statement runs once, with a plan of
    // its own.
    let time = crate::pool::server_time(transaction.limits().bulk);
    transaction.batch_execute(&format!(
        "SET LOCAL statement_timeout = {time}; SET LOCAL enable_seqscan = on; SET LOCAL plan_cache_mode = auto; \
         SET LOCAL work_mem = '128MB'"
    ))
}

/// As [`begin_bulk`]; returns whether the graph of the repository is empty.
pub(crate) fn begin_replacing(
    transaction: &mut Transaction<'_>,
    repository: i64,
) -> Result<bool, Failure> {
    begin_bulk(transaction)?;
    for table in BUILT {
        let sql = format!("SELECT EXISTS (SELECT 1 FROM knotwork.{table} WHERE repo_id = $1)");
        if transaction.query_one(&sql, &[&repository])?.try_get(0)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Removes edges that were added by hand and whose ends were removed.
pub(crate) fn drop_dangling_edges_by_hand(
    transaction: &mut Transaction<'_>,
    repository: i64,
) -> Result<(), Failure> {
    let is_there = |end: &str| {
        format!("EXISTS (SELECT 1 FROM knotwork.nodes n WHERE n.repo_id = $1 AND n.id = e.{end})")
    };
    let sql = format!(
        "DELETE FROM knotwork.edges e WHERE e.repo_id = $1 AND e.tier_code IS NULL AND NOT ({} AND {})",
        is_there("source_id"),
        is_there("target_id")
    );
    transaction.execute(&sql, &[&repository])?;
    Ok(())
}

struct Change<'a, 't> {
    transaction: &'a mut Transaction<'t>,
    repository: i64,
    change: &'a GraphChange,
}

impl Change<'_, '_> {
    fn apply(mut self) -> Result<(), Failure> {
        self.check_ends()?;
        if self.change.clear_all {
            let is_empty = begin_replacing(self.transaction, self.repository)?;
            self.insert_rows(if is_empty {
                Existing::None
            } else {
                Existing::Replaced(Scope::Everything)
            })?;
            drop_dangling_edges_by_hand(self.transaction, self.repository)?;
        } else {
            let gone = self.clear_files()?;
            self.insert_rows(Existing::Stays)?;
            self.delete_dangling(&gone)?;
        }
        for (key, value) in &self.change.metadata {
            write::set_metadata(self.transaction, self.repository, key, value)?;
        }
        Ok(())
    }

    /// Checks that every end of a new record is a new node or one that stays.
    fn check_ends(&mut self) -> Result<(), Failure> {
        let new: FxHashSet<&str> = self.change.nodes.iter().map(|n| n.id.as_str()).collect();
        let mut unknown: Vec<&str> = Vec::new();
        for_each_end(self.change, &mut |_, _, id| {
            if !new.contains(id) {
                unknown.push(id);
            }
            true
        });
        if unknown.is_empty() {
            return Ok(());
        }
        unknown.sort_unstable();
        unknown.dedup();
        let cleared: FxHashSet<&str> = cleared_files(self.change).into_iter().collect();
        let sql =
            "SELECT id, file_path, flags FROM knotwork.nodes WHERE repo_id = $1 AND id = ANY($2)";
        let found = self.transaction.query(sql, &[&self.repository, &unknown])?;
        let mut stays: FxHashSet<String> = FxHashSet::default();
        for row in &found {
            let by_hand = row.try_get::<_, i32>(2)? as u32 & NodeFlags::MANUAL != 0;
            if by_hand || !(self.change.clear_all || cleared.contains(row.try_get::<_, &str>(1)?)) {
                stays.insert(row.try_get(0)?);
            }
        }
        let mut missing = None;
        for_each_end(self.change, &mut |what, position, id| {
            if new.contains(id) || stays.contains(id) {
                return true;
            }
            missing = Some(StoreError::Batch {
                what,
                position,
                reason: format!("node not found: {id}"),
            });
            false
        });
        missing.map_or(Ok(()), |error| Err(error.into()))
    }

    /// Deletes the rows of the cleared files. Returns the ids of the deleted nodes.
    fn clear_files(&mut self) -> Result<Vec<String>, Failure> {
        let (transaction, repository) = (&mut *self.transaction, self.repository);
        let files = cleared_files(self.change);
        let sql = format!(
            "DELETE FROM knotwork.nodes WHERE repo_id = $1 AND file_path = ANY($2) AND flags & {} = 0 RETURNING id",
            NodeFlags::MANUAL
        );
        let dropped = transaction.query(&sql, &[&repository, &files])?;
        let dropped = dropped.iter().map(|row| row.try_get(0));
        let gone = dropped.collect::<Result<Vec<String>, _>>()?;
        for sql in [
            "DELETE FROM knotwork.edges WHERE repo_id = $1 AND source_id = ANY($2) AND tier_code IS NOT NULL",
            "DELETE FROM knotwork.external_uses WHERE repo_id = $1 AND source_id = ANY($2)",
            "DELETE FROM knotwork.imports WHERE repo_id = $1 AND source_id = ANY($2)",
            "DELETE FROM knotwork.unresolved_calls WHERE repo_id = $1 AND source_id = ANY($2)",
            "DELETE FROM knotwork.marks WHERE repo_id = $1 AND source_id = ANY($2)",
        ] {
            transaction.execute(sql, &[&repository, &gone])?;
        }
        let sql = "DELETE FROM knotwork.relations WHERE repo_id = $1 AND file_path = ANY($2)";
        transaction.execute(sql, &[&repository, &files])?;
        let records = self.change.files.iter().map(|f| f.path.as_str());
        let records: Vec<&str> = records
            .chain(self.change.removed_files.iter().map(String::as_str))
            .collect();
        let sql = "DELETE FROM knotwork.files WHERE repo_id = $1 AND path = ANY($2)";
        transaction.execute(sql, &[&repository, &records])?;
        Ok(gone)
    }

    /// Deletes edges and relations of deleted nodes that were not added again.
    fn delete_dangling(&mut self, gone: &[String]) -> Result<(), Failure> {
        let back: FxHashSet<&str> = self.change.nodes.iter().map(|n| n.id.as_str()).collect();
        let lost = gone.iter().map(String::as_str);
        let lost: Vec<&str> = lost.filter(|id| !back.contains(id)).collect();
        let repository = self.repository;
        if !lost.is_empty() {
            for sql in [
                "DELETE FROM knotwork.edges WHERE repo_id = $1 AND target_id = ANY($2)",
                "DELETE FROM knotwork.edges WHERE repo_id = $1 AND source_id = ANY($2)",
                "DELETE FROM knotwork.relations WHERE repo_id = $1 AND target_id = ANY($2)",
                "DELETE FROM knotwork.relations WHERE repo_id = $1 AND source_id = ANY($2)",
            ] {
                self.transaction.execute(sql, &[&repository, &lost])?;
            }
        }
        if !self.change.removed_files.is_empty() {
            let sql = "UPDATE knotwork.imports i SET target_id = NULL WHERE i.repo_id = $1 AND i.target_id IS NOT NULL \
                       AND NOT EXISTS (SELECT 1 FROM knotwork.nodes n WHERE n.repo_id = $1 AND n.id = i.target_id)";
            self.transaction.execute(sql, &[&repository])?;
        }
        Ok(())
    }

    /// Inserts the change's records; the first of several with one key counts.
    fn insert_rows(&mut self, existing: Existing<'_>) -> Result<(), Failure> {
        let (t, repository, c) = (&mut *self.transaction, self.repository, self.change);
        let mut put = |table, fill: &mut dyn FnMut(&mut crate::copy::Rows<'_>)| {
            insert(t, table, repository, existing, |rows| fill(rows)).map(|_| ())
        };
        let nodes = first_by_key(&c.nodes, |n| &*n.id);
        put(&rows::NODES, &mut |rows| {
            nodes.iter().for_each(|n| rows::write_node(rows, n));
        })?;
        let edges = first_by_key(&c.edges, |e| &*e.id);
        put(&rows::EDGES, &mut |rows| {
            edges.iter().for_each(|e| rows::write_edge(rows, e));
        })?;
        let relations = first_by_key(&c.relations, relation_key);
        put(&rows::RELATIONS, &mut |rows| {
            relations.iter().for_each(|r| rows::write_relation(rows, r));
        })?;
        let uses = sum_uses(&c.externals);
        put(&rows::EXTERNAL_USES, &mut |rows| {
            for ((source, package, symbol), (line, count)) in &uses {
                let row = rows.begin().text(source).text(package).text(symbol);
                row.int(*line).int(*count);
            }
        })?;
        put(&rows::IMPORTS, &mut |rows| write_imports(rows, &c.imports))?;
        let unresolved = first_by_key(&c.unresolved, |u| (&*u.source_id, &*u.name));
        put(&rows::UNRESOLVED_CALLS, &mut |rows| {
            let all: &[&UnresolvedCallRecord] = &unresolved;
            all.iter().for_each(|u| rows::write_unresolved(rows, u));
        })?;
        let marks = first_by_key(&c.marks, mark_key);
        put(&rows::MARKS, &mut |rows| {
            marks.iter().for_each(|m| rows::write_mark(rows, m));
        })?;
        // The last record of a file counts.
        let files: FxHashMap<&str, _> = c.files.iter().map(|f| (f.path.as_str(), f)).collect();
        put(&rows::FILES, &mut |rows| {
            files.values().for_each(|f| rows::write_file(rows, f));
        })
    }
}

fn cleared_files(change: &GraphChange) -> Vec<&str> {
    let all = change.clear_files.iter().chain(&change.removed_files);
    all.map(String::as_str).collect()
}

/// Calls `visit` with kind, position and ends of every record that refers to nodes, until it returns false.
fn for_each_end<'c>(
    change: &'c GraphChange,
    visit: &mut dyn FnMut(&'static str, usize, &'c str) -> bool,
) {
    let edges = change.edges.iter().enumerate();
    let edges = edges.map(|(at, e)| ("edge", at, [&e.source_id, &e.target_id]));
    let relations = change.relations.iter().enumerate();
    let relations = relations.map(|(at, r)| ("relation", at, [&r.source_id, &r.target_id]));
    let externals = change.externals.iter().enumerate();
    let externals = externals.map(|(at, x)| ("external", at, [&x.source_id, &x.source_id]));
    let imports = change.imports.iter().enumerate().map(|(at, i)| {
        let target = i.target_id.as_ref().unwrap_or(&i.source_id);
        ("import", at, [&i.source_id, target])
    });
    let unresolved = change.unresolved.iter().enumerate();
    let unresolved =
        unresolved.map(|(at, u)| ("unresolved call", at, [&u.source_id, &u.source_id]));
    let marks = change.marks.iter().enumerate();
    let marks = marks.map(|(at, m)| ("mark", at, [&m.source_id, &m.source_id]));
    let rest = externals.chain(imports).chain(unresolved).chain(marks);
    for (what, position, ids) in edges.chain(relations).chain(rest) {
        for id in ids {
            if !visit(what, position, id) {
                return;
            }
        }
    }
}

/// The first record of each key, in order of the key.
fn first_by_key<'c, R, K: Ord>(records: &'c [R], key: impl Fn(&'c R) -> K) -> Vec<&'c R> {
    let mut all: Vec<&R> = records.iter().collect();
    all.sort_by_key(|record| key(record));
    all.dedup_by(|next, kept| key(next) == key(kept));
    all
}

fn relation_key(r: &RelationRecord) -> (&str, &str, &str, &str) {
    (&r.source_id, &r.kind, &r.target_id, &r.file_path)
}

fn mark_key(m: &MarkRecord) -> (&str, u8, &str, &str) {
    (&m.source_id, m.kind.code(), &m.name, &m.detail)
}

/// Definition, package and symbol.
type UseKey<'c> = (&'c str, &'c str, &'c str);

/// Merges uses of one symbol by one definition: first line, and sum of the counts.
fn sum_uses(externals: &[ExternalRecord]) -> Vec<(UseKey<'_>, (u32, u32))> {
    let mut sums: FxHashMap<UseKey<'_>, (u32, u32)> = FxHashMap::default();
    for x in externals {
        let key = (&*x.source_id, &*x.package, &*x.symbol);
        let (line, count) = sums.entry(key).or_insert((x.line, 0));
        *line = x.line.min(*line);
        *count += x.count;
    }
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_unstable();
    sums
}

/// Writes imports with their positions within each file.
fn write_imports(rows: &mut crate::copy::Rows<'_>, imports: &[ImportRecord]) {
    let mut positions: FxHashMap<&str, u32> = FxHashMap::default();
    for import in imports {
        let next = positions.entry(&import.source_id).or_default();
        rows::write_import(rows, *next, import);
        *next += 1;
    }
}
