//! The links within a project as they were computed last, for a process that answers many questions.

use contract::link::Link;
use std::sync::{Arc, Mutex, PoisonError};

/// See the module.
#[derive(Default)]
pub(crate) struct LinkCache(Mutex<Option<(String, Arc<Vec<Link>>)>>);

impl LinkCache {
    /// The links of a state, if that is the one they are of.
    pub(super) fn get(&self, key: &str) -> Option<Arc<Vec<Link>>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, links) = known.as_ref().filter(|(of, _)| of == key)?;
        Some(links.clone())
    }

    /// Keeps the links of a state.
    pub(super) fn put(&self, key: String, links: Arc<Vec<Link>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((key, links));
    }
}
