//! The daemon's side of [`crate::remote`]: runs commands for other processes, with a printer that buffers their output.

use crate::cli::{Cli, Command};
use crate::printer::Printer;
use crate::{commands, dispatch};
use engine::{Engine, EngineError};
use server::daemon::{CommandCall, CommandOutput, Commands, Stream};

/// Runs commands for other processes.
pub(crate) struct Host;

impl Commands for Host {
    fn run(&self, engine: Engine, call: &CommandCall) -> CommandOutput {
        let program = std::iter::once("knotwork");
        let arguments = program.chain(call.arguments.iter().map(String::as_str));
        let (printer, done) = match Cli::read(arguments) {
            Ok(cli) => {
                let printer = Printer::buffered(cli.format, call.color);
                let done = answer(engine, cli.command, call, &printer);
                (printer, done)
            }
            // The caller has parsed these arguments already, so a failure here means that its program has another
            // version.
            Err(error) => {
                let error = EngineError::bad_arguments(error.to_string());
                (Printer::buffered(None, call.color), Err(error.into()))
            }
        };
        let code = match &done {
            Ok(()) => 0,
            Err(failure) => printer.print_failure(failure),
        };
        let stream = |data| if data { Stream::Out } else { Stream::Err };
        let kept = printer.into_buffered().into_iter();
        CommandOutput {
            output: kept.map(|(data, text)| (stream(data), text)).collect(),
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
            commands::hook::answer_for_client(engine, args, call.input.clone(), printer)
        }
        command if dispatch::can_run_in_daemon(&command) => {
            for warning in engine.config().warnings() {
                printer.print_note(&format!("warning: {warning}"));
            }
            dispatch::question(&engine, command, printer)
        }
        _ => Err(EngineError::bad_arguments("this command cannot run in the daemon").into()),
    }
}
