//! `bench daemon`: queries to a warm daemon, many clients at once, whole processes, and memory at rest.

use super::hook::{PROMPTS, finish};
use super::index::command;
use super::process::measure;
use super::{Common, graph, megabytes, milliseconds, percentile, row};
use crate::resident::Resident;
use anyhow::Result;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The number of queries of each kind, one after the other.
const HOT: usize = 100;
/// The number of clients at once. [`EACH`] is the number of queries of each.
const CLIENTS: usize = 100;
const EACH: usize = 100;
/// The number of process runs of each kind.
const PROCESSES: usize = 40;
/// The time that the daemon rests before its memory is measured.
const REST: Duration = Duration::from_secs(45);
/// Upper bounds of the histogram, milliseconds.
const BOUNDS: [u64; 8] = [1, 2, 5, 10, 25, 50, 100, 500];

/// A query by its number: action and payload.
type Asks<'a> = dyn Fn(usize) -> (&'static str, Value) + 'a;

/// Runs the benchmark. Each figure is shown beside an empty ping of the same run.
pub fn measure_daemon(common: &Common) -> Result<()> {
    let binary = common.binary()?;
    let state = tempfile::tempdir()?;
    measure(command(&binary, &common.repo, state.path()).args(["index", "--format", "json"]))?;
    let lines = lines_of(&common.repo)?;
    let daemon = Resident::start(&binary, &common.repo, state.path())?;
    let mut wire = daemon.connect()?;
    let (took, warm) = wire.ask("warmup", json!({}))?;
    println!(
        "{}: {lines} lines, {} nodes, {} chunks; warm-up {}",
        common.repo.display(),
        warm["data"]["symbols_cached"],
        warm["data"]["chunks"],
        milliseconds(took)
    );
    let symbols = graph::symbols(&state.path().join("graph.db"), HOT)?;
    let mut ping = hot(&daemon, |_| ("ping", json!({})))?;
    let reference = format!("ping {}", fine(percentile(&mut ping, 0.95)));
    let of = |n: usize| symbols[n % symbols.len()].clone();
    let kinds: [(&str, u64, &Asks<'_>); 5] = [
        ("search, p95", 5, &|n| {
            ("search", json!({"query": question(n, &of(n))}))
        }),
        ("search by name, p95", 5, &|n| {
            ("search", json!({"query": of(n), "mode": "symbol"}))
        }),
        ("call-chain depth 3, p95", 1, &|n| {
            ("call-chain", json!({"symbol": of(n), "depth": 3}))
        }),
        ("find-symbol, p95", 1, &|n| {
            (
                "graph-store",
                json!({"action": "find-symbol", "payload": {"symbol": of(n)}}),
            )
        }),
        ("impact depth 5, p95", 10, &|n| {
            ("impact", json!({"symbol": of(n)}))
        }),
    ];
    for (what, bound, ask) in kinds {
        let mut times = hot(&daemon, ask)?;
        let p95 = percentile(&mut times, 0.95);
        let asked = format!("{bound} ms, p50 {}", fine(percentile(&mut times, 0.5)));
        row(
            what,
            &fine(p95),
            &reference,
            &asked,
            p95 <= Duration::from_millis(bound),
        );
        println!("    {}", histogram(&times));
    }
    crowd(&daemon, &of)?;
    processes(&binary, common, state.path())?;
    at_rest(&daemon, lines);
    Ok(())
}

fn question(n: usize, symbol: &str) -> String {
    match n % 2 {
        0 => PROMPTS[n / 2 % (PROMPTS.len() - 1)].to_owned(),
        _ => format!("what does {symbol} do"),
    }
}

/// Milliseconds to two places.
fn fine(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1_000.0)
}

/// Times of queries on one connection, after a few that are not counted.
fn hot(daemon: &Resident, ask: impl Fn(usize) -> (&'static str, Value)) -> Result<Vec<Duration>> {
    let mut wire = daemon.connect()?;
    let mut times = Vec::with_capacity(HOT);
    for n in 0..HOT + 10 {
        let (action, payload) = ask(n);
        let (took, _) = wire.ask(action, payload)?;
        if n >= 10 {
            times.push(took);
        }
    }
    Ok(times)
}

fn histogram(times: &[Duration]) -> String {
    let mut parts = Vec::new();
    let mut below = Duration::ZERO;
    for bound in BOUNDS.map(Duration::from_millis) {
        let count = times.iter().filter(|t| **t > below && **t <= bound).count();
        parts.push(format!("≤{} ms: {count}", bound.as_millis()));
        below = bound;
    }
    let more = times.iter().filter(|t| **t > below).count();
    format!("{}, more: {more}", parts.join(", "))
}

/// The results of one client.
#[derive(Default)]
struct Met {
    answered: Vec<Duration>,
    busy: Vec<Duration>,
    /// Messages of answers that are errors.
    errors: Vec<String>,
}

/// Runs many clients at once, each with many queries. Counts queries that were answered and those that were refused
/// as busy. A query without any answer ends the run.
fn crowd(daemon: &Resident, of: &(dyn Fn(usize) -> String + Sync)) -> Result<()> {
    let since = Instant::now();
    let one = |client: usize| -> Result<Met> {
        let mut wire = daemon.connect()?;
        let mut met = Met::default();
        for n in 0..EACH {
            let payload = json!({"symbol": of(client * EACH + n), "depth": 2});
            let (took, answer) = wire.ask("call-chain", payload)?;
            match answer["status"].as_str() {
                Some("busy") => met.busy.push(took),
                Some("ok") => met.answered.push(took),
                _ => met.errors.push(answer["error_message"].to_string()),
            }
        }
        Ok(met)
    };
    let mut all = Met::default();
    std::thread::scope(|scope| -> Result<()> {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| scope.spawn(move || one(client)))
            .collect();
        for client in clients {
            let met = client
                .join()
                .map_err(|_| anyhow::anyhow!("a client failed"))??;
            all.answered.extend(met.answered);
            all.busy.extend(met.busy);
            all.errors.extend(met.errors);
        }
        Ok(())
    })?;
    println!(
        "{CLIENTS} clients, {} requests in {}: {} answered (p50 {}, p95 {}), {} busy (p95 {}), {} errors",
        CLIENTS * EACH,
        milliseconds(since.elapsed()),
        all.answered.len(),
        fine(percentile(&mut all.answered, 0.5)),
        fine(percentile(&mut all.answered, 0.95)),
        all.busy.len(),
        fine(percentile(&mut all.busy, 0.95)),
        all.errors.len(),
    );
    println!("    {}", histogram(&all.answered));
    if let Some(error) = all.errors.first() {
        println!("    the first error: {error}");
    }
    Ok(())
}

/// Times of whole processes, from start to end.
fn processes(binary: &Path, common: &Common, state: &Path) -> Result<()> {
    let timed = |one: &dyn Fn(usize) -> Result<Duration>| -> Result<Vec<Duration>> {
        (0..PROCESSES).map(one).collect()
    };
    let mut start = timed(&|_| {
        let mut command = Command::new(binary);
        command.arg("--version");
        finish(command, "")
    })?;
    let reference = format!("start {}", fine(percentile(&mut start, 0.95)));
    let hook = |n: usize| {
        let event = json!({
            "session_id": "bench", "cwd": common.repo, "hook_event_name": "UserPromptSubmit",
            "prompt": PROMPTS[n % PROMPTS.len()],
        });
        let mut command = command(binary, &common.repo, state);
        command.arg("hook");
        finish(command, &event.to_string())
    };
    let search = |n: usize| {
        let mut command = command(binary, &common.repo, state);
        command.args(["search", PROMPTS[n % PROMPTS.len()]]);
        finish(command, "")
    };
    for (what, one) in [
        (
            "prompt hook, process, p95",
            &hook as &dyn Fn(usize) -> Result<Duration>,
        ),
        ("search, process, p95", &search),
    ] {
        let mut times = timed(one)?;
        let p95 = percentile(&mut times, 0.95);
        let asked = format!("30 ms, p50 {}", fine(percentile(&mut times, 0.5)));
        row(
            what,
            &fine(p95),
            &reference,
            &asked,
            p95 <= Duration::from_millis(30),
        );
    }
    Ok(())
}

fn at_rest(daemon: &Resident, lines: usize) {
    let busy = daemon.memory("VmRSS");
    std::thread::sleep(REST);
    let rest = daemon.memory("VmRSS");
    // The bound is for 100,000 lines and grows with the repository.
    let asked = 60_000_000 * (lines.max(100_000) as u64) / 100_000;
    row(
        "memory at rest",
        &megabytes(rest),
        &format!(
            "before {}, own {}",
            megabytes(busy),
            megabytes(daemon.memory("RssAnon"))
        ),
        &format!("{} for {lines} lines", megabytes(asked)),
        rest <= asked,
    );
}

/// The number of lines of the indexed files.
fn lines_of(repo: &Path) -> Result<usize> {
    let walked = ingest::walk::walk_project(repo, 1 << 20)?;
    let count = |path: &str| {
        let bytes = std::fs::read(repo.join(path)).unwrap_or_default();
        bytes.iter().filter(|byte| **byte == b'\n').count()
    };
    Ok(walked.files.iter().map(|file| count(&file.path)).sum())
}
