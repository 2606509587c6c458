//! `trust clients`: many clients for minutes, on the daemon's socket and over HTTP. Memory must stay flat, and every
//! client must get answers.

use super::{Args, Figure, binary};
use crate::bench::index::command;
use crate::bench::{megabytes, milliseconds, percentile};
use crate::resident::{Resident, Wire};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use testkit::Repo;

/// The default duration at each door, in minutes.
const MINUTES: f64 = 10.0;

/// The pause of a client between two queries.
const PAUSE: Duration = Duration::from_secs(1);

/// The number of queries per connection; then the client reconnects.
const EACH: usize = 20;

/// The stack size of a client thread.
const STACK: usize = 256 << 10;

/// The largest growth: memory in use at the end divided by that after the first tenth of the time.
const GROWTH: f64 = 1.1;

/// Growth in bytes that is ignored, because an allocator keeps some memory.
const SLACK: u64 = 16 << 20;

/// Runs the clients and returns the measurements.
pub(super) fn check_clients(args: &Args) -> Result<Vec<Figure>> {
    let binary = binary(args)?;
    let repo = project();
    let state = tempfile::tempdir()?;
    let built = command(&binary, repo.path(), state.path())
        .args(["index", "--format", "json"])
        .output()?;
    if !built.status.success() {
        bail!("{}", String::from_utf8_lossy(&built.stderr));
    }
    let time = Duration::from_secs_f64(args.minutes.unwrap_or(MINUTES) * 60.0);
    let mut figures = Vec::new();
    {
        let daemon = Resident::start(&binary, repo.path(), state.path())?;
        daemon.connect()?.ask("warmup", json!({}))?;
        let met = crowd(args.clients, time, daemon.pid as u32, |seed, met, ends| {
            over_socket(&daemon, seed, met, ends)
        });
        figures.extend(met.figures("socket"));
    }
    let served = Served::start(&binary, repo.path(), state.path())?;
    let met = crowd(args.clients, time, served.child.id(), |seed, met, ends| {
        over_http(served.address, seed, met, ends)
    });
    figures.extend(met.figures("HTTP"));
    Ok(figures)
}

/// Functions that call each other.
fn project() -> Repo {
    let file = |file: usize| {
        let function = |n: usize| {
            let next = (file + n) % 100;
            format!("def f{file}_{n}(a):\n    return f{next}_{n}(a)\n\n")
        };
        let body: String = (0..20).map(function).collect();
        format!("//- src/m{file}.py\n{body}")
    };
    Repo::new(&(0..100).map(file).collect::<String>())
}

/// Counts of results, and samples of memory in use.
#[derive(Default)]
struct Met {
    answered: Mutex<Vec<Duration>>,
    /// Queries refused as busy.
    busy: AtomicUsize,
    errors: Mutex<Vec<String>>,
    memory: Vec<u64>,
}

impl Met {
    fn answers(&self, took: Duration) {
        if let Ok(mut answered) = self.answered.lock() {
            answered.push(took);
        }
    }

    fn fails(&self, error: &anyhow::Error) {
        if let Ok(mut errors) = self.errors.lock() {
            errors.push(format!("{error:#}"));
        }
    }

    fn figures(self, door: &str) -> Vec<Figure> {
        let mut answered = self.answered.into_inner().unwrap_or_default();
        let errors = self.errors.into_inner().unwrap_or_default();
        let about = |what: &str| format!("{door}: {what}");
        let (first, last) = growth(&self.memory);
        let flat = last <= (first as f64 * GROWTH) as u64 + SLACK;
        let peak = self.memory.iter().copied().max().unwrap_or(0);
        let times = format!(
            "{} / {}",
            milliseconds(percentile(&mut answered, 0.5)),
            milliseconds(percentile(&mut answered, 0.99))
        );
        let memory = format!("{} to {}", megabytes(first), megabytes(last));
        let mut figures = vec![
            Figure::note(&about("answered"), answered.len().to_string()),
            Figure::note(
                &about("told to come again"),
                self.busy.into_inner().to_string(),
            ),
            Figure::note(&about("p50 / p99"), times),
            Figure::note(&about("peak memory"), megabytes(peak)),
            Figure::new(
                &about("memory, first to last tenth"),
                memory,
                "flat: at most a tenth more",
                flat,
            ),
            Figure::new(
                &about("without an answer"),
                errors.len().to_string(),
                "0",
                errors.is_empty(),
            ),
        ];
        let some = errors.into_iter().take(3);
        figures.extend(some.map(|error| Figure::note(&about("for example"), error)));
        figures
    }
}

/// The median of memory in the second tenth of the time, when all clients have connected, and in the last tenth.
fn growth(memory: &[u64]) -> (u64, u64) {
    let median = |part: &[u64]| {
        let mut part = part.to_vec();
        part.sort_unstable();
        part.get(part.len() / 2).copied().unwrap_or(0)
    };
    let tenth = (memory.len() / 10).max(1);
    let second = memory.get(tenth..2 * tenth).unwrap_or(memory);
    (
        median(second),
        median(&memory[memory.len().saturating_sub(tenth)..]),
    )
}

/// Lets many clients send queries for that time, and samples the memory of a process meanwhile.
fn crowd(
    clients: usize,
    time: Duration,
    pid: u32,
    client: impl Fn(usize, &Met, &dyn Fn() -> bool) + Sync,
) -> Met {
    let met = Met::default();
    let over = AtomicBool::new(false);
    let mut memory = Vec::new();
    std::thread::scope(|scope| {
        for seed in 0..clients {
            let (met, client, over) = (&met, &client, &over);
            let thread = std::thread::Builder::new().stack_size(STACK);
            let spawned = thread.spawn_scoped(scope, move || {
                client(seed, met, &|| over.load(Ordering::Relaxed));
            });
            if let Err(error) = spawned {
                met.fails(&error.into());
            }
        }
        let since = Instant::now();
        let step = (time / 100).min(Duration::from_secs(1));
        while since.elapsed() < time {
            std::thread::sleep(step);
            memory.push(resident(pid));
        }
        over.store(true, Ordering::Relaxed);
    });
    Met { memory, ..met }
}

/// The resident memory of a process in bytes; 0 if the system does not provide it.
fn resident(pid: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// Sends queries repeatedly, each over a used or a new connection.
fn again_and_again<C>(
    seed: usize,
    met: &Met,
    over: &dyn Fn() -> bool,
    connect: impl Fn() -> Result<C>,
    ask: impl Fn(&mut C, usize) -> Result<Option<Duration>>,
) {
    // Clients start at different moments.
    std::thread::sleep(PAUSE * (seed % 100) as u32 / 100);
    let mut connection = None;
    let mut n = seed;
    while !over() {
        if n.is_multiple_of(EACH) {
            connection = None;
        }
        n += 1;
        let mut once = || -> Result<Option<Duration>> {
            let open = match connection.take() {
                Some(open) => open,
                None => connect()?,
            };
            ask(connection.insert(open), n)
        };
        match once() {
            Ok(Some(took)) => met.answers(took),
            Ok(None) => drop(met.busy.fetch_add(1, Ordering::Relaxed)),
            Err(error) if over() => drop(error),
            Err(error) => {
                met.fails(&error);
                connection = None;
            }
        }
        std::thread::sleep(PAUSE);
    }
}

fn symbol(n: usize) -> String {
    format!("f{}_{}", n % 100, n % 20)
}

fn over_socket(daemon: &Resident, seed: usize, met: &Met, over: &dyn Fn() -> bool) {
    let ask = |wire: &mut Wire, n: usize| {
        let (action, payload) = match n % 4 {
            0 => ("ping", json!({})),
            1 => ("search", json!({"query": symbol(n), "mode": "symbol"})),
            2 => ("impact", json!({"symbol": symbol(n), "depth": 3})),
            _ => ("call-chain", json!({"symbol": symbol(n), "depth": 2})),
        };
        let (took, answer) = wire.ask(action, payload)?;
        match answer["status"].as_str() {
            Some("ok") => Ok(Some(took)),
            Some("busy") => Ok(None),
            _ => bail!("{answer}"),
        }
    };
    again_and_again(seed, met, over, || daemon.connect(), ask);
}

/// The MCP server over HTTP, stopped on drop.
struct Served {
    child: Child,
    address: SocketAddr,
}

impl Served {
    fn start(binary: &Path, repo: &Path, state: &Path) -> Result<Served> {
        let mut child = command(binary, repo, state)
            .args(["mcp", "--http", "127.0.0.1:0", "--no-token"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut lines = BufReader::new(child.stderr.take().context("no stderr")?).lines();
        let first = lines.next().context("it says nothing")??;
        let address = first
            .strip_prefix("Listening on http://")
            .and_then(|rest| rest.strip_suffix("/mcp"))
            .and_then(|address| address.parse().ok());
        std::thread::spawn(move || lines.for_each(drop));
        let address = address.with_context(|| format!("it said {first}"))?;
        Ok(Served { child, address })
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A connection with its own session.
struct Session {
    stream: BufReader<TcpStream>,
    address: SocketAddr,
    id: Option<String>,
}

impl Session {
    fn begin(address: SocketAddr) -> Result<Session> {
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        let stream = BufReader::new(stream);
        let mut session = Session {
            stream,
            address,
            id: None,
        };
        session.post(
            &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "crowd", "version": "1"},
            }}),
        )?;
        session.post(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(session)
    }

    /// Sends a message and returns the text of the answer.
    fn post(&mut self, message: &Value) -> Result<String> {
        let body = message.to_string();
        let session = match &self.id {
            Some(id) => format!("Mcp-Session-Id: {id}\r\n"),
            None => String::new(),
        };
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n{session}\r\n",
            self.address,
            body.len()
        );
        self.stream.get_mut().write_all((head + &body).as_bytes())?;
        let status = self.line()?;
        if !status.starts_with("HTTP/1.1 2") {
            bail!("{status}");
        }
        let mut length = None;
        loop {
            let line = self.line()?.to_ascii_lowercase();
            match line.split_once(": ") {
                None => break,
                Some(("content-length", number)) => length = Some(number.parse::<usize>()?),
                Some(("mcp-session-id", id)) => self.id = Some(id.to_owned()),
                Some(_) => {}
            }
        }
        match length {
            Some(length) => self.text(length),
            None => self.chunks(),
        }
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            bail!("the server closed the connection");
        }
        Ok(line.trim_end().to_owned())
    }

    fn text(&mut self, length: usize) -> Result<String> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes)?;
        Ok(String::from_utf8(bytes)?)
    }

    fn chunks(&mut self) -> Result<String> {
        let mut all = String::new();
        loop {
            let length = usize::from_str_radix(&self.line()?, 16)?;
            all.push_str(&self.text(length)?);
            self.line()?;
            if length == 0 {
                return Ok(all);
            }
        }
    }
}

fn over_http(address: SocketAddr, seed: usize, met: &Met, over: &dyn Fn() -> bool) {
    let ask = |session: &mut Session, n: usize| {
        let (method, params) = match n % 4 {
            0 => ("tools/list", json!({})),
            1 => {
                let arguments = json!({"query": symbol(n), "mode": "symbol"});
                (
                    "tools/call",
                    json!({"name": "ci_search", "arguments": arguments}),
                )
            }
            2 => {
                let arguments = json!({"symbol": symbol(n), "depth": 3});
                (
                    "tools/call",
                    json!({"name": "ci_impact", "arguments": arguments}),
                )
            }
            _ => {
                let arguments = json!({"symbol": symbol(n), "depth": 2});
                (
                    "tools/call",
                    json!({"name": "ci_call_chain", "arguments": arguments}),
                )
            }
        };
        let message = json!({"jsonrpc": "2.0", "id": n, "method": method, "params": params});
        let since = Instant::now();
        let said = session.post(&message)?;
        let took = since.elapsed();
        match (
            said.contains("\"result\""),
            said.contains("\"isError\":true"),
        ) {
            (true, false) => Ok(Some(took)),
            (true, true) if said.contains("too many questions") => Ok(None),
            _ => bail!("{said}"),
        }
    };
    again_and_again(seed, met, over, || Session::begin(address), ask);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_compares_the_second_tenth_with_the_last() {
        let flat: Vec<u64> = (0..100).map(|n| if n < 5 { 1 } else { 50 }).collect();
        assert_eq!(growth(&flat), (50, 50));
        let rising: Vec<u64> = (0..100).collect();
        assert_eq!(growth(&rising), (15, 95));
        assert_eq!(growth(&[]), (0, 0));
    }
}
