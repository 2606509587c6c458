//! Precedence among several values of a key, and warnings on those that are not used.

use super::keys::{self, KEYS, Key, Scope};
use super::value::Value;
use super::{Config, yaml};
use guard::{Folder, OpenError};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// The warning for a key that resembles no known one.
const UNKNOWN_KEY: &str = "unknown key";
/// The most bytes of a configuration file.
const LARGEST: u64 = 1 << 20;

/// The origin of a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A flag of the command line.
    Flag(String),
    /// An environment variable.
    Environment(String),
    /// A file of the project, with the line.
    Project(PathBuf, usize),
    /// The user's own file, with the line.
    User(PathBuf, usize),
    /// The default, because nothing is set.
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Flag(name) => write!(f, "flag {name}"),
            Origin::Environment(name) => write!(f, "environment {name}"),
            Origin::Project(file, line) | Origin::User(file, line) => {
                write!(f, "{}:{line}", file.display())
            }
            Origin::Default => f.write_str("default"),
        }
    }
}

/// A value from a flag or the environment, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Override {
    /// The key's dotted name.
    pub key: String,
    /// The value.
    pub value: String,
    /// The origin: a flag or a variable.
    pub origin: Origin,
}

/// A configuration file to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The path.
    pub path: PathBuf,
    /// The project's root, for a file of the project: links that lead out of it are not followed.
    pub within: Option<PathBuf>,
    /// Whether it is the user's own file, and not the project's.
    pub is_users: bool,
    /// Whether its name is so common that the file may belong to another program. Then it counts only if it contains a known key.
    pub may_be_others: bool,
    /// Whether the file exists and could be read; set when it is looked at.
    pub is_read: bool,
}

/// A problem with a file or an override.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// `file:line`, or the name of the flag or variable.
    pub place: String,
    /// The key, where the problem is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The problem, and what is done about it.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = match &self.key {
            Some(key) => format!("{}: {key}: {}", self.place, self.message),
            None => format!("{}: {}", self.place, self.message),
        };
        f.write_str(&guard::text::escape_line(&shown))
    }
}

/// The values found so far, strongest first.
#[derive(Default)]
pub(crate) struct LayeredValues {
    values: BTreeMap<usize, (Value, Origin)>,
    /// The user's own file, named in warnings on keys that a project's file may not set.
    user_file: Option<PathBuf>,
    /// Warnings, each with the key whose value is used instead.
    warnings: Vec<(Warning, Option<usize>)>,
}

impl LayeredValues {
    /// No values yet. `user_file` is named in warnings on keys that a project's file may not set.
    pub(crate) fn empty_with_user_file(user_file: Option<PathBuf>) -> LayeredValues {
        LayeredValues {
            user_file,
            ..LayeredValues::default()
        }
    }

    /// Applies a value from a flag or the environment.
    pub(crate) fn apply_override(&mut self, given: &Override) {
        match keys::resolve_alias(&given.key) {
            Some(index) => self.set_value(index, &given.key, &given.value, given.origin.clone()),
            None => self.warn_unknown_key(&given.key, &given.origin),
        }
    }

    /// Applies a file's values, for keys that stronger sources did not set.
    pub(crate) fn read_source(&mut self, source: &mut Source) {
        let place = source.path.display().to_string();
        let text = match read_text(source) {
            Ok(Some(text)) => text,
            Ok(None) => return,
            Err(error) => return self.push_warning(place, None, error.to_string(), None),
        };
        self.apply_text(source, &text);
    }

    /// Applies the values of a file's text.
    pub(crate) fn apply_text(&mut self, source: &mut Source, text: &str) {
        let place = source.path.display().to_string();
        source.is_read = true;
        let leaves = match yaml::parse_leaves(text) {
            Ok(leaves) => leaves,
            Err(broken) => {
                let place = format!("{place}:{}", broken.line);
                let message = format!("invalid YAML ({}); the file is ignored", broken.reason);
                return self.push_warning(place, None, message, None);
            }
        };
        let known = |l: &yaml::Leaf| {
            keys::resolve_alias(&l.key).is_some() || keys::suggest_key(&l.key).is_some()
        };
        if source.may_be_others && !leaves.iter().any(known) {
            source.is_read = false;
            return;
        }
        self.apply_leaves(source, leaves);
    }

    fn apply_leaves(&mut self, source: &Source, leaves: Vec<yaml::Leaf>) {
        let mut within = LayeredValues::default();
        for leaf in leaves {
            let origin = if source.is_users {
                Origin::User(source.path.clone(), leaf.line)
            } else {
                Origin::Project(source.path.clone(), leaf.line)
            };
            let Some(index) = keys::resolve_alias(&leaf.key) else {
                within.warn_unknown_key(&leaf.key, &origin);
                continue;
            };
            let key = &KEYS[index];
            if !source.is_users && !key.may_be_set_by_project(leaf.text.as_deref()) {
                if key.is_default(leaf.text.as_deref()) {
                    continue;
                }
                let message = self.refusal_message(key);
                within.warn_ignored_value(&origin, &leaf.key, &message, index);
                continue;
            }
            match leaf.text {
                Some(text) => within.replace_value(index, &leaf.key, &text, origin),
                None => {
                    within.warn_ignored_value(&origin, &leaf.key, "must be a single value", index)
                }
            }
        }
        self.warnings.append(&mut within.warnings);
        for (index, value) in within.values {
            self.values.entry(index).or_insert(value);
        }
    }

    /// The message that a project's file may not set a key, and where it can be set.
    fn refusal_message(&self, key: &Key) -> String {
        let own = match &self.user_file {
            Some(file) => format!("the user's own file ({})", file.display()),
            None => "the user's own file".to_owned(),
        };
        let but = match key.scope {
            Scope::UserOr(only) => format!(" to anything but {only}"),
            _ => String::new(),
        };
        let variable = key.variable_name();
        format!("cannot be set by a project{but}; set it in {own}, with {variable} or --set")
    }

    /// Applies a second value for a key in the same file. The last one wins, but off wins over on, so that a feature with two
    /// names can be switched off by either.
    fn replace_value(&mut self, index: usize, key: &str, text: &str, origin: Origin) {
        let before = self.values.remove(&index);
        self.set_value(index, key, text, origin.clone());
        let Some((value, place)) = before else {
            return;
        };
        match self.values.get(&index) {
            None => {
                self.values.insert(index, (value, place));
            }
            Some((now, _)) if *now != value => {
                if value == Value::Flag(false) {
                    self.values.insert(index, (value, place.clone()));
                }
                let message = format!("also given at {place}");
                self.warn_ignored_value(&origin, key, &message, index);
            }
            Some(_) => {}
        }
    }

    fn set_value(&mut self, index: usize, key: &str, text: &str, origin: Origin) {
        match KEYS[index].kind.parse_value(text) {
            Ok(value) => {
                self.values.entry(index).or_insert((value, origin));
            }
            Err(error) => {
                let message = format!("{} {error}", quote_for_warning(text));
                self.warn_ignored_value(&origin, key, &message, index);
            }
        }
    }

    fn warn_unknown_key(&mut self, key: &str, origin: &Origin) {
        let message = match keys::suggest_key(key) {
            _ if is_secret(key) => {
                "secrets are read from environment variables only; remove it from the file"
                    .to_owned()
            }
            Some(near) => format!("unknown key; did you mean {near}?"),
            None => UNKNOWN_KEY.to_owned(),
        };
        let key: String = key.chars().take(80).collect();
        self.push_warning(origin.to_string(), Some(key), message, None);
    }

    /// Warns that a value is not used. The value used instead is added when all are known.
    fn warn_ignored_value(&mut self, origin: &Origin, key: &str, message: &str, index: usize) {
        let (place, key) = (origin.to_string(), Some(key.to_owned()));
        self.push_warning(place, key, message.to_owned(), Some(index));
    }

    fn push_warning(
        &mut self,
        place: String,
        key: Option<String>,
        message: String,
        instead: Option<usize>,
    ) {
        let warning = Warning {
            place,
            key,
            message,
        };
        self.warnings.push((warning, instead));
    }

    /// Takes the value of a key, if one was set.
    pub(crate) fn take_value(&mut self, index: usize) -> Option<(Value, Origin)> {
        self.values.remove(&index)
    }

    /// The warnings, with the values that are used instead.
    pub(crate) fn into_warnings(self, config: &Config) -> Vec<Warning> {
        let finish = |(mut warning, instead): (Warning, Option<usize>)| {
            if let Some((value, origin)) = instead.and_then(|i| config.values.get(i)) {
                warning.message += &match origin {
                    Origin::Default => format!("; the default {value} is used"),
                    origin => format!("; {value} from {origin} is used"),
                };
            }
            warning
        };
        join_unknown_keys(self.warnings.into_iter().map(finish).collect())
    }
}

/// Joins several unknown keys of one file into one warning. An old file may have many, and each command would list them.
fn join_unknown_keys(warnings: Vec<Warning>) -> Vec<Warning> {
    let mut by_file: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for warning in &warnings {
        if let (Some(file), Some(key)) = (file_of_unknown_key(warning), &warning.key) {
            by_file
                .entry(file.to_owned())
                .or_default()
                .push(key.clone());
        }
    }
    by_file.retain(|_, keys| keys.len() > 1);
    let is_joined = |warning: &Warning| {
        file_of_unknown_key(warning).is_some_and(|file| by_file.contains_key(file))
    };
    let apart = warnings.into_iter().filter(|warning| !is_joined(warning));
    let joined = by_file.iter().map(|(file, keys)| Warning {
        place: file.clone(),
        key: None,
        message: describe_unknown_keys(keys),
    });
    apart.chain(joined).collect()
}

/// The file of a warning on a key that resembles no known one.
fn file_of_unknown_key(warning: &Warning) -> Option<&str> {
    let (file, _) = warning.place.rsplit_once(':')?;
    (warning.message == UNKNOWN_KEY).then_some(file)
}

fn describe_unknown_keys(keys: &[String]) -> String {
    const NAMED: usize = 3;
    let named = keys[..keys.len().min(NAMED)].join(", ");
    let more = match keys.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{} unknown keys: {named}{more}", keys.len())
}

/// The reason why a configuration file is not used, as the end of a sentence about the file.
#[derive(Debug, thiserror::Error)]
enum FileError {
    #[error("is not a regular file of at most 1 MiB; it is ignored")]
    NotPlain,
    #[error("is not UTF-8; it is ignored")]
    NotText,
    #[error("{}; it is ignored", .0.reason())]
    Outside(OpenError),
    #[error("cannot be read: {}", .0.reason())]
    Unreadable(OpenError),
}

/// A file's text; none where the file does not exist.
fn read_text(source: &Source) -> Result<Option<String>, FileError> {
    let inside = source.within.as_deref();
    let inside = inside.and_then(|root| Some((root, source.path.strip_prefix(root).ok()?)));
    let read = match inside {
        Some((root, path)) => Folder::open(root).and_then(|root| root.read_text(path, LARGEST)),
        None => guard::file::read_user_text(&source.path, LARGEST),
    };
    match read {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.is_missing() => Ok(None),
        Err(OpenError::NotRegular(_) | OpenError::TooLarge { .. }) => Err(FileError::NotPlain),
        Err(OpenError::NotText(_)) => Err(FileError::NotText),
        Err(error @ OpenError::Outside(_)) => Err(FileError::Outside(error)),
        Err(error) => Err(FileError::Unreadable(error)),
    }
}

fn is_secret(key: &str) -> bool {
    let last = key.rsplit('.').next().unwrap_or(key).to_lowercase();
    ["key", "token", "secret", "password"]
        .iter()
        .any(|word| last == *word || last.ends_with(&format!("_{word}")) || last == "apikey")
}

/// A wrong value as quoted in a warning: short, and without likely secrets.
fn quote_for_warning(text: &str) -> String {
    let short: String = text.chars().filter(|c| !c.is_control()).take(20).collect();
    match text.chars().count() {
        0..=20 => format!("`{short}`"),
        _ => "this value".to_owned(),
    }
}
