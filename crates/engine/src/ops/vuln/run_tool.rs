//! Runs a program with a limit of time and of output.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Bytes of a report that are read; more is no report.
const MOST_OUTPUT: u64 = 64 << 20;
/// Bytes of what it complains that are kept.
const MOST_SAID: u64 = 64 << 10;
const POLL: Duration = Duration::from_millis(20);

/// What a program printed.
pub(super) struct Said {
    /// Standard output.
    pub(super) out: String,
    /// The last line of standard error that says something.
    pub(super) complaint: String,
    /// Exit code; none where a signal ended it.
    pub(super) code: Option<i32>,
}

/// A program on the search path, outside of the project: what a repository brings along is not run.
pub(super) fn installed(program: &str, root: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(program))
        .filter(|file| file.is_file())
        .find(|file| {
            let real = file.canonicalize();
            real.is_ok_and(|real| !real.starts_with(root)) && !file.starts_with(root)
        })
}

/// Runs it. Audit tools exit with an error where they find something, so the code says nothing.
pub(super) fn run(command: &mut Command, limit: Duration) -> Result<Said, String> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| e.to_string())?;
    let until = Instant::now() + limit;
    let out = child.stdout.take().map(|pipe| reader(pipe, MOST_OUTPUT));
    let err = child.stderr.take().map(|pipe| reader(pipe, MOST_SAID));
    let read = out.map_or(Ok(Vec::new()), |out| {
        let left = until.saturating_duration_since(Instant::now());
        out.recv_timeout(left)
    });
    let bytes = match read {
        Ok(bytes) if bytes.len() as u64 > MOST_OUTPUT => {
            stop(&mut child);
            return Err(format!("printed more than {} MiB", MOST_OUTPUT >> 20));
        }
        Ok(bytes) => bytes,
        Err(RecvTimeoutError::Timeout) => {
            stop(&mut child);
            return Err(format!("not done after {} s, stopped", limit.as_secs_f64()));
        }
        Err(RecvTimeoutError::Disconnected) => Vec::new(),
    };
    let status = loop {
        match child.try_wait() {
            Ok(None) if Instant::now() < until => std::thread::sleep(POLL),
            Ok(None) | Err(_) => {
                stop(&mut child);
                break None;
            }
            Ok(status) => break status,
        }
    };
    let complaint = err.and_then(|err| err.recv_timeout(POLL * 10).ok());
    Ok(Said {
        out: String::from_utf8_lossy(&bytes).into_owned(),
        complaint: last_line(&complaint.unwrap_or_default()),
        code: status.and_then(|status| status.code()),
    })
}

/// Reads a pipe on a thread of its own: grandchildren may keep it open after the program is gone. What is beyond the
/// limit by one byte tells that there was more.
fn reader(pipe: impl Read + Send + 'static, limit: u64) -> mpsc::Receiver<Vec<u8>> {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let mut bounded = pipe.take(limit + 1);
        let _ = bounded.read_to_end(&mut bytes);
        // Nobody may be waiting any more.
        let _ = send.send(bytes);
    });
    receive
}

fn stop(child: &mut Child) {
    // It may have ended just now.
    let _ = child.kill();
    let _ = child.wait();
}

fn last_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().rev().map(str::trim).find(|l| !l.is_empty());
    line.unwrap_or_default().chars().take(300).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn output_and_complaint_are_kept_whatever_the_code() {
        let said = run(
            &mut shell("echo '{}'; echo first >&2; echo last >&2; exit 1"),
            Duration::from_secs(20),
        );
        let said = said.unwrap();
        assert_eq!(
            (said.out.as_str(), said.complaint.as_str(), said.code),
            ("{}\n", "last", Some(1))
        );
    }

    #[test]
    fn time_and_output_are_limited() {
        let started = Instant::now();
        // The grandchild keeps the pipe open.
        let late = run(
            &mut shell("sleep 60 & sleep 60"),
            Duration::from_millis(200),
        );
        assert!(late.is_err_and(|e| e.contains("stopped")));
        let much = run(
            &mut shell("exec head -c 80000000 /dev/zero"),
            Duration::from_secs(60),
        );
        assert!(much.is_err_and(|e| e.contains("more than 64 MiB")));
        assert!(started.elapsed() < Duration::from_secs(50));
    }

    #[test]
    fn programs_of_the_project_are_not_run() {
        assert!(installed("sh", Path::new("/nowhere")).is_some());
        assert!(installed("sh", Path::new("/")).is_none());
        assert!(installed("no-such-audit-tool", Path::new("/nowhere")).is_none());
    }
}
