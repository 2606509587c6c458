//! The commit that is checked out, read from git's own files.

use std::fs;
use std::path::{Path, PathBuf};

/// The id of the commit at HEAD, if the project stands in a git repository that has one.
pub fn head_commit(root: &Path) -> Option<String> {
    let git = git_dir(root)?;
    let head = fs::read_to_string(git.join("HEAD")).ok()?;
    let head = head.trim();
    let Some(reference) = head.strip_prefix("ref: ") else {
        return commit_id(head);
    };
    let common = common_dir(&git);
    [git.join(reference), common.join(reference)]
        .iter()
        .find_map(|path| fs::read_to_string(path).ok())
        .and_then(|text| commit_id(text.trim()))
        .or_else(|| packed(&common, reference))
}

/// The git directory of the repository that holds `root`: a `.git` folder, or where a `.git` file
/// (worktrees, submodules) points.
pub fn git_dir(root: &Path) -> Option<PathBuf> {
    for folder in root.ancestors() {
        let git = folder.join(".git");
        if git.is_dir() {
            return Some(git);
        }
        if let Ok(text) = fs::read_to_string(&git) {
            let target = text.trim().strip_prefix("gitdir: ")?;
            return Some(folder.join(target));
        }
    }
    None
}

/// Whether the repository around `root` is a shallow clone: its history ends before its first commit.
pub fn is_shallow(root: &Path) -> bool {
    git_dir(root).is_some_and(|git| common_dir(&git).join("shallow").is_file())
}

/// The folder that all worktrees of the repository around `root` share.
pub(crate) fn common_folder(root: &Path) -> Option<PathBuf> {
    git_dir(root).map(|git| common_dir(&git))
}

fn common_dir(git: &Path) -> PathBuf {
    match fs::read_to_string(git.join("commondir")) {
        Ok(text) => git.join(text.trim()),
        Err(_) => git.to_path_buf(),
    }
}

fn packed(common: &Path, reference: &str) -> Option<String> {
    let text = fs::read_to_string(common.join("packed-refs")).ok()?;
    text.lines().find_map(|line| {
        let (id, name) = line.split_once(' ')?;
        if name == reference {
            commit_id(id)
        } else {
            None
        }
    })
}

fn commit_id(text: &str) -> Option<String> {
    let hex = text.len() >= 40 && text.bytes().all(|b| b.is_ascii_hexdigit());
    hex.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_is_read_loose_packed_and_detached() {
        let folder = tempfile::tempdir().unwrap();
        let git = folder.path().join(".git");
        fs::create_dir_all(git.join("refs/heads")).unwrap();
        let id = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(head_commit(folder.path()), None);
        fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        assert_eq!(head_commit(folder.path()), None);
        fs::write(
            git.join("packed-refs"),
            format!("# pack-refs\n{id} refs/heads/main\n"),
        )
        .unwrap();
        assert_eq!(head_commit(folder.path()).as_deref(), Some(id));
        let loose = id.replace('0', "f");
        fs::write(git.join("refs/heads/main"), &loose).unwrap();
        assert_eq!(head_commit(folder.path()), Some(loose));
        fs::write(git.join("HEAD"), id).unwrap();
        assert_eq!(
            head_commit(&folder.path().join(".git")).as_deref(),
            Some(id)
        );
    }
}
