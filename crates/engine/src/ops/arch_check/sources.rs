//! The source of files, read once for one question.

use crate::project::Project;
use base::secret::{TextKind, mask_secrets};
use std::collections::HashMap;

/// Larger files are not read again for a question.
const LARGEST: u64 = 16 << 20;

/// A text and where its lines begin.
struct Text {
    text: String,
    starts: Vec<usize>,
}

/// Files that have been read.
pub(super) struct Sources<'p> {
    project: &'p Project,
    texts: HashMap<String, Option<Text>>,
}

impl<'p> Sources<'p> {
    pub(super) fn new(project: &'p Project) -> Sources<'p> {
        Sources {
            project,
            texts: HashMap::new(),
        }
    }

    fn file(&mut self, path: &str) -> Option<&Text> {
        if !self.texts.contains_key(path) {
            let text = read(self.project, path).map(|text| {
                let ends = text.match_indices('\n').map(|(at, _)| at + 1);
                let starts = std::iter::once(0).chain(ends).collect();
                Text { text, starts }
            });
            self.texts.insert(path.to_owned(), text);
        }
        self.texts.get(path)?.as_ref()
    }

    /// A file's text; none where it is gone, too large or no text.
    pub(super) fn text(&mut self, path: &str) -> Option<&str> {
        Some(&self.file(path)?.text)
    }

    /// Some lines, the first and the last counted from 1, as many as there are; of long ones the beginning.
    pub(super) fn lines(&mut self, path: &str, from: u32, to: u32) -> Vec<String> {
        let Some(file) = self.file(path) else {
            return Vec::new();
        };
        let from = (from.max(1) as usize - 1).min(file.starts.len());
        let Some(first) = file.starts.get(from) else {
            return Vec::new();
        };
        let end = file.starts.get(to as usize).copied();
        let part = &file.text[*first..end.unwrap_or(file.text.len()).max(*first)];
        part.lines()
            .map(|line| truncate_line(line).to_owned())
            .collect()
    }
}

/// Bytes of a line that are given away: many definitions may stand on one.
const LONGEST_LINE: usize = 2_000;

fn truncate_line(line: &str) -> &str {
    let mut end = line.len().min(LONGEST_LINE);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    &line[..end]
}

/// A file of the index, wherever links lead inside the project.
pub(crate) fn read(project: &Project, path: &str) -> Option<String> {
    let bytes = project.read(path, LARGEST).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Some(mask_secrets(text, TextKind::from_path(path)))
}
