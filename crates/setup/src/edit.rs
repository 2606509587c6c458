//! One change to one file, whatever its format.

use crate::NAME;
use crate::client::{Entry, HookSet};
use crate::edit_error::Result;
use crate::jsonc::{self, Json, Step};
use crate::server::{DECIDING, Server};
use crate::{block, hooks, toml_table, yaml_map};

/// The content of a file at the place of the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// Nothing.
    Absent,
    /// Exactly the new content.
    Same,
    /// An entry that this program wrote, with another path of the program or of a project.
    Ours,
    /// Something else.
    Theirs,
}

/// A change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Edit {
    /// A member of the object at a path.
    Json {
        path: Vec<String>,
        entry: Entry,
        server: Server,
    },
    Toml(Server),
    Yaml(Server),
    Hooks {
        set: HookSet,
        command: String,
    },
    /// The whole file.
    Whole(&'static str),
    /// A marked block.
    Block(&'static str),
}

/// The most bytes of an agent's entry for this server.
const LONGEST_ENTRY: usize = 64 << 10;

impl Edit {
    pub(crate) fn state(&self, text: &str) -> Result<State> {
        let of_server = |found: Option<Server>, wanted: &Server| match found {
            None => State::Absent,
            Some(found) if found == *wanted => State::Same,
            Some(found) if found.is_ours() => State::Ours,
            Some(_) => State::Theirs,
        };
        let of_text = |found: Option<&str>, wanted: &str| match found {
            None => State::Absent,
            Some(found) if found == wanted => State::Same,
            Some(_) => State::Theirs,
        };
        Ok(match self {
            Edit::Json {
                path,
                entry,
                server,
            } => {
                jsonc::check(text)?;
                match jsonc::read_short_value(text, &steps(path), LONGEST_ENTRY)? {
                    None => State::Absent,
                    Some(found)
                        if has_all(&found, &json_entry(*entry, server))
                            && !json_server(*entry, &found).has_more =>
                    {
                        State::Same
                    }
                    Some(found) => match of_server(Some(json_server(*entry, &found)), server) {
                        // The entry starts the same program, but lacks a part of ours.
                        State::Same => State::Theirs,
                        other => other,
                    },
                }
            }
            Edit::Toml(server) => of_server(toml_table::read_server(text)?, server),
            Edit::Yaml(server) => of_server(yaml_map::read_server(text)?, server),
            Edit::Hooks { set, command } if hooks::is_same(text, *set, command)? => State::Same,
            Edit::Hooks { .. } if hooks::own_groups(text)?.is_empty() => State::Absent,
            Edit::Hooks { .. } => State::Ours,
            Edit::Whole(content) => of_text(Some(text).filter(|text| !text.is_empty()), content),
            Edit::Block(body) => of_text(block::read_block(text).as_deref(), body.trim()),
        })
    }

    /// The present entry, in a form that can be compared later.
    pub(crate) fn entry(&self, text: &str) -> Result<String> {
        Ok(match self {
            Edit::Json { path, .. } => {
                format!(
                    "{:?}",
                    jsonc::read_short_value(text, &steps(path), LONGEST_ENTRY)?
                )
            }
            Edit::Toml(_) => format!("{:?}", toml_table::read_server(text)?),
            Edit::Yaml(_) => format!("{:?}", yaml_map::read_server(text)?),
            Edit::Hooks { .. } => format!("{:?}", hooks::own_groups(text)?),
            Edit::Whole(_) => crate::journal::checksum(text),
            Edit::Block(_) => format!("{:?}", block::read_block(text)),
        })
    }

    pub(crate) fn add(&self, text: &str) -> Result<String> {
        match self {
            Edit::Json {
                path,
                entry,
                server,
            } => {
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                jsonc::insert(text, &path, NAME, &json_entry(*entry, server))
            }
            Edit::Toml(server) => toml_table::add(text, server),
            Edit::Yaml(server) => yaml_map::add(text, server),
            Edit::Hooks { set, command } => hooks::add(text, *set, command),
            Edit::Whole(content) => Ok((*content).to_owned()),
            Edit::Block(body) => Ok(block::add(text, body)),
        }
    }

    /// The text without the change. An object that becomes empty is removed as well, unless it is to be kept.
    pub(crate) fn remove(&self, text: &str, keep_container: bool) -> Result<String> {
        match self {
            Edit::Json { path, .. } => {
                let steps = steps(path);
                let mut out = jsonc::remove(text, &steps)?;
                for length in (1..steps.len()).rev() {
                    if keep_container || !jsonc::is_empty(&out, &steps[..length])? {
                        break;
                    }
                    out = jsonc::remove(&out, &steps[..length])?;
                }
                Ok(out)
            }
            Edit::Toml(_) => toml_table::remove(text),
            Edit::Yaml(_) => yaml_map::remove(text, keep_container),
            Edit::Hooks { .. } => hooks::remove(text),
            Edit::Whole(_) => Ok(String::new()),
            Edit::Block(_) => Ok(block::remove(text)),
        }
    }

    /// Whether the object around the entry exists.
    pub(crate) fn has_container(&self, text: &str) -> bool {
        match self {
            Edit::Json { path, .. } => jsonc::contains(text, &keys(path)),
            Edit::Yaml(_) => yaml_map::has_extensions(text),
            _ => false,
        }
    }

    /// Whether a file of this format has no content.
    pub(crate) fn is_blank(&self, text: &str) -> bool {
        let is_json = matches!(self, Edit::Json { .. } | Edit::Hooks { .. });
        text.trim().is_empty() || (is_json && jsonc::is_empty(text, &[]).unwrap_or(false))
    }

    /// The change as a person would write it by hand.
    pub(crate) fn print(&self) -> String {
        self.add("").unwrap_or_default()
    }
}

fn keys(path: &[String]) -> Vec<Step<'_>> {
    path.iter().map(|key| Step::Key(key)).collect()
}

fn steps(path: &[String]) -> Vec<Step<'_>> {
    let mut all = keys(path);
    all.push(Step::Key(NAME));
    all
}

fn json_entry(entry: Entry, Server { command, args, .. }: &Server) -> Json {
    let plain = [
        ("command", Json::text(command)),
        ("args", Json::texts(args)),
    ];
    let with = |before: Vec<(&'static str, Json)>, after: Vec<(&'static str, Json)>| {
        Json::object(
            before
                .into_iter()
                .chain(plain.clone())
                .chain(after)
                .collect(),
        )
    };
    match entry {
        Entry::Plain => with(vec![], vec![]),
        Entry::Stdio => with(vec![("type", Json::text("stdio"))], vec![]),
        Entry::Copilot => with(
            vec![("type", Json::text("local"))],
            vec![("tools", Json::texts(&["*"]))],
        ),
        Entry::Zed => with(vec![("source", Json::text("custom"))], vec![]),
        Entry::OpenCode => {
            let all: Vec<&String> = std::iter::once(command).chain(args).collect();
            Json::object(vec![
                ("type", Json::text("local")),
                ("command", Json::texts(&all)),
                ("enabled", Json::truth(true)),
            ])
        }
    }
}

fn json_server(entry: Entry, found: &Json) -> Server {
    let text = |value: &Json| value.as_text().unwrap_or_default();
    let list = |key: &str| {
        found
            .get(key)
            .map_or(&[][..], Json::items)
            .iter()
            .map(text)
            .collect::<Vec<_>>()
    };
    let decides = |key: &&str| found.get(key).is_some_and(|value| !value.is_blank());
    let has_more = DECIDING.iter().any(decides);
    if entry == Entry::OpenCode {
        let mut all = list("command").into_iter();
        return Server {
            command: all.next().unwrap_or_default(),
            args: all.collect(),
            has_more,
        };
    }
    Server {
        command: found.get("command").map(text).unwrap_or_default(),
        args: list("args"),
        has_more,
    }
}

/// Whether an object has all members of another, each with the same value. Agents add members of their own.
fn has_all(found: &Json, wanted: &Json) -> bool {
    match wanted {
        Json::Object(members) => members
            .iter()
            .all(|(key, value)| found.get(key).is_some_and(|own| is_equal(own, value))),
        _ => false,
    }
}

/// Whether two values are equal, whatever their notation.
fn is_equal(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::List(a), Json::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_equal(a, b))
        }
        _ => a == b || (a.as_text().is_some() && a.as_text() == b.as_text()),
    }
}
