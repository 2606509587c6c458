//! Runs this program as a parser process for another process of the same program.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The argument that starts a parser process. It is internal and not a command.
const ARGUMENT: &str = "--parse-worker";

/// Whether this process was started as a parser process.
pub(crate) fn is_asked_for() -> bool {
    let mut arguments = std::env::args_os().skip(1);
    arguments.next().is_some_and(|first| first == ARGUMENT) && arguments.next().is_none()
}

/// Serves parse requests until the parent closes the pipe.
pub(crate) fn serve_parser() -> ExitCode {
    match engine::serve_parser(std::io::stdin(), std::io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Makes the engine run parsers that are not known to be safe in separate processes.
pub(crate) fn isolate_parsers() {
    // If the program cannot be found, this process parses everything itself.
    if let Some(program) = own_program() {
        engine::isolate_parsers(engine::WorkerOptions::new(&program, ARGUMENT));
    }
}

/// The path of this program, even if the file has since been replaced by another version.
fn own_program() -> Option<PathBuf> {
    let running = Path::new("/proc/self/exe");
    if cfg!(target_os = "linux") && running.exists() {
        return Some(running.to_path_buf());
    }
    std::env::current_exe().ok()
}
