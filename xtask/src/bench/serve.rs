//! `bench query` and `bench startup`: how soon a running server answers.

use super::index::command;
use super::process::{Server, measure};
use super::{Common, milliseconds, percentile, row};
use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

const STARTS: usize = 20;

/// What is measured, the tool, and its arguments for a symbol.
type Question = (&'static str, &'static str, fn(&str) -> Value);

/// Structural queries over MCP on a warm server, beside a ping of the same server.
pub fn query(common: &Common) -> Result<()> {
    let binary = common.binary()?;
    let state = tempfile::tempdir()?;
    measure(command(&binary, &common.repo, state.path()).args(["index", "--format", "json"]))?;
    let symbols = symbols(&binary, &common.repo, state.path())?;
    let (mut server, _) = Server::start(command(&binary, &common.repo, state.path()).arg("mcp"))?;
    // The first question opens the snapshot.
    server.call("ci_index_status", json!({}))?;
    let mut ping = times(&symbols, |_| Ok(server.call("no_such_tool", json!({}))?.0))?;
    let ping = percentile(&mut ping, 0.95);
    let mut ask = |tool: &str, arguments: fn(&str) -> Value| {
        let mut failed = 0;
        let mut times = times(&symbols, |symbol| {
            let (time, answer) = server.call(tool, arguments(symbol))?;
            failed += usize::from(answer["result"]["isError"] == true);
            Ok(time)
        })?;
        Ok::<_, anyhow::Error>((percentile(&mut times, 0.95), failed))
    };
    println!(
        "{}: {} symbols asked about",
        common.repo.display(),
        symbols.len()
    );
    let questions: [Question; 3] = [
        (
            "call-chain depth 3, p95",
            "ci_call_chain",
            |s| json!({"symbol": s, "depth": 3}),
        ),
        (
            "find a symbol, p95",
            "ci_search",
            |s| json!({"query": s, "mode": "symbol"}),
        ),
        (
            "impact depth 5, p95",
            "ci_impact",
            |s| json!({"symbol": s, "depth": 5}),
        ),
    ];
    for (what, tool, arguments) in questions {
        let (p95, failed) = ask(tool, arguments)?;
        let bound = if tool == "ci_impact" { 10 } else { 1 };
        row(
            what,
            &milliseconds(p95),
            &format!("empty call {}", milliseconds(ping)),
            &format!("{bound} ms"),
            p95 <= Duration::from_millis(bound),
        );
        if failed > 0 {
            println!("  {failed} of these were refused (ambiguous or unknown)");
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

/// Names of functions, spread over the graph.
fn symbols(binary: &Path, repo: &Path, state: &Path) -> Result<Vec<String>> {
    let sql = "SELECT qualified_name FROM nodes WHERE kind IN ('function', 'method') \
               AND qualified_name IS NOT NULL ORDER BY id LIMIT 300";
    let arguments = ["graph-store", "query", "--sql", sql, "--format", "json"];
    let spent = measure(command(binary, repo, state).args(arguments))?;
    let mut found = Vec::new();
    strings(&serde_json::from_str(&spent.output)?, &mut found);
    found.retain(|name| name != "qualified_name");
    if found.is_empty() {
        bail!("no function in the graph");
    }
    Ok(found)
}

/// Every string of a JSON value.
fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|v| strings(v, found)),
        Value::Object(fields) => fields.values().for_each(|v| strings(v, found)),
        _ => {}
    }
}

/// Start of the MCP server to its answer to `initialize`, beside the start of `--version`.
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
