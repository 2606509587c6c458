//! The place where the wrappers with older names keep their files: the project's state folder, by its rules, or a path that the
//! user named.

use crate::project::Project;
use crate::{EngineError, Settings};
use guard::state;
use std::path::{Path, PathBuf};

/// A file or folder of the wrappers. The folders on the way to it exist and belong to this user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrapperState {
    /// Its path.
    pub path: PathBuf,
    /// Whether the user named it.
    pub is_named: bool,
}

impl WrapperState {
    /// A file: the one that the user named, or `inside` the state folder of the project around `settings.start`.
    ///
    /// # Errors
    /// No project, or a folder that is a link or somebody else's.
    pub fn file(
        settings: &Settings,
        named: Option<PathBuf>,
        inside: &str,
    ) -> Result<WrapperState, EngineError> {
        WrapperState::prepare(settings, named, inside, |path| {
            path.parent().unwrap_or(path)
        })
    }

    /// As [`WrapperState::file`], for a folder.
    ///
    /// # Errors
    /// The same.
    pub fn folder(
        settings: &Settings,
        named: Option<PathBuf>,
        inside: &str,
    ) -> Result<WrapperState, EngineError> {
        WrapperState::prepare(settings, named, inside, |path| path)
    }

    /// Whether it lies in the project around `settings.start`, links followed. A project that is not found counts as one
    /// around it.
    pub fn lies_in_project(&self, settings: &Settings) -> bool {
        let Ok(project) = Project::find(settings) else {
            return true;
        };
        let real = state::resolve_existing_part(&self.path);
        self.path.starts_with(&project.root) || real.starts_with(&project.root)
    }

    fn prepare(
        settings: &Settings,
        named: Option<PathBuf>,
        inside: &str,
        folder: impl Fn(&Path) -> &Path,
    ) -> Result<WrapperState, EngineError> {
        let fail = |e: state::StateError| EngineError::runtime_failure(e.to_string());
        if let Some(path) = named {
            state::create_private_folders(folder(&path)).map_err(fail)?;
            let is_named = true;
            return Ok(WrapperState { path, is_named });
        }
        let project = Project::find(settings)?;
        project.prepare_state()?;
        let path = project.state_dir.join(inside);
        state::create_private_folders_below(&project.state_dir, folder(&path)).map_err(fail)?;
        Ok(WrapperState {
            path,
            is_named: false,
        })
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use testkit::Repo;

    #[test]
    fn links_of_a_repository_are_no_place_for_state() {
        for link in [".devbooks", ".devbooks/cache", ".devbooks/cache/files"] {
            let (repo, outside) = (Repo::new(""), Repo::new("//- l1/thesis.txt\nmine\n"));
            let path = repo.file_path(link);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            symlink(outside.path(), &path).unwrap();
            let settings = Settings::with_start(repo.path());
            let found = WrapperState::folder(&settings, None, "cache/files");
            assert!(found.is_err(), "{link}: {found:?}");
            assert!(outside.file_path("l1/thesis.txt").is_file(), "{link}");
            let names = outside.path().read_dir().unwrap().count();
            assert_eq!(names, 2, "{link}");
        }
        let repo = Repo::new("");
        let settings = Settings::with_start(repo.path());
        let found = WrapperState::folder(&settings, None, "cache/files").unwrap();
        assert!(found.path.ends_with(".devbooks/cache/files") && found.path.is_dir());
        let named = WrapperState::file(&settings, Some(repo.file_path("own/x.json")), "y.json");
        assert!(named.unwrap().is_named && repo.file_path("own").is_dir());
    }
}
