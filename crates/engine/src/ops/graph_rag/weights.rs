//! Weights of a fragment besides relevance and distance: the heat of its file, and the user's own choices.

use super::tuning::GraphRagTuning;
use crate::EngineError;
use crate::heat::Heat;
use crate::ops::intent::{self, Preferences};
use crate::session::Session;
use std::sync::Arc;

/// Heat of files and preferences of the user.
#[derive(Debug, Default)]
pub(super) struct Weights {
    heat: Arc<Heat>,
    preferences: Preferences,
    /// The most that a preference adds to a priority.
    most_preference: f64,
}

impl Weights {
    pub(super) fn load(
        session: &Session<'_>,
        tuning: &GraphRagTuning,
    ) -> Result<Weights, EngineError> {
        Ok(Weights {
            heat: session.heat()?,
            preferences: intent::preferences(session.workspace()),
            most_preference: tuning.preference,
        })
    }

    /// The heat of a file, 0–1.
    pub(super) fn hotspot(&self, path: &str) -> f64 {
        self.heat.score(path)
    }

    /// The bonus from the user's own choices for the priority of a definition.
    pub(super) fn preference_bonus(&self, path: &str, symbol: &str) -> f64 {
        self.most_preference * self.preferences.preference_of(path, symbol)
    }
}
