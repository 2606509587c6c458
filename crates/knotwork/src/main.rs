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

use clap::Parser;
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

fn main() -> ExitCode {
    disable_huge_pages();
    let cli = match cli::Cli::try_parse() {
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
