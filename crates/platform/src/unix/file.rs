//! Files: how they are opened and read, and how two of them are told apart.

use crate::FileDetails;
use rustix::fs::OFlags;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Makes opening a FIFO or a device return at once.
pub fn set_nonblocking(options: &mut OpenOptions) {
    options.custom_flags(NONBLOCKING);
}

/// The flag of [`set_nonblocking`], for libraries with options of their own.
pub const NONBLOCKING: i32 = OFlags::NONBLOCK.bits() as i32;

/// Makes opening fail at once if the last part of the path is a link.
pub fn set_nofollow(options: &mut OpenOptions) {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    options.custom_flags(flags.bits() as i32);
}

/// Whether an error says that the system is short of open files or memory.
pub fn is_shortage(error: &io::Error) -> bool {
    // ENOMEM, ENFILE and EMFILE, which have the same numbers on Linux and macOS.
    matches!(error.raw_os_error(), Some(12 | 23 | 24))
}

/// Details of the entry at a path. For a link they are those of the link itself.
pub fn details(path: &Path) -> io::Result<FileDetails> {
    Ok(details_of(&path.symlink_metadata()?))
}

/// Details of the file to which a path leads. Links are followed.
pub fn target_details(path: &Path) -> io::Result<FileDetails> {
    Ok(details_of(&path.metadata()?))
}

/// Details of an open file.
pub fn open_details(file: &File) -> io::Result<FileDetails> {
    Ok(details_of(&file.metadata()?))
}

fn details_of(found: &Metadata) -> FileDetails {
    let seconds = u128::try_from(found.ctime()).unwrap_or_default();
    let born = found.created().ok();
    let born = born.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    FileDetails {
        device: found.dev(),
        number: found.ino(),
        links: found.nlink(),
        born_ns: born.map_or(0, |time| time.as_nanos()),
        changed_ns: seconds * 1_000_000_000
            + u128::try_from(found.ctime_nsec()).unwrap_or_default(),
    }
}

/// The seconds at which the entry of a file changed, and its number, as git stores them. `None` if git stores neither on this
/// system.
pub fn change_and_number(found: &Metadata) -> Option<(i64, u64)> {
    Some((found.ctime(), found.ino()))
}

/// The file in which the holder of a lock writes who it is: the lock's own file.
pub fn lock_note(lock: &Path) -> PathBuf {
    lock.to_path_buf()
}

/// Opens a folder. While it is open, no other folder can get its number.
pub fn open_folder(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Fills the buffer with bytes from offset `at`. Several threads may read one file at once.
pub fn read_exact_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    FileExt::read_exact_at(file, buffer, at)
}

/// Renames a file or folder. A file at `to` is replaced.
pub fn replace(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::rename(from, to)
}

/// A path of a repository, which uses `/`, in the system's form.
pub fn to_os_path(path: &[u8]) -> Cow<'_, OsStr> {
    OsStr::from_bytes(path).into()
}

/// Whether a relative path names a file of its folder. Unix has no special names, so every path does.
pub fn names_itself(_: &Path) -> bool {
    true
}

/// Whether opening a path contacts another machine that the path names. No path does so on Unix.
pub fn asks_network(_: &Path) -> bool {
    false
}

/// A relative path as repositories write it, with `/`.
pub fn to_slashes(path: &Path) -> Cow<'_, OsStr> {
    path.as_os_str().into()
}

/// A path with upper and lower case as they are on the disk. Unix tells them apart, so the path stays as it is.
pub fn as_stored(path: PathBuf) -> PathBuf {
    path
}

/// The path of a `file` URI, decoded, in the system's form.
pub fn from_uri_path(path: &str) -> PathBuf {
    PathBuf::from(path)
}

/// The kind of network disk on which a folder lies. Always `None`, since it is not determined on Unix.
pub fn network_disk(_: &Path) -> Option<&'static str> {
    None
}

/// Number of bytes that this user may still write to the disk of a folder; `None` if the system does not know.
pub fn free_space(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

/// A path in the form in which libraries of C take it, however long it is. It is the same here.
pub fn long_path(path: &Path) -> Cow<'_, Path> {
    path.into()
}

/// A path in the form that users write. It is the same here.
pub fn plain_path(path: PathBuf) -> PathBuf {
    path
}
