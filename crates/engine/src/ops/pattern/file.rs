//! `learned-patterns.json`: replaced as a whole, by one process at a time. Entries of others are kept as they are.
//!
//! In its usual place the file is this program's, and any other file there is set aside. In another place a file is written only
//! where it already is a file of patterns, or where there is none.

use crate::EngineError;
use crate::project::Project;
use analysis::pattern::{MOST_OF_KIND, Pattern, PatternKind, merge_patterns};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::WriterLock;

/// The most bytes of the file: it has some hundred patterns, so a larger one was not written by this program.
const LARGEST: u64 = 4 << 20;

/// The most files that are set aside.
const MOST_ASIDE: usize = 9;

/// The longest wait for another process.
const PATIENCE: Duration = Duration::from_secs(2);

/// The share of a confidence that is left after a day without confirmation.
const DAILY: f64 = 0.95;

const DAY: f64 = 86_400.0;

/// The file of patterns.
pub(super) struct PatternFile {
    path: PathBuf,
    /// Whether the file is in its usual place, where no other file belongs.
    usual: bool,
}

/// The content of the file.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// Patterns written by this program.
    pub learned: Vec<Pattern>,
    /// All other entries.
    pub others: Vec<Value>,
    /// The number of patterns that claim to be this program's, but are too many or too long.
    pub left_out: usize,
}

impl Contents {
    fn sort_out(list: Vec<Value>) -> Contents {
        let mut contents = Contents::default();
        let mut of_kind: BTreeMap<PatternKind, usize> = BTreeMap::new();
        for one in list {
            if one["source"] != "learned" {
                contents.others.push(one);
                continue;
            }
            let Ok(pattern) = <Pattern as serde::Deserialize>::deserialize(&one) else {
                contents.others.push(one);
                continue;
            };
            let count = of_kind.entry(pattern.kind).or_default();
            *count += 1;
            let fits = *count <= MOST_OF_KIND;
            match pattern.from_file().filter(|_| fits) {
                Some(pattern) => contents.learned.push(pattern),
                None => contents.left_out += 1,
            }
        }
        contents
    }

    /// A note on patterns that are left out.
    pub(super) fn note(&self) -> Option<String> {
        let left = self.left_out;
        (left > 0)
            .then(|| format!("{left} patterns of the file are not used: too many or too long"))
    }
}

/// The reason why a file gives no patterns, as the end of a sentence about the file.
#[derive(Debug, thiserror::Error)]
pub(super) enum PatternFileError {
    #[error("{0}")]
    Unreadable(String),
    #[error("is malformed ({0})")]
    Malformed(#[from] analysis::JsonError),
    #[error("has no list of patterns")]
    NoList,
    /// It has a list of something else.
    #[error("is no list of patterns")]
    OtherList,
}

impl PatternFile {
    /// The file in its usual place.
    pub(super) fn usual(project: &Project) -> PatternFile {
        PatternFile {
            path: project.state_dir.join("learned-patterns.json"),
            usual: true,
        }
    }

    /// Whether a path is that of the usual file.
    pub(super) fn is_usual(project: &Project, path: &Path) -> bool {
        let usual = PatternFile::usual(project).path;
        let resolved = guard::state::resolve_existing_part;
        resolved(path) == resolved(&usual)
    }

    /// The file at a path of the project that the user named. Folders that hold state are refused.
    pub(super) fn from_path(project: &Project, relative: &str) -> Result<PatternFile, EngineError> {
        let path = project.root.join(relative);
        let usual = PatternFile::usual(project);
        if path == usual.path {
            return Ok(usual);
        }
        let is_state = |part: &str| {
            [".git", ".devbooks"]
                .iter()
                .any(|s| part.eq_ignore_ascii_case(s))
        };
        if relative.split('/').any(is_state) || path.starts_with(&project.state_dir) {
            let message = format!("no place for a file of patterns: {relative}");
            return Err(EngineError::bad_arguments(message)
                .with_hint("name a file outside .git and .devbooks"));
        }
        Ok(PatternFile { path, usual: false })
    }

    pub(super) fn display_path(&self) -> String {
        self.path.display().to_string()
    }

    /// Reads the patterns; none where the file is missing.
    pub(super) fn read(&self) -> Result<Contents, PatternFileError> {
        let text = match guard::state::read_own_file(&self.path, LARGEST) {
            Ok(text) => text,
            Err(error) if error.is_missing() => return Ok(Contents::default()),
            Err(error) => return Err(PatternFileError::Unreadable(error.reason())),
        };
        let whole = analysis::bounded_json(&text)?;
        let list = match whole {
            Value::Array(list) => list,
            Value::Object(mut whole) => match whole.remove("patterns") {
                Some(Value::Array(list)) if self.usual || is_ours(&list, &whole) => list,
                _ => return Err(PatternFileError::NoList),
            },
            _ => return Err(PatternFileError::NoList),
        };
        if !self.usual && !list.iter().all(|one| one["pattern_id"].is_string()) {
            return Err(PatternFileError::OtherList);
        }
        Ok(Contents::sort_out(list))
    }

    /// Refuses to overwrite a file of the project that is no file of patterns.
    fn may_write(&self) -> Result<(), EngineError> {
        if self.usual {
            return Ok(());
        }
        self.read().map(drop).map_err(|reason| {
            let message = format!(
                "{} is no file of patterns: it {reason}",
                self.display_path()
            );
            EngineError::bad_arguments(message).with_hint("name a new file")
        })
    }

    /// Renames the file to a free name. Returns that name.
    fn set_aside(&self) -> Result<PathBuf, EngineError> {
        let name = self.path.file_name().unwrap_or_default();
        let mut names = (1..=MOST_ASIDE).map(|number| {
            let mut name = name.to_os_string();
            name.push(".bak");
            if number > 1 {
                name.push(format!(".{number}"));
            }
            self.path.with_file_name(name)
        });
        let free = names
            .find(|path| path.symlink_metadata().is_err())
            .ok_or_else(|| {
                let message = format!("{} cannot be read, nor set aside", self.display_path());
                EngineError::runtime_failure(message).with_hint(format!(
                    "{MOST_ASIDE} files (.bak) are kept beside it: remove some"
                ))
            })?;
        std::fs::rename(&self.path, &free).map_err(|e| write_error(&free, &e))?;
        Ok(free)
    }

    /// Merges newly learned patterns into the file. A malformed file is set aside. Returns a note on that.
    pub(super) fn learn(
        &self,
        found: Vec<Pattern>,
        metadata: Value,
    ) -> Result<(Vec<Pattern>, Option<String>), EngineError> {
        self.may_write()?;
        let _lock = self.lock()?;
        let (contents, note) = match self.read() {
            Ok(contents) => {
                let note = contents.note();
                (contents, note)
            }
            Err(reason) => {
                // The file may have been created a moment ago.
                self.may_write()?;
                let kept = self.set_aside()?;
                let note = format!(
                    "{}: {reason}; kept as {}",
                    self.display_path(),
                    kept.display()
                );
                (Contents::default(), Some(note))
            }
        };
        let id = |value: &Value| value["pattern_id"].as_str().map(str::to_owned);
        let taken: BTreeSet<String> = contents.others.iter().filter_map(id).collect();
        let mut merged = merge_patterns(contents.learned, found);
        merged.retain(|p| !taken.contains(&p.pattern_id));
        self.write(&contents.others, &merged, &metadata)?;
        Ok((merged, note))
    }

    /// Lowers the confidence of patterns that were not confirmed for days, and drops those that fall below the threshold. Returns
    /// how many are left and how many were dropped.
    pub(super) fn decay(&self, now: u64, threshold: f64) -> Result<(usize, usize), EngineError> {
        self.may_write()?;
        let _lock = self.lock()?;
        let contents = self.read().map_err(|reason| {
            EngineError::runtime_failure(format!("{} {reason}", self.display_path()))
                .with_hint("`knotwork pattern learn` keeps it aside and writes a new one")
        })?;
        let mut learned = contents.learned;
        let before = learned.len();
        for pattern in &mut learned {
            let days = (now.saturating_sub(pattern.last_confirmed) as f64 / DAY).floor();
            let left = pattern.confidence * DAILY.powf(days);
            pattern.confidence = (left * 1000.0).round() / 1000.0;
        }
        learned.retain(|p| p.confidence >= threshold);
        let mut others = contents.others;
        let of_others = others.len();
        others.retain_mut(|one| decay_other(one, now) >= threshold);
        self.write(&others, &learned, &json!({"decayed_at": now}))?;
        Ok((
            learned.len() + others.len(),
            before - learned.len() + of_others - others.len(),
        ))
    }

    fn lock(&self) -> Result<WriterLock, EngineError> {
        if let Some(folder) = self.path.parent().filter(|_| self.usual) {
            guard::state::create_private_parents(folder)
                .map_err(|e| write_error(folder, &std::io::Error::other(e)))?;
        }
        Ok(WriterLock::acquire(&self.path, PATIENCE)?)
    }

    fn write(
        &self,
        others: &[Value],
        learned: &[Pattern],
        metadata: &Value,
    ) -> Result<(), EngineError> {
        let mut patterns = others.to_vec();
        for pattern in learned {
            let value = serde_json::to_value(pattern);
            patterns
                .push(value.map_err(|e| EngineError::runtime_failure(format!("not JSON: {e}")))?);
        }
        let whole = json!({
            "schema_version": "1.0",
            "patterns": patterns,
            "metadata": metadata,
        });
        let text = format!("{whole:#}\n");
        guard::state::replace_file(&self.path, text.as_bytes())
            .map_err(|e| write_error(&self.path, &e))
    }
}

/// Whether an object has the shape that this program writes: a list of patterns, and no unknown keys.
fn is_ours(list: &[Value], rest: &serde_json::Map<String, Value>) -> bool {
    let known = |name: &String| ["schema_version", "metadata"].contains(&name.as_str());
    rest.keys().all(known) && list.iter().all(Value::is_object)
}

fn write_error(path: &Path, error: &std::io::Error) -> EngineError {
    EngineError::runtime_failure(format!("cannot write {}: {error}", path.display()))
        .with_hint("set DEVBOOKS_DIR to a folder that can be written")
}

/// Lowers the confidence of a pattern that another program learned: it has a time at which it was last confirmed. People write
/// patterns without one, and these stay. Returns the confidence.
fn decay_other(one: &mut Value, now: u64) -> f64 {
    let confirmed = match &one["last_confirmed"] {
        Value::Number(seconds) => seconds.as_u64(),
        Value::String(moment) => {
            text::date::parse_moment(moment).and_then(|at| u64::try_from(at).ok())
        }
        _ => None,
    };
    let (Some(confirmed), Some(confidence)) = (confirmed, one["confidence"].as_f64()) else {
        return f64::MAX;
    };
    let days = (now.saturating_sub(confirmed) as f64 / DAY).floor();
    let left = (confidence * DAILY.powf(days) * 1000.0).round() / 1000.0;
    one["confidence"] = json!(left);
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Repo;

    fn file(repo: &Repo, path: &str, usual: bool) -> PatternFile {
        PatternFile {
            path: repo.file_path(path),
            usual,
        }
    }

    #[test]
    fn no_file_of_the_project_is_written_over() {
        let texts = [
            ("m1.py", "def f(): pass\n"),
            ("m1.txt", "notes\n"),
            ("package.json", "{\"patterns\": [], \"name\": \"ours\"}\n"),
            ("list.json", "[1, {\"a\": 2}]\n"),
            ("broken.json", "{\n"),
        ];
        let all: String = texts
            .map(|(name, text)| format!("//- {name}\n{text}"))
            .concat();
        let repo = Repo::new(&all);
        let count_entries = || std::fs::read_dir(repo.path()).unwrap().count();
        let before = count_entries();
        for (name, text) in texts {
            let file = file(&repo, name, false);
            assert!(file.learn(Vec::new(), json!({})).is_err(), "{name}");
            assert!(file.decay(0, 0.3).is_err(), "{name}");
            assert_eq!(std::fs::read_to_string(repo.file_path(name)).unwrap(), text);
        }
        assert_eq!(count_entries(), before, "nothing came and nothing went");
        let own = file(&repo, "own.json", false);
        own.learn(Vec::new(), json!({})).unwrap();
        own.learn(Vec::new(), json!({})).unwrap();
        assert!(repo.file_path("own.json").exists() && !repo.file_path("own.json.bak").exists());
    }

    #[test]
    fn files_set_aside_are_not_written_over() {
        let repo = Repo::new("");
        let ours = file(&repo, "learned-patterns.json", true);
        for number in 1..=MOST_ASIDE {
            repo.write("learned-patterns.json", &format!("{{{number}"));
            ours.learn(Vec::new(), json!({})).unwrap();
        }
        let read = |name: &str| std::fs::read_to_string(repo.file_path(name)).unwrap();
        assert_eq!(read("learned-patterns.json.bak"), "{1");
        assert_eq!(read("learned-patterns.json.bak.9"), "{9");
        repo.write("learned-patterns.json", "{");
        assert!(
            ours.learn(Vec::new(), json!({})).is_err(),
            "there are enough"
        );
        assert_eq!(read("learned-patterns.json"), "{");
    }

    #[test]
    fn a_file_of_many_patterns_is_read_in_part() {
        let one = |n: usize| {
            format!(
                r#"{{"pattern_id":"p{n}","kind":"naming","description":"d","key":"k{n}","value":"v","frequency":1,"exceptions":0,"files":1,"confidence":1.0,"examples":[],"source":"learned","first_seen":0,"last_confirmed":0}}"#
            )
        };
        let list: Vec<String> = (0..15_000).map(one).collect();
        let text = format!("{{\"patterns\":[{}]}}", list.join(","));
        let repo = Repo::new("");
        repo.write("learned-patterns.json", &text);
        let contents = file(&repo, "learned-patterns.json", true).read().unwrap();
        assert_eq!(contents.learned.len(), MOST_OF_KIND);
        assert_eq!(contents.left_out, 15_000 - MOST_OF_KIND);
        assert!(contents.note().is_some());
        repo.write("learned-patterns.json", &"[]".repeat(3 << 20));
        assert!(file(&repo, "learned-patterns.json", true).read().is_err());
    }
}
