//! Files outside of a project whose ignore rules apply to it. No watcher covers them.

use super::rules::{OWN_IGNORE_FILE, global_excludes_path};
use super::{Stamp, file_id, file_stamp};
use std::path::{Path, PathBuf};

/// State of a file, to detect a change.
type State = Option<(Stamp, Option<(u64, u64)>)>;

/// The state of these files at one moment.
pub(crate) struct OuterRules {
    files: Vec<(PathBuf, State)>,
    /// The ignore file that the user's git configuration names.
    global: Option<PathBuf>,
}

impl OuterRules {
    /// Ignore files of the user, of the folders around `root`, and git's own for the repository that `root` lies in.
    pub(crate) fn around(root: &Path) -> OuterRules {
        let global = global_excludes_path();
        let mut files: Vec<PathBuf> = global.iter().cloned().collect();
        for folder in root.ancestors().skip(1) {
            let names = [OWN_IGNORE_FILE, ".ignore", ".gitignore"];
            files.extend(names.map(|name| folder.join(name)));
        }
        let repository = root.ancestors().find_map(crate::git::common_dir_of_top);
        files.extend(repository.map(|git| git.join("info").join("exclude")));
        let with_state = |file: PathBuf| {
            let state = state_of(&file);
            (file, state)
        };
        OuterRules {
            files: files.into_iter().map(with_state).collect(),
            global,
        }
    }

    /// Whether one of the files has changed. It takes a few system calls.
    pub(crate) fn have_changed(&self) -> bool {
        let mut files = self.files.iter();
        files.any(|(file, state)| state_of(file) != *state) || global_excludes_path() != self.global
    }
}

fn state_of(file: &Path) -> State {
    Some((file_stamp(file)?, file_id(file)))
}

#[cfg(test)]
mod tests {
    use super::OuterRules;
    use testkit::Repo;

    #[test]
    fn rules_around_a_project_are_looked_at() {
        let repo = Repo::new(
            "//- .git/HEAD\nref\n//- .git/objects/x\n\n//- .git/info/exclude\n\n//- .gitignore\na\n//- in/app/a.py\nx\n",
        );
        let changed = |name: &str, text: &str| {
            let rules = OuterRules::around(&repo.file_path("in/app"));
            assert!(!rules.have_changed());
            repo.write(name, text);
            rules.have_changed()
        };
        assert!(changed(".gitignore", "ab\n"));
        assert!(changed("in/.knotworkignore", "x\n"));
        assert!(changed(".git/info/exclude", "more\n"));
        assert!(!changed("in/app/b.py", "y\n"));
    }
}
