//! `knotwork hook`: the hook that Claude Code runs before a prompt, at the start of a session, and around its tools.
//!
//! Whatever the input, the output is JSON and the exit code is 0, before the deadline: a hook that fails or is late would be in
//! the user's way.

mod event;
mod install;
mod shell;

use crate::command::{Command, Row, Run, Trust};
use crate::environment::{self, GlobalArgs, Limits};
use crate::format::{Format, JSON_OR_TEXT, TEXT_OR_JSON};
use crate::printer::{CommandResult, Failure, Printer};
use crate::progress::DebugLog;
use clap::{Args, Subcommand};
use engine::{Engine, HookAnswer, Settings, UserAction};
use event::{Event, Tool};
use serde_json::json;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The time limit of any hook, whatever the configuration says and wherever it waits.
const LONGEST: Duration = Duration::from_millis(2_900);

/// The longest wait for a daemon: there is time left to do the work here.
const DAEMON_PATIENCE: Duration = Duration::from_millis(1_200);

pub(super) const COMMAND: Command = Command {
    name: "hook",
    aliases: &[],
    about: "Add context to an agent's prompts (set up with `hook install`)",
    examples: &[
        "knotwork hook install     for all projects of this user",
        "knotwork hook --prompt \"why does the token refresh fail\"",
    ],
    part_examples: &["knotwork hook install", "knotwork hook uninstall"],
    formats: JSON_OR_TEXT,
    part_formats: &[("install", TEXT_OR_JSON)],
    operations: &[],
    readme: Row {
        usage: "`hook`",
        tool: None,
        answers: "[context for a prompt in Claude Code and Codex](docs/agents.md#prompt-hook)",
    },
    readme_chinese: None,
    run: &Run::in_process(answer_hook)
        .with_trust(HookArgs::trust)
        .for_client(answer_for_client),
};

/// Context for a prompt, as Claude Code's hooks ask for it.
///
/// Reads the hook's JSON from standard input and prints the JSON that Claude Code expects; `{}` where there is nothing to
/// say. `--format json` prints more: graphContext, callChain and fallback.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
struct HookArgs {
    /// The prompt, instead of reading JSON from standard input
    #[arg(long, value_name = "TEXT")]
    prompt: Option<String>,
    #[command(subcommand)]
    what: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Add the hooks to Claude Code's settings: the user's, or with --project those of the project
    Install,
    /// Remove the hooks from Claude Code's settings
    Uninstall,
}

impl HookArgs {
    /// Changing settings makes no new key. A hook never fails: without a key it has no answer.
    fn trust(&self) -> Trust {
        Trust {
            makes_key: self.what.is_none(),
            is_required: false,
            ..Trust::USUAL
        }
    }
}

fn answer_hook(given: &GlobalArgs, args: HookArgs, printer: &Printer) -> CommandResult {
    match args.what {
        Some(Action::Install) => install::change_hooks(given, printer, install::Change::Install),
        Some(Action::Uninstall) => {
            install::change_hooks(given, printer, install::Change::Uninstall)
        }
        None => answer_event(given, args.prompt, printer),
    }
}

fn answer_event(given: &GlobalArgs, prompt: Option<String>, printer: &Printer) -> CommandResult {
    let since = Instant::now();
    let input = match prompt {
        Some(_) => None,
        None => run_with_deadline(since + LONGEST, event::read_stdin).or(Some(String::new())),
    };
    let event = event_from(prompt, input.as_deref());
    if let Some(done) = ask_daemon(given, &event, input, since, printer) {
        return done;
    }
    let name = event.name();
    let engine = |folder: &Option<std::path::PathBuf>| {
        let given = with_event_folder(given, folder);
        let settings = environment::read_settings(&given, &Limits::default()).ok()?;
        open_in_time(settings, since)
    };
    let answer = std::panic::catch_unwind(AssertUnwindSafe(|| handle_event(&engine, event, since)));
    print_answer(answer.unwrap_or_default(), name, printer)
}

/// Answers an event for another process, which has read the event and found the project.
fn answer_for_client(
    engine: Engine,
    args: HookArgs,
    input: Option<String>,
    printer: &Printer,
) -> CommandResult {
    let since = Instant::now();
    let event = event_from(args.prompt, input.as_deref());
    let name = event.name();
    let engine = std::cell::Cell::new(Some(engine));
    let answer = handle_event(&|_| engine.take(), event, since);
    print_answer(answer, name, printer)
}

fn event_from(prompt: Option<String>, input: Option<&str>) -> Event {
    match prompt {
        Some(text) => Event::Prompt { text, folder: None },
        None => event::parse_event(input.unwrap_or_default()),
    }
}

/// The answer of the project's daemon, if there is one and it answers in time.
fn ask_daemon(
    given: &GlobalArgs,
    event: &Event,
    input: Option<String>,
    since: Instant,
    printer: &Printer,
) -> Option<CommandResult> {
    let given = with_event_folder(given, event.folder()?);
    let left = DAEMON_PATIENCE.saturating_sub(since.elapsed());
    crate::remote::run_hook(&given, input, left, printer)
}

/// The arguments with the event's folder, where the caller named none.
fn with_event_folder(given: &GlobalArgs, folder: &Option<std::path::PathBuf>) -> GlobalArgs {
    let mut given = given.clone();
    // An agent's session may be in any folder, so its folder does not name a project.
    given.folder.clone_from(folder);
    given
}

fn print_answer(answer: HookAnswer, name: &str, printer: &Printer) -> CommandResult {
    let shape = if printer.is_format_given() {
        Some(printer.choose_format(JSON_OR_TEXT)?)
    } else {
        None
    };
    let printed = match shape {
        Some(Format::Text) => printer.print_text(&answer.additional_context),
        Some(_) => printer.print_json(&answer),
        None if answer.additional_context.is_empty() => printer.print_text("{}"),
        None => printer.print_json(&json!({"hookSpecificOutput": {
            "hookEventName": name,
            "additionalContext": answer.additional_context,
        }})),
    };
    match printed {
        // Nobody reads the output any more.
        Err(Failure::Output(_)) => Ok(()),
        other => other,
    }
}

/// The answer to an event; empty where anything fails.
fn handle_event(
    engine: &dyn Fn(&Option<std::path::PathBuf>) -> Option<Engine>,
    event: Event,
    since: Instant,
) -> HookAnswer {
    let text = |text: Option<String>| HookAnswer {
        additional_context: text.unwrap_or_default(),
        ..HookAnswer::default()
    };
    match event {
        Event::Prompt { text, folder } => match engine(&folder) {
            Some(engine) => {
                let wait = engine.config().hook().timeout.min(LONGEST);
                Arc::new(engine).hook_prompt(&text, since + wait)
            }
            None => HookAnswer::default(),
        },
        Event::Session { folder } => text(engine(&folder).and_then(|e| e.hook_session())),
        Event::Before { tool, folder } => {
            text(engine(&folder).and_then(|e| handle_pre_tool_use(&e, &tool)))
        }
        Event::After { tool, folder } => {
            if let (Some(engine), Tool::Edit { file, text }) = (engine(&folder), tool) {
                engine.record_file_action(
                    &file,
                    event::find_line_range(&file, &text),
                    UserAction::Edit,
                );
            }
            HookAnswer::default()
        }
        Event::None => HookAnswer::default(),
    }
}

fn open_in_time(settings: Settings, since: Instant) -> Option<Engine> {
    let engine = Engine::open(settings, Box::new(DebugLog::from_environment())).ok()?;
    // Opening can take too long if a folder hangs.
    (since.elapsed() < LONGEST).then_some(engine)
}

/// The text to add before a tool runs.
fn handle_pre_tool_use(engine: &Engine, tool: &Tool) -> Option<String> {
    match tool {
        Tool::Search { pattern } => engine.hook_search(pattern),
        Tool::Read { file, lines } => {
            engine.record_file_action(file, *lines, UserAction::View);
            None
        }
        Tool::Edit { .. } | Tool::Other => None,
    }
}

/// The result of the work, if it is done by the deadline.
fn run_with_deadline<T: Send + 'static>(
    deadline: Instant,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(work()));
    let left = deadline.saturating_duration_since(Instant::now());
    receiver.recv_timeout(left).ok()
}
