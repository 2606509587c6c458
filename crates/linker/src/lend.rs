//! Facts that need not be in memory: whoever keeps them gives them again when one is wanted.

use crate::repo::FileId;
use base::FileFacts;
use std::fmt::Debug;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// Keeps the facts of files that are not in memory.
pub trait FactsSource: Debug + Send + Sync {
    /// The facts of a file. Asked once for each file, when its facts are first wanted.
    fn facts(&self, file: FileId) -> Arc<FileFacts>;
}

/// A file's facts, in memory or lent to a [`FactsSource`].
#[derive(Debug)]
pub struct Facts(Storage);

#[derive(Debug)]
enum Storage {
    Here(Arc<FileFacts>),
    Lent {
        /// Given back when they were first wanted.
        again: OnceLock<Arc<FileFacts>>,
        source: Arc<dyn FactsSource>,
        file: FileId,
    },
}

impl Facts {
    /// The facts themselves.
    pub fn get(&self) -> &Arc<FileFacts> {
        match &self.0 {
            Storage::Here(facts) => facts,
            Storage::Lent {
                again,
                source,
                file,
            } => again.get_or_init(|| source.facts(*file)),
        }
    }

    /// Lets the facts go; `source` has them.
    pub(crate) fn lend(&mut self, source: Arc<dyn FactsSource>, file: FileId) {
        let again = OnceLock::new();
        self.0 = Storage::Lent {
            again,
            source,
            file,
        };
    }
}

impl From<Arc<FileFacts>> for Facts {
    fn from(facts: Arc<FileFacts>) -> Facts {
        Facts(Storage::Here(facts))
    }
}

impl Deref for Facts {
    type Target = FileFacts;

    fn deref(&self) -> &FileFacts {
        self.get()
    }
}
