//! Files with several names (hard links). They may be changed through a name that no watch covers, so they are checked
//! one by one: size, times and number, but not content.

use crate::walk::{self, FoundText, Stamp};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The files with the last stamp of each; `None` for a missing file.
pub(crate) struct LinkedFiles {
    root: PathBuf,
    seen: Mutex<BTreeMap<String, Option<Stamp>>>,
}

impl LinkedFiles {
    pub(crate) fn new(root: &Path, found: Vec<FoundText>) -> LinkedFiles {
        let files = LinkedFiles {
            root: root.to_path_buf(),
            seen: Mutex::default(),
        };
        files.add(found);
        files
    }

    /// Adds files that a walk found, and returns how many there are now. The recorded stamp of a known file stays,
    /// since a change after it must still be reported.
    pub(crate) fn add(&self, found: Vec<FoundText>) -> usize {
        let mut seen = self.lock();
        for file in found {
            seen.entry(file.path)
                .or_insert(Some((file.size, file.stat)));
        }
        seen.len()
    }

    /// Visits the files that changed since the last check. Checks run one at a time, so a change is visited only once.
    pub(crate) fn for_each_changed(&self, visit: &mut dyn FnMut(&str)) {
        for (path, before) in self.lock().iter_mut() {
            let now = walk::file_stamp(&self.root.join(path));
            if now != *before {
                *before = now;
                visit(path);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Option<Stamp>>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
