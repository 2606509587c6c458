//! A check that the project and its state are still the folders that the daemon began with. A folder that was moved away is not
//! created again in the old place.

use super::DaemonError;
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A folder, kept open so that no other gets its inode number meanwhile.
struct Folder {
    path: PathBuf,
    identity: (u64, u64),
    _open: File,
}

impl Folder {
    fn open(path: &Path) -> std::io::Result<Folder> {
        let open = File::open(path)?;
        let found = open.metadata()?;
        Ok(Folder {
            path: path.to_path_buf(),
            identity: (found.dev(), found.ino()),
            _open: open,
        })
    }

    fn is_unmoved(&self) -> bool {
        let found = self.path.metadata();
        found.is_ok_and(|found| (found.dev(), found.ino()) == self.identity)
    }
}

/// The folders that the daemon began with: that of the project and that of its state.
pub(crate) struct ProjectFolders {
    folders: [Folder; 2],
}

impl ProjectFolders {
    pub(crate) fn open(root: &Path, state: &Path) -> Result<ProjectFolders, DaemonError> {
        let open = |path: &Path| Folder::open(path).map_err(|e| DaemonError::from_io(path, e));
        Ok(ProjectFolders {
            folders: [open(root)?, open(state)?],
        })
    }

    /// Whether both are still in their places.
    pub(crate) fn is_unmoved(&self) -> bool {
        self.folders.iter().all(Folder::is_unmoved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_was_moved_or_made_again_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let (root, moved) = (folder.path().join("a"), folder.path().join("b"));
        let state = root.join(".devbooks");
        std::fs::create_dir_all(&state).unwrap();
        let anchor = ProjectFolders::open(&root, &state).unwrap();
        assert!(anchor.is_unmoved());
        std::fs::rename(&root, &moved).unwrap();
        assert!(!anchor.is_unmoved());
        std::fs::create_dir_all(&state).unwrap();
        assert!(!anchor.is_unmoved());
        std::fs::remove_dir_all(&root).unwrap();
        std::fs::rename(&moved, &root).unwrap();
        assert!(anchor.is_unmoved());
        std::fs::remove_dir(&state).unwrap();
        std::fs::create_dir(&state).unwrap();
        assert!(!anchor.is_unmoved());
    }
}
