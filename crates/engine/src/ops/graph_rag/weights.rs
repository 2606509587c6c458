//! Weights of a fragment besides relevance and distance: the heat of its file, and the user's own choices.

use crate::EngineError;
use crate::heat::Heat;
use crate::intent::{self, Preferences};
use crate::session::Session;
use std::sync::Arc;

/// The most that the user's own choices add to a priority.
const PREFERENCE: f64 = 0.2;

/// Heat of files and preferences of the user.
#[derive(Debug, Default)]
pub(super) struct Weights {
    heat: Arc<Heat>,
    preferences: Preferences,
}

impl Weights {
    pub(super) fn load(session: &Session<'_>) -> Result<Weights, EngineError> {
        Ok(Weights {
            heat: session.heat()?,
            preferences: intent::preferences(session.workspace()),
        })
    }

    /// The heat of a file, 0–1.
    pub(super) fn hotspot(&self, path: &str) -> f64 {
        self.heat.score(path)
    }

    /// The bonus from the user's own choices for the priority of a definition.
    pub(super) fn preference_bonus(&self, path: &str, symbol: &str) -> f64 {
        PREFERENCE * self.preferences.preference_of(path, symbol)
    }
}
