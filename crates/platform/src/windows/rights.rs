//! Owners and rights of files, by their access lists.

use super::file::open_for_query;
use super::security::{PrivateDescriptor, Security};
use crate::Others;
use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::path::Path;
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_OPEN_REPARSE_POINT, READ_CONTROL, WRITE_DAC,
};

/// Extensions of programs that run without an interpreter.
const PROGRAMS: &[&str] = &["exe", "com"];

/// Nothing to set. A new file gets the access list of its folder, and our files are in folders that [`finish_private_folder`]
/// has closed.
pub fn make_private(_: &mut OpenOptions) {}

/// A builder of folders. [`finish_private_folder`] closes the folders that it creates.
pub fn private_dir_builder() -> DirBuilder {
    DirBuilder::new()
}

/// Closes a folder that [`private_dir_builder`] has just created to all but this user and the administrators.
pub fn finish_private_folder(path: &Path) -> io::Result<()> {
    let folder = open_entry(path, WRITE_DAC)?;
    PrivateDescriptor::new()?.apply(&folder)
}

fn open_entry(path: &Path, access: u32) -> io::Result<File> {
    open_for_query(path, FILE_FLAG_OPEN_REPARSE_POINT, READ_CONTROL | access)
}

fn security(path: &Path) -> io::Result<Security> {
    Security::of_file(&open_entry(path, 0)?)
}

/// Closes a file that was just created, unless its folder already has the access list of [`finish_private_folder`].
pub fn finish_private_file(path: &Path) -> io::Result<()> {
    close(path)
}

/// Number of the entry's owner if that is another user; `None` if it is this one.
pub fn foreign_owner(path: &Path, _: &Metadata) -> io::Result<Option<u32>> {
    Ok(foreign(&security(path)?))
}

/// As [`foreign_owner`], for an open file.
pub fn foreign_owner_of(file: &File) -> io::Result<Option<u32>> {
    // The owner of a file that was opened for appending only may not be readable.
    match Security::of_file(file) {
        Ok(security) => Ok(foreign(&security)),
        Err(error) => Err(error),
    }
}

fn foreign(security: &Security) -> Option<u32> {
    (!security.is_own()).then(|| security.owner_number())
}

/// Whether two entries have the same owner. Links are not followed for the first.
pub fn have_same_owner(one: &Path, other: &Path) -> bool {
    let other = open_for_query(other, 0, READ_CONTROL).and_then(|file| Security::of_file(&file));
    security(one).is_ok_and(|one| other.is_ok_and(|other| one.has_owner_of(&other)))
}

/// Who else may use an entry. Links are not followed.
pub fn others(path: &Path) -> io::Result<Others> {
    Ok(security(path)?.others())
}

/// As [`others`], for an open file.
pub fn others_of(file: &File) -> io::Result<Others> {
    Ok(Security::of_file(file)?.others())
}

/// Removes the rights of others from a folder.
pub fn close_folder(path: &Path) -> io::Result<()> {
    close(path)
}

/// Removes the rights of others from a file.
pub fn close_file(path: &Path, _: &Metadata) -> io::Result<()> {
    close(path)
}

fn close(path: &Path) -> io::Result<()> {
    match others(path)? {
        Others::Nobody => Ok(()),
        _ => finish_private_folder(path),
    }
}

/// Nothing to do. A pipe is created with its access list.
pub fn close_socket(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Nothing to do. New files get the access list of their folder.
pub fn set_private_umask() {}

/// Nothing to set. The extension decides whether a script may run.
pub fn script_permissions() -> Option<Permissions> {
    None
}

/// Whether a file is a program.
pub fn is_executable(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    let is_program = PROGRAMS
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known));
    is_program && path.is_file()
}

/// Whether this process acts for the owner of an entry. Windows has no `sudo`.
pub fn acts_for_owner(path: &Path, _: Option<u32>) -> io::Result<bool> {
    Ok(security(path)?.is_own())
}

/// Whether this user may create a folder next to the entries of `folder`. The folder must belong to this user. Whether it is
/// writable is found out by trying.
pub fn may_create_beside(folder: &Path) -> bool {
    security(folder).is_ok_and(|security| security.is_own())
}

/// Whether another user may replace an entry of a folder: the folder belongs to them, or everybody may write to it.
pub fn others_may_replace_entries(folder: &Path) -> bool {
    security(folder).map_or(true, |security| {
        !security.is_own() || security.others() == Others::EverybodyWrites
    })
}
