//! The daemon's side of [`crate::remote`]: runs commands for other processes, with a printer that buffers their output.

use crate::cli::Cli;
use crate::printer::Printer;
use engine::{Engine, EngineError};
use server::daemon::{CommandCall, CommandOutput, Commands, Stream};

/// Runs commands for other processes.
pub(crate) struct Host;

impl Commands for Host {
    fn run_command(&self, engine: Engine, call: &CommandCall) -> CommandOutput {
        let program = std::iter::once("knotwork");
        let arguments = program.chain(call.arguments.iter().map(String::as_str));
        let (printer, done) = match Cli::read(arguments) {
            Ok(cli) => {
                let printer = Printer::buffered(cli.format, call.color);
                let chosen = cli.command.0;
                let done = chosen.run_for_client(engine, call.input.clone(), &printer);
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
