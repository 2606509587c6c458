//! Writes the indexer's changes, each in one transaction.
//!
//! Foreign keys are checked here against the change itself, which is much cheaper than letting SQLite look up both ends
//! of every edge. SQLite's own check is off during the transaction.

use super::difference::{Difference, NewRecords, Use, execute_for_each};
use super::error::SqlContext;
use super::write::{self, in_transaction};
use super::{SqliteStore, maintain, rows, schema};
use crate::{
    EdgeRecord, GraphChange, ImportRecord, MarkRecord, NodeFlags, NodeRecord, RelationRecord,
    StoreError, UnresolvedCallRecord,
};
use rusqlite::{OptionalExtension, Transaction, params};
use rustc_hash::{FxHashMap, FxHashSet};

/// With fewer new rows than this, the secondary indexes are updated row by row.
const BULK: usize = 20_000;

/// Settings of a connection while a change is written.
pub(super) const BEFORE: &str =
    "PRAGMA foreign_keys=OFF; PRAGMA ignore_check_constraints=ON; PRAGMA cache_size=-65536;";

pub(super) fn apply_change(
    store: &mut SqliteStore,
    change: &GraphChange,
) -> Result<(), StoreError> {
    let path = store.path.clone();
    let is_set = store.is_indexers;
    let pragma = |store: &SqliteStore, sql: &str| {
        if is_set {
            Ok(())
        } else {
            store
                .connection
                .execute_batch(sql)
                .with_path(&path, "writing to")
        }
    };
    pragma(store, BEFORE)?;
    let done = in_transaction(store, |transaction| {
        let work = ChangeTransaction {
            transaction,
            change,
        };
        work.apply_changes()
            .with_path(&path, "writing to")?
            .map_err(|missing| StoreError::Batch {
                what: missing.what,
                position: missing.position,
                reason: format!("node not found: {}", missing.id),
            })
    });
    pragma(
        store,
        "PRAGMA foreign_keys=ON; PRAGMA ignore_check_constraints=OFF; PRAGMA cache_size=-2000;",
    )?;
    done?;
    if change.clear_all {
        maintain::checkpoint_and_shrink(store)?;
    }
    Ok(())
}

/// A record that refers to a missing node.
struct MissingEnd {
    what: &'static str,
    position: usize,
    id: String,
}

struct ChangeTransaction<'a> {
    transaction: &'a Transaction<'a>,
    change: &'a GraphChange,
}

/// Records that a person added, saved during a full build.
struct ByHand {
    nodes: Vec<NodeRecord>,
    edges: Vec<EdgeRecord>,
}

impl ChangeTransaction<'_> {
    fn apply_changes(&self) -> rusqlite::Result<Result<(), MissingEnd>> {
        if let Err(missing) = self.check_edge_ends()? {
            return Ok(Err(missing));
        }
        let rows = self.change.nodes.len() + self.change.edges.len();
        let bulk = self.change.clear_all && rows >= BULK;
        if bulk {
            self.transaction
                .execute_batch(&schema::drop_indexes_sql())?;
        }
        if self.change.clear_all {
            let by_hand = self.delete_all_rows()?;
            self.insert_new(Difference::new(self.change).into_new())?;
            write::restore_manual_rows(self.transaction, &by_hand.nodes, &by_hand.edges)?;
        } else {
            // All deletions come first: an id may move from one file to another.
            let (new, gone) = self.reconcile_files()?;
            self.insert_new(new)?;
            self.delete_dangling_edges(&gone)?;
        }
        if bulk {
            self.transaction
                .execute_batch(&schema::create_indexes_sql())?;
        }
        self.write_metadata()?;
        Ok(Ok(()))
    }

    /// Checks that every end of a new edge or relation is a new node, or an existing one that stays.
    fn check_edge_ends(&self) -> rusqlite::Result<Result<(), MissingEnd>> {
        let mut known: FxHashSet<&str> = self.change.nodes.iter().map(|n| n.id.as_str()).collect();
        let cleared: FxHashSet<&str> = self.cleared_files().map(String::as_str).collect();
        let mut look_up = self
            .transaction
            .prepare_cached("SELECT file_path, flags FROM nodes WHERE id = ?1")?;
        let mut stays = |id: &str| -> rusqlite::Result<bool> {
            let mut rows = look_up.query([id])?;
            let Some(row) = rows.next()? else {
                return Ok(false);
            };
            let by_hand = NodeFlags(row.get(1)?).contains(NodeFlags::MANUAL);
            Ok(by_hand || !(self.change.clear_all || cleared.contains(row.get_ref(0)?.as_str()?)))
        };
        let edges = self.change.edges.iter().enumerate();
        let edges = edges.map(|(at, e)| ("edge", at, [&e.source_id, &e.target_id]));
        let relations = self.change.relations.iter().enumerate();
        let relations = relations.map(|(at, r)| ("relation", at, [&r.source_id, &r.target_id]));
        let externals = self.change.externals.iter().enumerate();
        let externals = externals.map(|(at, x)| ("external", at, [&x.source_id, &x.source_id]));
        let imports = self.change.imports.iter().enumerate();
        let imports = imports.map(|(at, i)| {
            let target = i.target_id.as_ref().unwrap_or(&i.source_id);
            ("import", at, [&i.source_id, target])
        });
        let unresolved = self.change.unresolved.iter().enumerate();
        let unresolved =
            unresolved.map(|(at, u)| ("unresolved call", at, [&u.source_id, &u.source_id]));
        let marks = self.change.marks.iter().enumerate();
        let marks = marks.map(|(at, m)| ("mark", at, [&m.source_id, &m.source_id]));
        let externals = externals.chain(imports).chain(unresolved).chain(marks);
        for (what, position, ids) in edges.chain(relations).chain(externals) {
            for id in ids {
                if known.contains(id.as_str()) {
                    continue;
                }
                if !stays(id)? {
                    let id = id.clone();
                    return Ok(Err(MissingEnd { what, position, id }));
                }
                known.insert(id);
            }
        }
        Ok(Ok(()))
    }

    fn cleared_files(&self) -> impl Iterator<Item = &String> {
        let removed = self.change.removed_files.iter();
        self.change.clear_files.iter().chain(removed)
    }

    fn delete_all_rows(&self) -> rusqlite::Result<ByHand> {
        let (nodes, edges) = write::read_manual_rows(self.transaction)?;
        self.transaction.execute_batch(
            "DELETE FROM edges; DELETE FROM nodes; DELETE FROM relations; DELETE FROM external_uses; \
             DELETE FROM imports; DELETE FROM unresolved_calls; DELETE FROM marks; DELETE FROM external_symbols; DELETE FROM files;",
        )?;
        Ok(ByHand { nodes, edges })
    }

    /// Deletes the old rows of the cleared files that are not in the change. Returns the new records, and the ids of
    /// the deleted nodes.
    fn reconcile_files(&self) -> rusqlite::Result<(NewRecords<'_>, Vec<String>)> {
        let mut difference = Difference::new(self.change);
        let mut gone = Vec::new();
        for file in self.cleared_files() {
            gone.extend(difference.reconcile_file(self.transaction, file)?);
        }
        let removed = &self.change.removed_files;
        execute_for_each(
            self.transaction,
            "DELETE FROM files WHERE path = ?1",
            removed,
        )?;
        Ok((difference.into_new(), gone))
    }

    /// Deletes edges and relations to a deleted node that was not added again.
    fn delete_dangling_edges(&self, gone: &[String]) -> rusqlite::Result<()> {
        let back: FxHashSet<&str> = self.change.nodes.iter().map(|n| n.id.as_str()).collect();
        let lost: Vec<String> = gone
            .iter()
            .filter(|id| !back.contains(id.as_str()))
            .cloned()
            .collect();
        for sql in [
            "DELETE FROM edges WHERE target_id = ?1",
            "DELETE FROM edges WHERE source_id = ?1",
            "DELETE FROM relations WHERE target_id = ?1",
            "DELETE FROM relations WHERE source_id = ?1",
        ] {
            execute_for_each(self.transaction, sql, &lost)?;
        }
        // No index leads from a file to its importers, so all imports are checked, but only if files were removed.
        if !self.change.removed_files.is_empty() {
            self.transaction.execute_batch(
                "UPDATE imports SET target_id = NULL \
                 WHERE target_id IS NOT NULL AND target_id NOT IN (SELECT id FROM nodes)",
            )?;
        }
        Ok(())
    }

    fn insert_new(&self, new: NewRecords<'_>) -> rusqlite::Result<()> {
        let now: i64 = self.transaction.query_row(
            "SELECT CAST(strftime('%s', 'now') AS INTEGER)",
            [],
            |r| r.get(0),
        )?;
        self.insert_nodes(&new.nodes, now)?;
        self.insert_edges(&new.edges, now)?;
        self.insert_relations(&new.relations)?;
        self.insert_uses(&new.uses)?;
        self.insert_imports(&new.imports)?;
        self.insert_unresolved_calls(&new.unresolved)?;
        self.insert_marks(&new.marks)?;
        self.change
            .files
            .iter()
            .try_for_each(|f| write::put_file(self.transaction, f))
    }

    /// Inserts nodes in order of id, so that the table and its key index grow at their ends.
    fn insert_nodes(&self, nodes: &[&NodeRecord], now: i64) -> rusqlite::Result<()> {
        let mut statement = self.transaction.prepare_cached(
            "INSERT INTO nodes (id, symbol, kind, file_path, line_start, line_end, created_at, \
             qualified_name, signature, doc, flags, scip_symbol) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT (id) DO NOTHING",
        )?;
        for n in nodes {
            statement.execute(params![
                n.id,
                n.symbol,
                n.kind,
                n.file_path,
                n.line_start,
                n.line_end,
                now,
                n.qualified_name,
                n.signature,
                n.doc,
                n.flags.0,
                n.scip_symbol,
            ])?;
        }
        Ok(())
    }

    fn insert_edges(&self, edges: &[&EdgeRecord], now: i64) -> rusqlite::Result<()> {
        let mut statement = self.transaction.prepare_cached(
            "INSERT INTO edges (id, source_id, target_id, edge_type, file_path, line, created_at, tier_code, \
             site_code, confidence_set, more_lines) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) \
             ON CONFLICT (id) DO NOTHING",
        )?;
        for e in edges {
            statement.execute(params![
                e.id,
                e.source_id,
                e.target_id,
                e.edge_type.as_str(),
                e.file_path,
                e.line,
                now,
                rows::tier_code(e.tier),
                rows::site_code(e.site),
                rows::confidence_to_store(e),
                rows::encode_lines(&e.more_lines),
            ])?;
        }
        Ok(())
    }

    fn insert_relations(&self, relations: &[&RelationRecord]) -> rusqlite::Result<()> {
        let mut statement = self.transaction.prepare_cached(
            "INSERT OR IGNORE INTO relations (source_id, kind, target_id, file_path, tier_code) \
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?;
        for r in relations {
            statement.execute(params![
                r.source_id,
                r.kind,
                r.target_id,
                r.file_path,
                rows::tier_code(r.tier)
            ])?;
        }
        Ok(())
    }

    fn insert_uses(&self, uses: &[Use<'_>]) -> rusqlite::Result<()> {
        let mut known: FxHashMap<(&str, &str), i64> = FxHashMap::default();
        let mut use_of = self.transaction.prepare_cached(
            "INSERT INTO external_uses (source_id, external_id, line, count) VALUES (?1, ?2, ?3, ?4) \
             ON CONFLICT DO UPDATE SET count = count + excluded.count, line = min(line, excluded.line)",
        )?;
        for ((source, package, symbol), (line, count)) in uses {
            let id = match known.get(&(*package, *symbol)) {
                Some(id) => *id,
                None => {
                    let id = self.external_symbol_id(package, symbol)?;
                    known.insert((package, symbol), id);
                    id
                }
            };
            use_of.execute(params![source, id, line, count])?;
        }
        Ok(())
    }

    fn insert_imports(&self, files: &[Vec<&ImportRecord>]) -> rusqlite::Result<()> {
        let mut statement = self.transaction.prepare_cached(rows::INSERT_IMPORT)?;
        for file in files {
            for (position, i) in (0i64..).zip(file) {
                statement.execute(params![
                    i.source_id,
                    position,
                    i.line,
                    i.specifier,
                    i.target_id,
                    i.kind.code(),
                    i.names,
                    i.flags.0,
                ])?;
            }
        }
        Ok(())
    }

    fn insert_unresolved_calls(
        &self,
        files: &[Vec<&UnresolvedCallRecord>],
    ) -> rusqlite::Result<()> {
        let mut put = self.transaction.prepare_cached(rows::INSERT_UNRESOLVED)?;
        for calls in files.iter().flatten() {
            put.execute(params![
                calls.source_id,
                calls.name,
                rows::join_lines(&calls.lines)
            ])?;
        }
        Ok(())
    }

    fn insert_marks(&self, sources: &[Vec<&MarkRecord>]) -> rusqlite::Result<()> {
        let mut put = self.transaction.prepare_cached(rows::INSERT_MARK)?;
        for mark in sources.iter().flatten() {
            put.execute(params![
                mark.source_id,
                mark.kind.code(),
                mark.name,
                mark.detail,
                rows::join_lines(&mark.lines)
            ])?;
        }
        Ok(())
    }

    fn external_symbol_id(&self, package: &str, symbol: &str) -> rusqlite::Result<i64> {
        let mut find = self
            .transaction
            .prepare_cached("SELECT id FROM external_symbols WHERE package = ?1 AND symbol = ?2")?;
        if let Some(id) = find.query_row([package, symbol], |r| r.get(0)).optional()? {
            return Ok(id);
        }
        self.transaction
            .prepare_cached("INSERT INTO external_symbols (package, symbol) VALUES (?1, ?2)")?
            .insert([package, symbol])
    }

    fn write_metadata(&self) -> rusqlite::Result<()> {
        let mut given = self.change.metadata.iter();
        given.try_for_each(|(key, value)| write::set_metadata(self.transaction, key, value))
    }
}
