//! The facts cache as the keeper of facts that linking lends it: it reads them again, many files at once.

use super::{FactsCache, Key};
use base::Language;
use linker::{FactsSource, FileId};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use syntax::FileFacts;

/// A packed cache in memory that was checked to have all the lent facts.
pub(crate) struct EvictedFacts {
    cache: FactsCache,
    /// Key of each file, in their order.
    keys: Vec<Key>,
    lost: AtomicBool,
}

impl std::fmt::Debug for EvictedFacts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Lender({} files)", self.cache.len())
    }
}

impl FactsSource for EvictedFacts {
    fn facts(&self, file: FileId) -> Arc<FileFacts> {
        let key = self.keys.get(file.0 as usize);
        key.and_then(|key| self.cache.get(key)).unwrap_or_else(|| {
            self.lost.store(true, Ordering::SeqCst);
            Arc::new(languages::extract(Language::Python, ""))
        })
    }
}

impl EvictedFacts {
    /// `keys` are the keys of the files, in their order.
    pub(crate) fn new(cache: FactsCache, keys: Vec<Key>) -> EvictedFacts {
        EvictedFacts {
            cache,
            keys,
            lost: AtomicBool::new(false),
        }
    }

    /// Whether some facts were asked for that it could not return.
    pub(crate) fn has_missing_facts(&self) -> bool {
        self.lost.load(Ordering::SeqCst)
    }
}
