//! Whether a database is as this user's programs left it: a marked note beside it (`<database>.seal`) says which file it
//! was and when it last changed.
//!
//! Content is not compared: a mark over hundreds of megabytes would cost more than the update that changed a few pages.
//! Number, birth and time of change of a file are the system's to give, so what was cloned, unpacked or copied has others.
//! Whoever holds the writer's lock renews the note: first to one that allows for changes of these files, then, when the
//! lock is let go of, to one of the state that was reached. A writer that is killed leaves the former, which is enough:
//! SQLite rolls back what was not committed.

use super::error::io_error;
use super::maintain::with_tail;
use crate::StoreError;
use guard::seal::{self, Identity};
use std::path::{Path, PathBuf};

const KIND: &str = "graph database";
const TAIL: &str = ".seal";
/// Bytes of a note, by far.
const LONGEST: u64 = 4_096;
/// How often a note that was renewed while it was compared is read again.
const TRIES: usize = 20;

/// What is known of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// It is not asked for: no key, or a file that the user named.
    Unasked,
    /// There is none, or an empty file.
    Missing,
    /// It is as it was left.
    Left,
    /// It is the file that somebody writes to, or did when they were killed.
    Written,
    /// It is unknown, and the user said to take it.
    Taken,
    /// It is unknown.
    Unknown,
}

/// What stands beside a database.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Note {
    /// The database as it was left, and its log where that is not empty.
    Left(Identity, Option<Identity>),
    /// Files any of which may be the database from now on.
    Writing(Vec<Identity>),
}

impl Note {
    fn read(database: &Path) -> Option<Note> {
        let bytes = guard::state::read(&path_of(database), LONGEST).ok()?;
        let text = std::str::from_utf8(seal::unwrap(KIND, &bytes)?).ok()?;
        let (what, files) = text.split_once('\n')?;
        let mut files = files.lines().map(Identity::parse);
        match what {
            "left" => {
                let database = files.next()??;
                let log = files.next();
                Some(Note::Left(database, log.flatten()))
            }
            "writing" => Some(Note::Writing(files.collect::<Option<_>>()?)),
            _ => None,
        }
    }

    fn write(&self, database: &Path) -> std::io::Result<()> {
        let (mut text, files) = match self {
            Note::Left(database, log) => {
                let files = std::iter::once(*database).chain(*log);
                (String::from("left\n"), files.collect::<Vec<_>>())
            }
            Note::Writing(files) => (String::from("writing\n"), files.clone()),
        };
        for file in files {
            text.push_str(&format!("{file}\n"));
        }
        guard::state::replace(&path_of(database), &seal::wrap(KIND, text.as_bytes()))
    }

    fn allows(&self, database: &Identity, log: Option<Identity>) -> Option<Standing> {
        match self {
            Note::Left(known, known_log) => {
                // SQLite sets the owner of a log anew whenever `root` opens it, which is no change of it.
                let same_log = match (known_log, log) {
                    (Some(known), Some(log)) => known.is_as_written(&log),
                    (None, None) => true,
                    _ => false,
                };
                (known == database && same_log).then_some(Standing::Left)
            }
            Note::Writing(files) => {
                let is_one = files.iter().any(|file| file.is_same_file(database));
                is_one.then_some(Standing::Written)
            }
        }
    }
}

fn path_of(database: &Path) -> PathBuf {
    with_tail(database, TAIL)
}

/// The log, unless it is empty: readers leave an empty one.
fn log_of(database: &Path) -> std::io::Result<Option<Identity>> {
    let log = Identity::from_path(&with_tail(database, "-wal"))?;
    Ok(log.filter(|log| log.size() > 0))
}

/// What changes whenever one of the files does: who has compared one state need not do it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileState {
    database: Option<Identity>,
    log: Option<Identity>,
}

impl FileState {
    /// Of the database at that path, now.
    pub fn read(database: &Path) -> FileState {
        FileState {
            database: Identity::from_path(database).ok().flatten(),
            log: log_of(database).ok().flatten(),
        }
    }
}

/// How the database at that path stands.
pub(super) fn standing(database: &Path) -> Standing {
    if !seal::applies_to(database) {
        return Standing::Unasked;
    }
    let mut known = Note::read(database);
    for _ in 0..TRIES {
        let Ok(found) = Identity::from_path(database) else {
            return Standing::Unknown;
        };
        let Some(found) = found.filter(|found| found.size() > 0) else {
            return Standing::Missing;
        };
        let others = (
            log_of(database),
            Identity::from_path(&with_tail(database, "-journal")),
        );
        // Ours have no such journal: one that lies there would be rolled back into the database.
        let (Ok(log), Ok(journal)) = others else {
            return Standing::Unknown;
        };
        let allowed = known.as_ref().and_then(|note| note.allows(&found, log));
        if let Some(standing) = allowed.filter(|_| journal.is_none_or(|j| j.size() == 0)) {
            return standing;
        }
        let now = Note::read(database);
        if now == known {
            break;
        }
        // Somebody renewed it in between.
        known = now;
    }
    if seal::takes_everything() {
        Standing::Taken
    } else {
        Standing::Unknown
    }
}

/// An error where the database is not to be believed.
pub(super) fn check(database: &Path) -> Result<Standing, StoreError> {
    match standing(database) {
        Standing::Unknown => Err(StoreError::Unvouched(database.display().to_string())),
        other => Ok(other),
    }
}

/// Whether there is a database that is not to be believed.
pub fn is_doubted(database: &Path) -> bool {
    standing(database) == Standing::Unknown
}

/// The note of a database while its writer's lock is held; renewed when this is dropped.
#[derive(Debug)]
pub(super) struct Sealing {
    database: PathBuf,
    /// Files any of which may be the database; none where there was none.
    files: Vec<Identity>,
    is_believed: bool,
}

impl Sealing {
    /// Begins, with the lock in hand. None where no note is kept.
    pub(super) fn begin(database: &Path) -> Result<Option<Sealing>, StoreError> {
        let standing = standing(database);
        let mut sealing = Sealing {
            database: database.to_path_buf(),
            files: Vec::new(),
            is_believed: standing != Standing::Unknown,
        };
        match standing {
            Standing::Unasked => return Ok(None),
            Standing::Missing | Standing::Unknown => {}
            Standing::Left | Standing::Written | Standing::Taken => sealing.add(database)?,
        }
        Ok(Some(sealing))
    }

    pub(super) fn is_believed(&self) -> bool {
        self.is_believed
    }

    /// The file at `path` is the database, or will be as soon as it is moved there.
    pub(super) fn add(&mut self, path: &Path) -> Result<(), StoreError> {
        if !self.is_believed {
            return Ok(());
        }
        let fail = |e: std::io::Error| io_error(path, "noting", &e);
        let Some(file) = Identity::from_path(path).map_err(fail)? else {
            return Ok(());
        };
        if self.files.iter().any(|known| known.is_same_file(&file)) {
            return Ok(());
        }
        self.files.push(file);
        Note::Writing(self.files.clone())
            .write(&self.database)
            .map_err(fail)
    }

    /// The database is gone: another one will be made.
    pub(super) fn begin_anew(&mut self) {
        self.is_believed = true;
        self.files.clear();
    }
}

impl Drop for Sealing {
    fn drop(&mut self) {
        if !self.is_believed {
            return;
        }
        let (Ok(found), Ok(log)) = (Identity::from_path(&self.database), log_of(&self.database))
        else {
            return;
        };
        let Some(found) = found.filter(|found| found.size() > 0) else {
            // Of a database that is gone nothing needs to be known.
            let _ = std::fs::remove_file(path_of(&self.database));
            return;
        };
        let is_known = |file: &Identity| file.is_same_file(&found);
        if self.files.is_empty() || self.files.iter().any(is_known) {
            // The one before allows for what was done; the next writer renews it.
            let _ = Note::Left(found, log).write(&self.database);
        }
    }
}
