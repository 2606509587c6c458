//! The root of a project, the place of its state, and the paths that belong to it.
//!
//! The current folder is in a project if it, or a folder above it, has a repository, a manifest or an index. An index counts if a
//! manifest or a repository lies beside it, or if it is in the current folder: an index once made for a folder of many things does
//! not turn all of them into one project. Within a repository or below a manifest, an index counts only if this user's key vouches
//! for it: a shipped one would hide the rest of the project. The user's home, the root of a file system and folders for temporary
//! files are projects only if the user names them.
//!
//! Source code in a folder is read whoever owns it, but state belongs to this user alone. So a `.devbooks` of another user marks no
//! project and holds no state. Nothing is written into a project of another user: its state is in this user's own folder. The same
//! holds for `root`: the owner could not read its files, and could put links in its way. It also holds for a folder of this user
//! that others may write to, since they could exchange `.devbooks` for a link during a write. A `.git` of another user does mark a
//! project, because it is only read. It does not where everybody may put one, as in `/tmp`.

use crate::{EngineError, Settings};
use analysis::Glob;
use guard::owner::{self, Owner};
use guard::state::{self, StateError};
use platform::RealPath;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;
use text::list::{self, WordList};

const MANIFEST_LISTS: &str = include_str!("manifests.txt");

const STATE: &str = ".devbooks";

/// The most bytes of a path, as systems have it. Each folder of a path is examined, so a path without limit would take minutes.
const LONGEST_PATH: usize = 4_096;
/// The most bytes of a pattern that chooses files.
const LONGEST_PATTERN: usize = 4_096;

/// A project on disk.
#[derive(Debug, Clone)]
pub(crate) struct Project {
    /// The project's root, absolute and without links.
    pub root: PathBuf,
    /// The caller's current folder, absolute and without links.
    pub start: PathBuf,
    /// The folder `.devbooks/`, wherever it is.
    pub state_dir: PathBuf,
    /// The folder of cached answers and history.
    pub cache_dir: PathBuf,
    /// The graph's database.
    pub db_path: PathBuf,
    /// Whether the caller named the database.
    pub db_is_given: bool,
    /// Whether the caller named the state folder.
    state_is_given: bool,
    /// A note on the place of the state, for the answer.
    pub note: Option<String>,
}

/// The places of a project and its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The project's root, absolute and without links.
    pub root: PathBuf,
    /// The caller's current folder, absolute and without links.
    pub start: PathBuf,
    /// The folder `.devbooks/`, wherever it is.
    pub state_dir: PathBuf,
}

/// Finds the project around `settings.start`. Looks at folders, and at whether an index that cannot be written is trusted.
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
        let start = settings.start.real_path().map_err(|e| {
            EngineError::bad_arguments(format!("no such folder: {}: {e}", settings.start.display()))
        })?;
        if !start.is_dir() {
            return Err(
                EngineError::bad_arguments(format!("not a folder: {}", start.display()))
                    .with_hint("give the project's folder"),
            );
        }
        let root = find_root(&start, settings)?;
        let absolute = |path: &PathBuf| state::resolve_existing_part(path);
        let StateLocation { state_dir, note } = match &settings.state_dir {
            Some(named) => StateLocation {
                state_dir: check_named_state(absolute(named), &root)?,
                note: None,
            },
            None => choose_state_dir(&root, settings)?,
        };
        let db_path = settings
            .db_path
            .as_ref()
            .map_or_else(|| state_dir.join("graph.db"), absolute);
        if settings.db_path.is_some() && !store::sqlite::may_hold_database(&db_path) {
            let message = format!("GRAPH_DB_PATH: {} is no database", db_path.display());
            return Err(EngineError::bad_arguments(message).with_hint("name a new file"));
        }
        let cache_dir = match &settings.cache_dir {
            // One state folder may be named for many projects.
            Some(folder) => {
                absolute(folder).join(format!("knotwork-{:016x}", path_fingerprint(&root)))
            }
            None => state_dir.join("cache"),
        };
        Ok(Project {
            root,
            start,
            cache_dir,
            state_dir,
            db_path,
            db_is_given: settings.db_path.is_some(),
            state_is_given: settings.state_dir.is_some(),
            note,
        })
    }

    /// Makes the state folder, and keeps it out of version control.
    pub(crate) fn prepare_state(&self) -> Result<(), EngineError> {
        let fail = |path: &Path, e: &dyn std::fmt::Display| {
            EngineError::runtime_failure(format!("cannot write {}: {e}", path.display()))
                .with_hint("set DEVBOOKS_DIR to a folder that can be written")
        };
        // A program started without a folder of its own often runs in the root of the file system.
        let nowhere = self.root.parent().is_none() && !self.root.join(".git").exists();
        // A project that was moved away is not created again in its old place.
        if nowhere || !self.root.is_dir() {
            return Err(EngineError::bad_arguments(format!(
                "{} is no project",
                self.root.display()
            ))
            .with_hint("go to a folder of the project, or name it with -C DIR"));
        }
        let folder = &self.state_dir;
        // The project's own folder is never created: it may just have been moved.
        if let Some(parent) = folder.parent().filter(|parent| *parent != self.root) {
            state::create_private_parents(parent).map_err(|e| fail(folder, &e))?;
        }
        // A folder that the user named may be shared with others.
        let prepared = if self.state_is_given {
            state::create_private_folders(folder)
        } else {
            state::create_private_folder(folder)
        };
        prepared.map_err(|e| fail(folder, &e))?;
        let ignore = folder.join(".gitignore");
        state::create_file_if_absent(&ignore, b"*\n").map_err(|e| fail(&ignore, &e))?;
        Ok(())
    }

    /// A path argument that chooses files: a pattern stays as it is, anything else goes through [`Project::relative_path`].
    /// Patterns are limited in length, because each is compared with every path.
    pub(crate) fn filter_argument(
        &self,
        argument: Option<&str>,
    ) -> Result<Option<String>, EngineError> {
        match argument {
            Some(path) if path.contains(['*', '?']) && path.len() > LONGEST_PATTERN => {
                let message = format!("path: a pattern has at most {LONGEST_PATTERN} bytes");
                Err(EngineError::bad_arguments(message))
            }
            Some(path) if path.contains(['*', '?']) => {
                let pattern = platform::file::to_slashes(Path::new(path));
                Ok(Some(pattern.to_string_lossy().into_owned()))
            }
            Some(path) => self.relative_path(path).map(Some),
            None => Ok(None),
        }
    }

    /// A path argument that chooses files, as a pattern; none for the whole project.
    pub(crate) fn filter_glob(&self, argument: Option<&str>) -> Result<Option<Glob>, EngineError> {
        let chosen = self.filter_argument(argument)?;
        let chosen = chosen.filter(|path| !path.is_empty() && path != ".");
        Ok(chosen.map(|path| Glob::new(&path)))
    }

    /// A path argument as a path in the project with `/`: relative to the caller's folder, else to the root. A path that leads
    /// outside is refused.
    pub(crate) fn relative_path(&self, argument: &str) -> Result<String, EngineError> {
        let outside = || {
            EngineError::bad_arguments(format!("path outside the project: {argument}"))
                .with_hint(format!("the project is {}", self.root.display()))
        };
        if argument.len() > LONGEST_PATH {
            let message = format!("path: longer than {LONGEST_PATH} bytes");
            return Err(EngineError::bad_arguments(message));
        }
        let path = Path::new(argument);
        let candidates = if path.is_absolute() {
            vec![path.to_path_buf()]
        } else {
            vec![self.start.join(path), self.root.join(path)]
        };
        let inside: Vec<String> = candidates
            .iter()
            .filter_map(|p| normalize_path(p))
            .map(platform::file::as_stored)
            .filter_map(|p| Some(to_slashes(p.strip_prefix(&self.root).ok()?)))
            .collect();
        let exists = inside.iter().find(|p| self.root.join(p).exists());
        // Where neither path exists, one whose folder exists is taken.
        let lies_in = || {
            let folder = |p: &&String| Some(self.root.join(p).parent()?.is_dir());
            inside.iter().find(|p| folder(p).unwrap_or(false))
        };
        let chosen = exists.or_else(lies_in).or(inside.first());
        let chosen = chosen.ok_or_else(outside)?;
        if self.escapes_project(&self.root.join(chosen)) {
            Err(outside())
        } else {
            Ok(chosen.clone())
        }
    }

    /// Whether a path leads out of the project through a link. For a path that does not exist yet, its nearest existing folder
    /// decides; a link to nothing counts as leading out, since its target may appear anywhere.
    fn escapes_project(&self, path: &Path) -> bool {
        let is_dangling = |path: &Path| {
            let found = path.symlink_metadata();
            found.is_ok_and(|found| found.is_symlink()) && path.metadata().is_err()
        };
        for around in path.ancestors() {
            match around.real_path() {
                Ok(real) => return !real.starts_with(&self.root),
                Err(_) if is_dangling(around) => return true,
                Err(_) => {}
            }
        }
        false
    }

    /// The place of an indexed path on disk, if it is inside the project with links followed.
    pub(crate) fn resolve_on_disk(&self, path: &str) -> Option<PathBuf> {
        let real = self.root.join(path).real_path().ok()?;
        real.starts_with(&self.root).then_some(real)
    }
}

/// An error for a scope or path that matches no file.
pub(crate) fn no_match_error(path: Option<&str>) -> EngineError {
    let path = path.unwrap_or_default();
    EngineError::bad_arguments(format!("no file of the graph lies at {path}"))
        .with_hint("`knotwork index status` names files that are not in the graph")
}

/// A fingerprint for a folder.
fn path_fingerprint(path: &Path) -> u64 {
    base::fingerprint(&[path.as_os_str().as_encoded_bytes()])
}

/// Files and folders at the root of a project, beside those of version control.
static MANIFESTS: WordList =
    LazyLock::new(|| list::words(list::section(MANIFEST_LISTS, "names")).collect());
/// Ends of manifests that are named after their project.
static MANIFEST_ENDS: WordList =
    LazyLock::new(|| list::words(list::section(MANIFEST_LISTS, "endings")).collect());
/// The most entries of a folder that are searched for those.
const MOST_ENTRIES: usize = 2_000;

/// Whether a folder has a repository or a manifest.
pub fn is_project_folder(folder: &Path) -> bool {
    folder.join(".git").symlink_metadata().is_ok() || has_manifest(folder)
}

fn has_manifest(folder: &Path) -> bool {
    if MANIFESTS.iter().any(|name| folder.join(name).exists()) {
        return true;
    }
    let Ok(entries) = folder.read_dir() else {
        return false;
    };
    entries.take(MOST_ENTRIES).flatten().any(|entry| {
        let name = entry.file_name();
        let end = Path::new(&name).extension();
        end.is_some_and(|end| MANIFEST_ENDS.iter().any(|known| end == *known))
    })
}

/// Whether `.git` is git's: a folder with a `HEAD`, or a file that names another folder. An archive may hold anything of that
/// name.
fn is_git(folder: &Path) -> bool {
    let git = folder.join(".git");
    if git.is_dir() {
        return git.join("HEAD").symlink_metadata().is_ok();
    }
    let Ok(folder) = guard::file::Folder::open(folder) else {
        return false;
    };
    let text = folder.read_text(".git", LONGEST_PATH as u64 + 16);
    text.is_ok_and(|text| text.starts_with("gitdir:"))
}

/// The project's root: the nearest folder upwards with a repository or with an index that counts, else the nearest with a manifest.
/// Where there is none, the folder itself if the user named it.
fn find_root(start: &Path, settings: &Settings) -> Result<PathBuf, EngineError> {
    let is_repository = |folder: &Path| {
        let repository = owner::owner_of(folder, ".git", settings.caller);
        matches!(repository, Some(Owner::Us | Owner::Other)) && is_git(folder)
    };
    let is_index = |folder: &Path| {
        let index = state::is_own_folder(&folder.join(STATE)).unwrap_or(false);
        index && (folder == start || has_manifest(folder))
    };
    // A caller who names the place of the state says that there is a project.
    let is_named = settings.is_named || settings.state_dir.is_some() || settings.db_path.is_some();
    let shared = |folder: &Path| is_shared(folder, settings) && !(is_named && folder == start);
    let own = || start.ancestors().filter(|folder| !shared(folder));
    let marks = |folder: &&Path| {
        let is_within = || {
            own().any(|around| {
                around != *folder
                    && folder.starts_with(around)
                    && (is_repository(around) || has_manifest(around))
            })
        };
        let is_believed = || {
            let database = folder.join(STATE).join("graph.db");
            database.is_file() && !store::sqlite::is_untrusted(&database)
        };
        is_repository(folder) || (is_index(folder) && (!is_within() || is_believed()))
    };
    let marked = own().find(marks);
    if let Some(found) = marked.or_else(|| own().find(|folder| has_manifest(folder))) {
        return Ok(found.to_path_buf());
    }
    if is_named {
        return Ok(start.to_path_buf());
    }
    Err(no_project_error(start, settings))
}

/// Whether a folder holds more than one project.
fn is_shared(folder: &Path, settings: &Settings) -> bool {
    let mut shared = settings.shared_folders.iter();
    folder.parent().is_none() || shared.any(|one| one == folder)
}

fn no_project_error(start: &Path, settings: &Settings) -> EngineError {
    let what = if is_shared(start, settings) {
        "holds more than one project"
    } else {
        "is no project: it has no index, and neither it nor a folder above it has a repository or a manifest"
    };
    let start = start.display();
    EngineError::bad_arguments(format!("{start} {what}")).with_hint(format!(
        "go to a folder of a project, or name one: -C {start}"
    ))
}

/// A folder that the caller named for the state, if it may hold one: `embedding clear` and repairs remove folders of it. So
/// it is neither the project nor around it, and nothing of others lies in it.
fn check_named_state(folder: PathBuf, root: &Path) -> Result<PathBuf, EngineError> {
    let refuse = |what: &str| {
        EngineError::bad_arguments(format!("DEVBOOKS_DIR: {} {what}", folder.display()))
            .with_hint("name a folder that is empty or not there yet")
    };
    if root.starts_with(&folder) {
        return Err(refuse("is the project itself or a folder around it"));
    }
    let is_named_so = folder.file_name().is_some_and(|name| name == STATE);
    let is_used = || {
        let ignore = guard::file::read_user_text(&folder.join(".gitignore"), 16);
        folder.join("graph.db").exists() || ignore.is_ok_and(|text| text == "*\n")
    };
    let is_empty = || {
        let entries = folder.read_dir();
        entries.map_or(true, |mut entries| entries.next().is_none())
    };
    if is_named_so || is_empty() || is_used() {
        Ok(folder)
    } else {
        Err(refuse("holds files that are not Knotwork's"))
    }
}

/// The place of the state where the caller named none.
struct StateLocation {
    state_dir: PathBuf,
    note: Option<String>,
}

fn choose_state_dir(root: &Path, settings: &Settings) -> Result<StateLocation, EngineError> {
    let here = root.join(STATE);
    let elsewhere = settings
        .homeless_dir
        .as_ref()
        .map(|all| all.join(format!("{:016x}", path_fingerprint(root))));
    let refuse = |why: &dyn std::fmt::Display| {
        EngineError::bad_arguments(why.to_string())
            .with_hint("remove it, or set DEVBOOKS_DIR to a folder of your own for the index")
    };
    let quiet = |state_dir| {
        Ok(StateLocation {
            state_dir,
            note: None,
        })
    };
    match (state::is_own_folder(&here), elsewhere) {
        (Err(error @ StateError::NotAFolder(_)), _) => Err(refuse(&error)),
        (Err(error @ StateError::Foreign { .. }), None) => Err(refuse(&error)),
        (Err(error @ StateError::Foreign { .. }), Some(elsewhere)) => Ok(StateLocation {
            note: Some(format!(
                "{error}: it is not used. The index is written to {}",
                elsewhere.display()
            )),
            state_dir: elsewhere,
        }),
        (Ok(false), Some(elsewhere))
            if !owner::may_create_beside(root) || owner::others_may_replace_entries(root) =>
        {
            quiet(elsewhere)
        }
        (Ok(true), Some(elsewhere)) if owner::others_may_replace_entries(root) => {
            Ok(StateLocation {
                note: Some(format!(
                    "other users may write to {}: the index is written to {}",
                    root.display(),
                    elsewhere.display()
                )),
                state_dir: elsewhere,
            })
        }
        (Ok(true), elsewhere) => {
            // An older version left it open to others.
            let _ = state::close_to_others(&here);
            let database = here.join("graph.db");
            let cannot_be_made = !owner::may_create_beside(&here)
                && store::sqlite::is_untrusted(&database)
                && settings.db_path.is_none();
            match elsewhere.filter(|_| cannot_be_made) {
                Some(elsewhere) => Ok(StateLocation {
                    note: Some(format!(
                        "the index in {} is not trusted and cannot be replaced. Another one is written to {}",
                        here.display(),
                        elsewhere.display()
                    )),
                    state_dir: elsewhere,
                }),
                None => quiet(here),
            }
        }
        _ => quiet(here),
    }
}

/// The path without `.` and `..`, by its text; none where it climbs above the root.
fn normalize_path(path: &Path) -> Option<PathBuf> {
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
        let repo = Repo::new("//- .git/HEAD\nref\n//- src/deep/a.py\nx = 1\n");
        let project = Project::find(&Settings::with_start(repo.path().join("src/deep"))).unwrap();
        assert_eq!(project.root, repo.path().canonicalize().unwrap());
        assert!(project.db_path.ends_with(".devbooks/graph.db"));
    }

    #[test]
    fn paths_are_relative_to_where_one_stands_or_to_the_root() {
        let repo = Repo::new(
            "//- .git/HEAD\nref\n//- src/a.py\nx = 1\n//- b.py\nx = 1\n//- src/c.py\nx = 1\n//- c.py\nx = 1\n",
        );
        let project = Project::find(&Settings::with_start(repo.path().join("src"))).unwrap();
        assert_eq!(project.relative_path("src/a.py").unwrap(), "src/a.py");
        assert_eq!(project.relative_path("a.py").unwrap(), "src/a.py");
        assert_eq!(project.relative_path("../b.py").unwrap(), "b.py");
        assert_eq!(project.relative_path("b.py").unwrap(), "b.py");
        assert_eq!(project.relative_path("c.py").unwrap(), "src/c.py");
        assert_eq!(project.relative_path("src/new.py").unwrap(), "src/new.py");
        assert_eq!(project.relative_path("new.py").unwrap(), "src/new.py");
        let absolute = project.root.join("b.py");
        assert_eq!(
            project.relative_path(&absolute.to_string_lossy()).unwrap(),
            "b.py"
        );
    }

    #[test]
    fn a_folder_is_a_project_where_something_says_so() {
        let repo = Repo::new(
            "//- home/.git/HEAD\nref\n//- home/notes/a.py\nx = 1\n//- home/app/go.mod\nmodule a\n//- home/app/in/b.go\npackage b\n//- home/app/in/Gemfile\n\n//- home/lib/x.gemspec\n\n//- home/old/c/d.py\nx = 1\n",
        );
        let home = repo.path().canonicalize().unwrap().join("home");
        std::fs::create_dir(home.join("old/.devbooks")).unwrap();
        let find = |folder: &str, is_named| {
            let settings = Settings {
                is_named,
                shared_folders: home.ancestors().map(Path::to_path_buf).collect(),
                ..Settings::with_start(home.join(folder))
            };
            let found = Project::find(&settings).ok()?;
            let inside = found.root.strip_prefix(&home).ok()?;
            Some(inside.to_string_lossy().into_owned())
        };
        for (folder, stands, named) in [
            ("", None, Some("")),
            ("notes", None, Some("notes")),
            ("app/in", Some("app/in"), Some("app/in")),
            ("app", Some("app"), Some("app")),
            ("lib", Some("lib"), Some("lib")),
            ("old", Some("old"), Some("old")),
            ("old/c", None, Some("old/c")),
        ] {
            let expected = |found: Option<&str>| found.map(str::to_owned);
            assert_eq!(find(folder, false), expected(stands), "{folder}");
            assert_eq!(find(folder, true), expected(named), "-C {folder}");
        }
    }

    #[test]
    fn an_index_that_a_repository_ships_does_not_hide_what_lies_beside_it() {
        let repo = Repo::new(
            "//- .git/HEAD\nref\n//- b.ts\nx\n//- app/package.json\n{}\n//- app/.devbooks/note\nx\n",
        );
        let root = repo.path().canonicalize().unwrap();
        let find = || Project::find(&Settings::with_start(root.join("app"))).unwrap();
        assert_eq!(find().root, root);
    }

    #[test]
    fn marks_that_an_archive_ships_do_not_hide_what_lies_beside_them() {
        let repo = Repo::new(
            "//- package.json\n{}\n//- b.ts\nx\n//- in/.devbooks/note\nx\n//- to/.git\nnothing\n//- of/.git/info\nx\n",
        );
        let root = repo.path().canonicalize().unwrap();
        for folder in ["in", "to", "of"] {
            let found = Project::find(&Settings::with_start(root.join(folder))).unwrap();
            assert_eq!(found.root, root, "{folder}");
        }
    }

    #[test]
    fn a_file_that_is_no_database_is_not_taken_for_one() {
        let repo = Repo::new("//- .git/HEAD\nref\n//- notes.txt\nmine\n//- empty.db\n");
        let root = repo.path().canonicalize().unwrap();
        let find = |path: &Path| {
            Project::find(&Settings {
                db_path: Some(path.to_path_buf()),
                ..Settings::with_start(root.clone())
            })
        };
        assert!(find(&root.join("notes.txt")).is_err());
        assert!(find(Path::new("/dev/null")).is_err());
        assert!(find(&root.join("new.db")).is_ok());
    }

    #[test]
    fn a_folder_with_files_of_others_is_no_state_folder() {
        let repo = Repo::new(
            "//- .git/HEAD\nref\n//- search/mine.py\nx = 1\n//- .devbooks/note\nx\n//- used/graph.db\nx\n",
        );
        let root = repo.path().canonicalize().unwrap();
        let find = |state: &str| {
            Project::find(&Settings {
                state_dir: Some(root.join(state)),
                ..Settings::with_start(root.clone())
            })
        };
        for refused in ["", "..", "search"] {
            let error = find(refused).unwrap_err();
            assert!(error.message.contains("DEVBOOKS_DIR"), "{refused}: {error}");
        }
        for taken in ["new", ".devbooks", "used"] {
            assert!(find(taken).is_ok(), "{taken}");
        }
    }

    #[test]
    fn paths_outside_the_project_are_refused() {
        let repo = Repo::new("//- .git/HEAD\nref\n");
        let project = Project::find(&Settings::with_start(repo.path())).unwrap();
        let long = "a/".repeat(300_000);
        let error = project.relative_path(&long).unwrap_err();
        assert!(error.message.contains("longer than"), "{error}");
        for path in ["../secret", "/etc/passwd", "a/../../x"] {
            let error = project.relative_path(path).unwrap_err();
            assert!(
                error.message.contains("outside the project"),
                "{path}: {error}"
            );
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/etc", project.root.join("link")).unwrap();
            std::os::unix::fs::symlink("/nowhere/yet", project.root.join("dangling")).unwrap();
            // Also paths that do not exist yet: they may be about to be written.
            for path in [
                "link/passwd",
                "link/new",
                "link/new/deep",
                "dangling",
                "dangling/x",
            ] {
                assert!(project.relative_path(path).is_err(), "{path}");
            }
            assert_eq!(project.relative_path("new/deep").unwrap(), "new/deep");
            assert_eq!(project.resolve_on_disk("link/passwd"), None);
        }
    }

    #[test]
    fn a_cache_that_is_elsewhere_keeps_projects_apart() {
        let repos = [
            Repo::new("//- .git/HEAD\nref\n"),
            Repo::new("//- .git/HEAD\nref\n"),
        ];
        let elsewhere = tempfile::tempdir().unwrap();
        let folders = repos.each_ref().map(|repo| {
            let mut settings = Settings::with_start(repo.path());
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
        let repo = Repo::new("//- a.py\nx = 1\n");
        let project = Project::find(&Settings::with_start(repo.path())).unwrap();
        project.prepare_state().unwrap();
        let ignore = std::fs::read_to_string(project.state_dir.join(".gitignore")).unwrap();
        assert_eq!(ignore, "*\n");
    }
}
