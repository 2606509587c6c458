//! `learned-patterns.json`: replaced as a whole, by one process at a time; what others put in is kept as it stands.

use crate::EngineError;
use analysis::pattern::{Pattern, merge};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::WriterLock;

/// A larger file was not written by us.
const LARGEST: u64 = 64 << 20;

/// How long to wait for another process.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a day without confirmation leaves of a confidence.
const DAILY: f64 = 0.95;

const DAY: f64 = 86_400.0;

/// The file.
pub(super) struct File {
    path: PathBuf,
}

/// What is in it.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// Ours.
    pub learned: Vec<Pattern>,
    /// Whatever else.
    pub others: Vec<Value>,
}

impl File {
    pub(super) fn at(path: PathBuf) -> File {
        File { path }
    }

    pub(super) fn shown(&self) -> String {
        self.path.display().to_string()
    }

    /// Its patterns; nothing where it is missing.
    pub(super) fn read(&self) -> Result<Contents, String> {
        let size = match std::fs::metadata(&self.path) {
            Ok(found) if found.is_file() => found.len(),
            Ok(_) => return Err("is no file".to_owned()),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Contents::default()),
            Err(e) => return Err(e.to_string()),
        };
        if size > LARGEST {
            return Err("is too large".to_owned());
        }
        let text = std::fs::read(&self.path).map_err(|e| e.to_string())?;
        let whole: Value =
            serde_json::from_slice(&text).map_err(|e| format!("is malformed ({e})"))?;
        let list = match &whole {
            Value::Array(list) => list,
            _ => whole["patterns"]
                .as_array()
                .ok_or("has no list of patterns")?,
        };
        let mut contents = Contents::default();
        for one in list {
            match serde_json::from_value::<Pattern>(one.clone()) {
                Ok(pattern) if pattern.source == "learned" => contents.learned.push(pattern),
                _ => contents.others.push(one.clone()),
            }
        }
        Ok(contents)
    }

    /// Merges what was learned now into the file. A malformed one is kept aside; gives what should be said of it.
    pub(super) fn learn(
        &self,
        found: Vec<Pattern>,
        metadata: Value,
    ) -> Result<(Vec<Pattern>, Option<String>), EngineError> {
        let _lock = self.lock()?;
        let (contents, note) = match self.read() {
            Ok(contents) => (contents, None),
            Err(reason) => {
                let kept = self.path.with_extension("json.bak");
                std::fs::rename(&self.path, &kept).map_err(|e| fail(&kept, &e))?;
                let note = format!("{}: {reason}; kept as {}", self.shown(), kept.display());
                (Contents::default(), Some(note))
            }
        };
        let id = |value: &Value| value["pattern_id"].as_str().map(str::to_owned);
        let taken: Vec<String> = contents.others.iter().filter_map(id).collect();
        let mut merged = merge(contents.learned, found);
        merged.retain(|p| !taken.contains(&p.pattern_id));
        self.write(&contents.others, &merged, &metadata)?;
        Ok((merged, note))
    }

    /// Lowers the confidence of what was not confirmed for days, and drops what falls below the threshold; gives how
    /// many are left and how many were dropped.
    pub(super) fn decay(&self, now: u64, threshold: f64) -> Result<(usize, usize), EngineError> {
        let _lock = self.lock()?;
        let contents = self.read().map_err(|reason| {
            EngineError::failure(format!("{} {reason}", self.shown()))
                .hint("`knotwork pattern learn` keeps it aside and writes a new one")
        })?;
        let mut learned = contents.learned;
        let before = learned.len();
        for pattern in &mut learned {
            let days = (now.saturating_sub(pattern.last_confirmed) as f64 / DAY).floor();
            let left = pattern.confidence * DAILY.powf(days);
            pattern.confidence = (left * 1000.0).round() / 1000.0;
        }
        learned.retain(|p| p.confidence >= threshold);
        self.write(&contents.others, &learned, &json!({"decayed_at": now}))?;
        Ok((
            learned.len() + contents.others.len(),
            before - learned.len(),
        ))
    }

    fn lock(&self) -> Result<WriterLock, EngineError> {
        if let Some(folder) = self.path.parent() {
            guard::state::prepare_parents(folder)
                .map_err(|e| fail(folder, &std::io::Error::other(e)))?;
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
            patterns.push(value.map_err(|e| EngineError::failure(format!("not JSON: {e}")))?);
        }
        let whole = json!({
            "schema_version": "1.0",
            "patterns": patterns,
            "metadata": metadata,
        });
        let text = format!("{whole:#}\n");
        guard::state::replace(&self.path, text.as_bytes()).map_err(|e| fail(&self.path, &e))
    }
}

fn fail(path: &Path, error: &std::io::Error) -> EngineError {
    EngineError::failure(format!("cannot write {}: {error}", path.display()))
        .hint("set DEVBOOKS_DIR to a folder that can be written")
}
