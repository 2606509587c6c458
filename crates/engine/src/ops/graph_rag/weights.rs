//! What else than relevance and distance a fragment is worth: how hot its file is.

use crate::Engine;
use std::collections::BTreeMap;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Weights {
    /// 0–1 by path.
    hotspots: BTreeMap<String, f64>,
    /// Added to the priority, by symbol or path.
    preferences: BTreeMap<String, f64>,
}

impl Weights {
    pub(super) fn of(_engine: &Engine) -> Weights {
        Weights::default()
    }

    /// How hot a file is, 0–1.
    pub(super) fn hotspot(&self, path: &str) -> f64 {
        self.hotspots.get(path).copied().unwrap_or(0.0)
    }

    /// What the user's own choices add.
    pub(super) fn preference(&self, path: &str, symbol: &str) -> f64 {
        let of = |key: &str| self.preferences.get(key).copied().unwrap_or(0.0);
        of(symbol).max(of(path))
    }
}
