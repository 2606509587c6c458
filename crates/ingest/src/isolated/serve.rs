//! The worker's side: answers requests until its input ends.

use super::protocol::{self, ParseRequest, Request};
use crate::pipeline::STACK;
use guard::program::{
    RequestLimits, Watchdog, confine_worker, machine_slowness, read_frame, write_frame,
};
use std::io::{self, Read, Write};

/// Bytes of address space of a worker. The tree of the largest file that is read takes a part of that.
const MEMORY: u64 = 4 << 30;

/// Bytes of memory that a request may take: a fixed part, and a part for every byte of its source. The largest real
/// files take 70 bytes for every byte; a table of one-digit numbers takes 190.
const REQUEST_MEMORY: (u64, u64) = (48 << 20, 256);

/// Bytes that may be in use after a request. With more, the worker exits and another one is started.
const MOST_KEPT: u64 = 32 << 20;

/// Answers requests for parses until `input` ends. The process gives up most of its rights, so it can do nothing else afterwards.
///
/// # Errors
/// No thread can be started, or the input is not a request.
pub fn serve_parser(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let watchdog = Watchdog::start()?;
    let work = std::thread::Builder::new()
        .name("parser".to_owned())
        .stack_size(STACK);
    let work = work.spawn(move || {
        confine_worker(MEMORY);
        answer_all(input, output, &watchdog)
    })?;
    let failed = |_| io::Error::other("the parser panicked");
    work.join().map_err(failed)?
}

fn answer_all(mut input: impl Read, mut output: impl Write, watchdog: &Watchdog) -> io::Result<()> {
    let slowness = machine_slowness();
    write_frame(&mut output, &protocol::greeting())?;
    loop {
        // The program that asks is trusted, and closes the pipe after the last request.
        let Ok(bytes) = read_frame(&mut input, u64::from(u32::MAX)) else {
            return Ok(());
        };
        let unknown = || io::Error::other("not a request");
        let (wanted, time) = ParseRequest::decode(&bytes).ok_or_else(unknown)?;
        let memory = REQUEST_MEMORY.0 + REQUEST_MEMORY.1 * wanted.source.len() as u64;
        watchdog.begin(RequestLimits { time, memory });
        let answer = answer(wanted);
        let taken = watchdog.end().div_f64(slowness);
        let answer = protocol::join_answer(taken, &answer.ok_or_else(unknown)?);
        write_frame(&mut output, &answer)?;
        // Memory that stays in use would count for the next file.
        if watchdog.memory_in_use() > MOST_KEPT {
            return Ok(());
        }
    }
}

fn answer(wanted: ParseRequest<'_>) -> Option<Vec<u8>> {
    let (language, source) = (wanted.language, wanted.source);
    match wanted.request {
        Request::Facts => {
            let facts = languages::extract_here(language, source, &|| false);
            protocol::write_facts(&facts)
        }
        Request::CodeLines => {
            let lines = languages::code_lines_here(language, source);
            Some(protocol::write_lines(&lines))
        }
    }
}
