//! This program as its own worker: a process that reads requests and writes answers. A request may hang or crash it;
//! the process that asked then ends it and starts another.

use super::run::kill_child;
use platform::process::{self, Group};
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// Time between two checks whether the answer is still wanted.
const LOOK: Duration = Duration::from_millis(50);

/// The exit code of a worker whose request took too much processor time.
pub(super) const TOOK_TOO_LONG: i32 = 86;
/// The exit code of a worker whose request took too much memory.
pub(super) const TOOK_TOO_MUCH: i32 = 87;

/// The result of a request.
type Answered = io::Result<Vec<u8>>;

/// A running worker. A thread writes to it and reads from it, so that the caller never blocks on a pipe.
#[derive(Debug)]
pub struct Worker {
    child: Child,
    group: Group,
    requests: Sender<Vec<u8>>,
    answers: Receiver<Answered>,
}

/// Why a worker gave no answer. It cannot be used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WorkerError {
    /// It took too long.
    #[error("took too long")]
    Time,
    /// It took too much memory.
    #[error("took too much memory")]
    Memory,
    /// The caller no longer wants the answer.
    #[error("was told to stop")]
    Stopped,
    /// It ended by itself: an exit, a failed assertion, a memory fault.
    #[error("ended")]
    Ended,
    /// Another process ended it.
    #[error("was ended")]
    Killed,
}

impl Worker {
    /// Starts a program with one argument, without any environment variable and detached from the terminal. It must be
    /// this very program.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn start(program: &Path, argument: &str, most_answer: u64) -> io::Result<Worker> {
        let mut command = Command::new(program);
        command.arg(argument).env_clear().current_dir("/");
        process::lead_group(&mut command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::null());
        let (mut child, group) = process::spawn_in_group(&mut command)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (requests, asked) = mpsc::channel();
        let (answered, answers) = mpsc::channel();
        let talk = std::thread::Builder::new().name("worker".to_owned());
        let talk = talk.spawn(move || {
            if let Some((input, output)) = pipes {
                pass_on(&asked, &answered, (input, output), most_answer);
            }
        });
        let worker = Worker {
            child,
            group,
            requests,
            answers,
        };
        talk.map(|_| worker)
    }

    /// The answer to a request; without a request, the greeting that a worker sends at its start.
    ///
    /// # Errors
    /// There was no answer in that time, or `stop` returned true. The caller must then drop the worker.
    pub fn ask(
        &mut self,
        request: Option<Vec<u8>>,
        wait: Duration,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<u8>, WorkerError> {
        let until = Instant::now() + wait;
        if let Some(request) = request {
            // If the worker has ended, no answer comes either.
            let _ = self.requests.send(request);
        }
        loop {
            match self.answers.recv_timeout(LOOK) {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => return Err(self.why_it_ended()),
                Err(RecvTimeoutError::Timeout) if stop() => return Err(WorkerError::Stopped),
                Err(RecvTimeoutError::Timeout) if Instant::now() >= until => {
                    return Err(WorkerError::Time);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Finds why the worker ended. A broken pipe shows the end before the system does.
    fn why_it_ended(&mut self) -> WorkerError {
        let until = Instant::now() + Duration::from_secs(1);
        let ended = loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < until => std::thread::sleep(LOOK / 10),
                Ok(ended) => break ended,
                Err(_) => break None,
            }
        };
        // A worker that closed its pipe and still runs broke the protocol.
        let Some(status) = ended else {
            return WorkerError::Ended;
        };
        match status.code() {
            Some(TOOK_TOO_LONG) => return WorkerError::Time,
            Some(TOOK_TOO_MUCH) => return WorkerError::Memory,
            _ => {}
        }
        if process::was_ended_by_others(status) {
            return WorkerError::Killed;
        }
        WorkerError::Ended
    }

    /// Its process number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        kill_child(&mut self.child, &self.group);
    }
}

fn pass_on(
    asked: &Receiver<Vec<u8>>,
    answered: &Sender<Answered>,
    (mut input, mut output): (ChildStdin, ChildStdout),
    most_answer: u64,
) {
    // The greeting comes without a request.
    let mut answer = read_frame(&mut output, most_answer);
    loop {
        let is_over = answer.is_err();
        if answered.send(answer).is_err() || is_over {
            return;
        }
        let Ok(request) = asked.recv() else { return };
        answer =
            write_frame(&mut input, &request).and_then(|()| read_frame(&mut output, most_answer));
    }
}

/// Writes bytes with their length before them.
///
/// # Errors
/// The pipe is closed, or there are more bytes than a frame may have.
pub fn write_frame(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(bytes)?;
    out.flush()
}

/// Reads a frame of [`write_frame`].
///
/// # Errors
/// The pipe is closed, or there are more bytes than `most`.
pub fn read_frame(input: &mut impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    input.read_exact(&mut length)?;
    let length = u64::from(u32::from_le_bytes(length));
    if length > most {
        return Err(io::Error::other("a frame that is too long"));
    }
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length {
        Ok(bytes)
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    const LONG: Duration = Duration::from_secs(60);

    /// A worker that is a script.
    fn fake(folder: &tempfile::TempDir, script: &str) -> Worker {
        let path: PathBuf = folder.path().join("worker");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        Worker::start(&path, "argument", 1 << 10).unwrap()
    }

    fn ask(script: &str, wait: Duration) -> Result<Vec<u8>, WorkerError> {
        let folder = tempfile::tempdir().unwrap();
        fake(&folder, script).ask(Some(b"x".to_vec()), wait, &|| false)
    }

    #[test]
    fn frames_are_read_as_they_were_written() {
        let mut pipe = Vec::new();
        write_frame(&mut pipe, b"ab").unwrap();
        write_frame(&mut pipe, b"").unwrap();
        let mut read = pipe.as_slice();
        assert_eq!(read_frame(&mut read, 2).unwrap(), b"ab");
        assert_eq!(read_frame(&mut read, 0).unwrap(), b"");
        assert!(read_frame(&mut read, 9).is_err());
        assert!(read_frame(&mut pipe.as_slice(), 1).is_err());
        assert!(read_frame(&mut &pipe[..5], 9).is_err());
    }

    #[test]
    fn a_worker_that_hangs_or_dies_or_talks_without_end_is_told_apart() {
        let short = Duration::from_millis(200);
        assert_eq!(ask("exec sleep 1000", short), Err(WorkerError::Time));
        assert_eq!(ask("exit 86", LONG), Err(WorkerError::Time));
        assert_eq!(ask("exit 0", LONG), Err(WorkerError::Ended));
        assert_eq!(ask("kill -ABRT $$", LONG), Err(WorkerError::Ended));
        assert_eq!(ask("kill -KILL $$", LONG), Err(WorkerError::Killed));
        assert_eq!(ask("exec yes", LONG), Err(WorkerError::Ended));
        let folder = tempfile::tempdir().unwrap();
        let mut worker = fake(&folder, "exec sleep 1000");
        assert_eq!(worker.ask(None, LONG, &|| true), Err(WorkerError::Stopped));
    }

    #[test]
    fn a_worker_knows_nothing_of_the_environment() {
        let folder = tempfile::tempdir().unwrap();
        let script = r#"n=$(/usr/bin/env | grep -vc '^\(PWD\|_\|SHLVL\|OLDPWD\)='); printf '\001\000\000\000%s' $n; read x"#;
        let mut worker = fake(&folder, script);
        assert_eq!(worker.ask(None, LONG, &|| false), Ok(b"0".to_vec()));
    }
}
