//! State of the vectors: files that wait for vectors, and files that were sent today.

use super::failed;
use crate::IngestError;
use crate::walk::FoundText;
use guard::seal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

const NAME: &str = "state.json";
const KIND: &str = "embedding state";
const LONGEST: u64 = 256 << 20;
/// Seconds of a day.
const DAY: u64 = 24 * 60 * 60;

/// Files that wait for vectors of one model. Another model begins anew.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct EmbedState {
    model: String,
    /// Time of the last request for each file that had changed, seconds since 1970.
    asked: BTreeMap<String, u64>,
    /// Chunks without a vector, by file.
    missing: BTreeMap<String, usize>,
    #[serde(skip)]
    now: u64,
}

impl EmbedState {
    /// Loads the state. A damaged file counts as none: at worst, some chunks are sent once more.
    pub(super) fn load(folder: &Path, model: &str) -> EmbedState {
        let text = seal::read_sealed(&folder.join(NAME), KIND, LONGEST).unwrap_or_default();
        let read: EmbedState = serde_json::from_slice(&text).unwrap_or_default();
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |d| d.as_secs());
        if read.model == model {
            EmbedState { now, ..read }
        } else {
            EmbedState {
                model: model.to_owned(),
                now,
                ..EmbedState::default()
            }
        }
    }

    pub(super) fn save(&self, folder: &Path) -> Result<(), IngestError> {
        let path = folder.join(NAME);
        let text = serde_json::to_string(self).map_err(|e| failed(&path, &e))?;
        seal::write_sealed(&path, KIND, text.as_bytes()).map_err(|e| failed(&path, &e))
    }

    /// Whether a day has passed since the last request for a change of this file.
    pub(super) fn may_request_again(&self, path: &str) -> bool {
        let since = |at: &u64| self.now.saturating_sub(*at);
        self.asked.get(path).is_none_or(|at| since(at) >= DAY)
    }

    pub(super) fn has_missing_vectors(&self, path: &str) -> bool {
        self.missing.contains_key(path)
    }

    /// Chunks without a vector.
    pub(super) fn missing_count(&self) -> usize {
        self.missing.values().sum()
    }

    /// Records the state of a file.
    pub(super) fn record_file(&mut self, path: &str, missing: usize, was_asked: bool) {
        match missing {
            0 => self.missing.remove(path),
            _ => self.missing.insert(path.to_owned(), missing),
        };
        if was_asked {
            self.asked.insert(path.to_owned(), self.now);
        }
    }

    /// Removes files that are gone and days that are past.
    pub(super) fn prune(&mut self, found: &[FoundText]) {
        let there = |path: &str| {
            found
                .binary_search_by(|f| f.path.as_str().cmp(path))
                .is_ok()
        };
        let now = self.now;
        self.asked
            .retain(|path, at| there(path) && now.saturating_sub(*at) < DAY);
        self.missing.retain(|path, _| there(path));
    }
}
