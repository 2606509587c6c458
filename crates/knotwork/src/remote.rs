//! Commands run by the project's daemon: their output is the same as that of this process.
//!
//! The command runs here instead if there is no daemon, or if it is busy, does not answer, or has another version or other
//! settings.

use crate::environment::GlobalArgs;
use crate::printer::{CommandResult, Printer};

/// Runs the command in the daemon; none where it is to be run here.
pub(crate) fn run_in_daemon(given: &GlobalArgs, printer: &Printer) -> Option<CommandResult> {
    ask::run_command(given, printer)
}

pub(crate) use ask::run_hook;

mod ask {
    use crate::environment::{self, GlobalArgs, Limits};
    use crate::printer::{CommandResult, Printer};
    use engine::Location;
    use server::client::Client;
    use server::daemon::{CommandCall, CommandOutput, Files, Stream};
    use std::time::Duration;

    pub(super) fn run_command(given: &GlobalArgs, printer: &Printer) -> Option<CommandResult> {
        let Connection {
            mut client,
            files,
            place,
            fingerprint,
        } = connect(given)?;
        let call = build_call(place, fingerprint, None, printer)?;
        let answer = client.request_while_alive(&files, "command", &call).ok()?;
        print_output(answer, printer)
    }

    /// Runs the hook in the daemon, with its standard input, within a time limit.
    pub(crate) fn run_hook(
        given: &GlobalArgs,
        input: Option<String>,
        patience: Duration,
        printer: &Printer,
    ) -> Option<CommandResult> {
        let Connection {
            mut client,
            place,
            fingerprint,
            ..
        } = connect(given)?;
        let call = build_call(place, fingerprint, input, printer)?;
        let answer = client.request("command", &call, patience).ok()?;
        print_output(answer, printer)
    }

    fn print_output(answer: serde_json::Value, printer: &Printer) -> Option<CommandResult> {
        let written: CommandOutput = serde_json::from_value(answer).ok()?;
        let pieces = written.output.iter();
        let pieces = pieces.map(|(stream, text)| (*stream == Stream::Out, text.as_str()));
        Some(printer.print_remote_output(pieces, written.code))
    }

    /// A connection to the daemon of a project.
    struct Connection {
        client: Client,
        files: Files,
        place: Location,
        /// The environment fingerprint of this process.
        fingerprint: String,
    }

    fn connect(given: &GlobalArgs) -> Option<Connection> {
        // Flags and detailed lines belong to this process.
        if !given.set.is_empty() || environment::is_variable_on("DEVBOOKS_DEBUG") {
            return None;
        }
        let settings = environment::read_settings(given, &Limits::default()).ok()?;
        let place = engine::locate(&settings).ok()?;
        let files = environment::daemon_files(&place.state_dir);
        let client = Client::connect(&files)?;
        let fingerprint = environment::environment_fingerprint(&settings, &place.root);
        Some(Connection {
            client,
            files,
            place,
            fingerprint,
        })
    }

    fn build_call(
        place: Location,
        fingerprint: String,
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
            color: printer.color_flags(),
            fingerprint,
        })
    }
}
