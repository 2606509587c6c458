//! Facts that need not stay in memory: a [`FactsSource`] supplies them again when needed.

use crate::repo::FileId;
use base::FileFacts;
use std::fmt::Debug;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// Supplies the facts of files that are not in memory.
pub trait FactsSource: Debug + Send + Sync {
    /// The facts of a file. Called once for each file, when its facts are first needed.
    fn facts(&self, file: FileId) -> Arc<FileFacts>;
}

/// A file's facts: in memory, or supplied by a [`FactsSource`] when needed.
#[derive(Debug)]
pub struct Facts(Storage);

#[derive(Debug)]
enum Storage {
    Here(Arc<FileFacts>),
    Lent {
        /// The facts, loaded when first needed.
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

    /// Drops the facts from memory; `source` supplies them from then on.
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
