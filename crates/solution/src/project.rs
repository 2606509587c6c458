//! The name of the project that a solution comes from. It is made from git's common directory, so all worktrees of one repository
//! have the same name.

use platform::RealPath;
use std::path::{Path, PathBuf};

/// The name of the project around `folder`: that of the folder with git's common directory, or of the bare repository. None
/// outside of git.
pub fn git_project_name(folder: &Path) -> Option<String> {
    let common = find_git_common_dir(folder)?;
    let is_inner = common.file_name().is_some_and(|n| n == ".git");
    let named = if is_inner { common.parent()? } else { &common };
    let name = named.file_name()?.to_string_lossy().into_owned();
    let name = name.strip_suffix(".git").unwrap_or(&name);
    (!name.is_empty()).then(|| name.to_owned())
}

/// The most bytes of a file that contains a path.
const MOST: u64 = 8 << 10;

fn find_git_common_dir(folder: &Path) -> Option<PathBuf> {
    let folder = folder.real_path().ok()?;
    for above in folder.ancestors() {
        let git = above.join(".git");
        if git.is_dir() {
            return Some(git);
        }
        if git.is_file() {
            let text = guard::file::read_user_text(&git, MOST).ok()?;
            let target = text.trim().strip_prefix("gitdir:")?.trim();
            let private = above.join(target);
            let common = match guard::file::read_user_text(&private.join("commondir"), MOST) {
                Ok(common) => private.join(common.trim()),
                // A submodule has a directory of its own.
                Err(_) => return above.join(".git").parent().map(Path::to_path_buf),
            };
            return common.real_path().ok();
        }
        if above.join("HEAD").is_file() && above.join("objects").is_dir() {
            return Some(above.to_path_buf());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worktrees_share_a_name() {
        let root = tempfile::tempdir().unwrap();
        let main = root.path().join("shop");
        let tree = root.path().join("shop-feature/src");
        std::fs::create_dir_all(main.join(".git/worktrees/feature")).unwrap();
        std::fs::create_dir_all(&tree).unwrap();
        std::fs::write(main.join(".git/worktrees/feature/commondir"), "../..\n").unwrap();
        let link = format!(
            "gitdir: {}\n",
            main.join(".git/worktrees/feature").display()
        );
        std::fs::write(root.path().join("shop-feature/.git"), link).unwrap();
        assert_eq!(git_project_name(&main).as_deref(), Some("shop"));
        assert_eq!(git_project_name(&tree).as_deref(), Some("shop"));
        let bare = root.path().join("tool.git");
        std::fs::create_dir_all(bare.join("objects")).unwrap();
        std::fs::write(bare.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        assert_eq!(git_project_name(&bare).as_deref(), Some("tool"));
        let outside = root.path().join("plain");
        std::fs::create_dir_all(&outside).unwrap();
        assert_eq!(git_project_name(&outside), None);
    }
}
