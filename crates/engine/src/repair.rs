//! Repair of a damaged database that a question met. The database is moved aside, and the question is asked again,
//! which builds a new one.

use crate::EngineError;
use crate::error::DatabaseFault;
use crate::graph_state::is_manual_graph;
use crate::workspace::{WRITER_LOCK_TIMEOUT, Workspace};
use ingest::walk::file_id;
use store::SqliteStore;

impl Workspace {
    /// Answers a question. If the database turns out to be damaged, answers from a new one, and the answer says so.
    pub(crate) fn with_repair<T>(
        &self,
        ask: impl Fn() -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let asked = file_id(&self.project().db_path);
        let error = match ask() {
            Err(error) if error.fault.is_some() => error,
            done => return done,
        };
        self.repair(error, asked)?;
        ask()
    }

    /// Repairs the database after a question failed with `error`. `asked` identifies the database file that the
    /// question read.
    pub(crate) fn repair(
        &self,
        error: EngineError,
        asked: Option<(u64, u64)>,
    ) -> Result<(), EngineError> {
        let database = &self.project().db_path;
        let _turn = self.lock_updates();
        if let Some(resident) = self.resident() {
            resident.clear_database_state();
        }
        // Another thread or process may have repaired it already.
        if error.fault == Some(DatabaseFault::Lost) || file_id(database) != asked {
            return Ok(());
        }
        // A graph written by hand cannot be made again, so a malformed row is no reason to move it away.
        let is_by_hand = || {
            let store = SqliteStore::open_read_only(database).ok()?;
            is_manual_graph(&store).ok()
        };
        if error.fault == Some(DatabaseFault::Malformed) && is_by_hand() == Some(true) {
            return Err(error.with_hint("correct that row, or move the database away"));
        }
        let moved = SqliteStore::move_database_aside(database, WRITER_LOCK_TIMEOUT, error.message)?;
        self.progress().warning(format_args!("{moved}"));
        self.record_repair(moved.to_string());
        Ok(())
    }
}
