//! The file of the history. It is replaced as a whole, by one process at a time.

use super::{DAYS, UserAction};
use crate::EngineError;
use guard::seal;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
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

/// The most days that the time of the history moves for each day on which something is recorded. A clock that is ahead for a
/// day or two does not make the history forget everything.
const DAYS_A_DAY: u64 = 7;

/// How a history begins, without spaces, as this program and its predecessor write it.
const BEGINNINGS: [&str; 2] = [
    "{\"schema_version\":\"1.0\",\"entries\":[",
    "{\"entries\":[",
];

/// The fields of a history.
const FIELDS: [&str; 4] = ["schema_version", "entries", "time", "mark"];

/// A user's action after a query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The query.
    pub query: String,
    /// The symbols or files that the query was about.
    pub symbols: Vec<String>,
    /// The action.
    pub user_action: UserAction,
    /// Seconds since 1970.
    pub at: u64,
    /// The name of the only symbol, where it is not part of its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// An entry as it is stored. It has the predecessor's fields too, for programs that still read them.
#[derive(Serialize)]
struct StoredEntry<'e> {
    #[serde(flatten)]
    entry: &'e Entry,
    symbol: &'e str,
    symbol_id: &'e str,
    action: UserAction,
    timestamp: u64,
}

impl<'e> From<&'e Entry> for StoredEntry<'e> {
    fn from(entry: &'e Entry) -> StoredEntry<'e> {
        let id = entry.symbols.first().map_or("", String::as_str);
        StoredEntry {
            symbol: entry.name.as_deref().unwrap_or(id),
            symbol_id: id,
            action: entry.user_action,
            timestamp: entry.at,
            entry,
        }
    }
}

/// The file as it is stored.
#[derive(Serialize)]
struct StoredContents<'e> {
    schema_version: &'static str,
    entries: Vec<StoredEntry<'e>>,
    time: HistoryTime,
}

/// The time by which a record forgets. It follows the clock in steps, so that a clock that is ahead cannot empty the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct HistoryTime {
    /// Seconds since 1970.
    seconds: u64,
    /// The last day of the clock on which it moved.
    day: u64,
}

impl HistoryTime {
    /// The time of a history that has none yet: that of its newest entry that is not ahead of the clock.
    fn of_entries(entries: &[Entry], now: u64) -> HistoryTime {
        let past = entries.iter().map(|e| e.at).filter(|at| *at <= now);
        let seconds = past.max().unwrap_or(now);
        HistoryTime {
            seconds,
            day: seconds / DAY,
        }
    }

    /// The time after a record at `now`.
    fn moved_to(self, now: u64) -> HistoryTime {
        let day = now / DAY;
        let step = if day == self.day { 0 } else { DAYS_A_DAY * DAY };
        HistoryTime {
            seconds: now.min(self.seconds.saturating_add(step)),
            day,
        }
    }
}

/// An entry of the predecessor's file: one symbol, its full id, and when.
#[derive(Deserialize)]
struct OldEntry {
    #[serde(default)]
    symbol: String,
    #[serde(default)]
    symbol_id: String,
    #[serde(default)]
    action: UserAction,
    timestamp: u64,
}

#[derive(Deserialize)]
struct OldContents {
    entries: Vec<OldEntry>,
}

impl From<OldEntry> for Entry {
    fn from(old: OldEntry) -> Entry {
        let (id, name) = if old.symbol_id.is_empty() {
            (old.symbol, None)
        } else {
            (old.symbol_id, Some(old.symbol).filter(|n| !n.is_empty()))
        };
        Entry {
            query: String::new(),
            symbols: vec![id],
            user_action: old.action,
            at: old.timestamp,
            name,
        }
    }
}

/// The reason why a file is not used as a history, as the end of a sentence about the file.
#[derive(Debug, thiserror::Error)]
enum HistoryFault {
    #[error(transparent)]
    Unreadable(#[from] guard::OpenError),
    #[error("was not written by this user on this machine")]
    Foreign,
    #[error("has entries without a symbol")]
    NoSymbols,
    #[error("has fields of another kind of file")]
    OtherFields,
    #[error("is damaged ({0})")]
    Damaged(serde_json::Error),
}

/// The content of a history file.
enum Loaded {
    Ours(Vec<Entry>, Option<HistoryTime>),
    /// Entries of the predecessor, which carries no seal. They are shown, and taken over when the user asks for a change.
    Old(Vec<Entry>),
}

/// The note on a file of the predecessor that was not taken over yet.
const NOT_TAKEN_OVER: &str = "was written by an earlier program; `knotwork intent cleanup` takes it over, and then it counts in ranking";

#[derive(Deserialize)]
struct Contents {
    entries: Vec<Entry>,
    #[serde(default)]
    time: Option<HistoryTime>,
    /// The seal of the entries, as earlier versions wrote it.
    #[serde(default)]
    mark: Option<String>,
}

/// The field of the seal, and its purpose. It shows that this user wrote the entries: a history that came with a repository
/// must not decide which answers come first.
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
            Ok(Loaded::Ours(entries, _)) => (entries, Vec::new()),
            Ok(Loaded::Old(entries)) => {
                let note = format!("{}: {NOT_TAKEN_OVER}", self.path.display());
                (entries, vec![note])
            }
            Err(reason) => {
                let note = format!("{}: {reason}; it counts as empty", self.path.display());
                (Vec::new(), vec![note])
            }
        }
    }

    /// The entries that may count in ranking: those that this user wrote or took over.
    pub(crate) fn read_for_ranking(&self) -> Vec<Entry> {
        match self.load() {
            Ok(Loaded::Ours(entries, _)) => entries,
            _ => Vec::new(),
        }
    }

    /// Adds an entry that nobody asked to be added. A file of the predecessor is left alone.
    pub(crate) fn append(&self, now: u64, entry: Entry) -> Result<Changed, EngineError> {
        match self.load() {
            Ok(Loaded::Old(_)) => Ok(Changed::default()),
            _ => self.update(now, Some(entry), DAYS),
        }
    }

    /// Drops entries that are older than `days` or too many, and adds an entry. A damaged file is kept as `.bak`; one of the
    /// predecessor is taken over. A file that the user named and that is no history is left alone: that is an error.
    pub(crate) fn update(
        &self,
        now: u64,
        entry: Option<Entry>,
        days: u32,
    ) -> Result<Changed, EngineError> {
        let _lock = WriterLock::acquire(&self.path, PATIENCE)?;
        let mut changed = Changed::default();
        let mut time = None;
        let mut entries = match self.load() {
            Ok(Loaded::Ours(entries, known)) => {
                time = known;
                entries
            }
            // A repository may have shipped the file. Only an explicit request makes it the user's own.
            Ok(Loaded::Old(_)) if entry.is_some() => {
                changed.notes.push(format!(
                    "{}: history is off while this file of an earlier program exists; `knotwork intent cleanup` takes it over",
                    self.path.display()
                ));
                return Ok(changed);
            }
            Ok(Loaded::Old(entries)) => {
                let taken = entries.len();
                let kept = self.path.display();
                changed.notes.push(format!(
                    "{kept}: {taken} entries of an earlier program were taken over"
                ));
                entries
            }
            Err(reason) if self.is_named && !self.has_damaged_history() => {
                let named = self.path.display();
                let message =
                    format!("{named} is no history of intents ({reason}); it is left as it is");
                return Err(EngineError::bad_arguments(message)
                    .with_hint("set INTENT_HISTORY_PATH to a file of its own"));
            }
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
        let mut time = time.unwrap_or_else(|| HistoryTime::of_entries(&entries, now));
        let by = match entry {
            Some(_) => {
                time = time.moved_to(now);
                time.seconds
            }
            None => now,
        };
        let oldest = by.saturating_sub(u64::from(days) * DAY);
        entries.retain(|entry| entry.at >= oldest);
        changed.forgotten = before - entries.len();
        if entry.is_none() && changed.forgotten == 0 && changed.notes.is_empty() {
            return Ok(changed);
        }
        entries.extend(entry);
        let surplus = entries.len().saturating_sub(MOST);
        entries.drain(..surplus);
        self.write(entries, time)?;
        Ok(changed)
    }

    /// Whether the file begins as a history does and is no whole JSON text: what was left of a history.
    fn has_damaged_history(&self) -> bool {
        let Ok(text) = guard::read_user_file(&self.path, LARGEST) else {
            return false;
        };
        let longest = BEGINNINGS.map(str::len).into_iter().max().unwrap_or(0);
        let bytes = text.iter().filter(|byte| !byte.is_ascii_whitespace());
        let start: Vec<u8> = bytes.take(longest).copied().collect();
        let begins = |as_history: &str| {
            let common = start.len().min(as_history.len());
            common > 0 && start[..common] == as_history.as_bytes()[..common]
        };
        BEGINNINGS.into_iter().any(begins) && serde_json::from_slice::<IgnoredAny>(&text).is_err()
    }

    fn write(&self, entries: Vec<Entry>, time: HistoryTime) -> Result<(), EngineError> {
        let contents = StoredContents {
            schema_version: "1.0",
            entries: entries.iter().map(StoredEntry::from).collect(),
            time,
        };
        let mut text = serde_json::to_vec(&contents)
            .map_err(|e| EngineError::runtime_failure(format!("{}: {e}", self.path.display())))?;
        if seal::is_enabled() && !self.is_named {
            text = seal::seal_object(SEAL, b"", &text).unwrap_or(text);
        }
        guard::state::replace_file(&self.path, &text).map_err(|e| write_error(&self.path, &e))
    }

    fn load(&self) -> Result<Loaded, HistoryFault> {
        let read = if self.is_named {
            guard::read_user_file(&self.path, LARGEST)
        } else {
            guard::state::read_own_file(&self.path, LARGEST)
        };
        let text = match read {
            Ok(text) => text,
            Err(error) if error.is_missing() => return Ok(Loaded::Ours(Vec::new(), None)),
            Err(error) => return Err(error.into()),
        };
        if self.is_named {
            // A file that was made to be named and holds nothing yet.
            if text.iter().all(u8::is_ascii_whitespace) {
                return Ok(Loaded::Ours(Vec::new(), None));
            }
            check_fields(&text)?;
        }
        let is_known = self.is_named || seal::is_own_object(SEAL, b"", &text);
        // A file of others may take many times its length in memory when it is decoded.
        if !is_known && text.len() > LARGEST_OLD {
            return Err(HistoryFault::Foreign);
        }
        let contents: Contents = match serde_json::from_slice(&text) {
            Ok(contents) => contents,
            Err(error) => match serde_json::from_slice::<OldContents>(&text) {
                Ok(old) => {
                    let entries: Vec<Entry> = old.entries.into_iter().map(Entry::from).collect();
                    // What has times and names no symbol is a list of another kind.
                    let names = |entry: &Entry| entry.symbols.iter().any(|s| !s.is_empty());
                    if self.is_named && !entries.iter().all(names) {
                        return Err(HistoryFault::NoSymbols);
                    }
                    return Ok(if self.is_named {
                        Loaded::Ours(entries, None)
                    } else {
                        Loaded::Old(entries)
                    });
                }
                Err(_) => return Err(HistoryFault::Damaged(error)),
            },
        };
        if !is_known && contents.mark != old_seal_of(&contents.entries) {
            return Err(HistoryFault::Foreign);
        }
        Ok(Loaded::Ours(contents.entries, contents.time))
    }
}

/// An error for JSON with fields that no history has. They would be lost when the file is written.
fn check_fields(text: &[u8]) -> Result<(), HistoryFault> {
    let Ok(found) = serde_json::from_slice::<BTreeMap<String, IgnoredAny>>(text) else {
        return Ok(());
    };
    match found.keys().find(|key| !FIELDS.contains(&key.as_str())) {
        Some(_) => Err(HistoryFault::OtherFields),
        None => Ok(()),
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
            name: None,
        }
    }

    fn history(repo: &Repo) -> History {
        History::from_default_path(repo.file_path("intent-history.json"))
    }

    #[test]
    fn a_file_of_the_predecessor_is_shown_and_taken_over_when_asked() {
        let repo = Repo::new("");
        let now = 1_000 * DAY;
        let old = serde_json::json!({"entries": [
            {"symbol": "run", "symbol_id": "a.ts::run", "action": "edit", "timestamp": now},
            {"symbol": "gone", "symbol_id": "a.ts::gone", "action": "view", "timestamp": now - 91 * DAY},
        ]});
        repo.write("intent-history.json", &old.to_string());
        let history = history(&repo);
        let (entries, notes) = history.read();
        assert_eq!((entries.len(), notes.len()), (2, 1));
        assert_eq!(entries[0].symbols, ["a.ts::run"]);
        // An old history does not count in ranking until the user takes it over.
        assert!(history.read_for_ranking().is_empty());
        history.append(now, entry("new", now)).unwrap();
        assert_eq!(history.read().0.len(), 2);
        let recorded = history.update(now, Some(entry("new", now)), DAYS).unwrap();
        assert!(recorded.notes[0].contains("history is off"));
        assert_eq!(history.read().0.len(), 2);
        let changed = history.update(now, None, DAYS).unwrap();
        assert_eq!((changed.forgotten, changed.notes.len()), (1, 1));
        assert_eq!(history.read_for_ranking().len(), 1);
        let text = std::fs::read_to_string(repo.file_path("intent-history.json")).unwrap();
        let stored: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(stored["entries"][0]["symbol"], "run");
        assert_eq!(stored["entries"][0]["symbol_id"], "a.ts::run");
        assert_eq!(stored["entries"][0]["action"], "edit");
    }

    #[test]
    fn ct_011_what_is_older_than_ninety_days_is_forgotten() {
        let repo = Repo::new("");
        let history = history(&repo);
        let now = 1_000 * DAY;
        let old = |age: u64| entry(&format!("d{age}"), now - age * DAY);
        let entries = [91, 90, 89, 0].map(old).to_vec();
        let time = HistoryTime::of_entries(&entries, now);
        history.write(entries, time).unwrap();
        assert_eq!(history.read().0.len(), 4);
        let changed = history.update(now, None, DAYS).unwrap();
        assert_eq!(changed.forgotten, 1);
        let left: Vec<_> = history
            .read()
            .0
            .into_iter()
            .map(|e| e.symbols[0].clone())
            .collect();
        assert_eq!(left, ["d90", "d89", "d0"]);
        assert_eq!(history.update(now, None, DAYS).unwrap().forgotten, 0);
    }

    #[test]
    fn the_oldest_go_where_there_are_too_many() {
        let repo = Repo::new("");
        let history = history(&repo);
        let entries: Vec<Entry> = (0..MOST as u64)
            .map(|n| entry(&format!("s{n}"), DAY + n))
            .collect();
        let time = HistoryTime::of_entries(&entries, DAY);
        history.write(entries, time).unwrap();
        history
            .update(DAY + 20_000, Some(entry("new", DAY + 20_000)), DAYS)
            .unwrap();
        let entries = history.read().0;
        assert_eq!(entries.len(), MOST);
        assert_eq!(entries[0].symbols, ["s1"]);
        assert_eq!(entries[MOST - 1].symbols, ["new"]);
    }

    #[test]
    fn a_damaged_file_is_kept_and_a_new_one_begun() {
        let repo = Repo::new("//- intent-history.json\n{\"entries\": [{]\n");
        let history = history(&repo);
        assert_eq!(history.read().1.len(), 1);
        let changed = history.update(DAY, Some(entry("a", DAY)), DAYS).unwrap();
        assert!(
            changed.notes[0].contains("intent-history.json.bak"),
            "{changed:?}"
        );
        assert_eq!(history.read(), (vec![entry("a", DAY)], Vec::new()));
        let kept = std::fs::read_to_string(repo.file_path("intent-history.json.bak")).unwrap();
        assert_eq!(kept, "{\"entries\": [{]\n");
    }

    #[test]
    fn a_named_file_that_is_no_history_is_left_alone() {
        for text in [
            "mine\n",
            "{\"name\": \"package\"}\n",
            "[1, 2]\n",
            "{\"entries\": [], \"theme\": \"dark\"}\n",
            "{\"entries\": [{\"timestamp\": 5, \"text\": \"a diary\"}]}\n",
            "{\"entries\": [{\"text\": \"a diary\"}]}\n",
        ] {
            let repo = Repo::new("");
            repo.write("notes.txt", text);
            let named = History::from_user_path(repo.file_path("notes.txt"));
            for entry in [Some(entry("a", DAY)), None] {
                let error = named.update(DAY, entry, DAYS).unwrap_err();
                assert!(error.message.contains("no history"), "{text}: {error:?}");
            }
            assert!(named.append(DAY, entry("a", DAY)).is_err());
            assert_eq!(
                std::fs::read_to_string(repo.file_path("notes.txt")).unwrap(),
                text
            );
            assert!(!repo.file_path("notes.json.bak").exists(), "{text}");
        }
        // An empty file, and what is left of a history, may be used.
        for (text, kept) in [("", false), ("{", true), ("{\"entries\": [{\"symb", true)] {
            let repo = Repo::new("");
            repo.write("history.json", text);
            let named = History::from_user_path(repo.file_path("history.json"));
            named.update(DAY, Some(entry("a", DAY)), DAYS).unwrap();
            assert_eq!(named.read(), (vec![entry("a", DAY)], Vec::new()));
            assert_eq!(repo.file_path("history.json.bak").exists(), kept, "{text}");
        }
    }

    #[test]
    fn a_clock_that_is_ahead_does_not_empty_the_history() {
        let repo = Repo::new("");
        let history = history(&repo);
        let now = 1_000 * DAY;
        let record = |at: u64| history.update(at, Some(entry("s", at)), DAYS).unwrap();
        for day in 0..10 {
            record(now + day * DAY);
        }
        // A day with a wrong clock, however much is recorded on it.
        for second in 0..200 {
            record(now + 400 * DAY + second);
        }
        assert_eq!(history.read().0.len(), 210);
        // After a real absence what is old is forgotten step by step.
        let forgotten: usize = (0..75)
            .map(|day| record(now + (500 + day) * DAY).forgotten)
            .sum();
        assert_eq!(forgotten, 210);
        assert_eq!(history.read().0.len(), 75);
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
                        history.update(DAY, Some(one), DAYS).unwrap();
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
