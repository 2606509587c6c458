//! The count of changes that a watcher has reported. What was read from the files stays true until the count grows.

use ingest::watch::Watch;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Files in languages without a grammar, by language.
pub(crate) type LanguageCounts = BTreeMap<&'static str, usize>;

/// A watcher, and the number of changes that it has reported.
pub(crate) struct WatchedState {
    watch: Arc<Watch>,
    changes: u64,
}

impl WatchedState {
    /// The present state; none where the watcher has missed a change.
    pub(crate) fn now(watch: Arc<Watch>) -> Option<WatchedState> {
        let changes = watch.change_count()? + watch.text_change_count();
        Some(WatchedState { watch, changes })
    }
}

impl PartialEq for WatchedState {
    fn eq(&self, other: &WatchedState) -> bool {
        Arc::ptr_eq(&self.watch, &other.watch) && self.changes == other.changes
    }
}
