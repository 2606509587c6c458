//! The state of a git working tree, read from git's files. The files are read directly: no program is started, and nothing that
//! the repository configures is run.

use ingest::Cancel;
use ingest::diff::{DiffBase, FileChange, diff_until};
use std::path::Path;

/// A working tree.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checkout {
    /// The branch; `HEAD` where a commit is checked out. None outside of a repository.
    pub branch: Option<String>,
    /// Files below the folder that differ from HEAD, as `git status --porcelain` writes them. Untracked files are left out.
    pub changes: Vec<String>,
}

/// The working tree around a folder. `changes` is empty where they cannot be read or `cancel` is set meanwhile.
pub fn read_working_tree(folder: &Path, cancel: &Cancel) -> Checkout {
    let changes = diff_until(folder, &DiffBase::Since("HEAD".to_owned()), cancel);
    let changes = changes.map(|diff| diff.files).unwrap_or_default();
    Checkout {
        branch: ingest::git::branch(folder),
        changes: changes.iter().map(change_line).collect(),
    }
}

fn change_line(file: &FileChange) -> String {
    let kind = match (&file.old, &file.new) {
        (None, _) => "A ",
        (_, None) => " D",
        _ => " M",
    };
    format!("{kind} {}", file.path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Repo;

    #[test]
    fn a_branch_and_what_differs_are_read_from_gits_files() {
        let repo = Repo::new("//- a.txt\none\n//- b.txt\ntwo\n//- c/d.txt\nthree\n");
        let read = |inside: &str| read_working_tree(&repo.path().join(inside), &Cancel::default());
        assert_eq!(read(""), Checkout::default());
        repo.commit_all();
        assert!(read("").changes.is_empty());
        assert!(read("").branch.is_some());
        repo.write("a.txt", "changed\n");
        repo.write("c/d.txt", "changed\n");
        repo.write("new.txt", "not known to git\n");
        std::fs::remove_file(repo.file_path("b.txt")).unwrap();
        assert_eq!(read("").changes, [" M a.txt", " D b.txt", " M c/d.txt"]);
        assert_eq!(read("c").changes, [" M d.txt"]);
    }
}
