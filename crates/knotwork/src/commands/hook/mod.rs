//! `knotwork hook`: what Claude Code runs before a prompt, when a session starts, and around its tools.
//!
//! Whatever comes in, what goes out is JSON and the exit code is 0, before the deadline: a hook that fails or is late
//! stands in somebody's way.

mod event;
mod install;
mod json;
mod shell;

use crate::environment::{self, GlobalArgs, Limits};
use crate::format::Format;
use crate::printer::{CommandResult, Failure, Printer};
use crate::progress::Debug;
use clap::{Args, Subcommand};
use engine::{Engine, HookAnswer, Settings, UserAction};
use event::{Event, Tool};
use serde_json::json;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// No hook takes longer, whatever the configuration says and wherever it waits.
const LONGEST: Duration = Duration::from_millis(2_900);

/// A daemon that has not answered by then is not waited for: there is time left to do the work here.
#[cfg(unix)]
const ELSEWHERE: Duration = Duration::from_millis(1_200);

/// Context for a prompt, as Claude Code's hooks ask for it.
///
/// Reads the hook's JSON from standard input and prints the JSON that Claude Code expects; `{}` where there is nothing to
/// say. `--format json` prints more: graphContext, callChain and fallback.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct HookArgs {
    /// The prompt, instead of reading JSON from standard input
    #[arg(long, value_name = "TEXT")]
    prompt: Option<String>,
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Add the hooks to Claude Code's settings: the user's, or with --project those of the project
    Install,
    /// Remove the hooks from Claude Code's settings
    Uninstall,
}

pub(crate) fn run(given: &GlobalArgs, args: HookArgs, printer: &Printer) -> CommandResult {
    match args.what {
        Some(What::Install) => install::run(given, printer, install::Change::Install),
        Some(What::Uninstall) => install::run(given, printer, install::Change::Uninstall),
        None => answer(given, args.prompt, printer),
    }
}

fn answer(given: &GlobalArgs, prompt: Option<String>, printer: &Printer) -> CommandResult {
    let since = Instant::now();
    let input = match prompt {
        Some(_) => None,
        None => in_time(since + LONGEST, event::read).or(Some(String::new())),
    };
    let event = event_of(prompt, input.as_deref());
    if let Some(done) = elsewhere(given, &event, input, since, printer) {
        return done;
    }
    let name = event.name();
    let engine = |folder: &Option<std::path::PathBuf>| {
        let given = around(given, folder);
        let settings = environment::settings(&given, &Limits::default()).ok()?;
        open(settings, since)
    };
    let said = std::panic::catch_unwind(AssertUnwindSafe(|| say(&engine, event, since)));
    print(said.unwrap_or_default(), name, printer)
}

/// The same for another process, which has read the event and found the project.
#[cfg(unix)]
pub(crate) fn for_other(
    engine: Engine,
    args: HookArgs,
    input: Option<String>,
    printer: &Printer,
) -> CommandResult {
    let since = Instant::now();
    let event = event_of(args.prompt, input.as_deref());
    let name = event.name();
    let engine = std::cell::Cell::new(Some(engine));
    let said = say(&|_| engine.take(), event, since);
    print(said, name, printer)
}

fn event_of(prompt: Option<String>, input: Option<&str>) -> Event {
    match prompt {
        Some(text) => Event::Prompt { text, folder: None },
        None => event::parse(input.unwrap_or_default()),
    }
}

/// What the project's daemon says, if there is one and it says it soon.
#[cfg(unix)]
fn elsewhere(
    given: &GlobalArgs,
    event: &Event,
    input: Option<String>,
    since: Instant,
    printer: &Printer,
) -> Option<CommandResult> {
    let given = around(given, event.folder()?);
    let left = ELSEWHERE.saturating_sub(since.elapsed());
    crate::remote::hook(&given, input, left, printer)
}

#[cfg(not(unix))]
fn elsewhere(
    _: &GlobalArgs,
    _: &Event,
    _: Option<String>,
    _: Instant,
    _: &Printer,
) -> Option<CommandResult> {
    None
}

/// The folder of the event, where the caller named none.
fn around(given: &GlobalArgs, folder: &Option<std::path::PathBuf>) -> GlobalArgs {
    let mut given = given.clone();
    given.project = given.project.or_else(|| folder.clone());
    given
}

fn print(said: HookAnswer, name: &str, printer: &Printer) -> CommandResult {
    let shapes = [Format::Json, Format::Text];
    let shape = if printer.is_format_given() {
        Some(printer.format(Format::Json, &shapes)?)
    } else {
        None
    };
    let printed = match shape {
        Some(Format::Text) => printer.text(&said.additional_context),
        Some(_) => printer.json(&said),
        None if said.additional_context.is_empty() => printer.text("{}"),
        None => printer.json(&json!({"hookSpecificOutput": {
            "hookEventName": name,
            "additionalContext": said.additional_context,
        }})),
    };
    match printed {
        // Nobody is there to hear it.
        Err(Failure::Output(_)) => Ok(()),
        other => other,
    }
}

/// What to say to an event; nothing where something goes wrong.
fn say(
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
        Event::Before { tool, folder } => text(engine(&folder).and_then(|e| before(&e, &tool))),
        Event::After { tool, folder } => {
            if let (Some(engine), Tool::Edit { file, text }) = (engine(&folder), tool) {
                engine.record_file_action(&file, event::lines_of(&file, &text), UserAction::Edit);
            }
            HookAnswer::default()
        }
        Event::None => HookAnswer::default(),
    }
}

fn open(settings: Settings, since: Instant) -> Option<Engine> {
    let engine = Engine::open(settings, Box::new(Debug::from_environment())).ok()?;
    // A folder that hangs was waited for long enough.
    (since.elapsed() < LONGEST).then_some(engine)
}

/// What to say before a tool runs.
fn before(engine: &Engine, tool: &Tool) -> Option<String> {
    match tool {
        Tool::Search { pattern } => engine.hook_search(pattern),
        Tool::Read { file, lines } => {
            engine.record_file_action(file, *lines, UserAction::View);
            None
        }
        Tool::Edit { .. } | Tool::Other => None,
    }
}

/// What the work gives, if it is done in time; it is not waited for longer.
fn in_time<T: Send + 'static>(
    deadline: Instant,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(work()));
    let left = deadline.saturating_duration_since(Instant::now());
    receiver.recv_timeout(left).ok()
}
