//! What else than relevance and distance a fragment is worth: how hot its file is, and how much it is worked with.

use crate::heat::{Heat, heat};
use crate::intent::Preferences;
use crate::{Engine, EngineError};
use std::sync::Arc;
use store::SqliteStore;

/// Most that the user's own choices add to a priority.
const PREFERENCE: f64 = 0.2;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Weights {
    heat: Arc<Heat>,
    preferences: Preferences,
}

impl Weights {
    pub(super) fn load(engine: &Engine, store: &SqliteStore) -> Result<Weights, EngineError> {
        Ok(Weights {
            heat: heat(engine, store)?,
            preferences: engine.preferences(),
        })
    }

    /// How hot a file is, 0–1.
    pub(super) fn hotspot(&self, path: &str) -> f64 {
        self.heat.score(path)
    }

    /// What the user's own choices add to the priority of a definition.
    pub(super) fn preference(&self, path: &str, symbol: &str) -> f64 {
        PREFERENCE * self.preferences.weight(path, symbol)
    }
}
