//! This program as a worker that parses for another process of it, and how it finds itself.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The argument that makes it a worker. It is for this program alone, and no command.
const ARGUMENT: &str = "--parse-worker";

/// Whether this process was started as a worker.
pub(crate) fn is_asked_for() -> bool {
    let mut arguments = std::env::args_os().skip(1);
    arguments.next().is_some_and(|first| first == ARGUMENT) && arguments.next().is_none()
}

/// Parses for who started it, until that one closes the pipe.
pub(crate) fn run() -> ExitCode {
    match engine::serve_parser(std::io::stdin(), std::io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Has sources of languages whose parsers are not known to be safe parsed in workers.
pub(crate) fn isolate_parsers() {
    // Without a program there is no worker, and this process parses itself.
    if let Some(program) = own_program() {
        engine::isolate_parsers(engine::WorkerOptions::new(&program, ARGUMENT));
    }
}

/// This program, also where another version lies in its place by now.
fn own_program() -> Option<PathBuf> {
    let running = Path::new("/proc/self/exe");
    if cfg!(target_os = "linux") && running.exists() {
        return Some(running.to_path_buf());
    }
    std::env::current_exe().ok()
}
