//! Where a project begins, where its state lies, and which paths belong to it.

use crate::{EngineError, Settings};
use std::path::{Component, Path, PathBuf};

/// A project on disk.
#[derive(Debug, Clone)]
pub(crate) struct Project {
    /// Its root, absolute and without links.
    pub root: PathBuf,
    /// Where the caller stands, absolute and without links.
    pub start: PathBuf,
    /// `.devbooks/`, wherever it is.
    pub state_dir: PathBuf,
    /// Answers and history that are kept.
    pub cache_dir: PathBuf,
    /// The graph's database.
    pub db_path: PathBuf,
    /// Whether the caller named the database.
    pub db_is_given: bool,
}

/// Where a project and its state lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The project's root, absolute and without links.
    pub root: PathBuf,
    /// Where the caller stands, absolute and without links.
    pub start: PathBuf,
    /// `.devbooks/`, wherever it is.
    pub state_dir: PathBuf,
}

/// Finds the project around `settings.start`; looks at folders alone.
pub fn locate(settings: &Settings) -> Result<Location, EngineError> {
    let found = Project::find(settings)?;
    Ok(Location {
        root: found.root,
        start: found.start,
        state_dir: found.state_dir,
    })
}

impl Project {
    pub(crate) fn find(settings: &Settings) -> Result<Project, EngineError> {
        let start = settings.start.canonicalize().map_err(|e| {
            EngineError::bad(format!("no such folder: {}: {e}", settings.start.display()))
        })?;
        if !start.is_dir() {
            return Err(
                EngineError::bad(format!("not a folder: {}", start.display()))
                    .hint("give the project's folder"),
            );
        }
        let root = root_of(&start);
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        let state_dir = settings
            .state_dir
            .as_ref()
            .map_or_else(|| root.join(".devbooks"), absolute);
        let db_path = settings
            .db_path
            .as_ref()
            .map_or_else(|| state_dir.join("graph.db"), absolute);
        let cache_dir = match &settings.cache_dir {
            // One place may be named for many projects.
            Some(folder) => absolute(folder).join(format!("knotwork-{:016x}", of_path(&root))),
            None => state_dir.join("cache"),
        };
        Ok(Project {
            root,
            start,
            cache_dir,
            state_dir,
            db_path,
            db_is_given: settings.db_path.is_some(),
        })
    }

    /// Makes the state folder, and keeps it out of version control.
    pub(crate) fn prepare_state(&self) -> Result<(), EngineError> {
        let fail = |path: &Path, e: std::io::Error| {
            EngineError::failure(format!("cannot write {}: {e}", path.display()))
                .hint("set DEVBOOKS_DIR to a folder that can be written")
        };
        // A program that is started without a folder of its own often stands here.
        let nowhere = self.root.parent().is_none() && !self.root.join(".git").exists();
        // A project that was moved away is not made again in its old place.
        if nowhere || !self.root.is_dir() {
            return Err(
                EngineError::bad(format!("{} is no project", self.root.display()))
                    .hint("go to a folder of the project, or name it with -C DIR"),
            );
        }
        std::fs::create_dir_all(&self.state_dir).map_err(|e| fail(&self.state_dir, e))?;
        let ignore = self.state_dir.join(".gitignore");
        if !ignore.exists() {
            std::fs::write(&ignore, "*\n").map_err(|e| fail(&ignore, e))?;
        }
        Ok(())
    }

    /// A path argument as a path in the project with `/`: relative to the root, else to where
    /// the caller stands. One that leads outside is refused.
    pub(crate) fn relative(&self, argument: &str) -> Result<String, EngineError> {
        let outside = || {
            EngineError::bad(format!("path outside the project: {argument}"))
                .hint(format!("the project is {}", self.root.display()))
        };
        let path = Path::new(argument);
        let candidates = if path.is_absolute() {
            vec![path.to_path_buf()]
        } else {
            vec![self.root.join(path), self.start.join(path)]
        };
        let inside: Vec<String> = candidates
            .iter()
            .filter_map(|p| normal(p))
            .filter_map(|p| Some(to_slashes(p.strip_prefix(&self.root).ok()?)))
            .collect();
        let exists = inside.iter().find(|p| self.root.join(p).exists());
        let chosen = exists.or(inside.first()).ok_or_else(outside)?;
        match self.root.join(chosen).canonicalize() {
            Ok(real) if !real.starts_with(&self.root) => Err(outside()),
            _ => Ok(chosen.clone()),
        }
    }

    /// Where a path of the index lies on disk, if it is inside the project, links followed.
    pub(crate) fn on_disk(&self, path: &str) -> Option<PathBuf> {
        let real = self.root.join(path).canonicalize().ok()?;
        real.starts_with(&self.root).then_some(real)
    }
}

/// A number for a folder.
fn of_path(path: &Path) -> u64 {
    base::fingerprint(&[path.as_os_str().as_encoded_bytes()])
}

/// The nearest folder upwards that has a `.git` or `.devbooks`; else the folder itself.
fn root_of(start: &Path) -> PathBuf {
    start
        .ancestors()
        .find(|folder| folder.join(".git").exists() || folder.join(".devbooks").is_dir())
        .unwrap_or(start)
        .to_path_buf()
}

/// The path without `.` and `..`, by its text; none where it climbs above the root.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if !out.pop() {
                    return None;
                }
            }
            other => out.push(other),
        }
    }
    Some(out)
}

fn to_slashes(path: &Path) -> String {
    let parts: Vec<_> = path
        .components()
        .map(|c| c.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Repo;

    #[test]
    fn the_root_is_found_from_any_folder_inside() {
        let repo = Repo::new("== .git/HEAD\nref\n== src/deep/a.py\nx = 1\n");
        let project = Project::find(&Settings::at(repo.path().join("src/deep"))).unwrap();
        assert_eq!(project.root, repo.path().canonicalize().unwrap());
        assert!(project.db_path.ends_with(".devbooks/graph.db"));
    }

    #[test]
    fn paths_are_relative_to_the_root_or_to_where_one_stands() {
        let repo = Repo::new("== .git/HEAD\nref\n== src/a.py\nx = 1\n== b.py\nx = 1\n");
        let project = Project::find(&Settings::at(repo.path().join("src"))).unwrap();
        assert_eq!(project.relative("src/a.py").unwrap(), "src/a.py");
        assert_eq!(project.relative("a.py").unwrap(), "src/a.py");
        assert_eq!(project.relative("../b.py").unwrap(), "b.py");
        let absolute = project.root.join("b.py");
        assert_eq!(
            project.relative(&absolute.to_string_lossy()).unwrap(),
            "b.py"
        );
    }

    #[test]
    fn paths_outside_the_project_are_refused() {
        let repo = Repo::new("== .git/HEAD\nref\n");
        let project = Project::find(&Settings::at(repo.path())).unwrap();
        for path in ["../secret", "/etc/passwd", "a/../../x"] {
            let error = project.relative(path).unwrap_err();
            assert!(
                error.message.contains("outside the project"),
                "{path}: {error}"
            );
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/etc", project.root.join("link")).unwrap();
            assert!(project.relative("link/passwd").is_err());
            assert_eq!(project.on_disk("link/passwd"), None);
        }
    }

    #[test]
    fn a_cache_that_is_elsewhere_keeps_projects_apart() {
        let repos = [
            Repo::new("== .git/HEAD\nref\n"),
            Repo::new("== .git/HEAD\nref\n"),
        ];
        let elsewhere = tempfile::tempdir().unwrap();
        let folders = repos.each_ref().map(|repo| {
            let mut settings = Settings::at(repo.path());
            assert!(
                Project::find(&settings)
                    .unwrap()
                    .cache_dir
                    .ends_with(".devbooks/cache")
            );
            settings.cache_dir = Some(elsewhere.path().to_path_buf());
            Project::find(&settings).unwrap().cache_dir
        });
        assert!(
            folders
                .iter()
                .all(|folder| folder.starts_with(elsewhere.path()))
        );
        assert_ne!(folders[0], folders[1]);
    }

    #[test]
    fn the_state_folder_ignores_itself() {
        let repo = Repo::new("== a.py\nx = 1\n");
        let project = Project::find(&Settings::at(repo.path())).unwrap();
        project.prepare_state().unwrap();
        let ignore = std::fs::read_to_string(project.state_dir.join(".gitignore")).unwrap();
        assert_eq!(ignore, "*\n");
    }
}
