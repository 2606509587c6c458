//! The source of files, read once for one question.

use crate::project::Project;
use std::collections::HashMap;

/// Larger files are not read again for a question.
const LARGEST: u64 = 8 << 20;

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
            let text = read(self.project, path);
            self.texts.insert(path.to_owned(), text);
        }
        self.texts.get(path)?.as_deref()
    }

    /// The same, in lines.
    pub(super) fn with_lines<T>(
        &mut self,
        path: &str,
        look: impl FnOnce(&[&str]) -> T,
    ) -> Option<T> {
        let lines: Vec<&str> = self.text(path)?.lines().collect();
        Some(look(&lines))
    }
}

/// A file of the index, wherever links lead inside the project.
pub(crate) fn read(project: &Project, path: &str) -> Option<String> {
    let file = project.on_disk(path)?;
    let found = file.metadata().ok()?;
    if !found.is_file() || found.len() > LARGEST {
        return None;
    }
    let bytes = std::fs::read(file).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
