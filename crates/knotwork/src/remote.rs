//! A command that the project's daemon runs, where there is one: what it prints is what this process would print.
//!
//! Where there is none, or it is busy, of another version, of other settings or does not answer, there is nothing to
//! relay, and the command does its work here.

use crate::cli::Command;
use crate::environment::GlobalArgs;
use crate::printer::{CommandResult, Printer};

/// Runs the command in the daemon; none where it is to be run here.
#[cfg(unix)]
pub(crate) fn run(
    given: &GlobalArgs,
    command: &Command,
    printer: &Printer,
) -> Option<CommandResult> {
    is_question(command).then(|| ask::patiently(given, printer))?
}

/// Nobody can be asked on this system.
#[cfg(not(unix))]
pub(crate) fn run(
    _given: &GlobalArgs,
    _command: &Command,
    _printer: &Printer,
) -> Option<CommandResult> {
    None
}

/// Whether a command asks about the code, or says what is to be read again: only such are sent.
pub(crate) fn is_question(command: &Command) -> bool {
    match command {
        Command::AstDelta(_)
        | Command::Search(_)
        | Command::GraphRag(_)
        | Command::Impact(_)
        | Command::Hotspot(_) => true,
        Command::BugLocate(args) => !args.reads_input(),
        Command::CallChain(args) => args.is_question(),
        Command::GraphStore(args) => args.is_question(),
        Command::Vuln(args) => args.is_question(),
        Command::Complexity(_) | Command::Boundary(_) => true,
        Command::Cod(args) => args.is_question(),
        Command::ArchCheck(args) => args.is_question(),
        Command::Pattern(args) => args.is_question(),
        _ => false,
    }
}

#[cfg(unix)]
pub(crate) use ask::hook;
#[cfg(unix)]
pub(crate) use host::Host;

#[cfg(unix)]
mod ask {
    use crate::environment::{self, GlobalArgs, Limits};
    use crate::printer::{CommandResult, Printer};
    use engine::Location;
    use server::client::Client;
    use server::daemon::{CommandCall, CommandOutput, Files, Stream};
    use std::time::Duration;

    pub(super) fn patiently(given: &GlobalArgs, printer: &Printer) -> Option<CommandResult> {
        let (mut client, files, place, stamp) = connect(given)?;
        let call = call(place, stamp, None, printer)?;
        let said = client.ask_patiently(&files, "command", &call).ok()?;
        relay(said, printer)
    }

    /// The hook, with what it read from standard input; it waits so long and no longer.
    pub(crate) fn hook(
        given: &GlobalArgs,
        input: Option<String>,
        patience: Duration,
        printer: &Printer,
    ) -> Option<CommandResult> {
        let (mut client, _, place, stamp) = connect(given)?;
        let call = call(place, stamp, input, printer)?;
        let said = client.ask("command", &call, patience).ok()?;
        relay(said, printer)
    }

    fn relay(said: serde_json::Value, printer: &Printer) -> Option<CommandResult> {
        let said: CommandOutput = serde_json::from_value(said).ok()?;
        let pieces = said.said.iter();
        let pieces = pieces.map(|(stream, text)| (*stream == Stream::Out, text.as_str()));
        Some(printer.relay(pieces, said.code))
    }

    fn connect(given: &GlobalArgs) -> Option<(Client, Files, Location, String)> {
        // Flags and detailed lines are this process's own.
        if !given.set.is_empty() || environment::is_on("DEVBOOKS_DEBUG") {
            return None;
        }
        let settings = environment::settings(given, &Limits::default()).ok()?;
        let place = engine::locate(&settings).ok()?;
        let files = environment::daemon_files(&place.state_dir);
        let client = Client::connect(&files)?;
        Some((client, files, place, environment::stamp(&settings)))
    }

    fn call(
        place: Location,
        stamp: String,
        input: Option<String>,
        printer: &Printer,
    ) -> Option<CommandCall> {
        let texts = std::env::args_os()
            .skip(1)
            .map(std::ffi::OsString::into_string);
        Some(CommandCall {
            arguments: texts.collect::<Result<_, _>>().ok()?,
            folder: place.start,
            input,
            color: printer.colors(),
            stamp,
        })
    }
}

/// The daemon's side.
#[cfg(unix)]
mod host {
    use crate::cli::{Cli, Command};
    use crate::commands;
    use crate::printer::Printer;
    use clap::Parser;
    use engine::{Engine, EngineError};
    use server::daemon::{CommandCall, CommandOutput, Commands, Stream};

    /// Runs commands for others.
    pub(crate) struct Host;

    impl Commands for Host {
        fn run(&self, engine: Engine, call: &CommandCall) -> CommandOutput {
            let program = std::iter::once("knotwork");
            let arguments = program.chain(call.arguments.iter().map(String::as_str));
            let (printer, done) = match Cli::try_parse_from(arguments) {
                Ok(cli) => {
                    let printer = Printer::keeping(cli.format, call.color);
                    let done = answer(engine, cli.command, call, &printer);
                    (printer, done)
                }
                // The caller has parsed them before: its program is another one.
                Err(error) => {
                    let error = EngineError::bad(error.to_string());
                    (Printer::keeping(None, call.color), Err(error.into()))
                }
            };
            let code = match &done {
                Ok(()) => 0,
                Err(failure) => printer.failure(failure),
            };
            let stream = |data| if data { Stream::Out } else { Stream::Err };
            let kept = printer.into_kept().into_iter();
            CommandOutput {
                said: kept.map(|(data, text)| (stream(data), text)).collect(),
                code,
            }
        }
    }

    fn answer(
        engine: Engine,
        command: Command,
        call: &CommandCall,
        printer: &Printer,
    ) -> crate::printer::CommandResult {
        match command {
            Command::Hook(args) => {
                commands::hook::for_other(engine, args, call.input.clone(), printer)
            }
            command if super::is_question(&command) => {
                for warning in engine.config().warnings() {
                    printer.say(&format!("warning: {warning}"));
                }
                commands::question(&engine, command, printer)
            }
            _ => Err(EngineError::bad("this command cannot run in the daemon").into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_question;
    use crate::cli::Cli;
    use clap::Parser;

    #[test]
    fn what_writes_where_the_caller_says_is_never_run_for_others() {
        let asked = |line: &str| {
            let words = std::iter::once("knotwork").chain(line.split(' '));
            let cli = Cli::try_parse_from(words).unwrap_or_else(|e| panic!("{line}: {e}"));
            is_question(&cli.command)
        };
        for line in [
            "cod generate --output ../x",
            "cod module src --output ../x",
            "arch-check init --output ../x --force",
            "bug-locate --stacktrace ../x",
            "vuln scan",
            "vuln parse --input ../x",
            "vuln trace left-pad --dir ..",
            "graph-store vacuum",
            "index",
            "mcp",
            "daemon stop",
        ] {
            assert!(!asked(line), "{line}");
        }
        for line in [
            "cod generate",
            "arch-check",
            "search x",
            "vuln trace left-pad",
        ] {
            assert!(asked(line), "{line}");
        }
    }
}
