//! Owner of a folder, by the check that git makes before it trusts one.

use std::path::Path;

/// Owner of an entry on the way from a folder to the root of the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// This user; if `root` acts for a user by `sudo`, that user.
    Us,
    /// Another user.
    Other,
    /// Another user, in a folder that everybody may write to.
    Anybody,
}

/// Owner of the entry `name` of `folder`; `None` if it does not exist. Links are not followed, neither for the entry
/// nor for the folder.
///
/// `caller` is the id of the user who called `sudo`, if this process runs under it.
#[cfg(unix)]
pub fn owner_of(folder: &Path, name: &str, caller: Option<u32>) -> Option<Owner> {
    use std::os::unix::fs::MetadataExt;
    let entry = folder.join(name).symlink_metadata().ok()?;
    let me = rustix::process::geteuid().as_raw();
    let is_us = |number: u32| number == me || (me == 0 && Some(number) == caller);
    if is_us(entry.uid()) {
        return Some(Owner::Us);
    }
    let around = folder.symlink_metadata().ok()?;
    match around.mode() & 0o002 {
        0 => Some(Owner::Other),
        _ => Some(Owner::Anybody),
    }
}

/// Other systems separate users in other ways.
#[cfg(not(unix))]
pub fn owner_of(folder: &Path, name: &str, _: Option<u32>) -> Option<Owner> {
    folder.join(name).symlink_metadata().ok().map(|_| Owner::Us)
}

/// Whether this user may create a folder next to the entries of `folder`: the folder must be writable, and belong to
/// this user unless this is `root`, who loses nothing by it.
#[cfg(unix)]
pub fn may_create_beside(folder: &Path) -> bool {
    use rustix::fs::{Access, AtFlags, CWD, accessat};
    use std::os::unix::fs::MetadataExt;
    let me = rustix::process::geteuid().as_raw();
    let is_own = folder
        .metadata()
        .is_ok_and(|found| me == 0 || found.uid() == me);
    is_own && accessat(CWD, folder, Access::WRITE_OK, AtFlags::EACCESS).is_ok()
}

/// Whether another user may replace an entry of a folder: the folder belongs to them, or they may write to it. Groups
/// count, except the one named like this user, which has no other member.
#[cfg(unix)]
pub fn others_may_replace_entries(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    const STICKY: u32 = 0o1000;
    let me = rustix::process::geteuid().as_raw();
    folder.metadata().is_ok_and(|found| {
        // With an access list, the bits of the group limit what any user of the list may do.
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

#[cfg(all(unix, not(target_os = "linux")))]
fn has_access_list(_: &Path) -> bool {
    false
}

/// Other systems separate users in other ways.
#[cfg(not(unix))]
pub fn others_may_replace_entries(_: &Path) -> bool {
    false
}

/// Other systems report an error on the attempt.
#[cfg(not(unix))]
pub fn may_create_beside(_: &Path) -> bool {
    true
}
