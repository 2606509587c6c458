//! Manifests with the project's own dependencies, and a budget for reading them: many lock files may be read with the same
//! manifests.

use std::cell::Cell;
use std::collections::BTreeMap;

/// Most bytes of manifests that are read for all lock files together, counted each time that one is read.
const MOST_BYTES: usize = 256 << 20;
/// Cost of looking at a path, in the same unit.
const PATH: usize = 64;

/// Manifests by path.
#[derive(Debug)]
pub struct Manifests {
    texts: BTreeMap<String, String>,
    left: Cell<usize>,
    /// Whether something was not read since the last [`Manifests::reset_refused`].
    refused: Cell<bool>,
}

impl Default for Manifests {
    fn default() -> Manifests {
        Manifests::from_iter([])
    }
}

impl FromIterator<(String, String)> for Manifests {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(texts: I) -> Manifests {
        Manifests {
            texts: texts.into_iter().collect(),
            left: Cell::new(MOST_BYTES),
            refused: Cell::new(false),
        }
    }
}

impl Manifests {
    /// The text of a manifest; `None` if it does not exist, or if no more may be read.
    pub(super) fn get(&self, path: &str) -> Option<&str> {
        let text = self.texts.get(path)?;
        self.consume_budget(text.len()).then_some(text.as_str())
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.texts.contains_key(path)
    }

    /// Paths of the manifests with that name in a folder (with a `/` at its end) and below.
    pub(super) fn paths_below(&self, folder: &str, name: &str) -> impl Iterator<Item = &String> {
        let from = self.texts.range(folder.to_owned()..);
        let paths = from.map(|(path, _)| path);
        let paths =
            paths.take_while(move |path| path.starts_with(folder) && self.consume_budget(PATH));
        paths.filter(move |path| super::file_name(path) == name)
    }

    /// Begins with another lock file.
    pub(super) fn reset_refused(&self) {
        self.refused.set(false);
    }

    /// Whether a manifest was not read for this lock file, because the budget was spent.
    pub(super) fn has_refused(&self) -> bool {
        self.refused.get()
    }

    fn consume_budget(&self, bytes: usize) -> bool {
        let left = self.left.get().saturating_sub(bytes);
        self.left.set(left);
        self.refused.set(self.refused.get() || left == 0);
        left > 0
    }
}
