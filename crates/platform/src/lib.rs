//! What differs between operating systems: rights of files, their identity, processes and their limits, clocks.
//!
//! Each function exists for every system, with the same meaning. One module has those of Unix, another one those of Windows.
//! The rest of the workspace has code for one system only if a feature exists on one system only. The description of a function
//! says what a system lacks, and so does `docs/platforms.md`.
//!
//! Never knows: what its callers use it for, projects, settings.

mod path;

#[cfg(unix)]
#[path = "unix/mod.rs"]
mod system;

#[cfg(windows)]
#[path = "windows/mod.rs"]
mod system;

pub use path::{PathFault, check_portable_path};
#[cfg(windows)]
pub use system::pipe;
pub use system::{clock, file, process, rights, socket};

/// The real path of a file.
pub trait RealPath {
    /// The absolute path without links. All paths that are compared must have the same form, so on Windows this is the form
    /// that users write, without `\\?\`, if the path has one.
    ///
    /// # Errors
    /// There is no such file, or the system refuses.
    fn real_path(&self) -> std::io::Result<std::path::PathBuf>;
}

impl RealPath for std::path::Path {
    fn real_path(&self) -> std::io::Result<std::path::PathBuf> {
        self.canonicalize().map(file::plain_path)
    }
}

/// The identity of a file, and facts that only its handle or the system gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileDetails {
    /// Number of the disk.
    pub device: u64,
    /// Number of the file on the disk.
    pub number: u64,
    /// Number of names (hard links).
    pub links: u64,
    /// Time at which the file was created, in nanoseconds since 1970: it tells the file from a later one with its number.
    /// 0 where the system does not tell, and on Windows, where a number counts its uses.
    pub born_ns: u128,
    /// Time at which content or entry changed last, in nanoseconds since 1970. No program can set it.
    pub changed_ns: u128,
}

/// The outcome of waiting for a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ready {
    /// The time ran out, or a signal came.
    Nothing,
    /// It can be read, and perhaps written.
    Read,
    /// It can be written.
    Write,
}

/// The rights of others on an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// Nobody but the owner (and the system's administrators).
    Nobody,
    /// Others may, but not everybody may write.
    Some,
    /// Everybody may write.
    EverybodyWrites,
}
