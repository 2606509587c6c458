//! The `knotwork` command: arguments, one file per command, printing, exit codes.
//!
//! Never knows: how answers are computed.

mod cli;
mod commands;
mod dispatch;
mod environment;
mod examples;
mod format;
#[cfg(unix)]
mod host;
mod input;
mod printer;
mod progress;
mod remote;
mod text;

use std::process::ExitCode;

/// Indexing allocates millions of small things on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Pages of two megabytes, which the system gives where it can, are cleared whole for the few bytes that are wanted of
/// many: without them an index takes a fifth less memory and less time.
fn disable_huge_pages() {
    #[cfg(target_os = "linux")]
    // Where it cannot be had nothing but memory is lost.
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}

/// A write beyond the largest file that the user allows (`ulimit -f`) ends a program by a signal. With a handler it is an
/// error like that of a full disk, which is told, and what was there before stays. Programs that are started get the
/// system's own way again.
fn refuse_too_large_files() {
    #[cfg(unix)]
    // Where it cannot be had the system's own way stays.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

fn main() -> ExitCode {
    disable_huge_pages();
    refuse_too_large_files();
    let cli = match cli::Cli::read(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => {
            // A closed pipe is no reason to complain about.
            let _ = error.print();
            return if error.use_stderr() {
                ExitCode::from(1)
            } else {
                ExitCode::SUCCESS
            };
        }
    };
    let printer = printer::Printer::new(cli.format);
    match dispatch::run(cli, &printer) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => ExitCode::from(printer.print_failure(&failure)),
    }
}
