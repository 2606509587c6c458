//! The store that a question is answered from: this project's own, or one that several people share.

use crate::EngineError;
use std::ops::Deref;
use std::sync::Arc;
use store::{GraphStore, Names, SharedStores, SqliteStore};

/// The shared store, and the repository in it that belongs to the project.
#[derive(Debug, Clone)]
pub struct SharedRepository {
    /// The stores.
    pub stores: Arc<dyn SharedStores>,
    /// The repository's name, if the user named it.
    pub name: Option<String>,
}

/// The store behind an answer.
pub(crate) enum QuestionStore {
    /// The project's own database.
    Local(SqliteStore),
    /// A repository of a shared store.
    Shared(Box<dyn GraphStore>),
}

impl QuestionStore {
    /// The project's own database, for what no other store can do.
    pub(crate) fn local(&self) -> Result<&SqliteStore, EngineError> {
        match self {
            QuestionStore::Local(store) => Ok(store),
            QuestionStore::Shared(_) => Err(EngineError::bad_arguments(
                "the shared store does not answer this question",
            )
            .with_hint("unset GRAPH_BACKEND to ask this project's own index")),
        }
    }

    /// For looking up names.
    pub(crate) fn as_names(&self) -> &dyn Names {
        match self {
            QuestionStore::Local(store) => store,
            QuestionStore::Shared(store) => store,
        }
    }

    /// Whether it is a shared one. Then the project's files need not be those of the graph.
    pub(crate) fn is_shared(&self) -> bool {
        matches!(self, QuestionStore::Shared(_))
    }
}

impl Deref for QuestionStore {
    type Target = dyn GraphStore;

    fn deref(&self) -> &(dyn GraphStore + 'static) {
        match self {
            QuestionStore::Local(store) => store,
            QuestionStore::Shared(store) => &**store,
        }
    }
}
