//! Some parsers run in processes of their own: those whose scanners nobody has read, and those that may take too much
//! memory. These processes are workers: this program, started again. If a parser hangs or crashes there, only one file
//! is lost.

mod pool;
mod protocol;
mod serve;
#[cfg(all(test, unix))]
mod tests;

use base::facts::Unparsed;
use base::{FileFacts, Language};
use languages::Isolation;
use pool::Pool;
use protocol::{ParseRequest, Request};
pub use serve::serve_parser;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Processor time that a worker may take for one file: a fixed part, and a part for every byte. The slowest real files
/// take a tenth of that.
const TIME: (Duration, Duration) = (Duration::from_secs(1), Duration::from_micros(20));

/// A worker exits by itself after that processor time. If it does not, it is ended after this many times as long in
/// wall-clock time, since the machine may be busy.
const WAIT: u32 = 10;

/// How workers are started, and their limits.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// The program: this one.
    pub program: PathBuf,
    /// The argument that makes it a worker.
    pub argument: &'static str,
    /// Processor time for a file, and for every byte of it.
    time: (Duration, Duration),
    /// Wall-clock limit, as a multiple of the processor time.
    wait: u32,
}

impl WorkerOptions {
    /// The usual limits.
    pub fn new(program: &Path, argument: &'static str) -> WorkerOptions {
        WorkerOptions {
            program: program.to_path_buf(),
            argument,
            time: TIME,
            wait: WAIT,
        }
    }

    fn time_for(&self, bytes: usize) -> Duration {
        self.time.0 + self.time.1 * u32::try_from(bytes).unwrap_or(u32::MAX)
    }
}

/// Makes this process parse sources of isolated languages in workers from now on.
pub fn isolate_parsers(options: WorkerOptions) {
    languages::isolate(Box::new(Workers::new(options)));
}

/// Sends requests to workers.
struct Workers(Pool);

impl Workers {
    fn new(options: WorkerOptions) -> Workers {
        Workers(Pool::new(options))
    }
}

impl Isolation for Workers {
    fn extract(&self, language: Language, source: &str, stop: &dyn Fn() -> bool) -> FileFacts {
        let wanted = ParseRequest {
            request: Request::Facts,
            language,
            source,
        };
        let read = |answer: &[u8]| protocol::read_facts(answer, language, source);
        match self.0.ask(wanted, stop, &read) {
            Some(Ok(facts)) => facts,
            Some(Err(why)) => unparsed(language, source, why),
            None => languages::extract_here(language, source, stop),
        }
    }

    fn code_lines(&self, language: Language, source: &str) -> Vec<bool> {
        let wanted = ParseRequest {
            request: Request::CodeLines,
            language,
            source,
        };
        let count = source.lines().count();
        let read = |answer: &[u8]| protocol::read_lines(answer, count);
        match self.0.ask(wanted, &|| false, &read) {
            Some(Ok(lines)) => lines,
            Some(Err(_)) => vec![true; count],
            None => languages::code_lines_here(language, source),
        }
    }
}

/// The facts of a file that was not parsed, with the reason.
fn unparsed(language: Language, source: &str, why: Unparsed) -> FileFacts {
    FileFacts {
        lines: source.lines().count() as u32,
        is_blank: source.trim().is_empty(),
        syntax_errors: 1,
        parse_gave_up: true,
        unparsed: Some(why),
        ..FileFacts::empty(language)
    }
}
