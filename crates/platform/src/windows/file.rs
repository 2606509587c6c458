//! Files: how they are opened and read, and how two of them are told apart.

use super::check;
use crate::FileDetails;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::windows::ffi::OsStrExt;
use std::os::windows::fs::{FileExt, OpenOptionsExt};
use std::os::windows::io::AsRawHandle;
use std::path::{Component, Path, PathBuf, Prefix};
use std::time::Duration;
use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_LOCK_VIOLATION, ERROR_SHARING_VIOLATION, ERROR_TOO_MANY_OPEN_FILES,
    ERROR_USER_MAPPED_FILE,
};
use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, FILE_BASIC_INFO, FILE_FLAG_BACKUP_SEMANTICS,
    FILE_FLAG_OPEN_REPARSE_POINT, FileBasicInfo, GetDiskFreeSpaceExW, GetDriveTypeW,
    GetFileInformationByHandle, GetFileInformationByHandleEx,
};

/// Errors of a file that another program has open.
const IN_USE: [u32; 4] = [
    ERROR_ACCESS_DENIED,
    ERROR_SHARING_VIOLATION,
    ERROR_LOCK_VIOLATION,
    ERROR_USER_MAPPED_FILE,
];

/// From so many characters on a path is put otherwise for libraries of C. They add endings to it.
const LONG: usize = 230;

/// The first wait of [`replace`] for such a program. Each further one is twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(1);

/// The last wait.
const LONGEST_WAIT: Duration = Duration::from_millis(512);

/// Nothing to set: a regular file never blocks, and [`crate::check_portable_path`] keeps devices away.
pub fn set_nonblocking(_: &mut OpenOptions) {}

/// Windows has no such flag.
pub const NONBLOCKING: u32 = 0;

/// Makes opening a link return the link itself, not the file to which it leads. A link is not a regular file.
pub fn set_nofollow(options: &mut OpenOptions) {
    options.custom_flags(FILE_FLAG_OPEN_REPARSE_POINT);
}

/// Whether an error says that the system is short of open files or memory.
pub fn is_shortage(error: &io::Error) -> bool {
    error.kind() == ErrorKind::OutOfMemory
        || error.raw_os_error() == Some(ERROR_TOO_MANY_OPEN_FILES as i32)
}

/// Details of the entry at a path. For a link they are those of the link itself.
pub fn details(path: &Path) -> io::Result<FileDetails> {
    open_details(&open_for_query(path, FILE_FLAG_OPEN_REPARSE_POINT, 0)?)
}

/// Details of the file to which a path leads. Links are followed.
pub fn target_details(path: &Path) -> io::Result<FileDetails> {
    open_details(&open_for_query(path, 0, 0)?)
}

/// Details of an open file.
pub fn open_details(file: &File) -> io::Result<FileDetails> {
    let mut found = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: an open handle, and a structure that lives until the call returns.
    check(unsafe { GetFileInformationByHandle(file.as_raw_handle(), &mut found) })?;
    let mut basic = FILE_BASIC_INFO::default();
    let size = size_of::<FILE_BASIC_INFO>() as u32;
    // SAFETY: as above; the size is that of the structure.
    check(unsafe {
        GetFileInformationByHandleEx(
            file.as_raw_handle(),
            FileBasicInfo,
            (&raw mut basic).cast(),
            size,
        )
    })?;
    let wide = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
    Ok(FileDetails {
        device: u64::from(found.dwVolumeSerialNumber),
        number: wide(found.nFileIndexHigh, found.nFileIndexLow),
        links: u64::from(found.nNumberOfLinks),
        // Wine says the time of the last change in its place.
        born_ns: 0,
        changed_ns: since_1970(basic.ChangeTime),
    })
}

/// Nanoseconds since 1970 of a time in steps of 100 nanoseconds since 1601.
fn since_1970(time: i64) -> u128 {
    const BETWEEN: i64 = 116_444_736_000_000_000;
    u128::try_from(time.saturating_sub(BETWEEN)).unwrap_or_default() * 100
}

/// Opens a file or folder for its metadata. Others may do anything with it meanwhile.
pub(super) fn open_for_query(path: &Path, flags: u32, access: u32) -> io::Result<File> {
    OpenOptions::new()
        .access_mode(access)
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS | flags)
        .open(path)
}

/// The seconds at which the entry of a file changed, and its number, as git stores them. `None` if git stores neither on this
/// system.
pub fn change_and_number(_: &Metadata) -> Option<(i64, u64)> {
    None
}

/// The file in which the holder of a lock writes who it is. It lies beside the lock's file, which nobody else can read.
pub fn lock_note(lock: &Path) -> PathBuf {
    let mut name = lock.as_os_str().to_owned();
    name.push(".holder");
    PathBuf::from(name)
}

/// Opens a folder. While it is open, no other folder can get its number.
pub fn open_folder(path: &Path) -> io::Result<File> {
    open_for_query(path, 0, 0)
}

/// Fills the buffer with bytes from offset `at`. Several threads may read one file at once.
pub fn read_exact_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    let mut done = 0;
    while done < buffer.len() {
        match file.seek_read(&mut buffer[done..], at + done as u64) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(read) => done += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Renames a file or folder. A file at `to` is replaced. Scanners for viruses open what was just written, often so that
/// it cannot be renamed meanwhile, so this is tried for a second.
pub fn replace(from: &Path, to: &Path) -> io::Result<()> {
    let mut wait = FIRST_WAIT;
    loop {
        match std::fs::rename(from, to) {
            Err(error) if is_in_use(&error) && wait <= LONGEST_WAIT => std::thread::sleep(wait),
            done => return done,
        }
        wait *= 2;
    }
}

/// Whether an error may be due to another program that has a file open. The system also says that access is denied.
fn is_in_use(error: &io::Error) -> bool {
    let code = error.raw_os_error();
    code.is_some_and(|code| IN_USE.contains(&code.cast_unsigned()))
}

/// A path of a repository, which uses `/`, in the system's form.
pub fn to_os_path(path: &[u8]) -> Cow<'_, OsStr> {
    OsString::from(String::from_utf8_lossy(path).into_owned()).into()
}

/// Whether a relative path names a file of its folder, rather than a device or a second stream of a file.
pub fn names_itself(path: &Path) -> bool {
    crate::check_portable_path(path).is_ok()
}

/// Whether opening a path contacts another machine or a device. The other machine would receive proof of the user's password.
pub fn asks_network(path: &Path) -> bool {
    match path.components().next() {
        Some(Component::Prefix(prefix)) => {
            !matches!(prefix.kind(), Prefix::Disk(_) | Prefix::VerbatimDisk(_))
        }
        _ => false,
    }
}

/// A relative path as repositories write it, with `/`.
pub fn to_slashes(path: &Path) -> Cow<'_, OsStr> {
    match path.to_str() {
        Some(text) if !text.contains('\\') => path.as_os_str().into(),
        Some(text) => OsString::from(text.replace('\\', "/")).into(),
        None => path.as_os_str().into(),
    }
}

/// A path with upper and lower case as they are on the disk. Windows opens a path in any case. A path through a link, or to
/// nothing, stays as it is.
pub fn as_stored(path: PathBuf) -> PathBuf {
    let folded = |path: &Path| {
        path.to_str()
            .map(|text| text.replace('/', "\\").to_lowercase())
    };
    let Ok(real) = path.canonicalize().map(plain_path) else {
        return path;
    };
    if folded(&real) == folded(&path) {
        return real;
    }
    path
}

/// The path of a `file` URI, decoded, in the system's form: a slash comes before the drive.
pub fn from_uri_path(path: &str) -> PathBuf {
    match path.strip_prefix('/') {
        Some(rest) if rest.as_bytes().get(1) == Some(&b':') => PathBuf::from(rest),
        _ => PathBuf::from(path),
    }
}

/// The kind of network disk on which a folder lies; `None` if it is on a local disk.
pub fn network_disk(folder: &Path) -> Option<&'static str> {
    /// The system's number for a disk of another machine.
    const REMOTE: u32 = 4;
    if asks_network(folder) {
        return Some("network share");
    }
    let disk = folder.ancestors().last()?;
    let disk: Vec<u16> = disk.as_os_str().encode_wide().chain([0]).collect();
    // SAFETY: zero-terminated text.
    let kind = unsafe { GetDriveTypeW(disk.as_ptr()) };
    (kind == REMOTE).then_some("network drive")
}

/// Number of bytes that this user may still write to the disk of a folder; `None` if the system does not know.
pub fn free_space(folder: &Path) -> Option<u64> {
    let folder: Vec<u16> = folder.as_os_str().encode_wide().chain([0]).collect();
    let mut free = 0;
    // SAFETY: zero-terminated text, a number that lives until the call returns, and null for two results that are not needed.
    let told = unsafe {
        GetDiskFreeSpaceExW(
            folder.as_ptr(),
            &mut free,
            std::ptr::null_mut(),
            std::ptr::null_mut(),
        )
    };
    check(told).ok().map(|()| free)
}

/// An absolute path in the form in which libraries of C take it, however long it is: from 260 characters on, the system
/// takes only the form with `\\?\`. Rust's own library sees to that itself.
pub fn long_path(path: &Path) -> Cow<'_, Path> {
    let on_disk = match path.components().next() {
        Some(Component::Prefix(prefix)) => matches!(prefix.kind(), Prefix::Disk(_)),
        _ => false,
    };
    if !on_disk || path.as_os_str().encode_wide().count() < LONG {
        return path.into();
    }
    // This form has no `/`, no `.` and no `..`.
    let Ok(path) = std::path::absolute(path) else {
        return path.into();
    };
    let mut long = OsString::from(r"\\?\");
    long.push(path);
    PathBuf::from(long).into()
}

/// A path in the form that users write: without `\\?\`, where the shorter form means the same.
pub fn plain_path(path: PathBuf) -> PathBuf {
    let Some(rest) = path.to_str().and_then(|text| text.strip_prefix(r"\\?\")) else {
        return path;
    };
    let plain = match rest.strip_prefix(r"UNC\") {
        Some(share) => PathBuf::from(format!(r"\\{share}")),
        None if rest.as_bytes().get(1) == Some(&b':') => PathBuf::from(rest),
        None => return path,
    };
    let below: PathBuf = plain
        .components()
        .filter(|part| matches!(part, Component::Normal(_)))
        .collect();
    match crate::check_portable_path(&below) {
        Ok(()) => plain,
        Err(_) => path,
    }
}
