//! Measures of the files that were asked about last: a question about one symbol costs what its file costs, once.

use analysis::FunctionMeasure;
use base::Language;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Functions whose measures are kept.
const MOST_KEPT: usize = 50_000;

/// Measures by content, as far as they were asked for.
#[derive(Default)]
pub(crate) struct RecentMeasures(Mutex<KeptMeasures>);

#[derive(Default)]
struct KeptMeasures {
    by_content: HashMap<(String, Language), Arc<[FunctionMeasure]>>,
    functions: usize,
}

impl RecentMeasures {
    fn lock(&self) -> MutexGuard<'_, KeptMeasures> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The functions of a content in a language, if they are kept.
    pub(crate) fn get(&self, hash: &str, language: Language) -> Option<Arc<[FunctionMeasure]>> {
        let key = (hash.to_owned(), language);
        self.lock().by_content.get(&key).cloned()
    }

    /// Keeps the functions of a content.
    pub(crate) fn put(&self, hash: &str, language: Language, functions: &Arc<[FunctionMeasure]>) {
        let mut kept = self.lock();
        if kept.functions + functions.len() > MOST_KEPT {
            *kept = KeptMeasures::default();
        }
        kept.functions += functions.len();
        let key = (hash.to_owned(), language);
        kept.by_content.insert(key, functions.clone());
    }
}
