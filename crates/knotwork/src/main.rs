//! The `knotwork` command: arguments, one file per command, printing, exit codes.
//!
//! Never knows: how answers are computed.

mod cli;
mod command;
mod commands;
mod dispatch;
mod environment;
mod format;
mod hints;
mod host;
mod input;
mod pager;
mod printer;
mod progress;
mod remote;
mod shim;
mod text;
mod worker;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// Indexing makes millions of small allocations on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Disables pages of two megabytes. The system clears them as a whole even if only a few bytes are used. Without them an index
/// takes a fifth less memory and less time.
fn disable_huge_pages() {
    #[cfg(target_os = "linux")]
    // Where this fails, only memory is lost.
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}

/// Handles the signal for a write beyond the user's largest file size (`ulimit -f`), which would end the program. With a handler
/// the write fails like one on a full disk: the error is reported, and earlier files stay. Child processes get the system's
/// default again.
fn refuse_too_large_files() {
    #[cfg(unix)]
    // Where this fails, the system's default stays.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

fn main() -> ExitCode {
    disable_huge_pages();
    refuse_too_large_files();
    if worker::is_asked_for() {
        return worker::serve_parser();
    }
    if shim::is_asked_for() {
        return shim::answer_wrapper();
    }
    worker::isolate_parsers();
    let cli = match cli::Cli::read(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => {
            // A closed pipe is no error.
            let _ = error.print();
            if let Some(meant) = hints::meant_command(&error) {
                let _ = writeln!(std::io::stderr(), "\n  hint: knotwork {meant}");
            }
            return if error.use_stderr() {
                ExitCode::from(1)
            } else {
                ExitCode::SUCCESS
            };
        }
    };
    let is_paged = std::io::stdout().is_terminal() && cli.command.0.is_question();
    let printer = if is_paged {
        printer::Printer::paged(cli.format)
    } else {
        printer::Printer::new(cli.format)
    };
    let project = is_paged.then(|| dispatch::project_root(&cli)).flatten();
    let code = match dispatch::run_command(cli, &printer) {
        Ok(()) => 0,
        Err(failure) => printer.print_failure(&failure),
    };
    ExitCode::from(printer.finish(code, project.as_deref()))
}
