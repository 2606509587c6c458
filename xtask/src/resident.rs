//! A daemon for benchmarks and evaluations: started for a repository, queried over its socket, stopped on drop.

use crate::bench::index::command;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// A running daemon of one repository.
pub struct Resident {
    /// Creates the command with its environment.
    program: Box<dyn Fn() -> Command + Send + Sync>,
    state: PathBuf,
    /// The daemon's process.
    pub pid: u64,
}

impl Resident {
    /// Starts a daemon whose state lies in `state`.
    pub fn start(binary: &Path, repo: &Path, state: &Path) -> Result<Resident> {
        let (binary, repo, there) = (binary.to_owned(), repo.to_owned(), state.to_owned());
        Resident::start_with(Box::new(move || command(&binary, &repo, &there)), state)
    }

    /// Starts a daemon from a given command, which may have its own environment.
    pub fn start_with(
        program: Box<dyn Fn() -> Command + Send + Sync>,
        state: &Path,
    ) -> Result<Resident> {
        let output = program().args(["daemon", "start"]).output()?;
        if !output.status.success() {
            bail!("{}", String::from_utf8_lossy(&output.stderr));
        }
        let mut daemon = Resident {
            program,
            state: state.to_path_buf(),
            pid: 0,
        };
        let ping = daemon.connect()?.ask("ping", json!({}))?.1;
        daemon.pid = ping["data"]["pid"].as_u64().context("no pid")?;
        Ok(daemon)
    }

    /// Opens a connection.
    pub fn connect(&self) -> Result<Wire> {
        let stream = UnixStream::connect(self.state.join("daemon.sock"))?;
        Ok(Wire {
            stream: BufReader::new(stream),
        })
    }

    /// A field of the process's status in bytes (`VmRSS`, `RssAnon`, `VmHWM`); 0 if the system does not provide
    /// it.
    pub fn memory(&self, field: &str) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.pid));
        let text = text.unwrap_or_default();
        let line = text
            .lines()
            .find(|line| line.starts_with(&format!("{field}:")));
        let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
        kilobytes.unwrap_or(0) * 1024
    }
}

impl Drop for Resident {
    fn drop(&mut self) {
        let _ = (self.program)().args(["daemon", "stop"]).output();
    }
}

/// A connection to a daemon.
pub struct Wire {
    stream: BufReader<UnixStream>,
}

impl Wire {
    /// Sends a request. Returns the time until the answer, and the answer.
    pub fn ask(&mut self, action: &str, payload: Value) -> Result<(Duration, Value)> {
        let line = json!({"action": action, "payload": payload}).to_string() + "\n";
        let since = Instant::now();
        self.stream.get_mut().write_all(line.as_bytes())?;
        let mut answer = String::new();
        if self.stream.read_line(&mut answer)? == 0 {
            bail!("the daemon closed the connection");
        }
        let took = since.elapsed();
        Ok((took, serde_json::from_str(&answer)?))
    }
}
