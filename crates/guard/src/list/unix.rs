//! Listing on Unix systems: by system calls beneath the folder's handle.

use super::{FileTimes, Kind, Stamp};
use crate::file::Folder;
use rustix::fs::FileType;
use std::ffi::{CStr, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Bytes of entries that are read at once; most folders fit.
#[cfg(target_os = "linux")]
const ENTRIES: usize = 16 * 1024;

/// Called with name and kind of each entry, until it returns false.
type Visit<'v> = &'v mut dyn FnMut(&OsStr, Kind) -> bool;

/// Opens a folder by a handle that can also list its entries, which saves a second open. `None` if the system refuses
/// for any reason: the portable way then reports it.
#[cfg(target_os = "linux")]
pub(super) fn try_open_for_listing(folder: &Folder, relative: &Path) -> Option<cap_std::fs::Dir> {
    use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
    if relative.as_os_str().is_empty() {
        return None;
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let beneath = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    let opened = openat2(&folder.dir, relative, flags, Mode::empty(), beneath).ok()?;
    Some(cap_std::fs::Dir::from_std_file(opened.into()))
}

/// Other systems have no such call.
#[cfg(not(target_os = "linux"))]
pub(super) fn try_open_for_listing(_: &Folder, _: &Path) -> Option<cap_std::fs::Dir> {
    None
}

/// Calls `visit` with name and kind of each entry, until it returns false.
#[cfg(target_os = "linux")]
pub(super) fn read_entries(folder: &Folder, visit: Visit<'_>) -> std::io::Result<()> {
    use rustix::fs::{Mode, OFlags, SeekFrom, openat, seek};
    // Another thread, or a caller further up, may be listing the same folder.
    if let Ok(_alone) = folder.position.try_lock()
        && seek(&folder.dir, SeekFrom::Start(0)).is_ok()
    {
        return read_entries_from(folder, &folder.dir, visit);
    }
    // The handle is for paths only, or in use.
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let again = openat(&folder.dir, c".", flags, Mode::empty())?;
    read_entries_from(folder, &again, visit)
}

/// Calls `visit` for each entry, from the handle's current position.
#[cfg(target_os = "linux")]
fn read_entries_from(
    folder: &Folder,
    handle: impl std::os::fd::AsFd,
    visit: Visit<'_>,
) -> std::io::Result<()> {
    let mut buffer = [std::mem::MaybeUninit::uninit(); ENTRIES];
    let mut entries = rustix::fs::RawDir::new(handle.as_fd(), &mut buffer);
    while let Some(entry) = entries.next() {
        let entry = entry?;
        if !visit_entry(folder, (entry.file_name(), entry.file_type()), visit) {
            break;
        }
    }
    Ok(())
}

/// Calls `visit` with name and kind of each entry, until it returns false.
#[cfg(not(target_os = "linux"))]
pub(super) fn read_entries(folder: &Folder, visit: Visit<'_>) -> std::io::Result<()> {
    use rustix::fs::{Dir, Mode, OFlags, openat};
    // The handle may be for paths only.
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let dir = Dir::new(openat(&folder.dir, c".", flags, Mode::empty())?)?;
    for entry in dir {
        let entry = entry?;
        if !visit_entry(folder, (entry.file_name(), entry.file_type()), visit) {
            break;
        }
    }
    Ok(())
}

/// Visits one entry; returns whether to go on.
fn visit_entry(folder: &Folder, (name, kind): (&CStr, FileType), visit: Visit<'_>) -> bool {
    let name = name.to_bytes();
    if matches!(name, b"." | b"..") {
        return true;
    }
    let name = OsStr::from_bytes(name);
    let kind = match kind {
        // Some file systems do not report the kind.
        FileType::Unknown => stamp(folder, name).map_or(Kind::Other, |found| found.kind),
        known => entry_kind(known),
    };
    visit(name, kind)
}

/// Kind, size and time of an entry directly in a folder; `None` if there is no such entry.
pub(super) fn stamp(folder: &Folder, name: &OsStr) -> Option<Stamp> {
    use rustix::fs::{AtFlags, statat};
    if name.as_bytes().contains(&b'/') || name == ".." {
        return None;
    }
    let found = statat(&folder.dir, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    // The types of these fields differ between systems.
    #[allow(clippy::unnecessary_cast, clippy::useless_conversion)]
    let times = FileTimes {
        written: to_nanoseconds(found.st_mtime as i64, found.st_mtime_nsec as i64),
        entered: to_nanoseconds(found.st_ctime as i64, found.st_ctime_nsec as i64),
        number: found.st_ino as u64,
        links: found.st_nlink as u64,
    };
    let kind = entry_kind(FileType::from_raw_mode(found.st_mode));
    let size = u64::try_from(found.st_size).unwrap_or_default();
    Some(Stamp::new(kind, size, times))
}

/// The times of a file from its metadata.
pub(super) fn times(found: &std::fs::Metadata) -> FileTimes {
    FileTimes {
        written: to_nanoseconds(found.mtime(), found.mtime_nsec()),
        entered: to_nanoseconds(found.ctime(), found.ctime_nsec()),
        number: found.ino(),
        links: found.nlink(),
    }
}

fn to_nanoseconds(seconds: i64, beyond: i64) -> i64 {
    let since = i128::from(seconds) * 1_000_000_000 + i128::from(beyond);
    since.clamp(0, i128::from(i64::MAX)) as i64
}

fn entry_kind(kind: FileType) -> Kind {
    match kind {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Folder,
        FileType::Symlink => Kind::Link,
        _ => Kind::Other,
    }
}
