//! The daemon's side of [`crate::remote`]: commands that are run for others, with a printer that keeps what they say.

use crate::cli::{Cli, Command};
use crate::printer::Printer;
use crate::{commands, dispatch};
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
        Command::Hook(args) => commands::hook::for_other(engine, args, call.input.clone(), printer),
        command if dispatch::is_question(&command) => {
            for warning in engine.config().warnings() {
                printer.say(&format!("warning: {warning}"));
            }
            dispatch::question(&engine, command, printer)
        }
        _ => Err(EngineError::bad("this command cannot run in the daemon").into()),
    }
}
