//! Publishing: the graph of another store becomes the repository's, as a whole.

use crate::PostgresStore;
use crate::apply;
use crate::copy::{Existing, Rows, insert};
use crate::error::Failure;
use crate::rows;
use crate::write;
use base::Tier;
use postgres::Transaction;
use rustc_hash::FxHashMap;
use store::{FileRecord, GraphStore, ImportRecord, NodeFlags, Published, StoreError};

impl PostgresStore {
    /// Replaces what the indexer wrote for the repository by the indexer's rows of another store, in one transaction. Rows that were
    /// put in by hand stay here, and those of the other store stay there.
    ///
    /// `commit` and `metadata` are noted with it. If the repository already has a graph of equal files, its rows stay.
    pub fn publish(
        &mut self,
        from: &dyn GraphStore,
        commit: Option<&str>,
        metadata: &[(String, String)],
    ) -> Result<Published, StoreError> {
        let files: Vec<FileRecord> = from.indexed_files()?.into_values().collect();
        let fingerprint = fingerprint(&files);
        let repository = self.repository.number;
        self.write("publishing to", |transaction| {
            let sql = "SELECT fingerprint FROM knotwork.repositories WHERE repo_id = $1";
            let known: Option<String> = transaction.query_one(sql, &[&repository])?.try_get(0)?;
            let was_current = known.as_ref() == Some(&fingerprint);
            let mut written = 0;
            if !was_current {
                let by_hand = apply::clear(transaction, repository)?;
                written = copy_all(transaction, repository, from, &files)?;
                write::restore_manual_rows(transaction, repository, &by_hand)?;
            }
            for (key, value) in metadata {
                write::set_metadata(transaction, repository, key, value)?;
            }
            let sql = "UPDATE knotwork.repositories SET fingerprint = $2, commit = $3, published_at = now() WHERE repo_id = $1";
            transaction.execute(sql, &[&repository, &fingerprint, &commit])?;
            Ok(Published {
                was_current,
                rows: written,
            })
        })
    }
}

/// A hash of everything that the indexer wrote: of each file that of its rows.
fn fingerprint(files: &[FileRecord]) -> String {
    let files = files.iter();
    let parts = files.flat_map(|f| [&f.path, &f.hash, &f.output_hash, &f.source, &f.role]);
    let parts: Vec<&[u8]> = parts.map(|text| text.as_bytes()).collect();
    format!("{:016x}", base::fingerprint(&parts))
}

/// Copies one table; the error of reading comes before that of writing.
fn copy_table(
    transaction: &mut Transaction<'_>,
    repository: i64,
    table: &crate::copy::Table,
    read: impl FnOnce(&mut Rows<'_>) -> Result<(), StoreError>,
) -> Result<u64, Failure> {
    let mut found = Ok(());
    let copied = insert(transaction, table, repository, Existing::None, |rows| {
        found = read(rows);
    });
    found?;
    copied
}

fn copy_all(
    transaction: &mut Transaction<'_>,
    repository: i64,
    from: &dyn GraphStore,
    files: &[FileRecord],
) -> Result<u64, Failure> {
    let mut file_ids: FxHashMap<String, String> = FxHashMap::default();
    let mut written = copy_table(transaction, repository, &rows::NODES, |rows| {
        from.for_each_node(&mut |node| {
            if !node.flags.contains(NodeFlags::MANUAL) {
                rows::write_node(rows, &node);
                if node.kind == base::SymbolKind::File.as_str() {
                    file_ids.insert(node.file_path, node.id);
                }
            }
        })
    })?;
    written += copy_table(transaction, repository, &rows::EDGES, |rows| {
        from.for_each_edge(&mut |edge| {
            if edge.tier != Tier::Manual {
                rows::write_edge(rows, &edge);
            }
        })
    })?;
    written += copy_table(transaction, repository, &rows::RELATIONS, |rows| {
        from.for_each_relation(&mut |relation| rows::write_relation(rows, &relation))
    })?;
    written += copy_table(transaction, repository, &rows::EXTERNAL_USES, |rows| {
        from.for_each_use(&mut |x| {
            let row = rows
                .begin()
                .text(x.source_id)
                .text(x.package)
                .text(x.symbol);
            row.int(x.line).int(x.count);
        })
    })?;
    written += copy_table(transaction, repository, &rows::IMPORTS, |rows| {
        copy_imports(from, &file_ids, rows)
    })?;
    written += copy_table(transaction, repository, &rows::UNRESOLVED_CALLS, |rows| {
        from.for_each_unresolved(&mut |calls| rows::write_unresolved(rows, &calls))
    })?;
    written += copy_table(transaction, repository, &rows::MARKS, |rows| {
        from.for_each_mark(&mut |mark| {
            let record = store::MarkRecord {
                source_id: mark.source_id.to_owned(),
                kind: mark.kind,
                name: mark.name.to_owned(),
                detail: mark.detail.to_owned(),
                lines: mark.lines.to_vec(),
            };
            rows::write_mark(rows, &record);
        })
    })?;
    written += copy_table(transaction, repository, &rows::FILES, |rows| {
        files.iter().for_each(|file| rows::write_file(rows, file));
        Ok(())
    })?;
    Ok(written)
}

/// Imports are read with paths, which lead back to the nodes of files.
fn copy_imports(
    from: &dyn GraphStore,
    file_ids: &FxHashMap<String, String>,
    rows: &mut Rows<'_>,
) -> Result<(), StoreError> {
    let mut last = (String::new(), 0);
    from.for_each_import(&mut |import| {
        let Some(source) = file_ids.get(import.path) else {
            return;
        };
        if last.0 != import.path {
            last = (import.path.to_owned(), 0);
        }
        let record = ImportRecord {
            source_id: source.clone(),
            line: import.line,
            specifier: import.specifier.to_owned(),
            target_id: import.target.and_then(|path| file_ids.get(path).cloned()),
            kind: import.kind,
            names: import.names.to_owned(),
            flags: import.flags,
        };
        rows::write_import(rows, last.1, &record);
        last.1 += 1;
    })
}
