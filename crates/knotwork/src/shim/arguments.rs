//! The arguments of a wrapper, read without knowing what they mean.

use super::{Reply, Script};
use crate::environment::{self, GlobalArgs, Limits};
use engine::{EngineError, Settings};
use std::path::PathBuf;

/// Words, options with their values, and flags of a call.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    pub words: Vec<String>,
    options: Vec<(String, String)>,
    flags: Vec<String>,
    usage: &'static str,
}

/// Options that all scripts accept.
const COMMON: [&str; 3] = ["--format", "--cwd", "--project-root"];
/// Flags that all scripts accept. Features are on by default here, except those that send code elsewhere.
const COMMON_FLAGS: [&str; 2] = ["--enable-all-features", "--debug"];

impl Arguments {
    pub(super) fn read(script: &Script, given: Vec<String>) -> Result<Arguments, Reply> {
        let mut read = Arguments {
            usage: script.usage,
            ..Arguments::default()
        };
        let mut given = given.into_iter();
        while let Some(word) = given.next() {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) if name.starts_with("--") => {
                    (name.to_owned(), Some(value.to_owned()))
                }
                _ => (word.clone(), None),
            };
            let takes_value =
                script.options.contains(&name.as_str()) || COMMON.contains(&name.as_str());
            if takes_value {
                let value = value.or_else(|| given.next());
                let Some(value) = value else {
                    return Err(Reply::failure(1, format!("{name} needs a value")));
                };
                read.options.push((name, value));
            } else if script.flags.contains(&name.as_str()) || COMMON_FLAGS.contains(&name.as_str())
            {
                read.flags.push(name);
            } else if word.starts_with("--") || (word.len() == 2 && word.starts_with('-')) {
                // The earlier implementation prints this message in Chinese.
                return Err(Reply::failure(
                    1,
                    format!(
                        "unknown option (未知选项): {word}\nUsage:\n{}",
                        script.usage
                    ),
                ));
            } else {
                read.words.push(word);
            }
        }
        if read.folder().is_none()
            && let Some(folder) = environment::folder_without_project()
        {
            let folder = folder.to_string_lossy().into_owned();
            read.options.push(("--cwd".to_owned(), folder));
        }
        Ok(read)
    }

    pub(super) fn option(&self, name: &str) -> Option<&str> {
        let found = self.options.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The project that the caller named.
    pub(super) fn folder(&self) -> Option<&str> {
        self.option("--cwd").or(self.option("--project-root"))
    }

    /// Settings for that project, or for the one around the current folder.
    pub(super) fn settings(&self) -> Result<Settings, EngineError> {
        let given = GlobalArgs {
            project: self.folder().map(PathBuf::from),
            ..GlobalArgs::default()
        };
        environment::read_settings(&given, &Limits::default())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.flags.iter().any(|flag| flag == name)
    }

    pub(super) fn is_text(&self) -> bool {
        self.option("--format") == Some("text")
    }

    /// The word at a position, or the usage.
    pub(super) fn word(&self, at: usize) -> Result<&str, Reply> {
        self.words
            .get(at)
            .map(String::as_str)
            .ok_or_else(|| self.usage())
    }

    /// The first word, unless it is an option.
    pub(super) fn action(&self) -> Result<&str, Reply> {
        let action = self.word(0)?;
        if action.starts_with('-') {
            return Err(self.usage());
        }
        Ok(action)
    }

    /// The failure of a call that lacks an argument.
    pub(super) fn usage(&self) -> Reply {
        Reply::failure(1, format!("usage:\n{}", self.usage))
    }

    /// `--name=VALUE` for each given option, under its name in this program.
    pub(super) fn renamed(&self, names: &[(&str, &str)]) -> Vec<String> {
        let mut out = Vec::new();
        for (name, value) in &self.options {
            if let Some((_, new)) = names.iter().find(|(old, _)| old == name) {
                out.push(format!("{new}={value}"));
            }
        }
        for flag in &self.flags {
            if let Some((_, new)) = names.iter().find(|(old, _)| old == flag) {
                out.push((*new).to_owned());
            }
        }
        out
    }
}
