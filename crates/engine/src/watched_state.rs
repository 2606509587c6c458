//! The count of changes that a watcher has reported. What was read from the files stays true until the count grows.

use ingest::watch::Watch;
use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

/// Files in languages without a grammar, by language.
pub(crate) type LanguageCounts = BTreeMap<&'static str, usize>;

/// A watcher, and the number of changes that it has reported. It does not keep the watcher alive.
#[derive(Clone)]
pub(crate) struct WatchedState {
    watch: Weak<Watch>,
    changes: u64,
}

impl WatchedState {
    /// The present state of all files; none where the watcher has missed a change.
    pub(crate) fn of_files(watch: &Arc<Watch>) -> Option<WatchedState> {
        let changes = watch.change_count()? + watch.text_change_count();
        Some(WatchedState::new(watch, changes))
    }

    /// The present state of files that are no sources.
    pub(crate) fn of_texts(watch: &Arc<Watch>) -> WatchedState {
        WatchedState::new(watch, watch.text_change_count())
    }

    fn new(watch: &Arc<Watch>, changes: u64) -> WatchedState {
        WatchedState {
            watch: Arc::downgrade(watch),
            changes,
        }
    }
}

impl PartialEq for WatchedState {
    fn eq(&self, other: &WatchedState) -> bool {
        self.watch.ptr_eq(&other.watch) && self.changes == other.changes
    }
}
