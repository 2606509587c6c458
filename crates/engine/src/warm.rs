//! Work that a long-running process does between questions, so that the next question need not wait for it.

use crate::ops::search;
use crate::session::Session;
use crate::workspace::Workspace;
use crate::{EngineError, SearchRequest, update};
use serde_json::json;
use std::time::{Duration, Instant};

/// The longest that a warm-up waits for another thread to read the graph.
const PATIENCE: Duration = Duration::from_secs(10);

/// The data that was read into memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Warm {
    /// The number of nodes in the graph.
    pub symbols: u64,
    /// The number of chunks that can be searched.
    pub chunks: usize,
    /// Whether the heat of files is known.
    pub hotspots: bool,
}

impl Workspace {
    /// Starts the watcher where there is none, and waits until it runs or has failed.
    pub(crate) fn start_watcher(&self) {
        let Some(resident) = self.resident() else {
            return;
        };
        if resident.change_count().is_some() {
            return;
        }
        resident.prepare_in_background();
        self.wait_until_prepared();
    }

    pub(crate) fn wait_until_prepared(&self) {
        let Some(resident) = self.resident() else {
            return;
        };
        wait_while(|| resident.is_preparing());
    }

    /// Brings graph and chunks up to date. An error is left to the next question.
    pub(crate) fn update_all(&self) {
        if let Err(error) = self.ask(|_| Ok(())) {
            self.progress().detail(format_args!("{error}"));
        }
        if let Err(error) = update::search_index(self, false) {
            self.progress().detail(format_args!("{error}"));
        }
    }

    /// Prepares an existing index for its first search in words. An error is left to the next question.
    pub(crate) fn warm_up_search(&self) {
        if !self.database().is_file() {
            return;
        }
        let ready = self.ask(|_| Ok(())).and_then(|_| {
            self.wait_until_prepared();
            self.run_dummy_search()
        });
        if let Err(error) = ready {
            self.progress().detail(format_args!("{error}"));
        }
    }

    fn run_dummy_search(&self) -> Result<(), EngineError> {
        let request: SearchRequest = serde_json::from_value(json!({"query": "main", "limit": 1}))
            .map_err(|e| EngineError::runtime_failure(e.to_string()))?;
        search::find_matches(self, &request).map(drop)
    }

    /// Prepares everything for a first question: index, graph in memory, chunks, model, hotspots.
    pub(crate) fn warm_up(&self) -> Result<Warm, EngineError> {
        let read = |session: &Session<'_>| {
            let symbols = session.store().stats()?.nodes;
            Ok((symbols, session.heat().is_ok()))
        };
        let ((symbols, hotspots), _) = self.ask(read)?;
        self.wait_until_prepared();
        self.run_dummy_search()?;
        let found = update::search_index(self, false);
        Ok(Warm {
            symbols,
            chunks: found.map_or(0, |found| found.index.chunk_count()),
            hotspots,
        })
    }
}

/// Waits while the condition holds, up to a limit.
fn wait_while(holds: impl Fn() -> bool) {
    let since = Instant::now();
    while holds() && since.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
}
