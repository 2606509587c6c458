//! Compares a file's old rows with its new ones, so that only rows that differ are written.
//!
//! Deleting and inserting all rows of a file would touch a page for nearly every row in the indexes by name and by
//! target. This is most of the cost of a small change in a large database.

use super::rows;
use crate::{
    EdgeRecord, ExternalRecord, GraphChange, ImportRecord, MarkRecord, NodeFlags, NodeRecord,
    RelationRecord, UnresolvedCallRecord,
};
use base::SymbolKind;
use rusqlite::types::ValueRef;
use rusqlite::{Row, ToSql, Transaction, params};
use rustc_hash::FxHashMap;

/// New rows by key, the first of several. Rows that the table already has are removed from it.
pub(super) struct Difference<'c> {
    nodes: FxHashMap<&'c str, &'c NodeRecord>,
    edges: FxHashMap<&'c str, &'c EdgeRecord>,
    relations: FxHashMap<RelationKey<'c>, &'c RelationRecord>,
    uses: FxHashMap<UseKey<'c>, Use<'c>>,
    /// Imports by the file's node, in their order.
    imports: FxHashMap<&'c str, Vec<&'c ImportRecord>>,
    /// Unresolved calls by the file's node, in order of name.
    unresolved: FxHashMap<&'c str, Vec<&'c UnresolvedCallRecord>>,
    /// Marks by the node that has them, in order of kind, name and detail.
    marks: FxHashMap<&'c str, Vec<&'c MarkRecord>>,
}

/// The ids of the nodes that a file had before.
#[derive(Default)]
struct OldNodes {
    all: Vec<String>,
    /// The file's own nodes.
    files: Vec<String>,
    /// Nodes that no longer exist.
    gone: Vec<String>,
}

type RelationKey<'c> = (&'c str, &'c str, &'c str, &'c str);
/// Definition, package and symbol.
type UseKey<'c> = (&'c str, &'c str, &'c str);
/// A use, with the first line and the number of uses.
pub(super) type Use<'c> = (UseKey<'c>, (u32, u32));

fn relation_key(r: &RelationRecord) -> RelationKey<'_> {
    (&r.source_id, &r.kind, &r.target_id, &r.file_path)
}

/// The first of several with one key.
fn first_by_key<K: std::hash::Hash + Eq, V>(all: impl Iterator<Item = (K, V)>) -> FxHashMap<K, V> {
    let mut kept = FxHashMap::default();
    for (key, value) in all {
        kept.entry(key).or_insert(value);
    }
    kept
}

/// Merges uses of one symbol by one definition: first line, and sum of the counts.
fn merge_uses(externals: &[ExternalRecord]) -> FxHashMap<UseKey<'_>, Use<'_>> {
    let mut uses: FxHashMap<UseKey<'_>, Use<'_>> = FxHashMap::default();
    for e in externals {
        let key = (&*e.source_id, &*e.package, &*e.symbol);
        let (_, (line, count)) = uses.entry(key).or_insert((key, (e.line, 0)));
        *line = e.line.min(*line);
        *count += e.count;
    }
    uses
}

/// Records by the file's node.
fn by_source<R>(records: &[R], source: impl Fn(&R) -> &str) -> FxHashMap<&str, Vec<&R>> {
    let mut found: FxHashMap<&str, Vec<&R>> = FxHashMap::default();
    for record in records {
        found.entry(source(record)).or_default().push(record);
    }
    found
}

/// Unresolved calls by the file's node, in order of name.
fn unresolved_by_source(
    records: &[UnresolvedCallRecord],
) -> FxHashMap<&str, Vec<&UnresolvedCallRecord>> {
    let mut found = by_source(records, |calls| &*calls.source_id);
    for calls in found.values_mut() {
        calls.sort_by(|a, b| a.name.cmp(&b.name));
        calls.dedup_by(|a, b| a.name == b.name);
    }
    found
}

fn mark_key(mark: &MarkRecord) -> (u8, &str, &str) {
    (mark.kind.code(), &mark.name, &mark.detail)
}

/// Marks by the node that has them, in the order of the table.
fn marks_by_source(records: &[MarkRecord]) -> FxHashMap<&str, Vec<&MarkRecord>> {
    let mut found = by_source(records, |mark| &*mark.source_id);
    for marks in found.values_mut() {
        marks.sort_by(|a, b| mark_key(a).cmp(&mark_key(b)));
        marks.dedup_by(|a, b| mark_key(a) == mark_key(b));
    }
    found
}

impl<'c> Difference<'c> {
    pub(super) fn new(change: &'c GraphChange) -> Difference<'c> {
        Difference {
            nodes: first_by_key(change.nodes.iter().map(|n| (&*n.id, n))),
            edges: first_by_key(change.edges.iter().map(|e| (&*e.id, e))),
            relations: first_by_key(change.relations.iter().map(|r| (relation_key(r), r))),
            uses: merge_uses(&change.externals),
            imports: by_source(&change.imports, |import| &*import.source_id),
            unresolved: unresolved_by_source(&change.unresolved),
            marks: marks_by_source(&change.marks),
        }
    }

    /// Drops new rows that the file already has, updates those that differ, and deletes those that it no longer has.
    /// Returns the ids of the deleted nodes.
    pub(super) fn reconcile_file(
        &mut self,
        transaction: &Transaction<'_>,
        file: &str,
    ) -> rusqlite::Result<Vec<String>> {
        let nodes = self.reconcile_nodes(transaction, file)?;
        self.reconcile_edges(transaction, &nodes.all)?;
        self.reconcile_uses(transaction, &nodes.all)?;
        self.reconcile_imports(transaction, &nodes.files)?;
        self.reconcile_unresolved_calls(transaction, &nodes.files)?;
        self.reconcile_marks(transaction, &nodes.all)?;
        self.reconcile_relations(transaction, file)?;
        Ok(nodes.gone)
    }

    /// The remaining records, which are new.
    pub(super) fn into_new(self) -> NewRecords<'c> {
        let mut nodes: Vec<&NodeRecord> = self.nodes.into_values().collect();
        let mut edges: Vec<&EdgeRecord> = self.edges.into_values().collect();
        let mut relations: Vec<&RelationRecord> = self.relations.into_values().collect();
        let mut uses: Vec<Use<'_>> = self.uses.into_values().collect();
        nodes.sort_unstable_by(|a, b| a.id.cmp(&b.id));
        edges.sort_unstable_by(|a, b| a.id.cmp(&b.id));
        relations.sort_unstable_by_key(|r| relation_key(r));
        uses.sort_unstable();
        let mut imports: Vec<Vec<&ImportRecord>> = self.imports.into_values().collect();
        imports.sort_unstable_by(|a, b| a[0].source_id.cmp(&b[0].source_id));
        let mut unresolved: Vec<Vec<&UnresolvedCallRecord>> =
            self.unresolved.into_values().collect();
        unresolved.sort_unstable_by(|a, b| a[0].source_id.cmp(&b[0].source_id));
        let mut marks: Vec<Vec<&MarkRecord>> = self.marks.into_values().collect();
        marks.sort_unstable_by(|a, b| a[0].source_id.cmp(&b[0].source_id));
        NewRecords {
            nodes,
            edges,
            relations,
            uses,
            imports,
            unresolved,
            marks,
        }
    }

    fn reconcile_nodes(
        &mut self,
        transaction: &Transaction<'_>,
        file: &str,
    ) -> rusqlite::Result<OldNodes> {
        let mut old = OldNodes::default();
        let mut others = Vec::new();
        let mut of_file = transaction.prepare_cached(
            "SELECT rowid, id, symbol, kind, line_start, line_end, qualified_name, signature, doc, flags, scip_symbol \
             FROM nodes WHERE file_path = ?1 AND flags & ?2 = 0",
        )?;
        let mut found = of_file.query(params![file, NodeFlags::MANUAL])?;
        while let Some(row) = found.next()? {
            let id = row.get_ref(1)?.as_str()?;
            old.all.push(id.to_owned());
            if text_column(row, 3)? == Some(SymbolKind::File.as_str()) {
                old.files.push(id.to_owned());
            }
            match self.nodes.get(id).copied() {
                Some(new) if new.file_path == file && text_column(row, 2)? == Some(&new.symbol) => {
                    if !node_equals(row, new)? {
                        others.push((row.get::<_, i64>(0)?, new));
                    }
                    let id = &*new.id;
                    self.nodes.remove(id);
                }
                _ => old.gone.push(id.to_owned()),
            }
        }
        let mut update = transaction.prepare_cached(
            "UPDATE nodes SET kind = ?2, line_start = ?3, line_end = ?4, qualified_name = ?5, signature = ?6, \
             doc = ?7, flags = ?8, scip_symbol = ?9 WHERE rowid = ?1",
        )?;
        for (at, n) in others {
            update.execute(params![
                at,
                n.kind,
                n.line_start,
                n.line_end,
                n.qualified_name,
                n.signature,
                n.doc,
                n.flags.0,
                n.scip_symbol,
            ])?;
        }
        execute_for_each(transaction, "DELETE FROM nodes WHERE id = ?1", &old.gone)?;
        Ok(old)
    }

    fn reconcile_edges(
        &mut self,
        transaction: &Transaction<'_>,
        sources: &[String],
    ) -> rusqlite::Result<()> {
        let (mut gone, mut others) = (Vec::new(), Vec::new());
        let mut from = transaction.prepare_cached(
            "SELECT rowid, id, target_id, edge_type, file_path, line, tier_code, site_code, confidence_set, more_lines \
             FROM edges WHERE source_id = ?1 AND tier_code IS NOT NULL",
        )?;
        for source in sources {
            let mut found = from.query([source])?;
            while let Some(row) = found.next()? {
                let (at, id) = (row.get::<_, i64>(0)?, row.get_ref(1)?.as_str()?);
                match self.edges.get(id).copied() {
                    Some(new) if new.source_id == *source && edge_ends_equal(row, new)? => {
                        if !edge_equals(row, new)? {
                            others.push((at, new));
                        }
                        let id = &*new.id;
                        self.edges.remove(id);
                    }
                    _ => gone.push(at),
                }
            }
        }
        let mut update = transaction.prepare_cached(
            "UPDATE edges SET file_path = ?2, line = ?3, tier_code = ?4, site_code = ?5, confidence_set = ?6, \
             more_lines = ?7 WHERE rowid = ?1",
        )?;
        for (at, e) in others {
            update.execute(params![
                at,
                e.file_path,
                e.line,
                rows::tier_code(e.tier),
                rows::site_code(e.site),
                rows::confidence_to_store(e),
                rows::encode_lines(&e.more_lines),
            ])?;
        }
        execute_for_each(transaction, "DELETE FROM edges WHERE rowid = ?1", &gone)
    }

    fn reconcile_uses(
        &mut self,
        transaction: &Transaction<'_>,
        sources: &[String],
    ) -> rusqlite::Result<()> {
        let (mut gone, mut others) = (Vec::new(), Vec::new());
        let mut of_source = transaction.prepare_cached(
            "SELECT u.external_id, s.package, s.symbol, u.line, u.count FROM external_uses u \
             JOIN external_symbols s ON s.id = u.external_id WHERE u.source_id = ?1",
        )?;
        for source in sources {
            let mut found = of_source.query([source])?;
            while let Some(row) = found.next()? {
                let external = row.get::<_, i64>(0)?;
                let key = (
                    &**source,
                    row.get_ref(1)?.as_str()?,
                    row.get_ref(2)?.as_str()?,
                );
                let Some((key, now)) = self.uses.get(&key).copied() else {
                    gone.push((source, external));
                    continue;
                };
                self.uses.remove(&key);
                if now != (row.get(3)?, row.get(4)?) {
                    others.push((source, external, now));
                }
            }
        }
        let mut update = transaction.prepare_cached(
            "UPDATE external_uses SET line = ?3, count = ?4 WHERE source_id = ?1 AND external_id = ?2",
        )?;
        for (source, external, (line, count)) in others {
            update.execute(params![source, external, line, count])?;
        }
        let mut delete = transaction.prepare_cached(
            "DELETE FROM external_uses WHERE source_id = ?1 AND external_id = ?2",
        )?;
        for (source, external) in gone {
            delete.execute(params![source, external])?;
        }
        Ok(())
    }

    /// A file has few imports, so each is identified by its position.
    fn reconcile_imports(
        &mut self,
        transaction: &Transaction<'_>,
        files: &[String],
    ) -> rusqlite::Result<()> {
        let statements = [
            "SELECT line, specifier, target_id, kind, names, flags FROM imports WHERE source_id = ?1 ORDER BY position",
            "DELETE FROM imports WHERE source_id = ?1",
        ];
        keep_all_or_none(transaction, statements, files, &mut self.imports, is_import)
    }

    fn reconcile_unresolved_calls(
        &mut self,
        transaction: &Transaction<'_>,
        files: &[String],
    ) -> rusqlite::Result<()> {
        let statements = [
            "SELECT name, lines FROM unresolved_calls WHERE source_id = ?1 ORDER BY name",
            "DELETE FROM unresolved_calls WHERE source_id = ?1",
        ];
        let new = &mut self.unresolved;
        keep_all_or_none(transaction, statements, files, new, is_unresolved_call)
    }

    fn reconcile_marks(
        &mut self,
        transaction: &Transaction<'_>,
        sources: &[String],
    ) -> rusqlite::Result<()> {
        let statements = [
            "SELECT kind, name, detail, lines FROM marks WHERE source_id = ?1 ORDER BY kind, name, detail",
            "DELETE FROM marks WHERE source_id = ?1",
        ];
        keep_all_or_none(transaction, statements, sources, &mut self.marks, is_mark)
    }

    fn reconcile_relations(
        &mut self,
        transaction: &Transaction<'_>,
        file: &str,
    ) -> rusqlite::Result<()> {
        let mut gone: Vec<(String, String, String)> = Vec::new();
        let mut of_file = transaction.prepare_cached(
            "SELECT source_id, kind, target_id, tier_code FROM relations WHERE file_path = ?1",
        )?;
        let mut found = of_file.query([file])?;
        while let Some(row) = found.next()? {
            let word = |at: usize| -> rusqlite::Result<&str> { Ok(row.get_ref(at)?.as_str()?) };
            let key = (word(0)?, word(1)?, word(2)?, file);
            let tier: Option<u8> = row.get(3)?;
            match self.relations.get(&key).copied() {
                Some(new) if rows::tier_code(new.tier) == tier => {
                    self.relations.remove(&relation_key(new));
                }
                // Another tier is another row.
                _ => gone.push((key.0.to_owned(), key.1.to_owned(), key.2.to_owned())),
            }
        }
        let mut delete = transaction.prepare_cached(
            "DELETE FROM relations WHERE source_id = ?1 AND kind = ?2 AND target_id = ?3 AND file_path = ?4",
        )?;
        for (source, kind, target) in gone {
            delete.execute(params![source, kind, target, file])?;
        }
        Ok(())
    }
}

/// Rows to insert, in order.
pub(super) struct NewRecords<'c> {
    pub(super) nodes: Vec<&'c NodeRecord>,
    pub(super) edges: Vec<&'c EdgeRecord>,
    pub(super) relations: Vec<&'c RelationRecord>,
    pub(super) uses: Vec<Use<'c>>,
    /// Imports of each file that has none in the table.
    pub(super) imports: Vec<Vec<&'c ImportRecord>>,
    /// Unresolved calls of each file that has none in the table.
    pub(super) unresolved: Vec<Vec<&'c UnresolvedCallRecord>>,
    /// Marks of each node that has none in the table.
    pub(super) marks: Vec<Vec<&'c MarkRecord>>,
}

/// Handles rows that are kept for a node as a whole. If the table has exactly the records of `new`, in order, they are
/// removed from `new`; otherwise the rows are deleted. The statements select and delete the rows of a node.
fn keep_all_or_none<R>(
    transaction: &Transaction<'_>,
    [select, delete]: [&str; 2],
    files: &[String],
    new: &mut FxHashMap<&str, Vec<&R>>,
    is_same: impl Fn(&Row<'_>, &R) -> rusqlite::Result<bool>,
) -> rusqlite::Result<()> {
    let mut of_file = transaction.prepare_cached(select)?;
    let mut delete = transaction.prepare_cached(delete)?;
    for node in files {
        let mut found = of_file.query([node])?;
        let records = new.get(node.as_str()).map(Vec::as_slice);
        let records = records.unwrap_or_default();
        let (mut count, mut same) = (0, true);
        while let Some(row) = found.next()? {
            same &= match records.get(count) {
                Some(record) => is_same(row, record)?,
                None => false,
            };
            count += 1;
        }
        drop(found);
        if same && count == records.len() {
            new.remove(node.as_str());
        } else if count > 0 {
            delete.execute([node])?;
        }
    }
    Ok(())
}

/// Runs a statement with each of the keys.
pub(super) fn execute_for_each(
    transaction: &Transaction<'_>,
    sql: &str,
    keys: &[impl ToSql],
) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare_cached(sql)?;
    for key in keys {
        statement.execute([key])?;
    }
    Ok(())
}

/// A text or null.
fn text_column<'r>(row: &'r Row<'_>, column: usize) -> rusqlite::Result<Option<&'r str>> {
    Ok(row.get_ref(column)?.as_str_or_null()?)
}

/// Whether a row of [`Difference::reconcile_nodes`] equals the record, apart from id, name and file.
fn node_equals(row: &Row<'_>, new: &NodeRecord) -> rusqlite::Result<bool> {
    Ok(text_column(row, 3)? == Some(&new.kind)
        && row.get::<_, Option<u32>>(4)? == new.line_start
        && row.get::<_, Option<u32>>(5)? == new.line_end
        && text_column(row, 6)? == new.qualified_name.as_deref()
        && text_column(row, 7)? == new.signature.as_deref()
        && text_column(row, 8)? == new.doc.as_deref()
        && row.get::<_, u32>(9)? == new.flags.0
        && text_column(row, 10)? == new.scip_symbol.as_deref())
}

/// Whether a row of [`Difference::reconcile_marks`] equals the record.
fn is_mark(row: &Row<'_>, new: &MarkRecord) -> rusqlite::Result<bool> {
    Ok(row.get::<_, u8>(0)? == new.kind.code()
        && text_column(row, 1)? == Some(&new.name)
        && text_column(row, 2)? == Some(&new.detail)
        && text_column(row, 3)? == Some(&rows::join_lines(&new.lines)))
}

/// Whether a row of [`Difference::reconcile_unresolved_calls`] equals the record.
fn is_unresolved_call(row: &Row<'_>, new: &UnresolvedCallRecord) -> rusqlite::Result<bool> {
    let lines = rows::join_lines(&new.lines);
    Ok(text_column(row, 0)? == Some(&new.name) && text_column(row, 1)? == Some(&lines))
}

/// Whether a row of [`Difference::reconcile_imports`] equals the record.
fn is_import(row: &Row<'_>, new: &ImportRecord) -> rusqlite::Result<bool> {
    Ok(row.get::<_, u32>(0)? == new.line
        && text_column(row, 1)? == Some(&new.specifier)
        && text_column(row, 2)? == new.target_id.as_deref()
        && row.get::<_, u8>(3)? == new.kind.code()
        && text_column(row, 4)? == Some(&new.names)
        && row.get::<_, u8>(5)? == new.flags.0)
}

/// Whether a row of [`Difference::reconcile_edges`] has the target and type of the record.
fn edge_ends_equal(row: &Row<'_>, new: &EdgeRecord) -> rusqlite::Result<bool> {
    Ok(text_column(row, 2)? == Some(&new.target_id)
        && text_column(row, 3)? == Some(new.edge_type.as_str()))
}

/// Whether it equals the record, apart from id, ends and type.
fn edge_equals(row: &Row<'_>, new: &EdgeRecord) -> rusqlite::Result<bool> {
    let confidence = match row.get_ref(8)? {
        ValueRef::Null => None,
        other => Some(other.as_f64()?),
    };
    Ok(text_column(row, 4)? == new.file_path.as_deref()
        && row.get::<_, Option<u32>>(5)? == new.line
        && row.get::<_, Option<u8>>(6)? == rows::tier_code(new.tier)
        && row.get::<_, Option<u8>>(7)? == rows::site_code(new.site)
        && confidence == rows::confidence_to_store(new)
        && text_column(row, 9)? == rows::encode_lines(&new.more_lines).as_deref())
}
