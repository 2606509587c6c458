//! Checks whether a database is in the state in which this user's programs left it. A sealed note beside it
//! (`<database>.seal`) records which file it was and when it last changed.
//!
//! Content is not compared: a checksum over hundreds of megabytes would cost more than the update that changed a few
//! pages. The system gives a file its number and its times of birth and change, so a cloned, unpacked or copied file
//! has different ones. The holder of the writer lock renews the seal. It first writes one that allows changes of these
//! files, and when it releases the lock, one of the final state. A killed writer leaves the first one, which is enough,
//! because SQLite rolls back uncommitted changes.

use super::error::io_error;
use super::maintain::append_to_path;
use crate::StoreError;
use guard::seal::{self, Identity};
use std::io::Read;
use std::path::{Path, PathBuf};

const KIND: &str = "graph database";
const TAIL: &str = ".seal";
/// Most bytes of a note; real ones are much shorter.
const LONGEST: u64 = 4_096;
/// How often a seal is read again because it was renewed during the comparison.
const TRIES: usize = 20;

/// Trust in a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TrustState {
    /// The state is not checked: there is no key, or the user named the file.
    Unasked,
    /// There is no database, or an empty file.
    Missing,
    /// It is in the state in which this user's programs left it.
    Left,
    /// It is the file that a writer is writing to, or was writing to when it was killed.
    Written,
    /// It is unknown, and the user chose to trust it.
    Taken,
    /// It is unknown.
    Unknown,
}

/// Contents of the seal beside a database.
#[derive(Debug, Clone, PartialEq, Eq)]
enum SealRecord {
    /// The database as it was left, and its log if it is not empty.
    Left(Identity, Option<Identity>),
    /// Files, any of which may be the database from now on.
    Writing(Vec<Identity>),
}

impl SealRecord {
    fn read(database: &Path) -> Option<SealRecord> {
        let bytes = guard::state::read_own_file(&note_path(database), LONGEST).ok()?;
        let text = std::str::from_utf8(seal::unseal_bytes(KIND, &bytes)?).ok()?;
        let (what, files) = text.split_once('\n')?;
        let mut files = files.lines().map(Identity::parse);
        match what {
            "left" => {
                let database = files.next()??;
                let log = files.next();
                Some(SealRecord::Left(database, log.flatten()))
            }
            "writing" => Some(SealRecord::Writing(files.collect::<Option<_>>()?)),
            _ => None,
        }
    }

    fn write(&self, database: &Path) -> std::io::Result<()> {
        let (mut text, files) = match self {
            SealRecord::Left(database, log) => {
                let files = std::iter::once(*database).chain(*log);
                (String::from("left\n"), files.collect::<Vec<_>>())
            }
            SealRecord::Writing(files) => (String::from("writing\n"), files.clone()),
        };
        for file in files {
            text.push_str(&format!("{file}\n"));
        }
        guard::state::replace_file(
            &note_path(database),
            &seal::seal_bytes(KIND, text.as_bytes()),
        )
    }

    fn matches_state(&self, database: &Identity, log: Option<Identity>) -> Option<TrustState> {
        match self {
            SealRecord::Left(known, known_log) => {
                // SQLite sets the owner of a log whenever `root` opens it, which does not count as a change.
                let same_log = match (known_log, log) {
                    (Some(known), Some(log)) => known.has_same_content(&log),
                    (None, None) => true,
                    _ => false,
                };
                (known == database && same_log).then_some(TrustState::Left)
            }
            SealRecord::Writing(files) => {
                let is_one = files.iter().any(|file| file.is_same_file(database));
                is_one.then_some(TrustState::Written)
            }
        }
    }
}

/// Whether a file is a database, or may become one: it is missing or empty, it has the first bytes of a database, or a
/// seal is beside it. Any other file, which a user may have named by mistake, is not moved aside.
pub fn may_hold_database(path: &Path) -> bool {
    let Ok(found) = path.symlink_metadata() else {
        return true;
    };
    if !found.is_file() {
        return false;
    }
    let is_sealed = || note_path(path).symlink_metadata().is_ok();
    found.len() == 0 || begins_as_database(path) || is_sealed()
}

fn begins_as_database(path: &Path) -> bool {
    const HEAD: &[u8] = b"SQLite format 3\0";
    let mut head = [0; 16];
    let file = guard::file::open_user_file(path, u64::MAX);
    file.is_ok_and(|mut file| file.read_exact(&mut head).is_ok() && head == *HEAD)
}

fn note_path(database: &Path) -> PathBuf {
    append_to_path(database, TAIL)
}

/// Identity of the log, unless it is empty: readers leave an empty one.
fn log_identity(database: &Path) -> std::io::Result<Option<Identity>> {
    let log = Identity::from_path(&append_to_path(database, "-wal"))?;
    Ok(log.filter(|log| log.size() > 0))
}

/// The state of a database's files. It changes whenever one of them does, so a caller need not check an equal state
/// again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileState {
    database: Option<Identity>,
    log: Option<Identity>,
}

impl FileState {
    /// The present state of the database at that path.
    pub fn capture(database: &Path) -> FileState {
        FileState {
            database: Identity::from_path(database).ok().flatten(),
            log: log_identity(database).ok().flatten(),
        }
    }
}

/// Trust in the database at that path.
pub(super) fn trust_state(database: &Path) -> TrustState {
    if !seal::is_sealed_path(database) {
        return TrustState::Unasked;
    }
    let mut known = SealRecord::read(database);
    for _ in 0..TRIES {
        let Ok(found) = Identity::from_path(database) else {
            return TrustState::Unknown;
        };
        let Some(found) = found.filter(|found| found.size() > 0) else {
            return TrustState::Missing;
        };
        let others = (
            log_identity(database),
            Identity::from_path(&append_to_path(database, "-journal")),
        );
        // Our databases have no such journal. One that is there would be rolled back into the database.
        let (Ok(log), Ok(journal)) = others else {
            return TrustState::Unknown;
        };
        let allowed = known
            .as_ref()
            .and_then(|note| note.matches_state(&found, log));
        if let Some(standing) = allowed.filter(|_| journal.is_none_or(|j| j.size() == 0)) {
            return standing;
        }
        let now = SealRecord::read(database);
        if now == known {
            break;
        }
        // Another process renewed the seal meanwhile.
        known = now;
    }
    if seal::trusts_everything() {
        TrustState::Taken
    } else {
        TrustState::Unknown
    }
}

/// An error if the database is not trusted.
pub(super) fn check_trusted(database: &Path) -> Result<TrustState, StoreError> {
    match trust_state(database) {
        TrustState::Unknown => Err(StoreError::Unvouched(database.display().to_string())),
        other => Ok(other),
    }
}

/// Whether there is a database that is not trusted.
pub fn is_untrusted(database: &Path) -> bool {
    trust_state(database) == TrustState::Unknown
}

/// The seal of a database while its writer lock is held. It is renewed when this is dropped.
#[derive(Debug)]
pub(super) struct SealWriter {
    database: PathBuf,
    /// Files, any of which may be the database; empty if there was none.
    files: Vec<Identity>,
    is_believed: bool,
}

impl SealWriter {
    /// Begins writing, with the lock held. `None` if the database is not sealed.
    pub(super) fn begin(database: &Path) -> Result<Option<SealWriter>, StoreError> {
        let standing = trust_state(database);
        let mut sealing = SealWriter {
            database: database.to_path_buf(),
            files: Vec::new(),
            is_believed: standing != TrustState::Unknown,
        };
        match standing {
            TrustState::Unasked => return Ok(None),
            TrustState::Missing | TrustState::Unknown => {}
            TrustState::Left | TrustState::Written | TrustState::Taken => {
                sealing.register_file(database)?
            }
        }
        Ok(Some(sealing))
    }

    pub(super) fn is_trusted(&self) -> bool {
        self.is_believed
    }

    /// Registers that the file at `path` is the database, or becomes it when it is moved there.
    pub(super) fn register_file(&mut self, path: &Path) -> Result<(), StoreError> {
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
        SealRecord::Writing(self.files.clone())
            .write(&self.database)
            .map_err(fail)
    }

    /// Resets the seal after the database was removed, before another one is made.
    pub(super) fn reset(&mut self) {
        self.is_believed = true;
        self.files.clear();
    }
}

impl Drop for SealWriter {
    fn drop(&mut self) {
        if !self.is_believed {
            return;
        }
        let (Ok(found), Ok(log)) = (
            Identity::from_path(&self.database),
            log_identity(&self.database),
        ) else {
            return;
        };
        let Some(found) = found.filter(|found| found.size() > 0) else {
            // A missing database needs no seal.
            let _ = std::fs::remove_file(note_path(&self.database));
            return;
        };
        let is_known = |file: &Identity| file.is_same_file(&found);
        if self.files.is_empty() || self.files.iter().any(is_known) {
            // If this fails, the earlier seal still allows the changes, and the next writer renews it.
            let _ = SealRecord::Left(found, log).write(&self.database);
        }
    }
}
