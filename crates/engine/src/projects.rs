//! The indexes of this user on this machine: their places, their sizes, and the removal of one with all that belongs to it.

use crate::EngineError;
use guard::file::Folder;
use guard::list::Kind;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;
use text::list::{self, WordList};

/// The most files of an index that are measured.
const MOST_FILES: usize = 1_000_000;

/// The deepest folder of an index.
const DEEPEST: usize = 16;

/// The longest wait for a process that is writing.
const WAIT: Duration = Duration::from_secs(5);

/// Names in a state folder. `*` at the end of one stands for any ending.
static KNOWN: WordList = LazyLock::new(|| list::words(include_str!("state_names.txt")).collect());

/// Names of which every state folder has at least one.
const MARKS: &[&str] = &["ast-cache", "graph.db", "search"];

/// The name of a project's own state folder.
const OWN_FOLDER: &str = ".devbooks";

/// A folder that only a state folder has.
const OWN_MARK: &str = "ast-cache";

/// The names of a database and of what lies beside it.
const DATABASE: &[&str] = &["graph.db", "graph.db-*", "graph.db.*"];

/// Whether a folder with these names is a state folder as a whole. Otherwise a variable named only the database, in a folder that
/// holds other files too. Some of these may have names that a state folder has as well.
fn is_state_folder(folder: &Path, names: &[String]) -> bool {
    folder.file_name().is_some_and(|name| name == OWN_FOLDER)
        || names.iter().any(|name| name == OWN_MARK)
}

/// An index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IndexedProject {
    /// The project's root.
    pub root: PathBuf,
    /// The folder with the index and all that belongs to it.
    pub state_dir: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
    /// Seconds since 1970 at which its database was written last.
    pub written: Option<u64>,
    /// The database, if a variable named the database alone: the folder may then hold other files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database: Option<PathBuf>,
}

impl IndexedProject {
    /// The path that [`remove_project`] removes: the folder, or the database alone.
    pub fn shown_path(&self) -> &Path {
        self.database.as_deref().unwrap_or(&self.state_dir)
    }
}

/// All indexes that this user made, the largest first. `shared_dir` is the user's folder for data shared by worktrees and clones.
pub fn indexed_projects(shared_dir: &Path) -> Vec<IndexedProject> {
    let mut all: Vec<IndexedProject> = ingest::cache::known_indexes(shared_dir)
        .into_iter()
        .filter_map(|(root, database)| measure_project(&root, database.parent()?))
        .collect();
    all.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.root.cmp(&b.root)));
    all.dedup_by(|a, b| a.state_dir == b.state_dir);
    all
}

/// The index in a state folder; none where there is no index.
pub fn measure_project(root: &Path, state_dir: &Path) -> Option<IndexedProject> {
    let names = names(state_dir).ok()?;
    if !names.iter().any(|name| MARKS.contains(&name.as_str())) {
        return None;
    }
    let written = state_dir
        .join("graph.db")
        .metadata()
        .and_then(|found| found.modified());
    let written = written
        .ok()
        .and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
    let (bytes, database) = if is_state_folder(state_dir, &names) {
        (folder_size(state_dir), None)
    } else {
        (database_size(state_dir), Some(state_dir.join("graph.db")))
    };
    Some(IndexedProject {
        root: root.to_path_buf(),
        state_dir: state_dir.to_path_buf(),
        bytes,
        written: written.map(|since| since.as_secs()),
        database,
    })
}

/// Bytes of a database and of what lies beside it.
fn database_size(folder: &Path) -> u64 {
    let mut bytes = 0;
    if let Ok(folder) = open_no_link(folder) {
        let _ = folder.visit_entries(&mut |name, kind| {
            if kind == Kind::File && is_name_of(DATABASE, &name.to_string_lossy()) {
                bytes += folder.stamp(name).map_or(0, |stamp| stamp.size);
            }
            true
        });
    }
    bytes
}

/// Bytes of all files below a folder. Links are not followed.
pub fn folder_size(path: &Path) -> u64 {
    let mut bytes = 0;
    let mut left = MOST_FILES;
    if let Ok(folder) = open_no_link(path) {
        add_size(&folder, 0, &mut left, &mut bytes);
    }
    bytes
}

fn add_size(folder: &Folder, depth: usize, left: &mut usize, bytes: &mut u64) {
    let mut entries = Vec::new();
    let listed = folder.visit_entries(&mut |name, kind| {
        entries.push((name.to_owned(), kind));
        entries.len() < *left
    });
    if listed.is_err() {
        return;
    }
    for (name, kind) in entries {
        *left = left.saturating_sub(1);
        match kind {
            Kind::Folder if depth < DEEPEST && *left > 0 => {
                if let Ok(inner) = folder.open_folder(&name) {
                    add_size(&inner, depth + 1, left, bytes);
                }
            }
            Kind::File => *bytes += folder.stamp(&name).map_or(0, |stamp| stamp.size),
            _ => {}
        }
    }
}

/// Opens a folder that is no link itself.
fn open_no_link(path: &Path) -> Result<Folder, guard::OpenError> {
    match (path.parent(), path.file_name()) {
        (Some(around), Some(name)) => Folder::open(around)?.open_folder(name),
        _ => Folder::open(path),
    }
}

fn names(folder: &Path) -> Result<Vec<String>, guard::OpenError> {
    let mut all = Vec::new();
    open_no_link(folder)?.visit_entries(&mut |name, _| {
        all.push(name.to_string_lossy().into_owned());
        true
    })?;
    all.sort();
    Ok(all)
}

/// Whether a name is one of `known`. A star at the end stands for any ending.
pub fn is_name_of(known: &[&str], name: &str) -> bool {
    let fits = |known: &&str| match known.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == *known,
    };
    known.iter().any(fits)
}

/// Checks that a folder holds an index and nothing but what belongs to one, or a database beside files of others.
///
/// # Errors
/// If it is a link, somebody else's, no index, or holds files of others.
pub fn check_is_index(state_dir: &Path) -> Result<(), EngineError> {
    let refused = |why: String| {
        EngineError::bad_arguments(format!("{} is not removed: {why}", state_dir.display()))
    };
    let all = names(state_dir).map_err(|e| refused(e.reason()))?;
    if !all.iter().any(|name| MARKS.contains(&name.as_str())) {
        return Err(refused("it is no index of Knotwork".to_owned()));
    }
    let foreign: Vec<&str> = all
        .iter()
        .map(String::as_str)
        .filter(|name| !is_name_of(&KNOWN, name))
        .collect();
    // Where the database alone is ours, nothing else is touched.
    if foreign.is_empty() || !is_state_folder(state_dir, &all) {
        return Ok(());
    }
    Err(
        refused(format!("it holds other files: {}", foreign.join(", ")))
            .with_hint("move them elsewhere, and try again"),
    )
}

/// Removes an index with all that belongs to it: caches, embeddings and the settings in its folder. Of a folder that may hold other
/// files, it removes the database alone. Follows no link. Returns the bytes removed.
///
/// # Errors
/// If the folder is no index, belongs to somebody else or is being written.
pub fn remove_project(state_dir: &Path) -> Result<u64, EngineError> {
    check_is_index(state_dir)?;
    let database = state_dir.join("graph.db");
    let _lock = store::WriterLock::acquire(&database, WAIT)?;
    let names = names(state_dir).map_err(|e| EngineError::runtime_failure(e.to_string()))?;
    if !is_state_folder(state_dir, &names) {
        let bytes = database_size(state_dir);
        remove_entries(state_dir, &|name| is_name_of(DATABASE, name))?;
        return Ok(bytes);
    }
    let bytes = folder_size(state_dir);
    let Some(around) = state_dir.parent() else {
        return Err(EngineError::bad_arguments(
            "the root of a file system cannot be removed",
        ));
    };
    remove_below(around, state_dir)?;
    Ok(bytes)
}

/// Removes `folder`, which lies inside `around`, a folder of this user. Returns whether it existed.
///
/// # Errors
/// If a folder on the way is a link or somebody else's.
fn remove_below(around: &Path, folder: &Path) -> Result<bool, EngineError> {
    guard::state::remove_folder_below(around, folder).map_err(|error| {
        EngineError::runtime_failure(format!("cannot remove {}: {error}", folder.display()))
    })
}

/// Removes the entries of a folder that `is_ours` accepts, and then the folder if it is empty. Returns the names that stay.
///
/// # Errors
/// If the folder is a link or somebody else's, or the system refuses.
pub fn remove_entries(
    folder: &Path,
    is_ours: &dyn Fn(&str) -> bool,
) -> Result<Vec<String>, EngineError> {
    let names = match names(folder) {
        Ok(names) => names,
        Err(error) if error.is_missing() => return Ok(Vec::new()),
        Err(error) => return Err(EngineError::runtime_failure(error.to_string())),
    };
    let (ours, others): (Vec<String>, Vec<String>) =
        names.into_iter().partition(|name| is_ours(name));
    for name in ours {
        remove_below(folder, &folder.join(name))?;
    }
    if others.is_empty() {
        // Somebody may have put something there meanwhile.
        let _ = std::fs::remove_dir(folder);
    }
    Ok(others)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(root: &Path) -> PathBuf {
        let state = root.join(".devbooks");
        std::fs::create_dir_all(state.join("search")).unwrap();
        std::fs::write(state.join("graph.db"), "1234").unwrap();
        std::fs::write(state.join("search/x"), "12").unwrap();
        state
    }

    #[test]
    fn an_index_is_measured_and_removed() {
        let outer = tempfile::tempdir().unwrap();
        let state = index(outer.path());
        let found = measure_project(outer.path(), &state).unwrap();
        assert_eq!(found.bytes, 6);
        assert_eq!(remove_project(&state).unwrap(), 6);
        assert!(!state.exists() && outer.path().exists());
        assert!(measure_project(outer.path(), &state).is_none());
    }

    #[test]
    fn what_is_no_index_is_refused() {
        let outer = tempfile::tempdir().unwrap();
        let notes = outer.path().join("notes");
        std::fs::create_dir(&notes).unwrap();
        std::fs::write(notes.join("a.txt"), "mine").unwrap();
        assert!(
            remove_project(&notes)
                .unwrap_err()
                .message
                .contains("no index")
        );
        let state = index(outer.path());
        std::fs::write(state.join("thesis.tex"), "mine").unwrap();
        let error = remove_project(&state).unwrap_err();
        assert!(error.message.contains("thesis.tex"), "{}", error.message);
        assert!(state.join("graph.db").exists());
    }

    #[test]
    fn of_a_folder_with_other_files_the_database_goes_alone() {
        let outer = tempfile::tempdir().unwrap();
        let data = outer.path().join("data");
        std::fs::create_dir_all(data.join("search")).unwrap();
        for (name, text) in [
            ("graph.db", "12"),
            ("graph.db-wal", "3"),
            ("search/p.txt", "mine"),
        ] {
            std::fs::write(data.join(name), text).unwrap();
        }
        let found = measure_project(outer.path(), &data).unwrap();
        assert_eq!(
            (found.bytes, found.shown_path()),
            (3, &*data.join("graph.db"))
        );
        assert_eq!(remove_project(&data).unwrap(), 3);
        assert!(!data.join("graph.db").exists() && data.join("search/p.txt").exists());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let outer = tempfile::tempdir().unwrap();
        let other = outer.path().join("other");
        let theirs = index(&other);
        let root = outer.path().join("project");
        std::fs::create_dir(&root).unwrap();
        std::os::unix::fs::symlink(&theirs, root.join(".devbooks")).unwrap();
        assert!(remove_project(&root.join(".devbooks")).is_err());
        assert!(measure_project(&root, &root.join(".devbooks")).is_none());
        // A link inside is removed; its target stays.
        let own = index(&outer.path().join("own"));
        std::os::unix::fs::symlink(&theirs, own.join("cache")).unwrap();
        assert_eq!(remove_project(&own).unwrap(), 6);
        assert!(theirs.join("graph.db").exists());
    }
}
