//! Prompts: tasks that a person starts from the client, with the tools that help.

use super::Arguments;
use rmcp::model::{Prompt, PromptArgument};
use serde_json::Value;

/// A prompt.
struct PromptEntry {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    argument: ArgumentEntry,
    /// The text of the message. `{}` stands for the argument.
    text: &'static str,
}

/// The argument of a prompt.
struct ArgumentEntry {
    name: &'static str,
    about: &'static str,
    /// The value where none is given; none if one must be given.
    default: Option<&'static str>,
}

/// The longest argument that is taken into a message, in characters.
const LONGEST: usize = 20_000;

const ALL: [PromptEntry; 3] = [
    PromptEntry {
        name: "explain",
        title: "Explain code",
        about: "Explain a symbol, a file, or the whole code base",
        argument: ArgumentEntry {
            name: "subject",
            about: "A symbol, a path, or a question [default: the whole code base]",
            default: Some("the whole code base"),
        },
        text: "Explain to somebody who is new to this repository: {}\n\n\
            Ask ci_graph_rag for the source that matters. For a symbol, ask ci_call_chain who calls it and what it calls. \
            For the whole, begin with the resource knotwork://overview. \
            Name files with lines. Say what the answers leave open.",
    },
    PromptEntry {
        name: "review-change",
        title: "Review a change",
        about: "Review the changes since a commit, with what they may break",
        argument: ArgumentEntry {
            name: "since",
            about: "The commit or branch to compare with [default: HEAD]",
            default: Some("HEAD"),
        },
        text: "Review the changes of this repository since: {}\n\n\
            Read the diff. Ask ci_impact with `since` and an empty symbol for what they may break and which tests to run, and \
            ci_call_chain for the callers of each changed signature. \
            List what is wrong, most grave first, each with file and line. Then list the tests to run.",
    },
    PromptEntry {
        name: "locate-bug",
        title: "Locate a bug",
        about: "Find the cause of an error, a stack trace or a report",
        argument: ArgumentEntry {
            name: "report",
            about: "The error, the stack trace or the report",
            default: None,
        },
        text: "Find the cause of this problem:\n\n{}\n\n\
            Ask search_solutions whether it was solved before. Ask ci_bug_locate with the report, read the first places, and \
            follow ci_call_chain from there. Say which line causes it, why, and how sure you are. Do not change anything yet.",
    },
];

/// The reason why there is no message.
#[derive(Debug, thiserror::Error)]
pub(super) enum PromptError {
    #[error("unknown prompt: {0}")]
    Unknown(String),
    #[error("the prompt {0} needs the argument {1}")]
    Missing(&'static str, &'static str),
    #[error("the argument {0} is longer than {LONGEST} characters")]
    TooLong(&'static str),
}

/// The prompts.
pub(super) fn all_prompts() -> Vec<Prompt> {
    let prompt = |entry: &PromptEntry| {
        let argument = PromptArgument::new(entry.argument.name)
            .with_description(entry.argument.about)
            .with_required(entry.argument.default.is_none());
        Prompt::new(entry.name, Some(entry.about), Some(vec![argument])).with_title(entry.title)
    };
    ALL.iter().map(prompt).collect()
}

/// The message of a prompt.
pub(super) fn message_of(name: &str, arguments: &Arguments) -> Result<String, PromptError> {
    let entry = ALL.iter().find(|entry| entry.name == name);
    let entry = entry.ok_or_else(|| PromptError::Unknown(name.chars().take(100).collect()))?;
    let argument = entry.argument.name;
    let given = arguments.get(argument).and_then(Value::as_str);
    let given = given.map(str::trim).filter(|given| !given.is_empty());
    let value = given
        .or(entry.argument.default)
        .ok_or(PromptError::Missing(entry.name, argument))?;
    if value.chars().count() > LONGEST {
        return Err(PromptError::TooLong(argument));
    }
    Ok(entry.text.replace("{}", value))
}

#[cfg(test)]
mod tests {
    use super::super::{solutions, tools};
    use super::*;

    #[test]
    fn prompts_name_only_tools_that_there_are() {
        let all = tools::tools_of(tools::Preset::Full).into_iter();
        let all = all.chain(solutions::all_tools());
        let all: Vec<String> = all.map(|tool| tool.name.to_string()).collect();
        for entry in &ALL {
            let words = entry
                .text
                .split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let named: Vec<&str> = words
                .filter(|word| word.starts_with("ci_") || word.ends_with("_solutions"))
                .collect();
            assert!(!named.is_empty(), "{}", entry.name);
            for tool in named {
                assert!(all.iter().any(|known| known == tool), "{tool}");
            }
        }
    }

    #[test]
    fn an_argument_is_taken_or_asked_for() {
        let none = Arguments::new();
        assert!(
            message_of("explain", &none)
                .unwrap()
                .contains("the whole code base")
        );
        assert!(matches!(
            message_of("locate-bug", &none),
            Err(PromptError::Missing("locate-bug", "report"))
        ));
        let report = |text: &str| Arguments::from_iter([("report".to_owned(), Value::from(text))]);
        let message = message_of("locate-bug", &report("panic at {} line 3")).unwrap();
        assert!(message.contains("panic at {} line 3"), "{message}");
        let long = "x".repeat(LONGEST + 1);
        assert!(message_of("locate-bug", &report(&long)).is_err());
        assert!(matches!(
            message_of("x", &none),
            Err(PromptError::Unknown(_))
        ));
    }
}
