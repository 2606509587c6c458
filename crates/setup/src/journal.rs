//! A journal of all additions, so that removal restores the bytes that were there.

use crate::SetupError;
use crate::part::Part;
use guard::state;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The most bytes of the journal.
const LARGEST: u64 = 16 << 20;

/// The record of one addition to one file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) path: PathBuf,
    /// The folder that no link may lead out of.
    pub(crate) root: PathBuf,
    pub(crate) part: Part,
    /// The project's root; none for settings that apply to all projects.
    pub(crate) project: Option<PathBuf>,
    /// Names of the agents for which it was written.
    pub(crate) clients: Vec<String>,
    /// Whether there was no file.
    pub(crate) created: bool,
    /// Folders that were created for it, the outermost first.
    pub(crate) folders: Vec<PathBuf>,
    /// The offset of `added`, in bytes.
    pub(crate) at: usize,
    /// The text that was there before.
    pub(crate) removed: String,
    pub(crate) added: String,
    /// Checksum of the file as it was written.
    pub(crate) after: String,
    /// Our entry as it was written.
    pub(crate) entry: String,
    /// Whether the object or list around the entry existed before.
    pub(crate) had_container: bool,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Content {
    version: u32,
    /// Folders that were created for the journal itself.
    folders: Vec<PathBuf>,
    records: Vec<Record>,
}

/// The journal of this user.
pub(crate) struct Journal {
    path: PathBuf,
    content: Content,
}

/// The difference between two texts, without their common beginning and end.
pub(crate) struct TextChange<'t> {
    /// The byte at which the texts begin to differ.
    pub(crate) at: usize,
    pub(crate) removed: &'t str,
    pub(crate) added: &'t str,
}

/// Compares two texts.
pub(crate) fn difference<'t>(before: &'t str, after: &'t str) -> TextChange<'t> {
    let start = same_bytes(before.chars(), after.chars());
    let (before, after) = (&before[start..], &after[start..]);
    let end = same_bytes(before.chars().rev(), after.chars().rev());
    TextChange {
        at: start,
        removed: &before[..before.len() - end],
        added: &after[..after.len() - end],
    }
}

/// The bytes of the equal characters before the first difference.
fn same_bytes(a: impl Iterator<Item = char>, b: impl Iterator<Item = char>) -> usize {
    let same = a.zip(b).take_while(|(a, b)| a == b);
    same.map(|(c, _)| c.len_utf8()).sum()
}

pub(crate) fn checksum(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

impl Record {
    /// The text as it was before, if the file has not changed since it was written.
    pub(crate) fn undo(&self, text: &str) -> Option<String> {
        if checksum(text) != self.after
            || text.get(self.at..)?.get(..self.added.len())? != self.added
        {
            return None;
        }
        let mut out = text.to_owned();
        out.replace_range(self.at..self.at + self.added.len(), &self.removed);
        Some(out)
    }
}

impl Journal {
    /// Reads the journal in a folder of this program's own data. There may be none.
    pub(crate) fn open(folder: &Path) -> Result<Journal, SetupError> {
        let path = folder.join("setup.json");
        let fail = |reason: String| SetupError::File {
            path: path.clone(),
            reason,
        };
        let content = match state::read_own_file(&path, LARGEST) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map_err(|e| fail(format!("{e}; it says what setup wrote. Without it, removing is less exact: delete it to go on")))?,
            Err(e) if e.is_missing() => Content { version: 1, ..Content::default() },
            Err(e) => return Err(fail(e.reason())),
        };
        Ok(Journal { path, content })
    }

    pub(crate) fn records(&self) -> &[Record] {
        &self.content.records
    }

    pub(crate) fn find(&self, path: &Path, part: Part, project: Option<&Path>) -> Option<&Record> {
        let position = self.position(path, part, project)?;
        self.content.records.get(position)
    }

    /// The position of a record in the order of writing.
    pub(crate) fn position(
        &self,
        path: &Path,
        part: Part,
        project: Option<&Path>,
    ) -> Option<usize> {
        let is_it =
            |r: &Record| r.path == path && r.part == part && r.project.as_deref() == project;
        self.content.records.iter().position(is_it)
    }

    /// Replaces the record for the same part of the file, or adds the record at the end.
    pub(crate) fn put(&mut self, record: Record) -> Result<(), SetupError> {
        self.take(&record.path, record.part, record.project.as_deref());
        self.content.records.push(record);
        self.save()
    }

    /// Replaces the record for the same part of the file.
    pub(crate) fn replace(&mut self, record: Record) -> Result<(), SetupError> {
        match self.position(&record.path, record.part, record.project.as_deref()) {
            Some(position) => self.content.records[position] = record,
            None => self.content.records.push(record),
        }
        self.save()
    }

    /// Forgets a record.
    pub(crate) fn forget(
        &mut self,
        path: &Path,
        part: Part,
        project: Option<&Path>,
    ) -> Result<(), SetupError> {
        if self.take(path, part, project) {
            self.save()
        } else {
            Ok(())
        }
    }

    fn take(&mut self, path: &Path, part: Part, project: Option<&Path>) -> bool {
        let Some(position) = self.position(path, part, project) else {
            return false;
        };
        self.content.records.remove(position);
        true
    }

    /// Writes the journal. An empty journal is removed, with the folders that were created for it.
    fn save(&mut self) -> Result<(), SetupError> {
        let fail = |reason: String| SetupError::File {
            path: self.path.clone(),
            reason,
        };
        let folder = self.path.parent().unwrap_or(&self.path).to_path_buf();
        if self.content.records.is_empty() {
            if self.path.symlink_metadata().is_ok() {
                std::fs::remove_file(&self.path).map_err(|e| fail(e.to_string()))?;
            }
            crate::files::remove_empty(&self.content.folders);
            self.content.folders.clear();
            return Ok(());
        }
        let made = crate::files::missing_folders(&folder);
        if !made.is_empty() {
            state::create_private_parents(&folder).map_err(|e| fail(e.to_string()))?;
            self.content.folders = made;
        }
        let bytes = serde_json::to_vec_pretty(&self.content).map_err(|e| fail(e.to_string()))?;
        state::replace_file(&self.path, &bytes).map_err(|e| fail(e.to_string()))
    }
}
