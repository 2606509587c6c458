//! The facts cache as a source of facts for linking: it loads evicted facts again, many files at once.

use super::{FactsCache, Key};
use base::Language;
use linker::{FactsSource, FileId};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use syntax::FileFacts;

/// A packed cache in memory that was checked to have all the evicted facts.
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

    /// Whether it failed to return some facts.
    pub(crate) fn has_missing_facts(&self) -> bool {
        self.lost.load(Ordering::SeqCst)
    }
}
