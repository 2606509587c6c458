//! The file of the history. It is replaced as a whole, by one process at a time.

use super::{DAYS, UserAction};
use crate::EngineError;
use guard::seal;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::WriterLock;

/// The most entries; beyond it the oldest are dropped.
const MOST: usize = 10_000;

/// The most bytes of the file; a larger one was not written by this program.
const LARGEST: u64 = 64 << 20;

/// The longest wait for another process.
const PATIENCE: Duration = Duration::from_millis(500);

pub(super) const DAY: u64 = 86_400;

/// A user's action after a query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The query.
    pub query: String,
    /// The symbols or files that it was about.
    pub symbols: Vec<String>,
    /// The action.
    pub user_action: UserAction,
    /// Seconds since 1970.
    pub at: u64,
}

#[derive(Serialize, Deserialize)]
struct Contents {
    schema_version: String,
    entries: Vec<Entry>,
    /// The seal of the entries, as earlier versions wrote it.
    #[serde(default, skip_serializing)]
    mark: Option<String>,
}

/// The field of the seal, and what it is for. It shows that this user wrote the entries: a history that came with a
/// repository would decide which answers come first.
const SEAL: (&str, &str) = ("mark", "intent history 2");

/// The most bytes of a file with a seal of the entries, which is decoded before the seal is looked at.
const LARGEST_OLD: usize = 4 << 20;

/// The seal of the entries, which only this user can make; none where sealing is off.
fn old_seal_of(entries: &[Entry]) -> Option<String> {
    let text = serde_json::to_vec(entries).ok()?;
    let sum = seal::is_enabled().then(|| seal::keyed_checksum("intent history", &text))?;
    Some(base::hex::encode(&sum))
}

/// The result of a change.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Changed {
    /// The number of entries dropped because of their age.
    pub forgotten: usize,
    /// Notes on the change.
    pub notes: Vec<String>,
}

/// The file of the history.
pub(crate) struct History {
    path: PathBuf,
    /// Whether the user named the file: then it is trusted, whoever wrote it.
    is_named: bool,
}

impl History {
    pub(crate) fn from_default_path(path: PathBuf) -> History {
        History {
            path,
            is_named: false,
        }
    }

    /// A file that the user named.
    pub(crate) fn from_user_path(path: PathBuf) -> History {
        History {
            path,
            is_named: true,
        }
    }

    /// The entries as they are, with notes; no entries where the file is missing or damaged.
    pub(crate) fn read(&self) -> (Vec<Entry>, Vec<String>) {
        match self.load() {
            Ok(entries) => (entries, Vec::new()),
            Err(reason) => {
                let note = format!("{}: {reason}; it counts as empty", self.path.display());
                (Vec::new(), vec![note])
            }
        }
    }

    /// Drops entries that are too old or too many, and adds an entry. A damaged file is kept as `.bak`.
    pub(crate) fn update(&self, now: u64, entry: Option<Entry>) -> Result<Changed, EngineError> {
        let _lock = WriterLock::acquire(&self.path, PATIENCE)?;
        let mut changed = Changed::default();
        let mut entries = match self.load() {
            Ok(entries) => entries,
            Err(reason) => {
                let kept = self.path.with_extension("json.bak");
                std::fs::rename(&self.path, &kept).map_err(|e| write_error(&kept, &e))?;
                changed.notes.push(format!(
                    "{}: {reason}; kept as {}",
                    self.path.display(),
                    kept.display()
                ));
                Vec::new()
            }
        };
        let before = entries.len();
        let oldest = now.saturating_sub(u64::from(DAYS) * DAY);
        entries.retain(|entry| entry.at >= oldest);
        changed.forgotten = before - entries.len();
        if entry.is_none() && changed.forgotten == 0 && changed.notes.is_empty() {
            return Ok(changed);
        }
        entries.extend(entry);
        let surplus = entries.len().saturating_sub(MOST);
        entries.drain(..surplus);
        self.write(entries)?;
        Ok(changed)
    }

    fn write(&self, entries: Vec<Entry>) -> Result<(), EngineError> {
        let contents = Contents {
            schema_version: "1.0".to_owned(),
            entries,
            mark: None,
        };
        let mut text = serde_json::to_vec(&contents)
            .map_err(|e| EngineError::runtime_failure(format!("{}: {e}", self.path.display())))?;
        if seal::is_enabled() && !self.is_named {
            text = seal::seal_object(SEAL, b"", &text).unwrap_or(text);
        }
        guard::state::replace_file(&self.path, &text).map_err(|e| write_error(&self.path, &e))
    }

    fn load(&self) -> Result<Vec<Entry>, String> {
        let read = if self.is_named {
            guard::read_user_file(&self.path, LARGEST)
        } else {
            guard::state::read_own_file(&self.path, LARGEST)
        };
        let text = match read {
            Ok(text) => text,
            Err(error) if error.is_missing() => return Ok(Vec::new()),
            Err(error) => return Err(error.to_string()),
        };
        let is_known = self.is_named || seal::is_own_object(SEAL, b"", &text);
        let foreign = || "was not written by this user on this machine".to_owned();
        // What others wrote may take many times its length when it is decoded.
        if !is_known && text.len() > LARGEST_OLD {
            return Err(foreign());
        }
        let contents: Contents =
            serde_json::from_slice(&text).map_err(|e| format!("is damaged ({e})"))?;
        if !is_known && contents.mark != old_seal_of(&contents.entries) {
            return Err(foreign());
        }
        Ok(contents.entries)
    }
}

fn write_error(path: &Path, error: &std::io::Error) -> EngineError {
    EngineError::runtime_failure(format!("cannot write {}: {error}", path.display()))
        .with_hint("set INTENT_HISTORY_PATH to a file that can be written")
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Repo;

    fn entry(symbol: &str, at: u64) -> Entry {
        Entry {
            query: "q".to_owned(),
            symbols: vec![symbol.to_owned()],
            user_action: UserAction::View,
            at,
        }
    }

    fn history(repo: &Repo) -> History {
        History::from_default_path(repo.file_path("intent-history.json"))
    }

    #[test]
    fn ct_011_what_is_older_than_ninety_days_is_forgotten() {
        let repo = Repo::new("");
        let history = history(&repo);
        let now = 1_000 * DAY;
        let old = |age: u64| entry(&format!("d{age}"), now - age * DAY);
        history.write([91, 90, 89, 0].map(old).to_vec()).unwrap();
        assert_eq!(history.read().0.len(), 4);
        let changed = history.update(now, None).unwrap();
        assert_eq!(changed.forgotten, 1);
        let left: Vec<_> = history
            .read()
            .0
            .into_iter()
            .map(|e| e.symbols[0].clone())
            .collect();
        assert_eq!(left, ["d90", "d89", "d0"]);
        assert_eq!(history.update(now, None).unwrap().forgotten, 0);
    }

    #[test]
    fn the_oldest_go_where_there_are_too_many() {
        let repo = Repo::new("");
        let history = history(&repo);
        let entries = (0..MOST as u64)
            .map(|n| entry(&format!("s{n}"), DAY + n))
            .collect();
        history.write(entries).unwrap();
        history
            .update(DAY + 20_000, Some(entry("new", DAY + 20_000)))
            .unwrap();
        let entries = history.read().0;
        assert_eq!(entries.len(), MOST);
        assert_eq!(entries[0].symbols, ["s1"]);
        assert_eq!(entries[MOST - 1].symbols, ["new"]);
    }

    #[test]
    fn a_damaged_file_is_kept_and_a_new_one_begun() {
        let repo = Repo::new("== intent-history.json\n{\"entries\": [{]\n");
        let history = history(&repo);
        assert_eq!(history.read().1.len(), 1);
        let changed = history.update(DAY, Some(entry("a", DAY))).unwrap();
        assert!(
            changed.notes[0].contains("intent-history.json.bak"),
            "{changed:?}"
        );
        assert_eq!(history.read(), (vec![entry("a", DAY)], Vec::new()));
        let kept = std::fs::read_to_string(repo.file_path("intent-history.json.bak")).unwrap();
        assert_eq!(kept, "{\"entries\": [{]\n");
    }

    #[test]
    fn many_writers_lose_nothing() {
        let repo = Repo::new("");
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let history = history(&repo);
                scope.spawn(move || {
                    for n in 0..10 {
                        let one = entry(&format!("{thread}-{n}"), DAY);
                        history.update(DAY, Some(one)).unwrap();
                    }
                });
            }
        });
        let mut symbols: Vec<_> = history(&repo)
            .read()
            .0
            .into_iter()
            .map(|e| e.symbols[0].clone())
            .collect();
        symbols.sort();
        symbols.dedup();
        assert_eq!(symbols.len(), 40);
    }
}
