//! `bench query` and `bench startup`: the response times of a running server, and its start.

use super::index::command;
use super::process::{Server, measure};
use super::{Common, graph, milliseconds, percentile, row};
use anyhow::Result;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

const STARTS: usize = 20;

/// The number of symbols that are queried.
const SYMBOLS: usize = 300;

/// A name for the table, the tool, its arguments for a symbol, and the bound.
type Question = (&'static str, &'static str, fn(&str) -> Value, u64);

const QUESTIONS: [Question; 4] = [
    (
        "call-chain depth 3",
        "ci_call_chain",
        |s| json!({"symbol": s, "depth": 3}),
        1,
    ),
    (
        "find-symbol",
        "ci_graph_store",
        |s| json!({"action": "find-symbol", "payload": {"symbol": s}}),
        1,
    ),
    (
        "impact depth 5",
        "ci_impact",
        |s| json!({"symbol": s, "depth": 5}),
        10,
    ),
    (
        "search by name",
        "ci_search",
        |s| json!({"query": s, "mode": "symbol"}),
        5,
    ),
];

/// Structural queries over MCP to a warm server: first on a repository, then on a generated graph
/// of a million edges. Beside them: an empty call of the same server, and bare lookups in SQLite.
pub fn query(common: &Common) -> Result<()> {
    let binary = common.binary()?;
    let state = tempfile::tempdir()?;
    measure(command(&binary, &common.repo, state.path()).args(["index", "--format", "json"]))?;
    println!("{}", common.repo.display());
    ask(&binary, &common.repo, state.path())?;
    let (empty, state) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let edges = graph::generate(&state.path().join("graph.db"))?;
    println!("generated graph of {edges} edges");
    ask(&binary, empty.path(), state.path())
}

/// Sends all queries for a sample of symbols.
fn ask(binary: &Path, repo: &Path, state: &Path) -> Result<()> {
    let database = state.join("graph.db");
    let symbols = graph::symbols(&database, SYMBOLS)?;
    let mut bare = graph::look_ups(&database, &symbols)?;
    let (mut server, _) = Server::start(command(binary, repo, state).arg("mcp"))?;
    settle(&mut server, &symbols[0])?;
    let mut ping = times(&symbols, |_| Ok(server.call("no_such_tool", json!({}))?.0))?;
    let reference = format!(
        "empty call {}, SQLite {}",
        milliseconds(percentile(&mut ping, 0.95)),
        milliseconds(percentile(&mut bare, 0.95))
    );
    println!("  {} symbols asked about, {reference}", symbols.len());
    for (what, tool, arguments, bound) in QUESTIONS {
        let (mut failed, mut affected) = (0, 0);
        let mut times = times(&symbols, |symbol| {
            let (time, answer) = server.call(tool, arguments(symbol))?;
            failed += usize::from(answer["result"]["isError"] == true);
            affected = affected.max(total_affected(&answer));
            Ok(time)
        })?;
        let p50 = percentile(&mut times, 0.5);
        let p95 = percentile(&mut times, 0.95);
        row(
            &format!("{what}, p95"),
            &milliseconds(p95),
            &format!("p50 {}", milliseconds(p50)),
            &format!("{bound} ms"),
            p95 <= Duration::from_millis(bound),
        );
        if affected > 0 {
            println!("  up to {affected} affected");
        }
        if failed > 0 {
            println!("  {failed} of these were refused (ambiguous or unknown)");
        }
    }
    Ok(())
}

fn total_affected(answer: &Value) -> u64 {
    let text = answer["result"]["content"][0]["text"].as_str();
    let answer: Value = serde_json::from_str(text.unwrap_or("")).unwrap_or_default();
    answer["total_affected"].as_u64().unwrap_or(0)
}

/// Sends queries until the server answers from memory, that is, until an answer comes much sooner
/// than the first.
fn settle(server: &mut Server, symbol: &str) -> Result<()> {
    let arguments = || json!({"symbol": symbol, "depth": 1});
    server.call("ci_call_chain", arguments())?;
    let since = Instant::now();
    while since.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(500));
        let (time, _) = server.call("ci_call_chain", arguments())?;
        if time < Duration::from_millis(2) && since.elapsed() > Duration::from_secs(3) {
            break;
        }
    }
    Ok(())
}

fn times(
    symbols: &[String],
    mut one: impl FnMut(&str) -> Result<Duration>,
) -> Result<Vec<Duration>> {
    symbols.iter().map(|symbol| one(symbol)).collect()
}

/// The time from the start of the MCP server to its answer to `initialize`, beside the start of
/// `--version`.
pub fn startup(common: &Common) -> Result<()> {
    let binary = common.binary()?;
    let state = tempfile::tempdir()?;
    measure(command(&binary, &common.repo, state.path()).args(["index", "--format", "json"]))?;
    let (mut bare, mut ours) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let started = Instant::now();
        measure(std::process::Command::new(&binary).arg("--version"))?;
        bare.push(started.elapsed());
        let mut start = command(&binary, &common.repo, state.path());
        ours.push(Server::start(start.arg("mcp"))?.1);
    }
    let p95 = percentile(&mut ours, 0.95);
    row(
        "start to initialize, p95",
        &milliseconds(p95),
        &format!("--version {}", milliseconds(percentile(&mut bare, 0.95))),
        "50 ms",
        p95 <= Duration::from_millis(50),
    );
    Ok(())
}
