//! Files of the project as questions read them: regular files below the root, within limits of size, without links that lead out.

use crate::project::Project;
use guard::file::{Folder, LinkPolicy, OpenError};
use std::fs::File;
use std::io::Read;

impl Project {
    /// The bytes of a file of at most `limit` bytes.
    pub(crate) fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, OpenError> {
        Folder::open(&self.root)?.read(path, limit)
    }

    /// The text of a file of at most `limit` bytes.
    pub(crate) fn read_text(&self, path: &str, limit: u64) -> Result<String, OpenError> {
        Folder::open(&self.root)?.read_text(path, limit)
    }

    /// A file, whatever its size.
    pub(crate) fn open(&self, path: &str) -> Result<File, OpenError> {
        Folder::open(&self.root)?.open_untrusted(path, u64::MAX, LinkPolicy::Inside)
    }

    /// The first bytes of a file, at most `most`.
    pub(crate) fn read_start(&self, path: &str, most: u64) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let file = self.open(path).ok()?;
        file.take(most).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }
}
