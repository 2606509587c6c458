//! The cache that the worktrees and clones of one repository share. It is found by the address that the repository was
//! cloned from, or else by git's common folder. It holds a copy of the facts cache outside of them, and the location of
//! each index. Facts are looked up by the hash of a file's content, and the checksum of a group is verified before it
//! is read.

use super::{FactsCache, PACK};
use guard::state::read_own_file;
use platform::{Others, rights};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use store::private;

/// Number of new facts from which on the copy is renewed.
const MANY_NEW: usize = 64;
/// Most bytes of all copies; the oldest are removed.
const MOST_BYTES: u64 = 1 << 30;
/// A larger pack is not copied.
const MOST_OF_ONE: u64 = MOST_BYTES / 4;

/// The folder with the places of indexes.
const PLACES: &str = "places";
/// The most bytes of a file in that folder.
const LARGEST_PLACE: u64 = 64 << 10;

/// The folder for indexes of projects outside of git.
const NO_REPOSITORY: &str = "no-repository";

/// The most bytes of a file that names a place.
const LONGEST_PLACE: u64 = 64 << 10;

/// Root and database of each existing index that this user made on this machine.
pub fn known_indexes(all: &Path) -> Vec<(PathBuf, PathBuf)> {
    let repositories = fs::read_dir(all.join("facts"))
        .into_iter()
        .flatten()
        .flatten();
    let files = repositories.flat_map(|folder| {
        fs::read_dir(folder.path().join(PLACES))
            .into_iter()
            .flatten()
            .flatten()
    });
    let places = files.filter_map(|file| {
        let text = guard::state::read_own_file(&file.path(), LONGEST_PLACE).ok()?;
        let place: IndexLocation = serde_json::from_slice(&text).ok()?;
        let is_there = place
            .db_path
            .symlink_metadata()
            .is_ok_and(|found| found.is_file());
        is_there.then_some((place.root, place.db_path))
    });
    places.collect()
}

/// Place of the index of a worktree or clone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct IndexLocation {
    /// The project's root.
    pub(crate) root: PathBuf,
    /// The database.
    pub(crate) db_path: PathBuf,
    /// The folder of the facts cache.
    pub(crate) facts: PathBuf,
    /// The folder of the chunks.
    #[serde(rename = "passages")]
    pub(crate) chunks: PathBuf,
}

/// Folders in which the worktrees and clones of a repository share their facts.
#[derive(Debug, Clone)]
pub(crate) struct SharedCache {
    /// Folder of all repositories.
    all: PathBuf,
    /// Folder of this repository.
    folder: PathBuf,
    /// A path that belongs to the current user.
    own: PathBuf,
}

impl SharedCache {
    /// The shared cache of the repository around `root`, below the folder `all`. `None` outside of git.
    pub(crate) fn for_repository(all: &Path, root: &Path, state_dir: &Path) -> Option<SharedCache> {
        let name = base::fingerprint(&[&crate::git::repository_identity(root)?]);
        let all = all.join("facts");
        Some(SharedCache {
            folder: all.join(format!("{name:016x}")),
            all,
            own: state_dir.to_path_buf(),
        })
    }

    /// The locations of indexes outside of git, which share no facts.
    pub(crate) fn outside_of_git(all: &Path, state_dir: &Path) -> SharedCache {
        let all = all.join("facts");
        SharedCache {
            folder: all.join(NO_REPOSITORY),
            all,
            own: state_dir.to_path_buf(),
        }
    }

    /// The shared facts; `None` if there are none, or if others could have written them.
    pub(crate) fn open(&self) -> Option<FactsCache> {
        let private = |path: &Path| is_private_to_owner(path, &self.own);
        let found = private(&self.folder) && private(&self.folder.join(PACK));
        found.then(|| FactsCache::open(&self.folder))
    }

    /// Publishes a copy of these facts, if there is none or many are new.
    pub(crate) fn publish_pack(&self, pack: &Path, new: usize) -> io::Result<()> {
        let target = self.folder.join(PACK);
        let there = target.exists();
        if there && new < MANY_NEW || fs::metadata(pack)?.len() > MOST_OF_ONE {
            return Ok(());
        }
        private::create_folder(&self.folder)?;
        super::write_atomically(&target, |partial| copy_pack(pack, partial))?;
        self.prune();
        Ok(())
    }

    /// Registers the location of this index for the other worktrees and clones.
    pub(crate) fn register_location(&self, place: &IndexLocation) -> io::Result<()> {
        let folder = self.folder.join(PLACES);
        let name = base::fingerprint(&[place.root.as_os_str().as_encoded_bytes()]);
        let target = folder.join(format!("{name:016x}.json"));
        let text = serde_json::to_vec(place)?;
        if read_own_file(&target, LARGEST_PLACE).is_ok_and(|there| there == text) {
            return Ok(());
        }
        private::create_folder(&folder)?;
        super::write_atomically(&target, |partial| {
            private::create_or_truncate(partial)?.write_all(&text)
        })
    }

    /// Locations of the indexes of other worktrees and clones, the most recently written first. Locations that no
    /// longer exist are removed.
    pub(crate) fn other_locations(&self, root: &Path) -> Vec<IndexLocation> {
        let folder = self.folder.join(PLACES);
        let mut places = Vec::new();
        let private =
            is_private_to_owner(&self.folder, &self.own) && is_private_to_owner(&folder, &self.own);
        let files = private.then(|| fs::read_dir(&folder).ok()).flatten();
        for file in files.into_iter().flatten().flatten() {
            let path = file.path();
            if !is_private_to_owner(&path, &self.own) {
                continue;
            }
            let text = read_own_file(&path, LARGEST_PLACE).unwrap_or_default();
            let Ok(place) = serde_json::from_slice::<IndexLocation>(&text) else {
                continue;
            };
            match fs::metadata(&place.db_path).and_then(|m| m.modified()) {
                Ok(written)
                    if place.root != root
                        && is_owned_and_not_world_writable(&place.db_path, &self.own) =>
                {
                    places.push((written, place));
                }
                Ok(_) => {}
                Err(_) => drop(fs::remove_file(&path)),
            }
        }
        places.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.root.cmp(&b.1.root)));
        places.into_iter().map(|(_, place)| place).collect()
    }

    /// Removes incomplete files of killed processes, and the oldest copies if all together are too large.
    fn prune(&self) {
        let mut packs = Vec::new();
        let folders = fs::read_dir(&self.all).into_iter().flatten().flatten();
        for folder in folders {
            for file in fs::read_dir(folder.path()).into_iter().flatten().flatten() {
                let Ok(meta) = file.metadata() else { continue };
                let age = meta.modified().ok().and_then(|t| t.elapsed().ok());
                let is_pack = file.file_name() == PACK;
                if is_pack {
                    packs.push((age.unwrap_or_default(), meta.len(), file.path()));
                } else if age.is_some_and(|age| age > super::ORPHAN) {
                    let _ = fs::remove_file(file.path());
                }
            }
        }
        packs.sort();
        let mut bytes = 0;
        for (_, size, path) in packs {
            bytes += size;
            if bytes > MOST_BYTES {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// Copies a pack into a new file.
pub(crate) fn copy_pack(from: &Path, to: &Path) -> io::Result<()> {
    let mut pack = private::open(from)?.take(MOST_OF_ONE);
    io::copy(&mut pack, &mut private::create_or_truncate(to)?).map(|_| ())
}

/// Whether only the owner can have written there: the owner is that of `own`, and others have no access.
fn is_private_to_owner(path: &Path, own: &Path) -> bool {
    is_owned(path, own) && rights::others(path).is_ok_and(|others| others == Others::Nobody)
}

/// Whether the owner is that of `own`, and not everybody may write. (On many systems the group of a user may.)
fn is_owned_and_not_world_writable(path: &Path, own: &Path) -> bool {
    is_owned(path, own)
        && rights::others(path).is_ok_and(|others| others != Others::EverybodyWrites)
}

fn is_owned(path: &Path, own: &Path) -> bool {
    let is_link = path.symlink_metadata().map(|found| found.is_symlink());
    is_link.is_ok_and(|is_link| !is_link) && rights::have_same_owner(path, own)
}
