//! Owners and rights of files.

use crate::Others;
use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// The permission bits of everybody but the owner.
const OTHERS: u32 = 0o077;

/// Makes new files readable by this user alone.
pub fn make_private(options: &mut OpenOptions) {
    options.mode(0o600);
}

/// A builder of folders that only this user may enter.
pub fn private_dir_builder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

/// Called for a folder that [`private_dir_builder`] has just created. Nothing is left to do here.
pub fn finish_private_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Called for a file that was just created with [`make_private`]. Nothing is left to do here.
pub fn finish_private_file(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Number of the entry's owner if that is another user; `None` if it is this one. `found` is the entry's metadata.
pub fn foreign_owner(_: &Path, found: &Metadata) -> io::Result<Option<u32>> {
    Ok(foreign(found))
}

/// As [`foreign_owner`], for an open file.
pub fn foreign_owner_of(file: &File) -> io::Result<Option<u32>> {
    Ok(foreign(&file.metadata()?))
}

fn foreign(found: &Metadata) -> Option<u32> {
    let me = rustix::process::geteuid().as_raw();
    (found.uid() != me).then(|| found.uid())
}

/// Whether two entries have the same owner. Links are not followed for the first.
pub fn have_same_owner(one: &Path, other: &Path) -> bool {
    let (Ok(one), Ok(other)) = (one.symlink_metadata(), other.metadata()) else {
        return false;
    };
    one.uid() == other.uid()
}

/// Who else may use an entry. Links are not followed.
pub fn others(path: &Path) -> io::Result<Others> {
    Ok(others_by_mode(path.symlink_metadata()?.mode()))
}

/// As [`others`], for an open file.
pub fn others_of(file: &File) -> io::Result<Others> {
    Ok(others_by_mode(file.metadata()?.mode()))
}

fn others_by_mode(mode: u32) -> Others {
    match mode {
        mode if mode & OTHERS == 0 => Others::Nobody,
        mode if mode & 0o002 == 0 => Others::Some,
        _ => Others::EverybodyWrites,
    }
}

/// Removes the rights of others from a folder.
pub fn close_folder(path: &Path) -> io::Result<()> {
    let mode = path.symlink_metadata()?.mode();
    match mode & OTHERS {
        0 => Ok(()),
        _ => std::fs::set_permissions(path, Permissions::from_mode(mode & 0o700)),
    }
}

/// Removes the rights of others from a file, whose metadata is `found`.
pub fn close_file(path: &Path, found: &Metadata) -> io::Result<()> {
    match found.mode() & OTHERS {
        0 => Ok(()),
        _ => std::fs::set_permissions(path, Permissions::from_mode(0o600)),
    }
}

/// Removes the rights of others from a socket, which need not be a regular file.
pub fn close_socket(path: &Path) -> io::Result<()> {
    std::fs::set_permissions(path, Permissions::from_mode(0o600))
}

/// Makes files created from now on readable by this user alone.
pub fn set_private_umask() {
    use rustix::fs::Mode;
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
}

/// Rights of a script that everybody may run.
pub fn script_permissions() -> Option<Permissions> {
    Some(Permissions::from_mode(0o755))
}

/// Whether a file is a program.
pub fn is_executable(path: &Path) -> bool {
    let found = path.metadata();
    found.is_ok_and(|found| found.is_file() && found.mode() & 0o111 != 0)
}

/// Whether this process acts for the owner of an entry: this user, or for `root` under `sudo` the `caller`.
pub fn acts_for_owner(path: &Path, caller: Option<u32>) -> io::Result<bool> {
    let owner = path.symlink_metadata()?.uid();
    let me = rustix::process::geteuid().as_raw();
    Ok(owner == me || (me == 0 && Some(owner) == caller))
}

/// Whether this user may create a folder next to the entries of `folder`. The folder must be writable. It must also belong to
/// this user, unless this user is `root`.
pub fn may_create_beside(folder: &Path) -> bool {
    use rustix::fs::{Access, AtFlags, CWD, accessat};
    let me = rustix::process::geteuid().as_raw();
    let is_own = folder
        .metadata()
        .is_ok_and(|found| me == 0 || found.uid() == me);
    is_own && accessat(CWD, folder, Access::WRITE_OK, AtFlags::EACCESS).is_ok()
}

/// Whether another user may replace an entry of a folder: the folder belongs to them, or they may write to it. Groups count,
/// except the group named like this user, which has no other member.
pub fn others_may_replace_entries(folder: &Path) -> bool {
    const STICKY: u32 = 0o1000;
    let me = rustix::process::geteuid().as_raw();
    folder.metadata().is_ok_and(|found| {
        // If there is an access list, the bits of the group limit every user of the list.
        let by_group = found.mode() & 0o020 != 0 && (found.gid() != me || has_access_list(folder));
        let by_all = found.mode() & 0o002 != 0;
        found.uid() != me || ((by_group || by_all) && found.mode() & STICKY == 0)
    })
}

/// Whether a folder has a POSIX access list.
#[cfg(target_os = "linux")]
fn has_access_list(folder: &Path) -> bool {
    let size = rustix::fs::getxattr(folder, "system.posix_acl_access", &mut [0_u8; 0]);
    size.is_ok_and(|size| size > 0)
}

#[cfg(not(target_os = "linux"))]
fn has_access_list(_: &Path) -> bool {
    false
}
