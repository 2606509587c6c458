//! Facts that need not be in memory: they are read again, many files at once, when one of them is wanted.

use super::{FactsCache, Key};
use base::Language;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use syntax::FileFacts;

/// A file's facts, in memory or lent to a cache.
#[derive(Debug)]
pub struct Facts {
    here: OnceLock<Arc<FileFacts>>,
    lent: Option<(Arc<Lender>, Key)>,
}

impl Facts {
    /// The facts themselves.
    pub fn get(&self) -> &Arc<FileFacts> {
        self.here.get_or_init(|| match &self.lent {
            Some((lender, key)) => lender.read(key),
            None => nothing(),
        })
    }

    /// Lets the facts go; `lender` has them.
    pub(crate) fn lend(&mut self, lender: &Arc<Lender>, key: Key) {
        self.here = OnceLock::new();
        self.lent = Some((lender.clone(), key));
    }
}

impl From<Arc<FileFacts>> for Facts {
    fn from(facts: Arc<FileFacts>) -> Facts {
        Facts {
            here: OnceLock::from(facts),
            lent: None,
        }
    }
}

impl Deref for Facts {
    type Target = FileFacts;

    fn deref(&self) -> &FileFacts {
        self.get()
    }
}

/// A cache in memory, packed, that was found to have what is lent to it.
pub(crate) struct Lender {
    cache: FactsCache,
    lost: AtomicBool,
}

impl std::fmt::Debug for Lender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Lender({} files)", self.cache.len())
    }
}

impl Lender {
    pub(crate) fn new(cache: FactsCache) -> Lender {
        Lender {
            cache,
            lost: AtomicBool::new(false),
        }
    }

    fn read(&self, key: &Key) -> Arc<FileFacts> {
        self.cache.get(key).unwrap_or_else(|| {
            self.lost.store(true, Ordering::SeqCst);
            nothing()
        })
    }

    /// Whether something was wanted that it could not give.
    pub(crate) fn has_lost(&self) -> bool {
        self.lost.load(Ordering::SeqCst)
    }
}

/// The facts of an empty file.
fn nothing() -> Arc<FileFacts> {
    Arc::new(syntax::extract(Language::Python, ""))
}
