//! Memory-mapped files: one of the two places of this crate with `unsafe`.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The bytes of a segment.
pub(crate) enum Bytes {
    /// A file mapped for reading.
    File(memmap2::Mmap, PathBuf),
    /// Bytes in memory.
    Memory(Vec<u8>),
}

impl Bytes {
    pub(crate) fn open(path: &Path) -> io::Result<Bytes> {
        let file = File::open(path)?;
        // SAFETY: the map is undefined only if the file changes below it. Segments are written
        // under a temporary name, renamed once, and never written again; a commit unlinks them,
        // which leaves open maps whole.
        let map = unsafe { memmap2::Mmap::map(&file)? };
        Ok(Bytes::File(map, path.to_owned()))
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Bytes::File(_, path) => path,
            Bytes::Memory(_) => Path::new(""),
        }
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            Bytes::File(map, _) => map,
            Bytes::Memory(bytes) => bytes,
        }
    }
}
