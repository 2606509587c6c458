//! Runs a program with limits of time and output, and ends all processes that it started.

use super::strays::Mark;
use platform::process::{self, Group};
use std::fs::File;
use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

/// Most bytes of standard error that are kept.
const MOST_COMPLAINT: u64 = 64 << 10;

/// Most characters that are kept of the last line of standard error.
const LONGEST_LINE: usize = 300;

/// Bytes of standard output that are passed on together.
const PART: usize = 64 << 10;

/// Most parts that are read ahead.
const AHEAD: usize = 4;

/// Time between two checks of a running program.
const POLL: Duration = Duration::from_millis(20);

/// Limits of a program.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Wall-clock limit.
    pub time: Duration,
    /// Most bytes of its standard output.
    pub output: u64,
}

/// Output of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramOutput {
    /// Standard output.
    pub out: String,
    /// The last line of standard error that is not blank.
    pub complaint: String,
    /// Exit code; `None` if a signal ended it.
    pub code: Option<i32>,
}

/// Reason why a program did not finish.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// It could not be started or waited for.
    #[error("{0}")]
    System(#[from] std::io::Error),
    /// It took too long.
    #[error("not done after {} s, stopped", .0.as_secs_f64())]
    Time(Duration),
    /// It printed too much.
    #[error("printed more than {} MiB", .0 >> 20)]
    Output(u64),
    /// It ended with this status.
    #[error("{0}")]
    Failed(ExitStatus),
    /// The caller cancelled it.
    #[error("given up")]
    Cancelled,
    /// A function that watches it, or reads its output, stopped it for this reason.
    #[error("{0}, stopped")]
    Stopped(String),
}

/// A function that is called again and again while a program runs. An error ends the program.
pub type Watch<'w> = &'w mut dyn FnMut() -> Result<(), RunError>;

/// A function that receives the output of a program, part by part. An error ends the program.
pub type Take<'t> = &'t mut dyn FnMut(&[u8]) -> Result<(), RunError>;

/// Runs the program and keeps its output, whatever its exit code is. No process that it started outlives it.
pub fn run_program(command: &mut Command, limits: &Limits) -> Result<ProgramOutput, RunError> {
    run_program_watched(command, limits, &mut || Ok(()))
}

/// As [`run_program()`], with a function that watches the program.
pub fn run_program_watched(
    command: &mut Command,
    limits: &Limits,
    watch: Watch<'_>,
) -> Result<ProgramOutput, RunError> {
    let mut out = Vec::new();
    let mut keep = |part: &[u8]| {
        out.extend_from_slice(part);
        Ok(())
    };
    let ended = run_program_reading(command, limits, watch, &mut keep)?;
    Ok(ProgramOutput {
        out: String::from_utf8_lossy(&out).into_owned(),
        ..ended
    })
}

/// As [`run_program_watched()`], but passes the output on instead of keeping it.
pub fn run_program_reading(
    command: &mut Command,
    limits: &Limits,
    watch: Watch<'_>,
    take: Take<'_>,
) -> Result<ProgramOutput, RunError> {
    let mark = Mark::put_on(command);
    let ended = run_and_read(command, limits, watch, take);
    mark.kill_all();
    ended
}

fn run_and_read(
    command: &mut Command,
    limits: &Limits,
    watch: Watch<'_>,
    take: Take<'_>,
) -> Result<ProgramOutput, RunError> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let (mut child, group) = process::spawn_in_group(command)?;
    let until = Instant::now() + limits.time;
    let out = child.stdout.take().map(spawn_part_reader);
    let err = child
        .stderr
        .take()
        .map(|pipe| spawn_pipe_reader(pipe, MOST_COMPLAINT));
    if let Some(out) = out
        && let Err(error) = pass_on(&out, until, limits, watch, take)
    {
        kill_child(&mut child, &group);
        return Err(error);
    }
    let status = wait_until((&mut child, &group), until, limits.time, watch)?;
    let complaint = err.and_then(|err| err.recv_timeout(POLL * 10).ok());
    Ok(ProgramOutput {
        out: String::new(),
        complaint: last_nonempty_line(&complaint.unwrap_or_default()),
        code: status.code(),
    })
}

/// Passes the output on until it ends.
fn pass_on(
    out: &mpsc::Receiver<Vec<u8>>,
    until: Instant,
    limits: &Limits,
    watch: Watch<'_>,
    take: Take<'_>,
) -> Result<(), RunError> {
    let mut printed = 0;
    loop {
        match out.recv_timeout(POLL) {
            Ok(part) => {
                printed += part.len() as u64;
                if printed > limits.output {
                    return Err(RunError::Output(limits.output));
                }
                take(&part)?;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        if Instant::now() >= until {
            return Err(RunError::Time(limits.time));
        }
        watch()?;
    }
}

/// Runs the program with all its output going to a file; an exit code other than 0 is an error. A program whose output
/// exceeds the limit is stopped, and the file is cut there.
pub fn run_to_file(command: &mut Command, log: File, limits: &Limits) -> Result<(), RunError> {
    let (out, error_log) = (log.try_clone()?, log.try_clone()?);
    let mark = Mark::put_on(command);
    command.stdin(Stdio::null()).stdout(out).stderr(error_log);
    let (mut child, group) = process::spawn_in_group(command).inspect_err(|_| mark.kill_all())?;
    let until = Instant::now() + limits.time;
    let is_full = || log.metadata().is_ok_and(|log| log.len() > limits.output);
    let mut watch = || {
        if is_full() {
            return Err(RunError::Output(limits.output));
        }
        Ok(())
    };
    let ended = wait_until((&mut child, &group), until, limits.time, &mut watch);
    // Otherwise its own children would continue to write to the file.
    mark.kill_all();
    if is_full() {
        log.set_len(limits.output)?;
        return Err(RunError::Output(limits.output));
    }
    let status = ended?;
    if status.success() {
        Ok(())
    } else {
        Err(RunError::Failed(status))
    }
}

/// Waits until the program ends. No process of it is left running afterwards.
fn wait_until(
    (child, group): (&mut Child, &Group),
    until: Instant,
    limit: Duration,
    watch: Watch<'_>,
) -> Result<ExitStatus, RunError> {
    loop {
        if process::has_ended(child)? {
            group.kill(child);
            return Ok(child.wait()?);
        }
        if let Err(error) = watch() {
            kill_child(child, group);
            return Err(error);
        }
        if Instant::now() >= until {
            kill_child(child, group);
            return Err(RunError::Time(limit));
        }
        std::thread::sleep(POLL);
    }
}

pub(super) fn kill_child(child: &mut Child, group: &Group) {
    group.kill(child);
    // It may have ended just now.
    let _ = child.kill();
    let _ = child.wait();
}

/// Reads a pipe part by part on a thread of its own; at most a few parts are read ahead.
fn spawn_part_reader(mut pipe: impl Read + Send + 'static) -> mpsc::Receiver<Vec<u8>> {
    let (send, receive): (SyncSender<Vec<u8>>, _) = mpsc::sync_channel(AHEAD);
    std::thread::spawn(move || {
        let mut part = vec![0; PART];
        loop {
            match pipe.read(&mut part) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => return,
                // The receiver may be gone.
                Ok(length) if send.send(part[..length].to_vec()).is_err() => return,
                Ok(_) => {}
            }
        }
    });
    receive
}

/// Reads a pipe on a thread of its own, since grandchildren may keep it open after the program is gone. It reads one
/// byte more than the limit to detect that there was more.
fn spawn_pipe_reader(pipe: impl Read + Send + 'static, limit: u64) -> mpsc::Receiver<Vec<u8>> {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let mut bounded = pipe.take(limit.saturating_add(1));
        let _ = bounded.read_to_end(&mut bytes);
        // The receiver may be gone.
        let _ = send.send(bytes);
    });
    receive
}

fn last_nonempty_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().rev().map(str::trim).find(|l| !l.is_empty());
    line.unwrap_or_default()
        .chars()
        .take(LONGEST_LINE)
        .collect()
}
