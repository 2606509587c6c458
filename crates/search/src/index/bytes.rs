//! The bytes of a segment. They are read, never mapped into memory: a mapped file that another program truncates
//! ends the process, while reading such a file only gives an error.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

/// The bytes of a segment.
pub(crate) enum Bytes {
    /// A file, its length when it was opened, and its path. Closed when all has been read.
    File(RwLock<Option<File>>, usize, PathBuf),
    /// Bytes in memory.
    Memory(Vec<u8>),
}

impl Bytes {
    pub(crate) fn open(path: &Path) -> io::Result<Bytes> {
        let file = store::private::open(path)?;
        let length = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
        Ok(Bytes::File(
            RwLock::new(Some(file)),
            length,
            path.to_owned(),
        ))
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Bytes::File(_, _, path) => path,
            Bytes::Memory(_) => Path::new(""),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Bytes::File(_, length, _) => *length,
            Bytes::Memory(bytes) => bytes.len(),
        }
    }

    /// Reads `length` bytes at `at`, which must be within the file's length.
    pub(crate) fn read(&self, at: usize, length: usize) -> io::Result<Vec<u8>> {
        let short = || io::Error::new(io::ErrorKind::UnexpectedEof, "it has been cut short");
        let end = at.checked_add(length).filter(|end| *end <= self.len());
        let end = end.ok_or_else(short)?;
        match self {
            Bytes::Memory(bytes) => Ok(bytes[at..end].to_vec()),
            Bytes::File(file, ..) => {
                let file = file.read().unwrap_or_else(PoisonError::into_inner);
                let file = file.as_ref().ok_or_else(|| io::Error::other("closed"))?;
                let mut bytes = vec![0; length];
                platform::file::read_exact_at(file, &mut bytes, at as u64)?;
                Ok(bytes)
            }
        }
    }

    /// Closes the file: nothing more will be read.
    pub(crate) fn close(&self) {
        if let Bytes::File(file, ..) = self {
            file.write().unwrap_or_else(PoisonError::into_inner).take();
        }
    }
}
