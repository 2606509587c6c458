//! Segments that are written before all files have been read, so that not all of them are in memory at once.

use super::manifest::{self, Manifest, SegmentEntry};
use super::{
    Committed, Index, IndexError, Model, Tables, open_part, read_committed, sort_and_dedup, write,
};
use crate::prepare::Prepared;
use std::path::{Path, PathBuf};

/// Segments of one commit that no manifest names yet. The caller holds the writer's lock from the first segment to the
/// commit: another commit would remove them.
pub struct PendingSegments {
    folder: PathBuf,
    model: Model,
    generation: u64,
    entries: Vec<SegmentEntry>,
}

impl PendingSegments {
    /// No segments yet.
    pub fn new(folder: &Path, model: &Model) -> PendingSegments {
        let before = Manifest::read(folder).ok();
        PendingSegments {
            folder: folder.to_owned(),
            model: model.clone(),
            generation: before.map_or(0, |m| m.generation) + 1,
            entries: Vec::new(),
        }
    }

    /// Whether no segment was written.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Writes these files as a segment.
    pub fn write(&mut self, files: Vec<Prepared>) -> Result<(), IndexError> {
        if files.is_empty() {
            return Ok(());
        }
        guard::state::create_private_folders(&self.folder)
            .map_err(|e| IndexError::io(&self.folder, std::io::Error::other(e)))?;
        let files = sort_and_dedup(files);
        let all: Vec<&Prepared> = files.iter().collect();
        let bytes = write::encode_segment(&all, &self.model.name, self.model.dimensions);
        drop(files);
        let number = self.entries.len();
        let entry = manifest::write_numbered(&self.folder, self.generation, Some(number), &bytes)?;
        self.entries.push(entry);
        Ok(())
    }

    /// The files of all segments, with their hashes.
    pub fn paths(&self) -> Result<Vec<(String, u64)>, IndexError> {
        let mut all = Vec::new();
        for entry in &self.entries {
            let part = open_part(&self.folder, entry)?;
            for number in part.live_files() {
                let row = part.segment.file_row(number);
                let hash = row.map_or(0, |row| row.hash);
                all.push((part.segment.path(number).to_owned(), hash));
            }
        }
        Ok(all)
    }

    /// Puts the segments into the existing index, or makes an index of them if `is_new`. Their files, and those in
    /// `removed`, are dead in older segments. Nothing is merged.
    pub fn commit(self, is_new: bool, removed: &[String]) -> Result<Committed, IndexError> {
        let mut manifest = if is_new {
            Manifest {
                version: write::format_version(),
                generation: self.generation,
                model: self.model.name.clone(),
                dimensions: self.model.dimensions,
                segments: Vec::new(),
            }
        } else {
            let paths = self.paths()?;
            let paths = paths.iter().map(|(path, _)| path).chain(removed);
            let Tables(index) = Index::open_tables(&self.folder)?;
            index.manifest_without_paths(&self.folder, paths)?
        };
        manifest.segments.extend(self.entries);
        manifest.write(&self.folder)?;
        read_committed(&self.folder, false)
    }
}
