//! The links within a project as they were computed last, for a process that answers many questions.

use crate::watched_state::WatchedState;
use contract::link::FoundLinks;
use std::sync::{Arc, Mutex, PoisonError};

/// Links, and the state for which they were computed.
struct KeptLinks {
    /// The state of the graph.
    state: String,
    /// The state of the contract files, if they matter and are watched.
    texts: Option<WatchedState>,
    /// Whether contract files matter.
    contracts_matter: bool,
    links: Arc<FoundLinks>,
}

/// The links of one state of the project.
#[derive(Default)]
pub(crate) struct LinkCache(Mutex<Option<KeptLinks>>);

impl LinkCache {
    /// The links for a state of the graph, if they are known and no contract file can have changed since.
    pub(super) fn get(&self, state: &str, texts: Option<&WatchedState>) -> Option<Arc<FoundLinks>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.as_ref().filter(|known| known.state == state)?;
        let holds = !known.contracts_matter || texts.is_some() && texts == known.texts.as_ref();
        holds.then(|| known.links.clone())
    }

    /// Stores the links for a state.
    pub(super) fn put(
        &self,
        state: String,
        (texts, contracts_matter): (Option<WatchedState>, bool),
        links: Arc<FoundLinks>,
    ) {
        let known = KeptLinks {
            state,
            texts,
            contracts_matter,
            links,
        };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(known);
    }
}
