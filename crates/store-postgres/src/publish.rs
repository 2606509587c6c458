//! Publishing: replaces the graph of a repository by that of another store, as a whole.

use crate::PostgresStore;
use crate::apply;
use crate::client::{Extent, Transaction};
use crate::copy::{Existing, Rows, Scope, insert};
use crate::error::Failure;
use crate::publish_texts::{WrittenTexts, withdraw_texts, write_texts};
use crate::queue::{self, Job};
use crate::rows;
use crate::write;
use base::Tier;
use rustc_hash::{FxHashMap, FxHashSet};
use store::{FileRecord, GraphStore, NodeFlags, Publication, Published, StoreError};

impl PostgresStore {
    /// Replaces the indexer's rows of the repository by those of another store, in one transaction. Only rows that
    /// differ are written, or all if most files differ. Rows added by hand are not published. Those of the repository
    /// stay, except edges whose ends were removed.
    ///
    /// `commit` and `metadata` are stored with it, even if no row differs.
    pub fn publish(
        &mut self,
        from: &dyn GraphStore,
        commit: Option<&str>,
        metadata: &[(String, String)],
    ) -> Result<Published, StoreError> {
        self.publish_all(&Publication {
            graph: from,
            texts: None,
            commit,
            metadata,
            virtual_edges: &[],
        })
    }

    /// As [`PostgresStore::publish`], including the texts for search; only files that differ are written. Without
    /// texts, those of another graph or commit are removed.
    pub fn publish_all(&mut self, publication: &Publication<'_>) -> Result<Published, StoreError> {
        self.publish_if(publication, &|_| Ok(true))
    }

    /// As [`PostgresStore::publish_all`]; the same transaction also ends the job. If a newer commit is already
    /// published, nothing else is done.
    pub(crate) fn publish_job(
        &mut self,
        publication: &Publication<'_>,
        job: &Job,
    ) -> Result<Published, StoreError> {
        let repository = self.repository.number;
        self.publish_if(publication, &|transaction| {
            queue::finish_and_check_newest(transaction, repository, job)
        })
    }

    fn publish_if(
        &mut self,
        publication: &Publication<'_>,
        is_wanted: &dyn Fn(&mut Transaction<'_>) -> Result<bool, Failure>,
    ) -> Result<Published, StoreError> {
        let Publication {
            graph: from,
            texts,
            commit,
            metadata,
            virtual_edges,
        } = *publication;
        let files: Vec<FileRecord> = from.indexed_files()?.into_values().collect();
        let fingerprint = fingerprint(&files);
        let repository = self.repository.number;
        self.write_uncounted("publishing to", |transaction| {
            if !is_wanted(transaction)? {
                return Ok(Published {
                    was_current: true,
                    rows: 0,
                });
            }
            let sql = "SELECT fingerprint, commit FROM knotwork.repositories WHERE repo_id = $1";
            let known = transaction.query_one(sql, &[&repository])?;
            let known_commit: Option<String> = known.try_get(1)?;
            let known: Option<String> = known.try_get(0)?;
            let was_current = known.as_ref() == Some(&fingerprint);
            let mut written = 0;
            if !was_current {
                written = write_graph(transaction, repository, from, &files)?;
                if written >= ROWS_WORTH_STATISTICS {
                    gather_statistics(transaction, GRAPH)?;
                }
            }
            let texts = match texts {
                Some(texts) => write_texts(transaction, repository, texts)?,
                None if was_current && known_commit.as_deref() == commit => WrittenTexts::default(),
                // Existing texts would be taken for those of this commit.
                None => withdraw_texts(transaction, repository)?,
            };
            if texts.rows >= ROWS_WORTH_STATISTICS {
                gather_statistics(transaction, TEXTS)?;
                if texts.has_vectors {
                    gather_statistics(transaction, &["vectors"])?;
                }
            }
            let edges = write::replace_virtual_edges(transaction, repository, virtual_edges)?;
            let was_current = was_current && !texts.is_changed && edges.is_none();
            if !was_current {
                crate::count_up(transaction, repository)?;
            }
            for (key, value) in metadata {
                write::set_metadata(transaction, repository, key, value)?;
            }
            let sql = "UPDATE knotwork.repositories SET fingerprint = $2, commit = $3, published_at = now() WHERE repo_id = $1";
            transaction.execute(sql, &[&repository, &fingerprint, &commit])?;
            Ok(Published {
                was_current,
                rows: written + texts.rows + edges.unwrap_or(0),
            })
        })
    }
}

/// Number of written rows from which on statistics are gathered.
const ROWS_WORTH_STATISTICS: u64 = 10_000;

/// Large tables of the graph, and of texts.
const GRAPH: &[&str] = &["nodes", "edges", "relations", "files"];
const TEXTS: &[&str] = &["texts", "words"];

/// Lets the server gather statistics of the tables. Before it knows of a repository, it plans to join all nodes with
/// all edges, and takes minutes for a question. Only the owner of the tables may do this; for another role the server
/// warns, and gathers statistics later by itself.
fn gather_statistics(transaction: &mut Transaction<'_>, tables: &[&str]) -> Result<(), Failure> {
    for table in tables {
        transaction.batch_execute(&format!("ANALYZE knotwork.{table}"))?;
    }
    Ok(())
}

/// Writes the rows that differ from the published graph.
fn write_graph(
    transaction: &mut Transaction<'_>,
    repository: i64,
    from: &dyn GraphStore,
    files: &[FileRecord],
) -> Result<u64, Failure> {
    if apply::begin_replacing(transaction, repository)? {
        let all = Selection::all(files, Existing::None);
        return copy_all(transaction, repository, from, &all);
    }
    let changed = changed_files(transaction, repository, files)?;
    if changed.len() * 2 > files.len() {
        let everything = Existing::Replaced(Scope::Everything);
        let all = Selection::all(files, everything);
        let written = copy_all(transaction, repository, from, &all)?;
        apply::drop_dangling_edges_by_hand(transaction, repository)?;
        return Ok(written);
    }
    let paths: Vec<&str> = changed.iter().map(String::as_str).collect();
    transaction.batch_execute(
        "CREATE TEMP TABLE IF NOT EXISTS former_nodes (id TEXT COLLATE \"C\") ON COMMIT DELETE ROWS; \
         TRUNCATE pg_temp.former_nodes",
    )?;
    let sql = format!(
        "INSERT INTO pg_temp.former_nodes SELECT id FROM knotwork.nodes WHERE repo_id = $1 AND file_path = ANY($2) \
         AND flags & {} = 0",
        NodeFlags::MANUAL
    );
    transaction.execute(&sql, &[&repository, &paths])?;
    transaction.batch_execute("ANALYZE pg_temp.former_nodes")?;
    let some = Selection {
        files,
        only: Some(changed.iter().map(String::as_str).collect()),
        existing: Existing::Replaced(Scope::Files(&paths)),
    };
    let written = copy_all(transaction, repository, from, &some)?;
    apply::drop_dangling_edges_by_hand(transaction, repository)?;
    Ok(written)
}

/// The paths of files that are new, removed, or have other rows than the published ones.
fn changed_files(
    transaction: &mut Transaction<'_>,
    repository: i64,
    files: &[FileRecord],
) -> Result<Vec<String>, Failure> {
    let sql =
        "SELECT path, hash, output_hash, source, boundary FROM knotwork.files WHERE repo_id = $1";
    let mut there: FxHashMap<String, [String; 4]> = FxHashMap::default();
    transaction.visit(sql, &[&repository], Extent::Repository, |row| {
        let parts = [
            row.try_get(1)?,
            row.try_get(2)?,
            row.try_get(3)?,
            row.try_get(4)?,
        ];
        there.insert(row.try_get(0)?, parts);
        Ok(())
    })?;
    let mut changed = Vec::new();
    for file in files {
        let same = there.remove(&file.path).is_some_and(|there| {
            // Without a hash, the rows of a file are unknown.
            !file.output_hash.is_empty()
                && there == [&*file.hash, &file.output_hash, &file.source, &file.role]
        });
        if !same {
            changed.push(file.path.clone());
        }
    }
    changed.extend(there.into_keys());
    Ok(changed)
}

/// The rows to write.
struct Selection<'f> {
    files: &'f [FileRecord],
    /// The files whose rows are written; `None` for all.
    only: Option<FxHashSet<&'f str>>,
    existing: Existing<'f>,
}

impl<'f> Selection<'f> {
    fn all(files: &'f [FileRecord], existing: Existing<'f>) -> Selection<'f> {
        Selection {
            files,
            only: None,
            existing,
        }
    }

    fn has_file(&self, path: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(path))
    }
}

/// A hash of everything that the indexer wrote, made from the hash of each file's rows.
fn fingerprint(files: &[FileRecord]) -> String {
    let files = files.iter();
    let parts = files.flat_map(|f| [&f.path, &f.hash, &f.output_hash, &f.source, &f.role]);
    let parts: Vec<&[u8]> = parts.map(|text| text.as_bytes()).collect();
    format!("{:016x}", base::fingerprint(&parts))
}

/// Copies one table. An error of reading is reported before one of writing.
fn copy_table(
    transaction: &mut Transaction<'_>,
    repository: i64,
    (table, existing): (&crate::copy::Table, Existing<'_>),
    read: impl FnOnce(&mut Rows<'_>) -> Result<(), StoreError>,
) -> Result<u64, Failure> {
    let mut found = Ok(());
    let copied = insert(transaction, table, repository, existing, |rows| {
        found = read(rows);
    });
    found?;
    copied
}

fn copy_all(
    transaction: &mut Transaction<'_>,
    repository: i64,
    from: &dyn GraphStore,
    wanted: &Selection<'_>,
) -> Result<u64, Failure> {
    let existing = wanted.existing;
    let mut file_ids: FxHashMap<String, String> = FxHashMap::default();
    // For a part of the files: the nodes whose rows are written.
    let mut sources: FxHashSet<String> = FxHashSet::default();
    let mut written = copy_table(transaction, repository, (&rows::NODES, existing), |rows| {
        from.for_each_node(&mut |node| {
            if node.flags.contains(NodeFlags::MANUAL) {
                return;
            }
            if wanted.has_file(&node.file_path) {
                rows::write_node(rows, &node);
                if wanted.only.is_some() {
                    sources.insert(node.id.clone());
                }
            }
            if node.kind == base::SymbolKind::File.as_str() {
                file_ids.insert(node.file_path, node.id);
            }
        })
    })?;
    let has_source = |id: &str| wanted.only.is_none() || sources.contains(id);
    written += copy_table(transaction, repository, (&rows::EDGES, existing), |rows| {
        from.for_each_edge(&mut |edge| {
            if edge.tier != Tier::Manual && has_source(&edge.source_id) {
                rows::write_edge(rows, &edge);
            }
        })
    })?;
    written += copy_table(
        transaction,
        repository,
        (&rows::RELATIONS, existing),
        |rows| {
            from.for_each_relation(&mut |relation| {
                if wanted.has_file(&relation.file_path) {
                    rows::write_relation(rows, &relation);
                }
            })
        },
    )?;
    written += copy_table(
        transaction,
        repository,
        (&rows::EXTERNAL_USES, existing),
        |rows| {
            from.for_each_use(&mut |x| {
                if has_source(x.source_id) {
                    let row = rows.begin().text(x.source_id);
                    let row = row.text(x.package).text(x.symbol);
                    row.int(x.line).int(x.count);
                }
            })
        },
    )?;
    written += copy_table(
        transaction,
        repository,
        (&rows::IMPORTS, existing),
        |rows| copy_imports(from, &file_ids, wanted, rows),
    )?;
    let unresolved = (&rows::UNRESOLVED_CALLS, existing);
    written += copy_table(transaction, repository, unresolved, |rows| {
        from.for_each_unresolved(&mut |calls| {
            if has_source(&calls.source_id) {
                rows::write_unresolved(rows, &calls);
            }
        })
    })?;
    written += copy_table(transaction, repository, (&rows::MARKS, existing), |rows| {
        from.for_each_mark(&mut |mark| {
            if has_source(mark.source_id) {
                rows::write_mark(rows, &mark.to_record());
            }
        })
    })?;
    written += copy_table(transaction, repository, (&rows::FILES, existing), |rows| {
        let files = wanted.files.iter();
        files.for_each(|file| rows::write_file(rows, file));
        Ok(())
    })?;
    Ok(written)
}

/// Imports are read with paths, which are converted back to nodes of files.
fn copy_imports(
    from: &dyn GraphStore,
    file_ids: &FxHashMap<String, String>,
    wanted: &Selection<'_>,
    rows: &mut Rows<'_>,
) -> Result<(), StoreError> {
    let mut last = (String::new(), 0);
    from.for_each_import(&mut |import| {
        if !wanted.has_file(import.path) {
            return;
        }
        let Some(record) = import.to_record(file_ids) else {
            return;
        };
        if last.0 != import.path {
            last = (import.path.to_owned(), 0);
        }
        rows::write_import(rows, last.1, &record);
        last.1 += 1;
    })
}
