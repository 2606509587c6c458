//! The graph kept in memory between questions, loaded again when the index changes.

use crate::EngineError;
use analysis::MemoryGraph;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;
use store::SqliteStore;

/// Length and time of the database and of its log: every commit changes one of them.
type Stamp = [Option<(u64, SystemTime)>; 2];

/// A graph in memory, and the state of the store that it shows.
#[derive(Debug)]
pub(crate) struct Resident {
    stamp: Stamp,
    graph: Arc<MemoryGraph>,
}

/// The graph for the store's present state, loaded where the one at hand shows another.
pub(crate) fn current(
    slot: &mut Option<Resident>,
    store: &SqliteStore,
) -> Result<Arc<MemoryGraph>, EngineError> {
    let stamp = stamp(store.path());
    if let Some(resident) = slot.as_ref().filter(|r| r.stamp == stamp) {
        return Ok(resident.graph.clone());
    }
    let graph = Arc::new(MemoryGraph::load(store)?);
    *slot = Some(Resident {
        stamp,
        graph: graph.clone(),
    });
    Ok(graph)
}

fn stamp(database: &Path) -> Stamp {
    let mut log = database.as_os_str().to_owned();
    log.push("-wal");
    [database, Path::new(&log)].map(|path| {
        let data = path.metadata().ok()?;
        Some((data.len(), data.modified().ok()?))
    })
}
