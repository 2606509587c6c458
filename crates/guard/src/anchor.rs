//! A folder that must stay in its place: renaming it, or a folder above it, may put another one there.

use std::fs::File;
use std::path::{Path, PathBuf};

/// A folder, kept open so that no other folder gets its inode number.
#[derive(Debug)]
pub struct AnchoredFolder {
    path: PathBuf,
    open: File,
}

impl AnchoredFolder {
    /// Opens the folder that is now at this path.
    pub fn open(path: &Path) -> std::io::Result<AnchoredFolder> {
        Ok(AnchoredFolder {
            path: path.to_path_buf(),
            open: platform::file::open_folder(path)?,
        })
    }

    /// Whether the path still leads to this folder.
    pub fn is_unmoved(&self) -> bool {
        let number = |found: std::io::Result<platform::FileDetails>| {
            let found = found.ok()?;
            Some((found.device, found.number))
        };
        let own = number(platform::file::open_details(&self.open));
        own.is_some() && own == number(platform::file::target_details(&self.path))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_was_moved_or_made_again_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let (root, moved) = (folder.path().join("a"), folder.path().join("b"));
        let inner = root.join("inner");
        std::fs::create_dir_all(&inner).unwrap();
        let anchor = AnchoredFolder::open(&inner).unwrap();
        assert!(anchor.is_unmoved());
        std::fs::rename(&root, &moved).unwrap();
        assert!(!anchor.is_unmoved());
        std::fs::create_dir_all(&inner).unwrap();
        assert!(!anchor.is_unmoved());
        std::fs::remove_dir_all(&root).unwrap();
        std::fs::rename(&moved, &root).unwrap();
        assert!(anchor.is_unmoved());
        std::fs::remove_dir(&inner).unwrap();
        std::fs::create_dir(&inner).unwrap();
        assert!(!anchor.is_unmoved());
    }
}
