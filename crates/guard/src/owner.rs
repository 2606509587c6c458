//! Owner of a folder, by the check that git makes before it trusts one.

use platform::{Others, rights};
use std::path::Path;

pub use platform::rights::{may_create_beside, others_may_replace_entries};

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
pub fn owner_of(folder: &Path, name: &str, caller: Option<u32>) -> Option<Owner> {
    if rights::acts_for_owner(&folder.join(name), caller).ok()? {
        return Some(Owner::Us);
    }
    match rights::others(folder).ok()? {
        Others::EverybodyWrites => Some(Owner::Anybody),
        Others::Nobody | Others::Some => Some(Owner::Other),
    }
}
