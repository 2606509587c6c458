//! Data of names, by the scope that declares them.

use rustc_hash::FxHashMap;
use syntax::facts::{NameId, ScopeId};

/// Data by scope and name. A name without data is recognized at once, however many scopes are around.
pub(super) struct Scoped<T> {
    all: FxHashMap<(ScopeId, NameId), T>,
    /// Number of entries for each name.
    names: FxHashMap<NameId, usize>,
}

impl<T> Default for Scoped<T> {
    fn default() -> Scoped<T> {
        Scoped {
            all: FxHashMap::default(),
            names: FxHashMap::default(),
        }
    }
}

impl<T> Scoped<T> {
    pub(super) fn insert(&mut self, key: (ScopeId, NameId), value: T) {
        if self.all.insert(key, value).is_none() {
            *self.names.entry(key.1).or_default() += 1;
        }
    }

    pub(super) fn remove(&mut self, key: (ScopeId, NameId)) -> Option<T> {
        let removed = self.all.remove(&key)?;
        if let Some(count) = self.names.get_mut(&key.1) {
            *count -= 1;
        }
        Some(removed)
    }

    pub(super) fn get(&self, key: (ScopeId, NameId)) -> Option<&T> {
        self.all.get(&key)
    }

    pub(super) fn get_mut(&mut self, key: (ScopeId, NameId)) -> Option<&mut T> {
        self.all.get_mut(&key)
    }

    /// Whether a name has data in any scope.
    pub(super) fn has_name(&self, name: NameId) -> bool {
        self.names.get(&name).is_some_and(|count| *count > 0)
    }
}
