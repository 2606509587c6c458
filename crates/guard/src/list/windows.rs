//! Listing on Windows. A listing tells neither a file's number nor its second names, and opening each file for them would
//! take too long on a walk. The time at which a file was created stands for its number.

use super::{FileTimes, Kind, Stamp};
use crate::file::Folder;
use std::ffi::OsStr;
use std::path::{Component, Path};
use std::time::{SystemTime, UNIX_EPOCH};

/// There is no handle that does more.
pub(super) fn try_open_for_listing(_: &Folder, _: &Path) -> Option<cap_std::fs::Dir> {
    None
}

/// Calls `visit` with name and kind of each entry, until it returns false.
pub(super) fn read_entries(
    folder: &Folder,
    visit: &mut dyn FnMut(&OsStr, Kind) -> bool,
) -> std::io::Result<()> {
    for entry in folder.dir.entries()? {
        let entry = entry?;
        let kind = entry.file_type().map_or(Kind::Other, entry_kind);
        if !visit(&entry.file_name(), kind) {
            break;
        }
    }
    Ok(())
}

/// Kind, size and time of an entry directly in a folder; `None` if there is no such entry.
pub(super) fn stamp(folder: &Folder, name: &OsStr) -> Option<Stamp> {
    let mut parts = Path::new(name).components();
    let is_name = matches!(
        (parts.next(), parts.next()),
        (Some(Component::Normal(_)), None)
    );
    if !is_name || platform::check_portable_path(Path::new(name)).is_err() {
        return None;
    }
    let found = folder.dir.symlink_metadata(name).ok()?;
    let written = found
        .modified()
        .ok()
        .map(cap_std::time::SystemTime::into_std);
    let born = found
        .created()
        .ok()
        .map(cap_std::time::SystemTime::into_std);
    let kind = entry_kind(found.file_type());
    Some(Stamp::new(kind, found.len(), file_times(written, born)))
}

/// The times of a file from its metadata.
pub(super) fn times(found: &std::fs::Metadata) -> FileTimes {
    file_times(found.modified().ok(), found.created().ok())
}

fn file_times(written: Option<SystemTime>, born: Option<SystemTime>) -> FileTimes {
    FileTimes {
        written: since_1970(written),
        entered: 0,
        number: since_1970(born).unsigned_abs(),
        links: 1,
    }
}

fn since_1970(time: Option<SystemTime>) -> i64 {
    let since = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_nanos().min(i64::MAX as u128) as i64)
}

fn entry_kind(kind: cap_std::fs::FileType) -> Kind {
    match kind {
        kind if kind.is_file() => Kind::File,
        kind if kind.is_dir() => Kind::Folder,
        kind if kind.is_symlink() => Kind::Link,
        _ => Kind::Other,
    }
}
