//! Child processes with their time and peak memory, and a minimal MCP client.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// The resources that a finished child used.
pub struct Spent {
    /// The time from start to end.
    pub time: Duration,
    /// Peak resident memory in bytes; 0 if the system does not provide it.
    pub peak: u64,
}

/// Runs a child to its end and watches its memory.
pub fn measure(command: &mut Command) -> Result<Spent> {
    let shown = format!("{command:?}");
    let started = Instant::now();
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| shown.clone())?;
    let status = format!("/proc/{}/status", child.id());
    let watch = std::thread::spawn(move || {
        let mut peak = 0;
        while let Some(now) = high_water(&status) {
            peak = peak.max(now);
            std::thread::sleep(Duration::from_millis(2));
        }
        peak
    });
    let status = child.wait()?;
    let time = started.elapsed();
    if !status.success() {
        bail!("{shown}: {status}");
    }
    Ok(Spent {
        time,
        peak: watch.join().unwrap_or_default(),
    })
}

/// `VmHWM` of a status file, in bytes; none once the process has ended.
fn high_water(status: &str) -> Option<u64> {
    let text = std::fs::read_to_string(status).ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Bytes of all files below a folder.
pub fn folder_size(folder: &Path) -> u64 {
    ignore::WalkBuilder::new(folder)
        .standard_filters(false)
        .build()
        .filter_map(Result::ok)
        .filter_map(|e| e.metadata().ok())
        .filter(|m| m.is_file())
        .map(|m| m.len())
        .sum()
}

/// An MCP server as a child.
pub struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Server {
    /// Starts the server and initializes the session. Returns the time until it answered
    /// `initialize`.
    pub fn start(command: &mut Command) -> Result<(Server, Duration)> {
        let started = Instant::now();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take().context("no standard output")?;
        let mut server = Server {
            child,
            input,
            output: BufReader::new(output),
            next: 1,
        };
        server.ask(
            "initialize",
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}),
        )?;
        let answered = started.elapsed();
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok((server, answered))
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let input = self.input.as_mut().context("closed")?;
        writeln!(input, "{message}")?;
        input.flush()?;
        Ok(())
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value> {
        let id = self.next;
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                bail!("the server ended");
            }
            let answer: Value = serde_json::from_str(&line)?;
            if answer["id"] == id {
                return Ok(answer);
            }
        }
    }

    /// Calls a tool. Returns the time until the answer, and the answer.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Result<(Duration, Value)> {
        let started = Instant::now();
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}))?;
        Ok((started.elapsed(), answer))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.input.take());
        for _ in 0..200 {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
