//! Manifests and similar files, each read once for one question.

use crate::project::Project;
use base::secret::{TextKind, mask_secrets};
use std::collections::HashMap;

/// The most bytes of such a file.
const LARGEST: u64 = 16 << 20;

/// Files that have been read.
pub(super) struct Sources<'p> {
    project: &'p Project,
    texts: HashMap<String, Option<String>>,
}

impl<'p> Sources<'p> {
    pub(super) fn new(project: &'p Project) -> Sources<'p> {
        Sources {
            project,
            texts: HashMap::new(),
        }
    }

    /// A file's text; none where it is gone, too large or no text.
    pub(super) fn text(&mut self, path: &str) -> Option<&str> {
        if !self.texts.contains_key(path) {
            self.texts.insert(path.to_owned(), read(self.project, path));
        }
        self.texts.get(path)?.as_deref()
    }
}

/// Reads a file of the index; links are followed inside the project.
fn read(project: &Project, path: &str) -> Option<String> {
    let bytes = project.read(path, LARGEST).ok()?;
    let text = crate::snippet::decode_lossy(&bytes);
    Some(mask_secrets(text, TextKind::from_path(path)))
}
