//! The conversation so far: the last questions with their symbols. Results of the same topic get a higher score.

use crate::EngineError;
use guard::{seal, state};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::WriterLock;

/// The turns that are kept.
const TURNS: usize = 10;
/// The symbols that are kept of all turns.
const FOCUS: usize = 50;
/// The latest turns whose symbols count as recent.
const RECENT: usize = 3;
/// The amount that a symbol of the recent turns adds to a score.
const RECENT_WEIGHT: f64 = 0.3;
/// The amount that a symbol of any turn adds.
const FOCUS_WEIGHT: f64 = 0.2;
/// The amount that a symbol in a file of the last turn adds.
const SAME_FILE_WEIGHT: f64 = 0.1;
/// The most that is added, as a share of the score.
const MOST: f64 = 0.5;
/// The most bytes of the file.
const LARGEST: u64 = 4 << 20;
/// The most bytes of memory that it may take once it is decoded.
const MOST_DECODED: usize = 32 << 20;
/// The field of the seal, and its purpose: a conversation that came with a repository must not decide the order of results.
const SEAL: (&str, &str) = ("mark", "conversation");
/// The longest wait for another process.
const PATIENCE: Duration = Duration::from_secs(5);

/// A question with its symbols.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Its number in the conversation.
    pub turn: u64,
    /// The time, seconds since 1970 as the predecessor writes it, or a text.
    #[serde(default)]
    pub timestamp: Value,
    /// The question.
    #[serde(default)]
    pub query: String,
    /// `path::name` of what was found or looked at.
    #[serde(default)]
    pub focus_symbols: Vec<String>,
    /// The number of results.
    #[serde(default)]
    pub results_count: u64,
}

/// The conversation so far.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Conversation {
    /// Its id; empty before the first turn.
    #[serde(default)]
    pub session_id: String,
    /// The last turns, oldest first.
    #[serde(default)]
    pub context_window: Vec<Turn>,
    /// Symbols of all turns, latest last.
    #[serde(default)]
    pub accumulated_focus: Vec<String>,
}

/// The file of a conversation.
#[derive(Debug, Clone)]
pub struct ConversationFile {
    path: PathBuf,
    /// Whether it counts without a seal.
    is_users: bool,
}

impl ConversationFile {
    /// A conversation in this file.
    pub fn new(path: PathBuf) -> ConversationFile {
        ConversationFile {
            path,
            is_users: false,
        }
    }

    /// A conversation in a file that the user named outside the project. No repository can have put it there, so it counts
    /// whoever wrote it.
    pub fn of_user(path: PathBuf) -> ConversationFile {
        ConversationFile {
            path,
            is_users: true,
        }
    }

    /// The conversation so far; an empty one where the file is missing, damaged or not this user's.
    pub fn load(&self) -> Conversation {
        self.read().unwrap_or_default()
    }

    fn read(&self) -> Option<Conversation> {
        let text = state::read_own_file(&self.path, LARGEST).ok()?;
        let is_own = self.is_users || seal::is_own_object(SEAL, b"", &text);
        if !is_own || base::json::decoded_size(&text) > MOST_DECODED {
            return None;
        }
        serde_json::from_slice(&text).ok()
    }

    /// Adds a turn. The oldest is dropped beyond ten.
    ///
    /// # Errors
    /// If the file cannot be written, or another process holds it.
    pub fn save(
        &self,
        query: &str,
        symbols: &[String],
        now: u64,
    ) -> Result<Conversation, EngineError> {
        self.make_folder()?;
        let _lock = WriterLock::acquire(&self.path, PATIENCE)?;
        let mut all = self.load();
        if all.session_id.is_empty() {
            all.session_id = new_session_id(now, query);
        }
        let turn = all
            .context_window
            .last()
            .map_or(1, |last| last.turn.saturating_add(1));
        all.context_window.push(Turn {
            turn,
            timestamp: now.into(),
            query: super::sanitize_query(query),
            focus_symbols: symbols.to_vec(),
            results_count: symbols.len() as u64,
        });
        let surplus = all.context_window.len().saturating_sub(TURNS);
        all.context_window.drain(..surplus);
        for symbol in symbols {
            all.accumulated_focus.retain(|known| known != symbol);
            all.accumulated_focus.push(symbol.clone());
        }
        let surplus = all.accumulated_focus.len().saturating_sub(FOCUS);
        all.accumulated_focus.drain(..surplus);
        self.write(&all)?;
        Ok(all)
    }

    /// Begins a new conversation.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn begin(&self, now: u64) -> Result<Conversation, EngineError> {
        let fresh = Conversation {
            session_id: new_session_id(now, "new"),
            ..Conversation::default()
        };
        self.make_folder()?;
        self.write(&fresh)?;
        Ok(fresh)
    }

    /// Forgets the conversation.
    ///
    /// # Errors
    /// If the file cannot be removed.
    pub fn clear(&self) -> Result<(), EngineError> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(write_error(&self.path, &error))
            }
            _ => Ok(()),
        }
    }

    fn make_folder(&self) -> Result<(), EngineError> {
        match self.path.parent() {
            Some(folder) => state::create_private_folders(folder)
                .map_err(|e| EngineError::runtime_failure(e.to_string())),
            None => Ok(()),
        }
    }

    fn write(&self, all: &Conversation) -> Result<(), EngineError> {
        let text = serde_json::to_vec(all)
            .map_err(|e| EngineError::runtime_failure(format!("not JSON: {e}")))?;
        if self.path.symlink_metadata().is_ok() && self.read().is_none() {
            // The old file is damaged, or this user did not write it.
            let kept = self.path.with_extension("json.bak");
            std::fs::rename(&self.path, &kept).map_err(|e| write_error(&kept, &e))?;
        }
        let sealed = seal::seal_object(SEAL, b"", &text).unwrap_or(text);
        state::replace_file(&self.path, &sealed).map_err(|e| write_error(&self.path, &e))
    }
}

fn write_error(path: &Path, error: &std::io::Error) -> EngineError {
    EngineError::runtime_failure(format!("cannot write {}: {error}", path.display()))
}

fn new_session_id(now: u64, query: &str) -> String {
    let seed = base::fingerprint(&[&now.to_le_bytes(), query.as_bytes()]);
    format!("session-{now}-{:08x}", seed as u32)
}

impl Conversation {
    /// Results, best first, after the conversation has raised their scores. Each is an object with `symbol` or `symbol_id` and
    /// `score`; `original_score` and `context_boost` are added. Without turns they stay as they are.
    pub fn apply_weight(&self, results: Vec<Value>) -> Vec<Value> {
        if self.context_window.is_empty() && self.accumulated_focus.is_empty() {
            return results;
        }
        let turns = &self.context_window;
        let recent: Vec<&String> = turns
            .iter()
            .rev()
            .take(RECENT)
            .flat_map(|turn| &turn.focus_symbols)
            .collect();
        let last = turns
            .last()
            .into_iter()
            .flat_map(|turn| &turn.focus_symbols);
        let files: Vec<&str> = last.map(|symbol| file_of(symbol)).collect();
        let weigh = |result: Value| {
            let Value::Object(mut fields) = result else {
                return result;
            };
            let symbol = text_of(&fields, &["symbol", "symbol_id"]);
            let score = fields.get("score").and_then(Value::as_f64).unwrap_or(0.0);
            let share = |is_so: bool, weight: f64| if is_so { weight } else { 0.0 };
            let added = share(self.accumulated_focus.contains(&symbol), FOCUS_WEIGHT)
                + share(recent.contains(&&symbol), RECENT_WEIGHT)
                + share(files.contains(&file_of(&symbol)), SAME_FILE_WEIGHT);
            let added = added.min(score * MOST).max(0.0);
            fields.insert("original_score".to_owned(), json!(score));
            fields.insert("context_boost".to_owned(), json!(rounded(added)));
            fields.insert("score".to_owned(), json!(rounded(score + added)));
            Value::Object(fields)
        };
        let mut all: Vec<Value> = results.into_iter().map(weigh).collect();
        let score = |value: &Value| value["score"].as_f64().unwrap_or(0.0);
        all.sort_by(|a, b| score(b).total_cmp(&score(a)));
        all
    }
}

fn text_of(fields: &Map<String, Value>, names: &[&str]) -> String {
    let texts = names.iter().filter_map(|name| fields.get(*name)?.as_str());
    texts.into_iter().next().unwrap_or_default().to_owned()
}

/// The file of `path::name`.
fn file_of(symbol: &str) -> &str {
    symbol.split("::").next().unwrap_or(symbol)
}

fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Repo;

    fn symbols(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn ten_turns_are_kept_and_a_damaged_file_is_an_empty_conversation() {
        let repo = Repo::new("");
        let file = ConversationFile::new(repo.file_path("c.json"));
        for turn in 1..=12 {
            let all = file.save(&format!("q{turn}"), &symbols(&["a::b"]), turn);
            assert!(!all.unwrap().session_id.is_empty());
        }
        let all = file.load();
        let turns: Vec<u64> = all.context_window.iter().map(|t| t.turn).collect();
        assert_eq!(turns, (3..=12).collect::<Vec<u64>>());
        assert_eq!(all.accumulated_focus, ["a::b"]);
        repo.write("c.json", "{");
        assert_eq!(file.load(), Conversation::default());
        file.begin(5).unwrap();
        file.clear().unwrap();
        file.clear().unwrap();
    }

    #[test]
    fn what_is_added_is_weighed_and_at_most_half() {
        let turn = |number: u64, names: &[&str]| Turn {
            turn: number,
            timestamp: Value::Null,
            query: String::new(),
            focus_symbols: symbols(names),
            results_count: 0,
        };
        let all = Conversation {
            session_id: "s".to_owned(),
            context_window: vec![
                turn(1, &["old.ts::old"]),
                turn(2, &[]),
                turn(3, &["b.ts::b"]),
                turn(4, &["a.ts::a"]),
            ],
            accumulated_focus: symbols(&["old.ts::old", "a.ts::a"]),
        };
        let results = json!([
            {"symbol": "x.ts::x", "score": 0.9},
            {"symbol": "old.ts::old", "score": 0.8},
            {"symbol": "b.ts::b", "score": 0.8},
            {"symbol": "a.ts::other", "score": 0.8},
            {"symbol": "a.ts::a", "score": 1.4},
            {"symbol": "a.ts::a", "score": 0.4},
        ]);
        let Value::Array(results) = results else {
            panic!()
        };
        let weighed = all.apply_weight(results.clone());
        let of = |symbol: &str, original: f64| {
            let found = weighed
                .iter()
                .find(|r| r["symbol"] == symbol && r["original_score"].as_f64() == Some(original));
            found.unwrap()["score"].as_f64().unwrap()
        };
        assert_eq!(of("x.ts::x", 0.9), 0.9);
        assert_eq!(of("old.ts::old", 0.8), 1.0);
        assert_eq!(of("b.ts::b", 0.8), 1.1);
        assert_eq!(of("a.ts::other", 0.8), 0.9);
        assert_eq!(of("a.ts::a", 1.4), 2.0);
        assert_eq!(of("a.ts::a", 0.4), 0.6);
        assert_eq!(weighed[0]["symbol"], "a.ts::a");
        assert_eq!(
            Conversation::default().apply_weight(results.clone()),
            results
        );
    }
}
