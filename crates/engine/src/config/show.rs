//! `config show`: all keys with their values and origins.

use super::{Config, KEYS, Origin, Value, Warning};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;

/// A key with its value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// The dotted key.
    pub key: &'static str,
    /// The value; null where it has none.
    pub value: Value,
    /// The origin: `flag`, `environment`, `project`, `user` or `default`.
    pub origin: &'static str,
    /// The place of the origin: the flag, the variable, or `file:line`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The allowed values, in words.
    pub allowed: String,
    /// The effect of the key.
    pub about: &'static str,
}

/// All keys, the files that were read, and the warnings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConfigAnswer {
    /// All keys, sorted by name.
    pub values: Vec<Entry>,
    /// The files that were read, strongest first.
    pub files: Vec<PathBuf>,
    /// Files that would be read if they existed, strongest first.
    pub absent: Vec<PathBuf>,
    /// The warnings.
    pub warnings: Vec<Warning>,
}

impl Config {
    /// Everything about the configuration.
    pub fn show(&self) -> ConfigAnswer {
        let files = |read: bool| {
            let of = self.sources.iter().filter(|s| s.is_read == read);
            of.map(|s| s.path.clone()).collect()
        };
        let entry = |(key, (value, origin)): (&super::Key, &(Value, Origin))| Entry {
            key: key.name,
            value: without_password(value),
            origin: origin_word(origin),
            place: match origin {
                Origin::Default => None,
                Origin::Flag(name) | Origin::Environment(name) => Some(name.clone()),
                origin => Some(origin.to_string()),
            },
            allowed: key.kind.describe_allowed(),
            about: key.about,
        };
        ConfigAnswer {
            values: KEYS.iter().zip(&self.values).map(entry).collect(),
            files: files(true),
            absent: files(false),
            warnings: self.warnings.clone(),
        }
    }
}

/// The value without the credentials of an address: `http://user:secret@host` is shown as `http://****@host`.
fn without_password(value: &Value) -> Value {
    let Value::Text(text) = value else {
        return value.clone();
    };
    let hidden = text.split_once("://").and_then(|(scheme, rest)| {
        let host = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let at = rest[..host].rfind('@')?;
        Some(format!("{scheme}://****{}", &rest[at..]))
    });
    hidden.map_or_else(|| value.clone(), Value::Text)
}

impl ConfigAnswer {
    /// The answer as text for people.
    pub fn to_text(&self) -> String {
        let width = |of: &dyn Fn(&Entry) -> usize| self.values.iter().map(of).max().unwrap_or(0);
        let keys = width(&|e| e.key.len());
        let values = width(&|e| e.value.to_string().chars().count());
        let mut out = String::new();
        for entry in &self.values {
            let origin = match (&entry.place, entry.origin) {
                (Some(place), "environment" | "flag") => format!("{} {place}", entry.origin),
                (Some(place), _) => place.clone(),
                (None, origin) => origin.to_owned(),
            };
            let value = entry.value.to_string();
            let _ = writeln!(out, "{:keys$}  {value:values$}  {origin}", entry.key);
        }
        out
    }
}

fn origin_word(origin: &Origin) -> &'static str {
    match origin {
        Origin::Flag(_) => "flag",
        Origin::Environment(_) => "environment",
        Origin::Project(..) => "project",
        Origin::User(..) => "user",
        Origin::Default => "default",
    }
}
