//! A check that the project and its state are still the folders that the daemon began with. A folder that was moved away is not
//! created again in the old place.

use super::DaemonError;
use guard::anchor::AnchoredFolder;
use std::path::Path;

/// The folders that the daemon began with: that of the project and that of its state.
pub(crate) struct ProjectFolders {
    folders: [AnchoredFolder; 2],
}

impl ProjectFolders {
    pub(crate) fn open(root: &Path, state: &Path) -> Result<ProjectFolders, DaemonError> {
        let open =
            |path: &Path| AnchoredFolder::open(path).map_err(|e| DaemonError::from_io(path, e));
        Ok(ProjectFolders {
            folders: [open(root)?, open(state)?],
        })
    }

    /// Whether both are still in their places.
    pub(crate) fn is_unmoved(&self) -> bool {
        self.folders.iter().all(AnchoredFolder::is_unmoved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_whose_folder_or_state_was_moved_is_another() {
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
