//! The SQLite backend: one file in WAL mode, one writer, any number of readers.

mod apply;
mod build;
mod difference;
mod error;
mod lock;
mod maintain;
mod migrate;
mod query;
mod read;
mod rows;
mod schema;
mod seal;
mod snapshot;
mod write;

pub use build::SqliteBuild;
pub use lock::WriterLock;
pub use maintain::{Recovery, remove_with_tails};
pub(crate) use maintain::{TAILS, append_to_path, rename_with_tails};
pub use migrate::{Migration, MigrationState};
pub use query::{QueryAnswer, QueryLimits};
pub use schema::SCHEMA_VERSION;
pub use seal::{FileState, is_untrusted, may_hold_database};

use crate::{
    Batch, BatchCount, EdgeRecord, ExternalRecord, FileRecord, GraphChange, GraphStore, ImportRow,
    MarkRow, NameRow, NodeRecord, RelationRecord, Snapshot, Stats, StoreError,
    UnresolvedCallRecord, UseRow, VirtualEdgeRecord, private,
};
use base::{EdgeType, Site};
use error::{SqlContext, io_error};
use platform::RealPath;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use seal::TrustState;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time to wait for another program that locks the whole database. Our own processes take the writer lock before they
/// write, and readers wait for no writer, so it must be a program of the user. A question opens the database three
/// times before it gives up.
const BUSY_WAIT: Duration = Duration::from_millis(600);

/// Time to wait for the lock, for work that another process can do instead.
const MOMENT: Duration = Duration::from_millis(200);

/// An edge of a file, with the file of its target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// The node it starts at.
    pub source_id: String,
    /// The node it ends at.
    pub target_id: String,
    /// Type.
    pub edge_type: EdgeType,
    /// For CALLS: a call or only a reference.
    pub site: Option<Site>,
    /// The file of its target.
    pub target_path: String,
}

/// A graph in a SQLite file.
pub struct SqliteStore {
    connection: Connection,
    path: PathBuf,
    _lock: Option<WriterLock>,
    /// Whether it is set up only for the indexer's changes: see [`SqliteStore::tune_for_small_writes`].
    is_indexers: bool,
}

impl SqliteStore {
    /// Opens the database for reading and writing; creates it with its folder if it is missing. A database of an older
    /// schema is upgraded, and a backup of it is kept beside it.
    ///
    /// Errors: [`StoreError::Damaged`] if the file is not a database or is corrupt.
    pub fn open(path: &Path) -> Result<SqliteStore, StoreError> {
        SqliteStore::open_or_create(path).map(|(store, _)| store)
    }

    /// Like [`SqliteStore::open`], but first takes the writer lock, waiting at most `wait` for another process to
    /// release it. The store holds the lock as long as it lives.
    pub fn open_writer(path: &Path, wait: Duration) -> Result<SqliteStore, StoreError> {
        let mut lock = WriterLock::acquire_with_seal(path, wait)?;
        lock.create_and_register(path)?;
        let mut store = SqliteStore::open(path)?;
        store.hold_writer_lock(Some(lock))?;
        Ok(store)
    }

    /// Opens or creates the database, and returns whether it existed. Existing data stay.
    pub fn open_or_create(path: &Path) -> Result<(SqliteStore, bool), StoreError> {
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            private::create_folder(folder).map_err(|e| io_error(folder, "creating", &e))?;
        }
        let existed = path.metadata().is_ok_and(|m| m.len() > 0);
        seal::check_trusted(path)?;
        if existed && migrate::read_state(path)?.needs_migration() {
            SqliteStore::migrate(path)?;
        }
        let connection = connect(
            path,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        )?;
        if !existed {
            // The change to the log is written through a journal. A journal file left by a killed process would not be
            // trusted, and a new database has nothing to roll back.
            connection
                .execute_batch("PRAGMA journal_mode=MEMORY")
                .with_path(path, "opening")?;
        }
        connection
            .execute_batch("PRAGMA journal_mode=WAL; PRAGMA foreign_keys=ON; PRAGMA journal_size_limit=4194304;")
            .with_path(path, "opening")?;
        let mut store = SqliteStore {
            connection,
            path: path.to_path_buf(),
            _lock: None,
            is_indexers: false,
        };
        store.set_checkpoint_on_close(!guard::seal::is_sealed_path(path))?;
        if !(existed && store.has_table("nodes")?) {
            store.create_schema()?;
        }
        Ok((store, existed))
    }

    /// Opens an existing database only for reading; nothing on disk changes.
    ///
    /// Errors: [`StoreError::Missing`] when there is none, [`StoreError::Schema`] when it has another schema.
    pub fn open_read_only(path: &Path) -> Result<SqliteStore, StoreError> {
        if path.symlink_metadata().is_err() {
            return Err(StoreError::Missing(path.display().to_string()));
        }
        if let TrustState::Written | TrustState::Taken = seal::check_trusted(path)? {
            // If its writer was killed, this renews the seal, so that the database is recognized by more than its
            // identity.
            drop(WriterLock::acquire_with_seal(path, Duration::ZERO));
        }
        let connection = match connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY) {
            // SQLite keeps a file for readers beside a database, which it cannot create in a read-only folder.
            Err(StoreError::Backend { .. }) if is_log_empty(path) => connect_immutable(path)?,
            other => other?,
        };
        let store = SqliteStore {
            connection,
            path: path.to_path_buf(),
            _lock: None,
            is_indexers: false,
        };
        let found = store.schema_version()?;
        if found.as_deref() != Some(SCHEMA_VERSION) {
            return Err(StoreError::Schema {
                path: path.display().to_string(),
                found: found.unwrap_or_else(|| "none".to_owned()),
                wanted: SCHEMA_VERSION.to_owned(),
            });
        }
        Ok(store)
    }

    /// Only the numbers of nodes and edges, from the smallest indexes, without reading rows.
    pub fn node_and_edge_counts(&self) -> Result<(u64, u64), StoreError> {
        read::node_and_edge_counts(self)
    }

    /// Makes all reads see the present state, whatever others write, until [`SqliteStore::end_read_snapshot`].
    pub fn begin_read_snapshot(&self) -> Result<(), StoreError> {
        let begin = || -> rusqlite::Result<bool> {
            self.connection.prepare_cached("BEGIN")?.execute([])?;
            // The first read fixes the state.
            let first = "SELECT 1 FROM metadata LIMIT 1";
            self.connection.prepare_cached(first)?.exists([])
        };
        if self.connection.is_autocommit() {
            begin().with_path(&self.path, "reading")?;
        }
        Ok(())
    }

    /// Ends the reads that [`SqliteStore::begin_read_snapshot`] began.
    pub fn end_read_snapshot(&self) -> Result<(), StoreError> {
        if !self.connection.is_autocommit() {
            let end = || self.connection.prepare_cached("ROLLBACK")?.execute([]);
            end().with_path(&self.path, "reading")?;
        }
        Ok(())
    }

    /// Runs reads that all see one state. Inside a larger read, they see the state of that read.
    fn read_consistently<T>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let run = || {
            let alone = self.connection.is_autocommit();
            let moment = alone.then(|| self.connection.unchecked_transaction());
            let _moment = moment.transpose()?;
            read(&self.connection)
        };
        run().with_path(&self.path, "reading")
    }

    /// A number that changes when any other connection changes the database. Numbers of different connections are not
    /// comparable.
    pub fn data_version(&self) -> Result<i64, StoreError> {
        read::data_version(self)
    }

    /// Passes path, size and time of change of every file in the index to `visit`, in order of path.
    pub fn for_each_file_stamp(
        &self,
        visit: &mut dyn FnMut(&str, u64, i64),
    ) -> Result<(), StoreError> {
        read::for_each_file_stamp(self, visit)
    }

    /// Prepares the connection for many small changes of the indexer, and nothing else. The log is checkpointed after
    /// `pages` pages instead of a thousand, and the settings that [`GraphStore::apply_change`] needs stay. Changing
    /// them each time would discard every prepared statement.
    pub fn tune_for_small_writes(&mut self, pages: u32) -> Result<(), StoreError> {
        let sql = format!("PRAGMA wal_autocheckpoint={pages}; {}", apply::BEFORE);
        let set = self.connection.execute_batch(&sql);
        set.with_path(&self.path, "opening")?;
        self.is_indexers = true;
        Ok(())
    }

    /// Holds the writer lock from here on until the connection is closed.
    fn hold_writer_lock(&mut self, lock: Option<WriterLock>) -> Result<(), StoreError> {
        if lock.is_some() {
            self.set_checkpoint_on_close(true)?;
            self._lock = lock;
        }
        Ok(())
    }

    /// Sets whether the last connection checkpoints the log when it closes. A connection without the lock must not,
    /// since it would change the files that the seal describes.
    fn set_checkpoint_on_close(&self, does: bool) -> Result<(), StoreError> {
        let setting = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        let set = self.connection.set_db_config(setting, !does);
        set.with_path(&self.path, "opening").map(|_| ())
    }

    /// Takes the lock for a change of the files, unless it is held already.
    fn lock_unless_held(&self) -> Result<Option<WriterLock>, StoreError> {
        match self._lock {
            Some(_) => Ok(None),
            None => WriterLock::acquire_with_seal(&self.path, MOMENT).map(Some),
        }
    }

    /// Checkpoints the whole log and empties it, unless another connection is reading or writing.
    pub fn checkpoint_truncate(&self) -> Result<(), StoreError> {
        let _lock = self.lock_unless_held()?;
        let set = |wait| {
            self.connection
                .busy_timeout(wait)
                .with_path(&self.path, "closing")
        };
        set(Duration::ZERO)?;
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        let done = self.connection.query_row(sql, [], |_| Ok(()));
        set(BUSY_WAIT)?;
        done.with_path(&self.path, "closing")
    }

    /// Checkpoints the log into the database, as far as no reader needs it.
    pub fn checkpoint(&self) -> Result<(), StoreError> {
        let _lock = self.lock_unless_held()?;
        let sql = "PRAGMA wal_checkpoint(PASSIVE)";
        let done = self.connection.query_row(sql, [], |_| Ok(()));
        done.with_path(&self.path, "writing to")
    }

    /// Releases memory that only serves as a cache.
    pub fn release_memory(&self) -> Result<(), StoreError> {
        let done = self.connection.execute_batch("PRAGMA shrink_memory");
        done.with_path(&self.path, "closing")
    }

    /// The indexer's record of a file.
    pub fn file_record(&self, path: &str) -> Result<Option<FileRecord>, StoreError> {
        read::file_record(self, path)
    }

    /// The edges that the indexer made from a file, in no particular order.
    pub fn outgoing_edges(&self, path: &str) -> Result<Vec<Outgoing>, StoreError> {
        read::outgoing_edges(self, path)
    }

    /// The database file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn schema_version(&self) -> Result<Option<String>, StoreError> {
        if !self.has_table("metadata")? {
            return Ok(None);
        }
        read::metadata(self, "schema_version")
    }

    fn has_table(&self, name: &str) -> Result<bool, StoreError> {
        migrate::has_table(&self.connection, name).with_path(&self.path, "reading")
    }

    /// Creates the schema. If two processes do so at once, there is one schema in the end.
    fn create_schema(&mut self) -> Result<(), StoreError> {
        let path = self.path.clone();
        let transaction = self
            .connection
            .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)
            .with_path(&path, "creating")?;
        if !migrate::has_table(&transaction, "nodes").with_path(&path, "creating")? {
            transaction
                .execute_batch(&schema::create_schema_sql())
                .with_path(&path, "creating")?;
        }
        transaction.commit().with_path(&path, "creating")
    }
}

/// Whether all written rows are in the database itself and none in the log.
fn is_log_empty(path: &Path) -> bool {
    log_size(path) == 0
}

/// Bytes of a database's write-ahead log; 0 if it has none.
pub fn log_size(path: &Path) -> u64 {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(log).map_or(0, |found| found.len())
}

/// Connects to a database in its present state, ignoring any writer.
fn connect_immutable(path: &Path) -> Result<Connection, StoreError> {
    let mut uri = String::from("file:");
    for byte in platform::file::long_path(path)
        .as_os_str()
        .as_encoded_bytes()
    {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {
                uri.push(char::from(*byte));
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri.push_str("?immutable=1");
    check_plain_private_files(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    configure_connection(
        path,
        Connection::open_with_flags(&uri, without_mutex(flags)),
    )
}

/// Opens the file of a database. Everything must open it through this function: closing another descriptor of the file
/// in this process would release the locks of all its connections (<https://www.sqlite.org/howtocorrupt.html>, 2.2).
pub(crate) fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    // Links are followed on the way to the folder, but not for the file.
    let place = match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) if !folder.as_os_str().is_empty() => {
            folder.real_path().map(|f| f.join(name))
        }
        _ => std::path::absolute(path),
    };
    let place = place.map_err(|e| io_error(path, "opening", &e))?;
    check_plain_private_files(&place)?;
    if flags.contains(OpenFlags::SQLITE_OPEN_CREATE) && place.symlink_metadata().is_err() {
        // SQLite gives the log beside it the same rights.
        private::create_empty_if_missing(&place).map_err(|e| io_error(path, "creating", &e))?;
    }
    let flags = without_mutex(flags.difference(OpenFlags::SQLITE_OPEN_CREATE));
    let flags = flags | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let opened = Connection::open_with_flags(platform::file::long_path(&place), flags);
    configure_connection(path, opened)
}

/// Each connection is used by one thread at a time, so it needs no mutex.
fn without_mutex(flags: OpenFlags) -> OpenFlags {
    flags | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

/// Checks that database and log are regular files, readable by their owner alone.
fn check_plain_private_files(path: &Path) -> Result<(), StoreError> {
    for tail in TAILS {
        let file = append_to_path(path, tail);
        let Ok(found) = file.symlink_metadata() else {
            continue;
        };
        if let Some(what) = guard::state::describe_irregular(&found) {
            let path = file.display().to_string();
            return Err(StoreError::Irregular { path, what });
        }
        private::close_to_others(&file, &found);
    }
    Ok(())
}

fn configure_connection(
    path: &Path,
    connection: rusqlite::Result<Connection>,
) -> Result<Connection, StoreError> {
    let connection = connection.with_path(path, "opening")?;
    connection
        .busy_timeout(BUSY_WAIT)
        .with_path(path, "opening")?;
    connection
        .execute_batch("PRAGMA synchronous=NORMAL; PRAGMA temp_store=MEMORY;")
        .with_path(path, "opening")?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

impl SqliteStore {
    /// Paths of files with syntax errors, a part of which could not be read.
    ///
    /// # Errors
    /// A database that cannot be read.
    pub fn files_with_syntax_errors(&self) -> Result<Vec<String>, StoreError> {
        read::files_with_syntax_errors(self)
    }

    /// The number of files in the index, by the names of their languages.
    ///
    /// # Errors
    /// A database that cannot be read.
    pub fn files_by_language(&self) -> Result<BTreeMap<String, usize>, StoreError> {
        read::files_by_language(self)
    }
}

impl GraphStore for SqliteStore {
    fn put_node(&mut self, node: &NodeRecord) -> Result<(), StoreError> {
        write::put_node(&self.connection, node).with_path(&self.path, "writing to")
    }

    fn node(&self, id: &str) -> Result<Option<NodeRecord>, StoreError> {
        read::node(self, id)
    }

    fn delete_node(&mut self, id: &str) -> Result<bool, StoreError> {
        write::delete_node(self, id)
    }

    fn put_edge(&mut self, edge: &EdgeRecord) -> Result<(), StoreError> {
        write::check_edge_ends(self, edge)?;
        write::put_edge(&self.connection, edge).with_path(&self.path, "writing to")
    }

    fn edge(&self, id: &str) -> Result<Option<EdgeRecord>, StoreError> {
        read::edge(self, id)
    }

    fn delete_edge(&mut self, id: &str) -> Result<bool, StoreError> {
        let deleted = self
            .connection
            .execute("DELETE FROM edges WHERE id = ?1", [id])
            .with_path(&self.path, "writing to")?;
        Ok(deleted > 0)
    }

    fn edges_from(&self, id: &str, only: Option<EdgeType>) -> Result<Vec<EdgeRecord>, StoreError> {
        read::edges(self, "source_id", id, only)
    }

    fn edges_to(&self, id: &str, only: Option<EdgeType>) -> Result<Vec<EdgeRecord>, StoreError> {
        read::edges(self, "target_id", id, only)
    }

    fn count_uses(&self, id: &str, most: usize) -> Result<usize, StoreError> {
        read::count_uses(self, id, most)
    }

    fn find_symbol(&self, name: &str) -> Result<Vec<NodeRecord>, StoreError> {
        read::find_symbol(self, name)
    }

    fn find_file(&self, path: &str) -> Result<Vec<NodeRecord>, StoreError> {
        read::find_file(self, path)
    }

    fn orphans(&self, most: usize) -> Result<(Vec<NodeRecord>, usize), StoreError> {
        read::orphans(self, most)
    }

    fn shortest_path(
        &self,
        from: &str,
        to: &str,
        max_depth: u32,
        types: &[EdgeType],
    ) -> Result<Option<Vec<EdgeRecord>>, StoreError> {
        read::shortest_path(self, from, to, max_depth, types)
    }

    fn batch_import(&mut self, batch: &Batch) -> Result<BatchCount, StoreError> {
        write::batch_import(self, batch)
    }

    fn apply_change(&mut self, change: &GraphChange) -> Result<(), StoreError> {
        apply::apply_change(self, change)
    }

    fn stats(&self) -> Result<Stats, StoreError> {
        read::stats(self)
    }

    fn indexed_files(&self) -> Result<BTreeMap<String, FileRecord>, StoreError> {
        read::indexed_files(self)
    }

    fn indexed_file(&self, path: &str) -> Result<Option<FileRecord>, StoreError> {
        read::file_record(self, path)
    }

    fn file_count(&self) -> Result<usize, StoreError> {
        read::file_count(self)
    }

    fn metadata(&self, key: &str) -> Result<Option<String>, StoreError> {
        read::metadata(self, key)
    }

    fn set_metadata(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        write::set_metadata(&self.connection, key, value).with_path(&self.path, "writing to")
    }

    fn relations_from(&self, id: &str) -> Result<Vec<RelationRecord>, StoreError> {
        read::relations(self, "source_id", id)
    }

    fn relations_to(&self, id: &str) -> Result<Vec<RelationRecord>, StoreError> {
        read::relations(self, "target_id", id)
    }

    fn unresolved_calls(&self, name: &str) -> Result<Vec<(String, Vec<u32>)>, StoreError> {
        read::unresolved_calls(self, name)
    }

    fn unresolved_calls_in(&self, file: &str) -> Result<Vec<(String, Vec<u32>)>, StoreError> {
        read::unresolved_calls_in(self, file)
    }

    fn externals_of(&self, id: &str) -> Result<Vec<ExternalRecord>, StoreError> {
        read::externals_of(self, id)
    }

    fn put_virtual_edges(&mut self, edges: &[VirtualEdgeRecord]) -> Result<(), StoreError> {
        write::put_virtual_edges(self, edges)
    }

    fn delete_virtual_edges(&mut self, ids: &[String]) -> Result<usize, StoreError> {
        write::delete_virtual_edges(self, ids)
    }

    fn virtual_edges(
        &self,
        symbol: Option<&str>,
        min_confidence: f64,
    ) -> Result<Vec<VirtualEdgeRecord>, StoreError> {
        read::virtual_edges(self, symbol, min_confidence)
    }

    fn snapshot(&self) -> Result<Snapshot, StoreError> {
        snapshot::read_snapshot(self)
    }

    fn for_each_relation(&self, visit: &mut dyn FnMut(RelationRecord)) -> Result<(), StoreError> {
        read::for_each_relation(self, visit)
    }

    fn for_each_external(&self, visit: &mut dyn FnMut(ExternalRecord)) -> Result<(), StoreError> {
        read::for_each_external(self, visit)
    }

    fn for_each_use(&self, visit: &mut dyn FnMut(UseRow<'_>)) -> Result<(), StoreError> {
        read::for_each_use(self, visit)
    }

    fn for_each_import(&self, visit: &mut dyn FnMut(ImportRow<'_>)) -> Result<(), StoreError> {
        read::for_each_import(self, visit)
    }

    fn has_nodes(&self) -> Result<bool, StoreError> {
        read::has_nodes(self)
    }

    fn for_each_unresolved(
        &self,
        visit: &mut dyn FnMut(UnresolvedCallRecord),
    ) -> Result<(), StoreError> {
        read::for_each_unresolved(self, visit)
    }

    fn for_each_mark(&self, visit: &mut dyn FnMut(MarkRow<'_>)) -> Result<(), StoreError> {
        read::for_each_mark(self, visit)
    }

    fn externals_of_packages(
        &self,
        wanted: &mut dyn FnMut(&str) -> bool,
    ) -> Result<Vec<ExternalRecord>, StoreError> {
        read::externals_of_packages(self, wanted)
    }

    fn for_each_name(&self, visit: &mut dyn FnMut(NameRow<'_>)) -> Result<(), StoreError> {
        read::for_each_name(self, visit)
    }

    fn for_each_node(&self, visit: &mut dyn FnMut(NodeRecord)) -> Result<(), StoreError> {
        read::for_each_node(self, visit)
    }

    fn for_each_edge(&self, visit: &mut dyn FnMut(EdgeRecord)) -> Result<(), StoreError> {
        read::for_each_edge(self, visit)
    }
}
