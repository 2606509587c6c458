//! Parsing of the JSON that Claude Code gives to a hook. Unknown input is no event.

use super::shell;
use serde::Deserialize;
use serde_json::Value;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

/// The most bytes of input that are read.
const MOST_BYTES: u64 = 16 << 20;

/// The most bytes of a file that is searched.
const LARGEST_FILE: u64 = 4 << 20;

/// An event.
#[derive(Debug, Default, PartialEq)]
pub(super) enum Event {
    /// The user sent a prompt.
    Prompt {
        text: String,
        folder: Option<PathBuf>,
    },
    /// A session begins without earlier content.
    Session { folder: Option<PathBuf> },
    /// A tool is about to run.
    Before { tool: Tool, folder: Option<PathBuf> },
    /// A tool has run.
    After { tool: Tool, folder: Option<PathBuf> },
    /// No known event.
    #[default]
    None,
}

/// A tool's call, reduced to what the hook needs.
#[derive(Debug, PartialEq)]
pub(super) enum Tool {
    /// The tool searches files for a text.
    Search { pattern: String },
    /// The tool opens a file.
    Read {
        file: String,
        lines: Option<(u32, u32)>,
    },
    /// The tool changed a file; `text` is the new text, where it is a part of the file.
    Edit { file: String, text: String },
    /// Any other tool.
    Other,
}

impl Event {
    /// The folder of the event; none where there is no event.
    pub(super) fn folder(&self) -> Option<&Option<PathBuf>> {
        match self {
            Event::Prompt { folder, .. }
            | Event::Session { folder }
            | Event::Before { folder, .. }
            | Event::After { folder, .. } => Some(folder),
            Event::None => None,
        }
    }

    /// The name of the event in Claude Code.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Event::Session { .. } => "SessionStart",
            Event::Before { .. } => "PreToolUse",
            Event::After { .. } => "PostToolUse",
            Event::Prompt { .. } | Event::None => "UserPromptSubmit",
        }
    }
}

#[derive(Deserialize)]
struct Input {
    #[serde(default)]
    hook_event_name: String,
    prompt: Option<String>,
    cwd: Option<PathBuf>,
    #[serde(default)]
    source: String,
    #[serde(default)]
    tool_name: String,
    #[serde(default)]
    tool_input: Value,
}

/// Reads standard input to its end.
pub(super) fn read_stdin() -> String {
    let input = std::io::stdin();
    if input.is_terminal() {
        return String::new();
    }
    let mut bytes = Vec::new();
    // An incomplete text is no JSON.
    let _ = input.lock().take(MOST_BYTES).read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The event in a text; none where it is not understood.
pub(super) fn parse_event(text: &str) -> Event {
    if server::has_too_many_values(text.as_bytes()) {
        return Event::None;
    }
    let Ok(input) = serde_json::from_str::<Input>(text.trim_start_matches('\u{feff}')) else {
        return Event::None;
    };
    let folder = input.cwd.filter(|folder| folder.is_dir());
    let tool = || parse_tool(&input.tool_name, &input.tool_input);
    match input.hook_event_name.as_str() {
        // Older versions and other programs give no name of the event.
        "UserPromptSubmit" | "" => match input.prompt {
            Some(text) => Event::Prompt { text, folder },
            None => Event::None,
        },
        // A resumed session still has its earlier content.
        "SessionStart" if input.source != "resume" => Event::Session { folder },
        "PreToolUse" => Event::Before {
            tool: tool(),
            folder,
        },
        "PostToolUse" => Event::After {
            tool: tool(),
            folder,
        },
        _ => Event::None,
    }
}

fn parse_tool(name: &str, input: &Value) -> Tool {
    let text = |key: &str| input[key].as_str().unwrap_or_default().to_owned();
    match name {
        "Grep" => Tool::Search {
            pattern: text("pattern"),
        },
        "Bash" => match shell::search_pattern(&text("command")) {
            Some(pattern) => Tool::Search { pattern },
            None => Tool::Other,
        },
        "Read" => {
            let number = |key: &str| input[key].as_u64().and_then(|n| u32::try_from(n).ok());
            let from = number("offset");
            let lines = number("limit").map(|count| {
                let from = from.unwrap_or(1).max(1);
                (from, from.saturating_add(count.max(1) - 1))
            });
            Tool::Read {
                file: text("file_path"),
                lines: lines.or(from.map(|from| (from, u32::MAX))),
            }
        }
        "Edit" | "Write" | "MultiEdit" | "NotebookEdit" => {
            let several = input["edits"][0]["new_string"].as_str();
            let part = input["new_string"].as_str().or(several);
            let file = match input["file_path"].as_str() {
                Some(path) => path.to_owned(),
                None => text("notebook_path"),
            };
            Tool::Edit {
                file,
                text: part.unwrap_or_default().to_owned(),
            }
        }
        _ => Tool::Other,
    }
}

/// The lines of a file that contain a text; none unless it occurs exactly once.
pub(super) fn find_line_range(file: &str, text: &str) -> Option<(u32, u32)> {
    if text.trim().is_empty() {
        return None;
    }
    let body = guard::file::read_user_text(Path::new(file), LARGEST_FILE).ok()?;
    let mut places = body.match_indices(text);
    let (at, _) = places.next()?;
    if places.next().is_some() {
        return None;
    }
    let count = |text: &str| text.matches('\n').count() as u32;
    let first = count(&body[..at]) + 1;
    Some((first, first + count(text.trim_end_matches('\n'))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_read_as_claude_code_sends_it() {
        let input = r#"{"session_id":"a","transcript_path":"/x.jsonl","cwd":"/","permission_mode":"default",
            "hook_event_name":"UserPromptSubmit","prompt":"where is it?"}"#;
        let folder = Some(PathBuf::from("/"));
        let text = "where is it?".to_owned();
        assert_eq!(parse_event(input), Event::Prompt { text, folder });
        let bare = parse_event(r#"{"prompt":"x","cwd":"/no/such/folder/anywhere"}"#);
        let text = "x".to_owned();
        assert_eq!(bare, Event::Prompt { text, folder: None });
    }

    #[test]
    fn what_is_not_understood_is_no_event() {
        for input in [
            &b""[..],
            b"{",
            b"[]",
            b"null",
            b"\xff\xfe\x00\x01",
            b"hello",
            br#"{"prompt": 5}"#,
            br#"{"hook_event_name":"Stop","prompt":"x"}"#,
            br#"{"hook_event_name":"SessionStart","source":"resume"}"#,
            br#"{"hook_event_name":7}"#,
        ] {
            assert_eq!(
                parse_event(&String::from_utf8_lossy(input)),
                Event::None,
                "{}",
                String::from_utf8_lossy(input)
            );
        }
    }

    #[test]
    fn tools_are_read_as_far_as_they_matter() {
        let of = |name: &str, input: &str| parse_tool(name, &serde_json::from_str(input).unwrap());
        let search = |pattern: &str| Tool::Search {
            pattern: pattern.to_owned(),
        };
        assert_eq!(
            of("Grep", r#"{"pattern":"open_index"}"#),
            search("open_index")
        );
        assert_eq!(
            of("Bash", r#"{"command":"rg -n open_index src"}"#),
            search("open_index")
        );
        assert_eq!(of("Bash", r#"{"command":"cargo test"}"#), Tool::Other);
        assert_eq!(
            of("Read", r#"{"file_path":"/a.py","offset":10,"limit":5}"#),
            Tool::Read {
                file: "/a.py".to_owned(),
                lines: Some((10, 14))
            }
        );
        assert_eq!(
            of(
                "MultiEdit",
                r#"{"file_path":"/a.py","edits":[{"new_string":"x = 1"}]}"#
            ),
            Tool::Edit {
                file: "/a.py".to_owned(),
                text: "x = 1".to_owned()
            }
        );
        assert_eq!(
            of("Edit", "null"),
            Tool::Edit {
                file: String::new(),
                text: String::new()
            }
        );
    }

    #[test]
    fn an_edit_is_found_in_its_file() {
        let repo = testkit::Repo::new("//- a.py\na = 1\nb = 2\nc = 3\na = 1\n");
        let file = repo.file_path("a.py");
        let file = file.to_str().unwrap();
        assert_eq!(find_line_range(file, "b = 2\nc = 3\n"), Some((2, 3)));
        assert_eq!(find_line_range(file, "a = 1"), None);
        assert_eq!(find_line_range(file, "gone"), None);
        assert_eq!(find_line_range(file, ""), None);
    }
}
