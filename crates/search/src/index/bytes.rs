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
                read_at(file, &mut bytes, at as u64)?;
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

/// Fills the buffer from `at` on. Several threads do it at once, so the file's own position is not used.
#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, at)
}

/// Fills the buffer on systems where a read always moves the file's position.
#[cfg(not(unix))]
fn read_at(mut file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    static POSITION: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _alone = POSITION.lock().unwrap_or_else(PoisonError::into_inner);
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(buffer)
}
