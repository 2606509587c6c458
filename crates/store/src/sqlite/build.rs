//! Builds a whole graph at once: rows stream into a new file beside the database, which then replaces it.
//!
//! The new file has no reader yet, so it needs neither journal nor log. A killed build leaves the old database as it
//! was, and a file that the next build removes. Files come in order of their keys, so that tables and key indexes grow
//! at their ends; the other indexes are made after all rows.

use super::error::{SqlContext, io_error};
use super::{SqliteStore, connect, maintain, rows, schema, write};
use crate::{
    FileGraph, FileRecord, GraphEdge, GraphExternal, GraphImport, GraphMark, GraphStore, NodeFlags,
    NodeRecord, RelationRecord, StoreError, UnresolvedName, VirtualEdgeRecord, WriterLock, private,
};
use rusqlite::backup::Backup;
use rusqlite::{CachedStatement, Connection, OpenFlags};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Stored columns of the tables that a build fills, used to copy rows if the file cannot be replaced.
const COPIED: &[(&str, &str)] = &[
    (
        "nodes",
        "id, symbol, kind, file_path, line_start, line_end, created_at, qualified_name, signature, doc, flags, \
         scip_symbol",
    ),
    (
        "edges",
        "id, source_id, target_id, edge_type, file_path, line, created_at, tier_code, site_code, confidence_set, \
         more_lines",
    ),
    (
        "relations",
        "source_id, kind, target_id, file_path, tier_code",
    ),
    ("external_symbols", "id, package, symbol"),
    ("external_uses", "source_id, external_id, line, count"),
    (
        "imports",
        "source_id, position, line, specifier, target_id, kind, names, flags",
    ),
    ("unresolved_calls", "source_id, name, lines"),
    ("marks", "source_id, kind, name, detail, lines"),
    (
        "files",
        "path, language, hash, size, stat, lines, boundary, source, syntax_errors, calls, calls_resolved, \
         calls_external, output_hash, complexity",
    ),
];

/// Time that a build waits for readers of the old database before it copies its rows into that instead of replacing it.
const READERS: Duration = Duration::from_millis(200);

/// A database under construction.
pub struct SqliteBuild {
    connection: Connection,
    path: PathBuf,
    partial: TemporaryDatabase,
    now: i64,
    externals: FxHashMap<(Arc<str>, Arc<str>), i64>,
}

/// The file of an unfinished build: removed on drop unless it was handed over.
struct TemporaryDatabase(PathBuf);

impl TemporaryDatabase {
    /// Creates the temporary database beside the one at `path`; the remains of a killed build are removed.
    fn create_beside(path: &Path) -> Result<TemporaryDatabase, StoreError> {
        let partial = TemporaryDatabase(maintain::path_with_extension(path, "building"));
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            private::create_folder(folder).map_err(|e| io_error(folder, "creating", &e))?;
        }
        match std::fs::remove_file(&partial.0) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                Err(io_error(&partial.0, "removing", &e))
            }
            _ => Ok(partial),
        }
    }
}

impl Drop for TemporaryDatabase {
    fn drop(&mut self) {
        for tail in maintain::TAILS {
            let _ = std::fs::remove_file(maintain::append_to_path(&self.0, tail));
        }
    }
}

impl SqliteBuild {
    /// Begins a build for the database at `path`; the caller holds its writer lock.
    pub fn start(path: &Path) -> Result<SqliteBuild, StoreError> {
        let partial = TemporaryDatabase::create_beside(path)?;
        let connection = connect(
            &partial.0,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        )?;
        // SQLite would check an edge's type with a table of four rows for every edge; here types never come from
        // outside.
        let prepare = || -> rusqlite::Result<i64> {
            connection.execute_batch(
                "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; \
                 PRAGMA foreign_keys=OFF; PRAGMA ignore_check_constraints=ON; PRAGMA cache_size=-32768; \
                 PRAGMA threads=2;",
            )?;
            connection.execute_batch(&schema::create_tables_sql())?;
            connection.execute_batch("BEGIN")?;
            connection.query_row("SELECT CAST(strftime('%s', 'now') AS INTEGER)", [], |r| {
                r.get(0)
            })
        };
        let now = prepare().with_path(&partial.0, "creating")?;
        Ok(SqliteBuild {
            connection,
            path: path.to_path_buf(),
            partial,
            now,
            externals: FxHashMap::default(),
        })
    }

    /// Adds the rows of one file. Files should come in order of their nodes' ids; ends of edges are not checked.
    pub fn add_file(&mut self, graph: &FileGraph) -> Result<(), StoreError> {
        let shown = self.partial.0.clone();
        self.insert_file_rows(graph).with_path(&shown, "writing to")
    }

    fn insert_file_rows(&mut self, graph: &FileGraph) -> rusqlite::Result<()> {
        self.insert_nodes(&graph.nodes)?;
        self.insert_edges(&graph.path, &graph.edges)?;
        self.insert_relations(&graph.relations)?;
        self.insert_external_uses(&graph.externals)?;
        self.imports(&graph.imports)?;
        self.insert_unresolved_calls(&graph.unresolved)?;
        self.insert_marks(&graph.marks)
    }

    fn insert_nodes(&self, nodes: &[NodeRecord]) -> rusqlite::Result<()> {
        for (rows, many) in split_into_batches(nodes) {
            let mut put = self.connection.prepare_cached(&insert_statement(
                "nodes (id, symbol, kind, file_path, line_start, line_end, created_at, qualified_name, signature, doc, \
                 flags, scip_symbol)",
                many,
            ))?;
            for some in rows.chunks(many) {
                for (n, at) in some.iter().zip((0..).step_by(12)) {
                    put.raw_bind_parameter(at + 1, &n.id)?;
                    put.raw_bind_parameter(at + 2, &n.symbol)?;
                    put.raw_bind_parameter(at + 3, &n.kind)?;
                    put.raw_bind_parameter(at + 4, &n.file_path)?;
                    put.raw_bind_parameter(at + 5, n.line_start)?;
                    put.raw_bind_parameter(at + 6, n.line_end)?;
                    put.raw_bind_parameter(at + 7, self.now)?;
                    put.raw_bind_parameter(at + 8, &n.qualified_name)?;
                    put.raw_bind_parameter(at + 9, &n.signature)?;
                    put.raw_bind_parameter(at + 10, &n.doc)?;
                    put.raw_bind_parameter(at + 11, n.flags.0)?;
                    put.raw_bind_parameter(at + 12, &n.scip_symbol)?;
                }
                put.raw_execute()?;
            }
        }
        Ok(())
    }

    fn insert_edges(&self, path: &str, edges: &[GraphEdge]) -> rusqlite::Result<()> {
        for (rows, many) in split_into_batches(edges) {
            let mut put = self.connection.prepare_cached(&insert_statement(
                "edges (id, source_id, target_id, edge_type, file_path, line, created_at, tier_code, site_code, \
                 confidence_set, more_lines)",
                many,
            ))?;
            // Values that are the same for all rows stay bound.
            for at in (0..many * 11).step_by(11) {
                put.raw_bind_parameter(at + 5, path)?;
                put.raw_bind_parameter(at + 7, self.now)?;
            }
            for some in rows.chunks(many) {
                for (edge, at) in some.iter().zip((0..).step_by(11)) {
                    bind_edge(&mut put, at, edge)?;
                }
                put.raw_execute()?;
            }
        }
        Ok(())
    }

    fn insert_relations(&self, relations: &[RelationRecord]) -> rusqlite::Result<()> {
        let mut put = self.connection.prepare_cached(
            "INSERT OR IGNORE INTO relations (source_id, kind, target_id, file_path, tier_code) \
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?;
        for r in relations {
            put.raw_bind_parameter(1, &r.source_id)?;
            put.raw_bind_parameter(2, &r.kind)?;
            put.raw_bind_parameter(3, &r.target_id)?;
            put.raw_bind_parameter(4, &r.file_path)?;
            put.raw_bind_parameter(5, rows::tier_code(r.tier))?;
            put.raw_execute()?;
        }
        Ok(())
    }

    fn insert_external_uses(&mut self, externals: &[GraphExternal]) -> rusqlite::Result<()> {
        let mut put_use = self.connection.prepare_cached(
            "INSERT INTO external_uses (source_id, external_id, line, count) VALUES (?1, ?2, ?3, ?4) \
             ON CONFLICT DO UPDATE SET count = count + excluded.count, line = min(line, excluded.line)",
        )?;
        let mut put_symbol = self.connection.prepare_cached(
            "INSERT INTO external_symbols (id, package, symbol) VALUES (?1, ?2, ?3)",
        )?;
        for x in externals {
            let next = self.externals.len() as i64 + 1;
            let key = (x.package.clone(), x.symbol.clone());
            let id = *self.externals.entry(key).or_insert(next);
            if id == next {
                put_symbol.raw_bind_parameter(1, id)?;
                put_symbol.raw_bind_parameter(2, &*x.package)?;
                put_symbol.raw_bind_parameter(3, &*x.symbol)?;
                put_symbol.raw_execute()?;
            }
            put_use.raw_bind_parameter(1, x.source.to_text().as_str())?;
            put_use.raw_bind_parameter(2, id)?;
            put_use.raw_bind_parameter(3, x.line)?;
            put_use.raw_bind_parameter(4, x.count)?;
            put_use.raw_execute()?;
        }
        Ok(())
    }

    fn imports(&self, imports: &[GraphImport]) -> rusqlite::Result<()> {
        let mut put = self.connection.prepare_cached(rows::INSERT_IMPORT)?;
        for (position, import) in (0i64..).zip(imports) {
            put.raw_bind_parameter(1, import.source.to_text().as_str())?;
            put.raw_bind_parameter(2, position)?;
            put.raw_bind_parameter(3, import.line)?;
            put.raw_bind_parameter(4, &import.specifier)?;
            let target = import.target.map(|target| target.to_text());
            put.raw_bind_parameter(5, target.as_ref().map(|target| target.as_str()))?;
            put.raw_bind_parameter(6, import.kind.code())?;
            put.raw_bind_parameter(7, &import.names)?;
            put.raw_bind_parameter(8, import.flags.0)?;
            put.raw_execute()?;
        }
        Ok(())
    }

    fn insert_unresolved_calls(&self, unresolved: &[UnresolvedName]) -> rusqlite::Result<()> {
        let mut put = self.connection.prepare_cached(rows::INSERT_UNRESOLVED)?;
        for calls in unresolved {
            put.raw_bind_parameter(1, calls.source.to_text().as_str())?;
            put.raw_bind_parameter(2, &calls.name)?;
            put.raw_bind_parameter(3, rows::join_lines(&calls.lines))?;
            put.raw_execute()?;
        }
        Ok(())
    }

    fn insert_marks(&self, marks: &[GraphMark]) -> rusqlite::Result<()> {
        let mut put = self.connection.prepare_cached(rows::INSERT_MARK)?;
        for mark in marks {
            put.raw_bind_parameter(1, mark.source.to_text().as_str())?;
            put.raw_bind_parameter(2, mark.kind.code())?;
            put.raw_bind_parameter(3, &mark.name)?;
            put.raw_bind_parameter(4, &mark.detail)?;
            put.raw_bind_parameter(5, rows::join_lines(&mark.lines))?;
            put.raw_execute()?;
        }
        Ok(())
    }

    /// Builds the indexes, copies the rows that were added by hand to the present database (`old`), and replaces it by
    /// the new one. `lock` is the writer lock, if `old` does not hold it.
    pub fn finish_and_replace(
        self,
        old: Option<SqliteStore>,
        lock: Option<WriterLock>,
        files: &[FileRecord],
        metadata: &[(String, String)],
    ) -> Result<SqliteStore, StoreError> {
        let by_hand = old
            .as_ref()
            .map(ManualRows::read_manual_rows)
            .transpose()?
            .unwrap_or_default();
        let run = || -> rusqlite::Result<()> {
            self.connection
                .execute_batch(&schema::create_indexes_sql())?;
            for file in files {
                write::put_file(&self.connection, file)?;
            }
            by_hand.insert_into(&self.connection)?;
            for (key, value) in metadata {
                write::set_metadata(&self.connection, key, value)?;
            }
            self.connection.execute_batch("COMMIT")?;
            self.connection
                .execute_batch("PRAGMA locking_mode=NORMAL; PRAGMA journal_mode=WAL;")
        };
        run().with_path(&self.partial.0, "writing to")?;
        let SqliteBuild {
            connection,
            path,
            partial,
            ..
        } = self;
        connection
            .close()
            .map_err(|(_, e)| e)
            .with_path(&partial.0, "closing")?;
        replace_database(&partial, &path, old, lock)
    }
}

impl SqliteStore {
    /// Whether people have added nodes or edges.
    pub fn has_rows_by_hand(&self) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM edges WHERE tier_code IS NULL) \
                   OR EXISTS (SELECT 1 FROM nodes WHERE flags & ?1)";
        let found = (self.connection).query_row(sql, [NodeFlags::MANUAL], |row| row.get(0));
        found.with_path(&self.path, "reading")
    }

    /// Writes a copy of this database, in the state that reads see now, to `path`, where none may exist; the caller
    /// holds its writer lock. `files` replace the records of the same files, and `metadata` those of the same keys.
    /// Edges to other repositories are not copied. A lock that was taken for another database at that place seals this
    /// one, too.
    pub fn copy_to(
        &self,
        path: &Path,
        files: &[FileRecord],
        metadata: &[(&str, String)],
        lock: Option<&mut WriterLock>,
    ) -> Result<(), StoreError> {
        let partial = TemporaryDatabase::create_beside(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut copy = connect(&partial.0, flags)?;
        let mut run = || -> rusqlite::Result<()> {
            copy.execute_batch("PRAGMA synchronous=OFF")?;
            let backup = Backup::new(&self.connection, &mut copy)?;
            backup.run_to_completion(i32::MAX, Duration::ZERO, None)?;
            drop(backup);
            let transaction = copy.transaction()?;
            transaction.execute("DELETE FROM virtual_edges", [])?;
            for file in files {
                write::put_file(&transaction, file)?;
            }
            for (key, value) in metadata {
                write::set_metadata(&transaction, key, value)?;
            }
            transaction.commit()
        };
        run().with_path(&partial.0, "writing to")?;
        let closed = copy.close().map_err(|(_, error)| error);
        closed.with_path(&partial.0, "closing")?;
        if let Some(lock) = lock {
            lock.register_file(&partial.0)?;
        }
        platform::file::replace(&partial.0, path).map_err(|e| io_error(path, "replacing", &e))
    }
}

/// Rows of one statement: within it, the position of the previous row is known.
const AT_ONCE: usize = 16;

/// The rows that fill whole statements, and the rest, which are inserted one by one.
fn split_into_batches<T>(all: &[T]) -> [(&[T], usize); 2] {
    let (many, few) = all.split_at(all.len() - all.len() % AT_ONCE);
    [(many, AT_ONCE), (few, 1)]
}

/// A statement that inserts `rows` rows into a table. `table` is its name with its columns, of which there is one more
/// than commas. Of several rows with one id, the first counts.
fn insert_statement(table: &str, rows: usize) -> String {
    let columns = table.matches(',').count() + 1;
    let row = format!("({})", vec!["?"; columns].join(","));
    let rows = vec![row; rows].join(",");
    format!("INSERT INTO {table} VALUES {rows} ON CONFLICT (id) DO NOTHING")
}

fn bind_edge(put: &mut CachedStatement<'_>, at: usize, e: &GraphEdge) -> rusqlite::Result<()> {
    put.raw_bind_parameter(at + 1, e.id.to_text().as_str())?;
    put.raw_bind_parameter(at + 2, e.source.to_text().as_str())?;
    put.raw_bind_parameter(at + 3, e.target.to_text().as_str())?;
    put.raw_bind_parameter(at + 4, e.edge_type.as_str())?;
    put.raw_bind_parameter(at + 6, (e.line > 0).then_some(e.line))?;
    put.raw_bind_parameter(at + 8, rows::tier_code(e.tier))?;
    put.raw_bind_parameter(at + 9, rows::site_code(e.site))?;
    let sure = (e.confidence != e.tier.default_confidence()).then_some(e.confidence);
    put.raw_bind_parameter(at + 10, sure)?;
    put.raw_bind_parameter(at + 11, rows::encode_lines(&e.more_lines))
}

/// Replaces the database by the finished file. If readers hold the database, the rows are copied into it.
fn replace_database(
    partial: &TemporaryDatabase,
    path: &Path,
    old: Option<SqliteStore>,
    mut lock: Option<WriterLock>,
) -> Result<SqliteStore, StoreError> {
    let note = |lock: &mut Option<WriterLock>| {
        lock.as_mut()
            .map_or(Ok(()), |l| l.register_file(&partial.0))
    };
    let rename =
        || platform::file::replace(&partial.0, path).map_err(|e| io_error(path, "replacing", &e));
    let Some(mut old) = old else {
        note(&mut lock)?;
        rename()?;
        let mut store = SqliteStore::open(path)?;
        store.hold_writer_lock(lock)?;
        return Ok(store);
    };
    if !remove_log(&old) {
        copy_rows(&old, &partial.0).with_path(path, "writing to")?;
        return Ok(old);
    }
    let mut lock = old._lock.take().or(lock);
    drop(old);
    note(&mut lock)?;
    rename()?;
    let mut store = SqliteStore::open(path)?;
    store.hold_writer_lock(lock)?;
    Ok(store)
}

/// Empties and removes the log of a database, so that it cannot be taken for that of the new one. False if another
/// process has the database open. No journal file is written: one left by a killed process would not be trusted.
fn remove_log(old: &SqliteStore) -> bool {
    let run = || -> rusqlite::Result<String> {
        old.connection.busy_timeout(READERS)?;
        old.connection
            .query_row("PRAGMA journal_mode=MEMORY", [], |r| r.get(0))
    };
    let done = run().is_ok_and(|mode| mode == "memory");
    let _ = old.connection.busy_timeout(super::BUSY_WAIT);
    done
}

/// Replaces all rows of the index by those of the finished file, in one transaction.
fn copy_rows(old: &SqliteStore, from: &Path) -> rusqlite::Result<()> {
    let connection = &old.connection;
    connection.execute_batch("PRAGMA foreign_keys=OFF;")?;
    connection.execute("ATTACH ?1 AS built", [from.to_string_lossy()])?;
    let run = || -> rusqlite::Result<()> {
        let transaction = connection.unchecked_transaction()?;
        for (table, columns) in COPIED {
            transaction.execute_batch(&format!(
                "DELETE FROM main.{table}; INSERT INTO main.{table} ({columns}) SELECT {columns} FROM built.{table};"
            ))?;
        }
        transaction.execute_batch(
            "INSERT OR REPLACE INTO main.metadata (key, value) SELECT key, value FROM built.metadata;",
        )?;
        transaction.commit()
    };
    let done = run();
    connection.execute_batch("DETACH built; PRAGMA foreign_keys=ON;")?;
    done
}

/// Rows of the old database that people, or programs other than the indexer, added.
#[derive(Default)]
struct ManualRows {
    nodes: Vec<NodeRecord>,
    edges: Vec<crate::EdgeRecord>,
    virtual_edges: Vec<VirtualEdgeRecord>,
    metadata: Vec<(String, String)>,
}

impl ManualRows {
    fn read_manual_rows(store: &SqliteStore) -> Result<ManualRows, StoreError> {
        let (nodes, edges) =
            write::read_manual_rows(&store.connection).with_path(&store.path, "reading")?;
        let metadata = || -> rusqlite::Result<Vec<(String, String)>> {
            let sql = "SELECT key, value FROM metadata WHERE key <> 'schema_version' AND value IS NOT NULL";
            let mut statement = store.connection.prepare(sql)?;
            let rows = statement.query_map([], |r| Ok((r.get(0)?, r.get(1)?)))?;
            rows.collect()
        };
        Ok(ManualRows {
            nodes,
            edges,
            virtual_edges: store.virtual_edges(None, 0.0)?,
            metadata: metadata().with_path(&store.path, "reading")?,
        })
    }

    fn insert_into(&self, connection: &Connection) -> rusqlite::Result<()> {
        write::restore_manual_rows(connection, &self.nodes, &self.edges)?;
        for edge in &self.virtual_edges {
            write::put_virtual_edge(connection, edge)?;
        }
        for (key, value) in &self.metadata {
            write::set_metadata(connection, key, value)?;
        }
        Ok(())
    }
}
